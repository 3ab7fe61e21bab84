"""`companion boards` and `companion boards check`, and the files of a table's data folder."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from tests.support.disk_room import room_for

DATA = Path(__file__).parents[3] / "scoring" / "board" / "data"
CARD_SET: dict[str, Any] = {
    "format": 1,
    "id": "card-game",
    "title": "Our cards",
    "tickets": [{"from": "chicago", "to": "miami", "points": 5, "cards": {"red": 1}}],
    "big_cities": {"chicago": 8},
}
PARIS: dict[str, Any] = {
    "format": 1,
    "id": "paris",
    "title": "Paris of our own",
    "version": 1,
    "players": [2, 4],
    "player_colours": ["red", "blue", "green", "white"],
    "wagons_per_player": 15,
    "doubles_open_from": 3,
    "route_points": {"1": 1, "2": 3},
    "places": [{"id": "bakery", "name": "Bakery"}, {"id": "tower", "name": "The Tower"}],
    "routes": [
        {"id": "bakery--tower", "from": "bakery", "to": "tower", "length": 2, "colour": "red"}
    ],
    "tickets": [{"id": "bakery--tower", "from": "bakery", "to": "tower", "points": 6}],
}
PARIS_GAME: dict[str, Any] = {
    "game": "paris",
    "players": [
        {"name": "Ada", "colour": "red", "routes": ["bakery--tower"], "tickets": ["bakery--tower"]}
    ],
}


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty data folder, and English."""
    folder = tmp_path / "data"
    (folder / "boards").mkdir(parents=True)
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    return folder


def written(path: Path, content: object) -> str:
    path.write_text(json.dumps(content), "utf-8")
    return str(path)


def test_all_five_games_are_listed_with_their_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    counted = {row["id"]: (row["cities"], row["routes"], row["tickets"]) for row in rows}
    assert counted == {
        "usa": (36, 100, 69),
        "germany": (35, 110, 89),
        "france": (42, 157, 58),
        "paris": (None, None, 20),
        "card-game": (None, None, 46),
    }
    assert all(row["edition"] for row in rows)


def test_the_list_is_printed_one_game_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:5]] == [
        "usa",
        "germany",
        "france",
        "paris",
        "card-game",
    ]
    assert "36 cities, 0 countries, 100 routes, 69 tickets" in lines[0]
    assert "no public data" in lines[3]


def test_a_taught_game_takes_its_place_in_the_list_and_a_broken_file_is_shown(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(data / "boards" / "our-paris.json", PARIS)
    written(data / "boards" / "cards.json", CARD_SET)
    written(data / "boards" / "spoilt.json", {**PARIS, "id": "fan", "routes": []})
    assert main(["boards", "--json"]) == 0
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)}
    assert (rows["paris"]["routes"], rows["paris"]["data"]) == (1, "taught")
    assert (rows["card-game"]["tickets"], rows["card-game"]["data"]) == (1, "taught")
    assert rows["spoilt.json"]["problems"] == ["board: places: tower is not connected to bakery"]
    assert main(["boards"]) == 0
    assert "taught by" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["usa", "germany", "france"])
def test_the_program_s_own_boards_pass_the_check(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["boards", "check", str(DATA / f"{name}.json")]) == 0
    assert "the file is good" in capsys.readouterr().out


def test_the_check_tells_a_board_that_is_only_scored_from_one_that_is_unfinished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["boards", "check", written(tmp_path / "b.json", PARIS)]) == 0
    printed = capsys.readouterr().out
    assert "the file is good" in printed
    assert "scored, not read from photos" in printed
    half = json.loads((DATA / "usa.json").read_text("utf-8"))
    del half["routes"][7]["spaces"], half["prints"]
    path = written(tmp_path / "half.json", {**half, "id": "half"})
    assert main(["boards", "check", path]) == 3
    printed = capsys.readouterr()
    assert "good" not in printed.out
    assert half["routes"][7]["id"] in printed.err
    assert main(["boards", "check", path, "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["ok"] is False


def damaged() -> dict[str, Any]:
    """The USA board with one space 100 mm too far right, a misspelt colour and a foreign key."""
    board = json.loads((DATA / "usa.json").read_text("utf-8"))
    del board["prints"]
    board["routes"][5]["colour"] = "grren"
    (far,) = (route for route in board["routes"] if route["id"] == "denver--omaha")
    far["spaces"][1][0] += 100 / 795
    return {**board, "maker": "me"}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("route denver--omaha: spaces.2: its centre is", "did you mean green?")),
        ("it", ("route denver--omaha: spaces.2: il centro è a", "intendevi green?")),
    ],
)
def test_the_check_names_the_space_that_lies_elsewhere(
    language: str, words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "b.json", damaged())
    assert main(["boards", "check", path, "--language", language]) == 3
    printed = capsys.readouterr()
    assert all(said in printed.err for said in words)
    assert '"maker"' in printed.out
    assert '"maker"' not in printed.err


