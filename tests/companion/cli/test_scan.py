"""`companion scan` and `companion watch` on a drawn table, and wrong things given to them."""

import json
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.cli.scan_report import scan_report
from scoring.board.board import Board, load_board
from scoring.language import LANGUAGES
from tests.support.disk_room import room_for
from tests.support.drawn_table import CLAIMED, full_photo, write_table
from vision.reading import (
    COVERED,
    PlaceReading,
    Reading,
    Registration,
    RouteReading,
    SpaceReading,
    Why,
    warning,
)

USA = load_board("usa")


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Paths of calibration, empty photo and full photo."""
    return write_table(tmp_path_factory.mktemp("table"))


def test_json_is_one_document_with_every_route(
    laid: tuple[Path, Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibration, _, full = laid
    overlay = tmp_path / "overlay.png"
    command = ["scan", str(full), "--board", "usa", "--calibration", str(calibration), "--json"]
    assert main([*command, "--players", "red,blue,green", "--overlay", str(overlay)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document["routes"]) == [route.id for route in USA.routes]
    owners = {name: route["owner"] for name, route in document["routes"].items()}
    assert {name: owner for name, owner in owners.items() if owner} == CLAIMED
    assert document["registration"]["method"] == "reference"
    corners = np.array(document["registration"]["corners"])
    np.testing.assert_allclose(corners, full_photo().corners_px, atol=2.0)
    assert {space["label"] for space in document["routes"]["denver--omaha"]["spaces"]} == {"red"}
    spent = document["timing_ms"]
    assert all(type(ms) is int for ms in spent.values()), "whole milliseconds"
    assert spent["total"] >= spent["register"] + spent["read"] > 0
    lines = [name for place in document["places"] for name in place["routes"]]
    assert sorted(lines) == sorted(document["routes"]), "every line is in one place"
    for place in document["places"]:
        assert place["owners"] == [owners[name] for name in place["routes"]]
        assert place["review"] == bool(place["why"])
        reviews = {document["routes"][name]["review"] for name in place["routes"]}
        assert reviews == {place["review"]}, "review of a place is that of all its lines"
    picture = cv2.imread(str(overlay))
    assert picture is not None
    assert max(picture.shape) == 1600


@pytest.mark.parametrize("as_json", [True, False])
def test_a_picture_that_finds_no_room_takes_no_reading_away(
    laid: tuple[Path, Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    as_json: bool,
) -> None:
    calibration, _, full = laid
    overlay = tmp_path / "overlay.png"
    command = ["scan", str(full), "--board", "usa", "--calibration", str(calibration)]
    command += ["--overlay", str(overlay), *(["--json"] if as_json else [])]
    with room_for(1000):
        assert main(command) == 2
    printed = capsys.readouterr()
    if as_json:
        routes = json.loads(printed.out)["routes"]
        assert {name: r["owner"] for name, r in routes.items() if r["owner"]} == CLAIMED
    else:
        assert "red: routes 1, wagons 4, route points 7" in printed.out
    (told,) = printed.err.splitlines()
    assert told.startswith(f"companion scan: {overlay} cannot be written: ")
    assert not list(tmp_path.iterdir())


def test_people_get_names_symbols_and_counts_in_their_language(
    laid: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    calibration, _, full = laid
    command = ["scan", str(full), "--board", "usa", "--calibration", str(calibration)]
    assert main([*command, "--language", "it"]) == 0
    printed = capsys.readouterr().out
    assert "● rosso: tratte 1, vagoni 4, punti tratta 7, percorso più lungo 4\n" in printed
    assert "■ blu: tratte 1, vagoni 5, punti tratta 10, percorso più lungo 5\n" in printed
    assert "| companion explain - --player blu`" in printed
    assert "    4  Denver – Omaha\n" in printed
    assert "denver--omaha" not in printed
    assert printed.splitlines()[-1].startswith(
        "Chi vince con questa lettura: `companion scan … --js"
    )


def seen_with(board: Board, owners: Mapping[str, str], asked: Mapping[str, str]) -> str:
    """The report of a reading with these owners; of `asked` routes nobody is sure."""
    routes = {
        name: RouteReading(name, owner, 0.9, (), (SEEN,) * 4) for name, owner in owners.items()
    }
    for name, owner in asked.items():
        choices = ((None, 0.6), (owner, 0.4))
        routes[name] = RouteReading(name, None, 0.6, (Why.UNSURE,), (SEEN,) * 4, choices)
    where = Registration("outline", np.zeros((4, 2)), np.zeros((309, 4, 2)), 1.0)
    places = tuple(PlaceReading((n,), (r.owner,), r.why) for n, r in routes.items())
    return scan_report(Reading(board.id, where, routes, (), {}, places), board, "en")


def test_it_says_how_long_each_longest_path_is() -> None:
    """A fork of 4, 4 and 2 wagons has a path of 8, and one that nobody is sure of may lengthen it.

    Who disputes a length had to know of another command first.
    """
    red = ["denver--omaha", "denver--helena", "denver--santa-fe"]
    blue = {"atlanta--miami": "blue"}
    report = seen_with(USA, dict.fromkeys(red, "red") | blue, {"duluth--helena": "red"})
    assert "red: routes 3, wagons 10, route points 16, longest path 8 as read\n" in report
    assert "blue: routes 1, wagons 5, route points 10, longest path 5\n" in report
    assert "companion explain - --player red" in report


def test_no_longest_path_is_shown_where_the_game_counts_none() -> None:
    report = seen_with(load_board("germany"), {"berlin--magdeburg": "red"}, {})
    assert "red: routes 1, wagons 3, route points 4\n" in report
    assert "longest" not in report


def test_an_empty_board_leads_to_no_winner() -> None:
    assert "companion score" not in report_of((Why.HIDDEN,), "en")


def test_an_empty_board_is_told_as_empty() -> None:
    """“Nothing is doubtful.” alone left open what had been seen."""
    assert "There are no wagons on the board." in report_of((), "en")
    assert "no wagons on" not in report_of((Why.HIDDEN,), "en")


SEEN = SpaceReading("empty", 0.999, {"empty": 0.999, "occluded": 0.0})


def report_of(why: tuple[Why, ...], language: str) -> str:
    """The report of a reading in which one free place is asked about, for these reasons."""
    asked = RouteReading("denver--omaha", None, 0.9999, why, (SEEN,) * 4)
    where = Registration("outline", np.zeros((4, 2)), np.zeros((309, 4, 2)), 1.0)
    place = PlaceReading((asked.route,), (None,), why)
    reading = Reading("usa", where, {asked.route: asked}, (), {}, (place,))
    return scan_report(reading, USA, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_to_ask_has_words_of_its_own_in_both_languages(language: str) -> None:
    said = {why: report_of((why,), language) for why in Why}
    assert len(set(said.values())) == len(Why)
    assert all("vision.why" not in report for report in said.values())


def test_a_question_says_all_reasons_and_claims_no_certainty() -> None:
    report = report_of((Why.SINGLE_SPACE, Why.NEIGHBOUR), "en")
    assert "nobody 99% (a single space, wagons of the line beside it may be its own)" in report
    assert "100%" not in report


def test_it_says_how_many_questions_are_about_what_one_from_the_other_side_may_show() -> None:
    whys = {"denver--omaha": Why.HIDDEN, "atlanta--miami": Why.GLARE, "duluth--helena": Why.UNSURE}
    routes = {n: RouteReading(n, None, 0.9, (why,), (SEEN,) * 4) for n, why in whys.items()}
    where = Registration("outline", np.zeros((4, 2)), np.zeros((309, 4, 2)), 1.0)
    places = tuple(PlaceReading((name,), (None,), (why,)) for name, why in whys.items())
    report = scan_report(Reading("usa", where, routes, (), {}, places), USA, "en")
    assert "Of 3 questions 2 are about what this photo hides" in report
    assert "from the other side, with nothing over the board" in report
    assert "other side" not in report_of((Why.HIDDEN,), "en")
    hand = (warning(COVERED, ("denver--omaha",)),)
    report = scan_report(Reading("usa", where, routes, hand, {}, places), USA, "en")
    assert "Of 3 questions 2 are about what this photo hides" in report
    assert "take away what lies over the board" in report


def test_wagons_of_a_colour_that_nobody_plays_are_asked_about_and_told(
    laid: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Blue was forgotten: its five wagons must not become somebody else's, surely."""
    calibration, _, full = laid
    command = ["scan", str(full), "--board", "usa", "--calibration", str(calibration), "--json"]
    assert main([*command, "--players", "red,green"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert read["routes"]["atlanta--miami"]["review"]
    assert read["routes"]["denver--omaha"]["owner"] == "red"
    assert not read["routes"]["denver--omaha"]["review"]
    strange = [w for w in read["warnings"] if w["code"] == "not-in-play"]
    assert [w["routes"] for w in strange] == [["atlanta--miami"]]
    assert "check the players" in strange[0]["text"]


def test_sentences_for_programs_are_told_in_the_language_that_was_asked_for(
    laid: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A program shows them to its own people; `score --json` keeps to the language, too."""
    calibration, empty, full = laid
    command = ["scan", str(full), "--board", "usa", "--calibration", str(calibration), "--json"]
    assert main([*command, "--players", "red,green", "--language", "it"]) == 0
    told = [w["text"] for w in json.loads(capsys.readouterr().out)["warnings"]]
    assert any("controlla i colori dei giocatori" in text for text in told)
    command = ["watch", f"still:{empty}", "--board", "germany", "--json", "--language", "it"]
    assert main(command) == 0
    (event,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert event["kind"] == "blocked"
    assert event["reason"].startswith("questo sembra Ticket to Ride (USA), non")


def test_one_covered_route_is_told_in_the_singular() -> None:
    one = warning("covered", ("denver--omaha",)).message
    assert one.text("en") == "Something lies over a route."
    assert one.text("it") == "Qualcosa copre una tratta."


def test_watching_a_recording_tells_each_claim_with_its_frame(
    laid: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    calibration, empty, _ = laid
    command = ["watch", f"replay:{empty.parent}", "--board", "usa", "--fps", "4", "--json"]
    assert main([*command, "--calibration", str(calibration)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0] == {"frame": "001.jpg", "t": 0.0, "kind": "empty"}
    claims = {e["route"]: e["owner"] for e in events if e["kind"] == "claimed"}
    doubts = {e["route"]: e["owner"] for e in events if e["kind"] == "doubt"}
    # Beside a claimed line of one space the free line of its double may be asked about, too.
    told = {route: owner for route, owner in (claims | doubts).items() if owner is not None}
    assert told == CLAIMED
    assert set(doubts) - set(CLAIMED) <= {"dallas--houston-2"}
    assert {e["frame"] for e in events if e["kind"] == "claimed"} == {"002.jpg"}
    assert {e["t"] for e in events if e["kind"] == "claimed"} == {0.25}


def test_a_file_of_a_recording_that_is_no_picture_is_passed_over(
    laid: tuple[Path, Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibration, empty, _ = laid
    (tmp_path / "000.jpg").write_text("no picture")
    command = ["watch", str(tmp_path), "--board", "usa", "--calibration", str(calibration)]
    assert main([*command, "--json"]) == 3
    assert len(capsys.readouterr().err.splitlines()) == 1
    (tmp_path / "001.jpg").write_bytes(empty.read_bytes())
    (tmp_path / "002.jpg").write_bytes(empty.read_bytes()[:2000])
    assert main([*command, "--json"]) == 0
    printed = capsys.readouterr()
    assert [json.loads(line)["kind"] for line in printed.out.splitlines()] == ["empty"]
    assert ["000.jpg" in line for line in printed.err.splitlines()] == [True, False]


def test_watching_speaks_in_sentences_too(
    laid: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    calibration, empty, _ = laid
    command = ["watch", str(empty.parent), "--board", "usa", "--calibration", str(calibration)]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("00") for line in lines)
    assert any("Denver – Omaha" in line for line in lines)


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        ("scan {full} --board mars", 2, "unknown board 'mars'"),
        ("scan {text} --board USA", 3, "not a photo"),
        ("scan {full} --board Paris", 2, "serve --board paris`"),
        ("scan {folder}/none.jpg --board usa", 2, "there is no file"),
        ("scan {folder} --board usa", 2, "it is a folder"),
        ("scan {text} --board usa", 3, "not a photo"),
        ("scan {half} --board usa", 3, "cut off"),
        ("scan {full} --board usa --players red,pink", 2, "unknown player colour pink"),
        ("scan {full} --board usa --players ,", 2, "--players names no colour; usa has blue, red"),
        (f"scan {{full}} --board usa --players {'pink,' * 900}", 2, "pink, pi; usa has blue"),
        ("scan {full} --board usa --calibration {folder}/none", 2, "there is no file"),
        ("scan {full} --board usa --calibration {text}", 3, "not a complete calibration"),
        ("scan {full} --board germany --calibration {calibration}", 3, "not of germany"),
        ("scan {full} --board usa --reference {folder}/none.jpg", 2, "there is no file"),
        ("scan {full} --board usa --reference {text}", 3, "not a photo"),
        ("scan {full} --board usa --overlay {folder}/no/where.png", 2, "there is no folder"),
        ("scan {full} --board usa --overlay {folder}/where", 2, "ends in .png"),
        ("scan {grey} --board usa --calibration {calibration}", 3, ""),
        (
            "scan {full} --board usa --corners 1e300,0 1e301,0 1e301,1e300 0,1e300",
            2,
            "the corner 1e+300,0 is not in or near the photo, which has 1600 × 1200 pixels",
        ),
        ("scan {full} --board usa --corners 0,0 inf,0 9,9 0,9", 2, "the corner inf,0 is not in"),
        ("scan {full} --board usa --corners 0,0 nan,0 9,9 0,9", 2, "the corner nan,0 is not in"),
        ("score {full}", 3, "is a photo: `companion scan"),
        ("watch {folder}/none --board usa", 2, "No camera is called"),
        ("watch {folder}/empty --board usa", 2, "holds no pictures"),
        ("watch {frames} --board usa --fps 0", 2, "--fps must be from"),
        ("watch v4l2:97 --board usa", 3, "no camera at /dev/video97"),
        ("calibrate --board usa --empty {text} -o {folder}/c", 3, "not a photo"),
        ("calibrate --board usa --empty {folder}/none.jpg -o {folder}/c", 2, "there is no file"),
        ("calibrate --board usa --camera webcam -o {folder}/c", 2, "No camera is called"),
    ],
)
def test_a_wrong_input_is_one_line_and_its_code(
    laid: tuple[Path, Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    code: int,
    sentence: str,
) -> None:
    calibration, empty, full = laid
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "half.jpg").write_bytes(full.read_bytes()[: full.stat().st_size // 2])
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((600, 800, 3), 90, np.uint8))
    words = command.format(
        full=full,
        folder=tmp_path,
        frames=empty.parent,
        calibration=calibration,
        text=tmp_path / "text.jpg",
        half=tmp_path / "half.jpg",
        grey=tmp_path / "grey.png",
    )
    assert main(words.split()) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.strip().splitlines()) == 1
    assert sentence in printed.err


@pytest.mark.parametrize("command", ["scan", "watch"])
def test_a_reference_that_shows_wagons_is_refused_until_a_person_vouches(
    laid: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str], command: str
) -> None:
    _, empty, full = laid
    words = [command, str(empty) if command == "scan" else f"still:{empty}", "--board", "usa"]
    words += ["--reference", str(full)]
    assert main(words) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert "Denver – Omaha" in line
    assert "if no wagon lies there, say so with --really-empty" in line
    assert main([*words, "--language", "it"]) == 3
    assert "dillo con --really-empty" in capsys.readouterr().err
    assert main([*words, "--really-empty"]) == 0


def test_vouching_for_no_photo_is_wrong_usage(
    laid: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scan", str(laid[2]), "--board", "usa", "--really-empty"]) == 2
    assert "--really-empty vouches that a photo shows the empty board" in capsys.readouterr().err