def test_what_is_only_odd_is_told_and_the_file_is_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "b.json", {**PARIS, "maker": "me"})
    assert main(["boards", "check", path]) == 0
    assert 'odd, but no obstacle: board: document: there is no field "maker"' in (
        capsys.readouterr().out
    )
    assert main(["boards", "check", path, "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["ok"], row["problems"], len(row["remarks"])) == (True, [], 1)
    bad = written(tmp_path / "bad.json", damaged())
    assert main(["boards", "check", bad, "--json"]) == 3
    row = json.loads(capsys.readouterr().out)
    assert (row["ok"], len(row["remarks"])) == (False, 1)


def test_the_picture_marks_what_looks_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Red at the space that was moved, none on a good board; each problem has its number."""
    drawn = tmp_path / "drawn.png"
    command = ["boards", "check", written(tmp_path / "b.json", damaged()), "--picture", str(drawn)]
    assert main(command) == 3
    assert "] route denver--omaha: spaces.2: its centre" in capsys.readouterr().err
    wrong = _red(drawn)
    assert wrong.sum() > 500
    assert main(["boards", "check", str(DATA / "usa.json"), "--picture", str(drawn)]) == 0
    assert _red(drawn).sum() == 0


def _red(path: Path) -> np.ndarray:
    picture = cv2.imread(str(path))
    assert picture is not None
    blue, green, red = (picture[..., channel].astype(int) for channel in range(3))
    return np.asarray((red > 215) & (green < 15) & (blue < 15))


def test_a_picture_that_finds_no_room_hides_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "drawn.png"
    good = ["boards", "check", str(DATA / "usa.json"), "--json", "--picture", str(picture)]
    bad = ["boards", "check", written(tmp_path / "b.json", damaged()), "--picture", str(picture)]
    with room_for(1000):
        assert main(good) == 2
        printed = capsys.readouterr()
        assert json.loads(printed.out)["ok"] is True
        assert printed.err.startswith(f"companion boards: {picture} cannot be written: ")
        assert main(bad) == 3
    undrawn, verdict = capsys.readouterr().err.splitlines()
    assert undrawn.startswith(f"companion boards: {picture} cannot be written: ")
    assert str(tmp_path / "b.json") in verdict


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["list", "--picture", "x.png"], 2, "--picture draws what `boards check FILE` finds"),
        (["check", "{cards}", "--picture", "{out}.png"], 2, "no map to draw"),
        (["check", "{paris}", "--picture", "{out}.png"], 3, "nothing to draw"),
        (["check", "{paris}", "--picture", "{out}.txt"], 2, "ends in .png or .jpg"),
        (["check", "{paris}", "--picture", "{out}/x.png"], 2, "there is no folder"),
    ],
)
def test_a_picture_of_nothing_is_refused_in_one_line(
    arguments: list[str],
    code: int,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = {
        "cards": written(tmp_path / "cards.json", CARD_SET),
        "paris": written(tmp_path / "paris.json", PARIS),
        "out": str(tmp_path / "out"),
    }
    assert main(["boards", *(word.format(**names) for word in arguments)]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


def test_the_check_names_all_problems_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = {**PARIS, "players": [2, 9], "routes": []}
    assert main(["boards", "check", written(tmp_path / "b.json", broken)]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert "player_colours: 4 colours for 9 players" in line
    assert "tower is not connected to bakery" in line


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "it names neither places nor routes, as a board file does"),
        ("it", "non nomina né luoghi né tratte, come fa il file di un tabellone"),
    ],
)
@pytest.mark.parametrize("more", [{}, {"format": 1}])
def test_a_file_of_another_kind_is_refused_in_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: dict[str, Any],
    language: str,
    said: str,
) -> None:
    game = written(tmp_path / "game.json", {**PARIS_GAME, **more})
    assert main(["boards", "check", game, "--language", language]) == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"companion boards: {game}: {said}\n"


def test_the_check_of_a_card_game_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path / "cards.json", CARD_SET)
    assert main(["boards", "check", good]) == 0
    assert "1 ticket, 1 big-city card; the file is good" in capsys.readouterr().out
    assert main(["boards", "check", good, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True


def test_the_check_needs_a_file_that_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards", "check"]) == 2
    assert main(["boards", "check", "nowhere.json"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_a_game_is_scored_with_the_map_of_the_data_folder(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """3 for the route of 2 by the board's own table, 6 for the ticket."""
    game = written(tmp_path / "game.json", PARIS_GAME)
    assert main(["score", game]) == 3
    capsys.readouterr()
    written(data / "boards" / "our-paris.json", PARIS)
    assert main(["score", game]) == 0
    text = capsys.readouterr().out
    assert "1. ● Ada (red)      9" in text
    assert "Bakery – The Tower; Bakery → The Tower" in text


def test_a_game_is_scored_with_the_board_file_that_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = written(tmp_path / "game.json", PARIS_GAME)
    board = written(tmp_path / "paris.json", PARIS)
    assert main(["score", game, "--board", board, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["total"] == 9
    cards = written(tmp_path / "cards.json", CARD_SET)
    assert main(["score", game, "--board", cards]) == 2
    assert "teaches card-game, but the game is paris" in capsys.readouterr().err
    spoilt = written(tmp_path / "spoilt.json", {**PARIS, "tickets": 3})
    assert main(["score", game, "--board", spoilt]) == 3
    assert "board: tickets: must be a list, not 3" in capsys.readouterr().err


SPREADSHEET = """\
from;to;points;red;blue;locomotive
Los Angeles;Pittsburgh;9;2;2;
Chicago;Miami;5;1;;0

Chicago;;8
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_spreadsheet_of_tickets_becomes_a_card_game_file(
    line_end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A spreadsheet writes columns that were used once, though they are empty now."""
    words = line_end.join(f"{line};;" for line in SPREADSHEET.splitlines())
    (tmp_path / "tickets.csv").write_bytes(b"\xef\xbb\xbf" + words.encode())
    assert main(["boards", "cards", str(tmp_path / "tickets.csv")]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["tickets"] == [
        {"from": "los-angeles", "to": "pittsburgh", "points": 9, "cards": {"red": 2, "blue": 2}},
        {"from": "chicago", "to": "miami", "points": 5, "cards": {"red": 1}},
    ]
    assert document["big_cities"] == {"chicago": 8}
    assert main(["boards", "check", written(tmp_path / "cards.json", document)]) == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"from,to,price\n", "unknown column price; the columns are id, from, to, points"),
        (b"from,to\n", "no column points"),
        (b"", "no column from"),
        (
            b"from,to,points,red\nomaha,miami,five,1\n",
            "line 2: points: 'five' is not a whole number",
        ),
        (b"from,to,points,red\nomaha,miami,5,\n", "tickets.1.cards: a ticket needs at least one"),
        (b"from,to,points,red,red\nomaha,miami,5,1,2\n", "the column red stands twice"),
        (b"from,to,points,red\nDallas, TX,miami,5,1\n", "line 2 has more cells than there are"),
        (b"from,to,points\nmiami,,8\nMiami,,6\n", "line 3: miami has its card already"),
        (b"\xff\xfe", "is not text in UTF-8"),
        (b"from,to,points\n" + b"x" * 200_000, "is not a CSV file: field larger than"),
    ],
)
def test_a_spreadsheet_of_something_else_is_refused_in_one_line(
    content: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tickets.csv").write_bytes(content)
    assert main(["boards", "cards", str(tmp_path / "tickets.csv")]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


def test_of_an_endless_spreadsheet_no_more_is_read_than_a_game_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "endless.csv"
    path.write_text("from,to,points\n" + "chicago,miami,5\n" * 5_000 + "chicago,miami,many\n")
    assert main(["boards", "cards", str(path)]) == 3
    told = capsys.readouterr().err
    assert "tickets: 1001 " in told, "not the wrong figure, far below"
    assert len(told) < 50_000


def test_a_column_s_name_is_not_quoted_at_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("from,to,points," + "q" * 100_000 + "\n")
    assert main(["boards", "cards", str(path)]) == 3
    assert len(capsys.readouterr().err) < 1_000


def test_a_folder_that_cannot_be_read_is_a_row_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    (tmp_path / "boards").write_text("usa")
    assert main(["boards", "--json"]) == 0
    rows = {row["id"]: row["problems"] for row in json.loads(capsys.readouterr().out)}
    (problem,) = rows.pop("boards")
    assert "cannot be read (it is no folder)" in problem
    assert rows == {"usa": [], "germany": [], "france": [], "paris": [], "card-game": []}


def test_of_many_faults_a_sentence_tells_the_first_and_how_many_more_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Forty tickets without a card were told in a line of 3 kB; a check still lists all of them."""
    rows = [{"from": "here", "to": f"there-{n}", "points": 5, "cards": {}} for n in range(40)]
    spreadsheet, cards = tmp_path / "tickets.csv", tmp_path / "boards" / "cards.json"
    spreadsheet.write_text("from,to,points\n" + "".join(f"here,there-{n},5\n" for n in range(40)))
    cards.parent.mkdir()
    cards.write_text(json.dumps({"format": 1, "id": "card-game", "tickets": rows, "title": "Ours"}))
    assert main(["boards", "cards", str(spreadsheet), "--language", "it"]) == 3
    told = capsys.readouterr().err
    assert told.count("richiede almeno una carta") == 5
    assert told.strip().endswith(
        "tickets.5.cards: un biglietto richiede almeno una carta; e altri 35: correggi prima questi"
    )
    assert main(["boards", "check", str(cards)]) == 3
    printed = capsys.readouterr()
    assert printed.err.strip().endswith("and 35 more; put these right first")
    assert printed.out.count("needs at least one card") == 40
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert main(["boards"]) == 0
    assert "and 35 more" in capsys.readouterr().out
