"""`companion score` and `companion diff` as a person or a script uses them."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli.main import main
from tests.companion.tables import game_by_hand
from web.app import create_app

GAME: dict[str, Any] = {
    "game": "usa",
    "players": [
        {
            "name": "Ada",
            "colour": "red",
            "routes": ["atlanta--miami", "atlanta--nashville"],
            "tickets": [["denver", "el-paso"], {"from": "nashville", "to": "miami", "points": 7}],
            "marker": 12,
        },
        {"name": "Bo", "colour": "blue", "routes": ["dallas--houston-1"], "tickets": []},
    ],
}

Write = Callable[[Any], str]


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("COMPANION_LANGUAGE", raising=False)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a document (or raw text) into a file and returns its name."""
    count = 0

    def write_one(content: Any) -> str:
        nonlocal count
        count += 1
        path = tmp_path / f"game-{count}.json"
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, "utf-8")
        return str(path)

    return write_one


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    """The one JSON document on stdout."""
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def complaint(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on stderr; nothing else was printed."""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("\n")
    (line,) = captured.err.splitlines()
    return line


def test_a_game_prints_its_sheet_as_one_document(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ada: 10 + 1, ticket 7 by Atlanta, -4, longest path 10. Bo: 1."""
    assert main(["score", write(GAME), "--json"]) == 0
    sheet = printed(capsys)
    assert [player["total"] for player in sheet["players"]] == [24, 1]
    assert sheet["winners"] == ["Ada"]


def test_a_list_of_games_prints_a_list_of_sheets(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", write([GAME, {**GAME, "game": "usa"}]), "--json"]) == 0
    assert [sheet["game"] for sheet in printed(capsys)] == ["usa", "usa"]
    assert main(["score", write([]), "--json"]) == 0
    assert printed(capsys) == []


def test_a_dash_reads_the_game_from_stdin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO(b"\xef\xbb\xbf" + json.dumps(GAME).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
    assert main(["score", "-", "--json"]) == 0
    assert printed(capsys)["winners"] == ["Ada"]


def test_a_stdin_that_gives_nothing_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As where the terminal is gone that it was: it ended in a traceback."""
    with (tmp_path / "only-written").open("wb") as only_written:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=only_written))
        assert main(["score", "-", "--language", "en"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "the file stdin cannot be read" in line


def test_the_printed_sheet_says_who_won_and_why(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", write(GAME)]) == 0
    text = capsys.readouterr().out
    for words in (
        "Ticket to Ride (USA)\nAda wins\n",
        "1. ● Ada (red)     24",
        "11  routes          1 of length 1 = 1, 1 of length 5 = 10",
        "−4  ticket          Denver – El Paso, not completed; wagons missing: 4 (Denver – Santa",
        " 7  ticket          Nashville – Miami; Nashville → Atlanta → Miami",
        "10  longest path    length 6: Nashville → Atlanta → Miami; Ada 6, Bo 1",
        "Ada: the marker stands at 12, the board says 11: 1 too many",
        "Longest path, if nobody has a route: nobody gets it (longest-path-needs-a-route: true)",
    ):
        assert words in text


def test_the_printed_sheet_speaks_italian_when_asked(
    write: Write, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = write(GAME)
    main(["score", game, "--language", "it"])
    asked = capsys.readouterr().out
    monkeypatch.setenv("LANG", "it_IT.UTF-8")
    main(["score", game])
    by_system = capsys.readouterr().out
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    main(["score", game])
    by_choice = capsys.readouterr().out
    assert asked == by_system
    assert "Vince Ada" in asked
    assert "vagoni mancanti: 4 (Denver – Santa" in asked
    assert "Ada wins" in by_choice


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Ada and Eva share the victory"), ("it", "Ada ed Eva vincono a pari merito")],
)
def test_a_shared_victory_names_the_winners_as_people_say_it(
    language: str, told: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """A route of one wagon each, no ticket and the same longest path: nothing parts them."""
    players = [
        {"name": "Ada", "colour": "red", "routes": ["atlanta--nashville"]},
        {"name": "Eva", "colour": "blue", "routes": ["dallas--houston-1"]},
    ]
    game = write({"game": "usa", "players": players})
    assert main(["score", game, "--language", language]) == 0
    assert told in capsys.readouterr().out.splitlines()


def test_an_assumed_owner_changes_the_sheet(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--assume", "atlanta--miami=blue", "--assume", "atlanta--nashville=none"]
    assert main(["score", write(GAME), "--json", *options]) == 0
    sheet = printed(capsys)
    assert sheet["winners"] == ["Bo"]
    assert sheet["assumed"] == {"atlanta--miami": "blue", "atlanta--nashville": None}


@pytest.mark.parametrize("owner", ["blue", "Blue", "blu", "BLU", "Bo"])
def test_an_owner_is_named_as_players_are_by_a_colour_in_any_language_or_a_name(
    write: Write, capsys: pytest.CaptureFixture[str], owner: str
) -> None:
    options = ["--assume", f"atlanta--miami={owner}", "--assume", "atlanta--nashville=Nessuno"]
    assert main(["score", write(GAME), "--json", *options]) == 0
    sheet = printed(capsys)
    assert sheet["winners"] == ["Bo"]
    assert sheet["assumed"] == {"atlanta--miami": "blue", "atlanta--nashville": None}
    assert main(["score", write(GAME), *options]) == 0
    assert "Atlanta – Miami: Bo" in capsys.readouterr().out
    doubtful = ["--doubtful", f"atlanta--miami=red,{owner}"]
    assert main(["score", write(GAME), "--json", *doubtful]) == 0
    assert printed(capsys)["decisive"]["routes"] == ["atlanta--miami"]


def test_a_player_who_is_called_by_another_s_colour_is_meant_by_the_name(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    game = {**GAME, "players": [{**GAME["players"][0], "name": "blu"}, GAME["players"][1]]}
    assert main(["score", write(game), "--json", "--assume", "atlanta--miami=blu"]) == 0
    assert printed(capsys)["winners"] == ["blu"]


IMPOSSIBLE = {**GAME, "players": [{"name": "Ada", "colour": "pink", "routes": ["x"]}]}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (json.dumps(GAME)[:50], "is not a complete JSON document"),
        ("", "is not a complete JSON document"),
        ('{"game": "usa", "game": "france"}', "the key 'game' appears twice"),
        ("[" * 100_000, "is nested too deeply"),
        (
            '{"game": "usa", "players": [], "n": ' + "9" * 5000 + "}",
            "holds a number with thousands of digits",
        ),
        (IMPOSSIBLE, 'Ada: colour: "pink" is none of blue, red, green, yellow, black; Ada: routes'),
        ([GAME, IMPOSSIBLE], "game 2: Ada: colour"),
        ([[GAME]], "game: document: must be an object"),
        ("null", "game: document: must be an object, not null"),
    ],
)
def test_an_unusable_game_is_one_line_and_exit_code_3(
    content: Any, words: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", write(content), "--json"]) == 3
    assert words in complaint(capsys)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([GAME, IMPOSSIBLE], "partita 2: Ada: "),
        ('{"game": "usa", "game": "france"}', "la chiave 'game' compare due volte"),
    ],
)
def test_an_unusable_game_is_told_in_italian_to_the_last_word(
    content: Any, words: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", write(content), "--json", "--language", "it"]) == 3
    assert words in complaint(capsys)


def test_an_unknown_game_among_several_is_told_by_its_number(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", write([GAME, {**GAME, "game": "mars"}])]) == 2
    assert 'game 2: unknown game "mars"' in complaint(capsys)


def test_a_picture_called_json_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "photo.json"
    picture.write_bytes(b"\xff\xd8\xff\xe0 no text")
    assert main(["score", str(picture)]) == 3
    assert "photo.json is not text in UTF-8" in complaint(capsys)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--assume", "atlanta--miami"], "write it as ROUTE=OWNER"),
        (["--assume", "atlanta--mars=red"], "is no route of usa"),
        (["--assume", "atlanta--miami=green"], "nobody plays"),
        (["--board", "nowhere.json"], "there is no file nowhere.json"),
    ],
)
def test_a_bad_option_is_one_line_and_exit_code_2(
    options: list[str], words: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", write(GAME), *options]) == 2
    assert words in complaint(capsys)


def test_an_unknown_game_a_missing_file_and_a_folder_are_wrong_usage(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", write({"game": "mars", "players": []})]) == 2
    assert 'unknown game "mars"; known games: usa' in complaint(capsys)
    assert main(["score", str(tmp_path / "none.json")]) == 2
    assert "there is no file" in complaint(capsys)
    assert main(["score", str(tmp_path)]) == 2
    assert "cannot be read" in complaint(capsys)


def test_scoring_loads_no_image_library_and_no_server(write: Write) -> None:
    script = (
        "import sys; from companion.cli.main import main; main(['score', sys.argv[1], '--json']); "
        "heavy = {'cv2', 'numpy', 'flask', 'networkx'} & set(sys.modules); sys.exit(len(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", script, write(GAME)], capture_output=True)
    assert done.returncode == 0, done.stderr


def test_reading_and_serving_load_no_library_of_graphs() -> None:
    """It is a sixth of what they load, and only the proof of a longest path needs it."""
    script = (
        "import sys, companion.cli.commands.scan, companion.cli.commands.serve; "
        "sys.exit('networkx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def test_diff_says_what_changed_and_whether_the_winner_did(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    other = json.loads(json.dumps(GAME))
    other["players"][0]["routes"] = ["atlanta--nashville"]
    other["players"][1]["routes"] += ["atlanta--miami"]
    assert main(["diff", write(GAME), write(other), "--json"]) == 0
    document = printed(capsys)
    assert document["winner_changed"]
    assert document["winners"] == [["Ada"], ["Bo"]]
    assert main(["diff", write(GAME), write(other)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("The winner changed: Ada → Bo\n")
    assert "ticket Miami – Nashville: 7 → −7" in text
    assert "longest path: 10 → –" in text


def test_diff_takes_sheets_that_were_kept(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    main(["score", write(GAME), "--json"])
    kept = write(printed(capsys))
    assert main(["diff", kept, write(GAME)]) == 0
    assert capsys.readouterr().out == "Nothing changed; the winner is Ada\n"


def test_diff_takes_an_old_evening_as_its_page_saves_it(
    write: Write, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It was called a sheet without a game, without totals and without lines."""
    table = game_by_hand(tmp_path, {"denver--omaha": "red"})
    table.act("finish", {})
    (evening,) = table.history.evenings()
    saved = create_app(table).test_client().get(f"/history/{evening.id}/evening.json").get_json()
    table.close()
    ada = {"name": "Ada", "colour": "red", "routes": ["denver--omaha"]}
    ben = {"name": "Ben", "colour": "blue", "routes": ["boston--montreal-1"]}
    assert main(["diff", write(saved), write({"game": "usa", "players": [ada, ben]})]) == 0
    told = capsys.readouterr().out
    assert told.startswith("The winner is the same: Ada\n")
    assert "Ben: 0 → 2" in told, "two wagons"


@pytest.mark.parametrize("command", [["score"], ["explain", "--player", "Ada"]])
def test_a_sheet_is_not_scored_as_a_game_without_routes(
    command: list[str], write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its players carry no routes: Ada's 12 points came out as 0, with nothing said."""
    main(["score", write(GAME), "--json"])
    sheet = printed(capsys)
    for kept in (sheet, [sheet]):
        assert main([*command, write(kept)]) == 3
        assert "this is a score sheet" in complaint(capsys)


def test_diff_refuses_two_different_games_and_a_damaged_sheet(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    paris = {"game": "paris", "players": [{"name": "Ada", "route_lengths": {"1": 2}}]}
    assert main(["diff", write(GAME), write(paris)]) == 2
    assert "must be of the same game, not usa and paris" in complaint(capsys)
    assert main(["diff", write({"winners": 3}), write(GAME)]) == 3
    assert "sheet: winners: must be a list, not 3" in complaint(capsys)


CLOSE = {
    "game": "usa",
    "players": [
        {"name": "Ada", "colour": "red", "routes": ["atlanta--miami"]},
        {"name": "Bo", "colour": "blue", "routes": ["denver--omaha"]},
    ],
}
"""Ada has 10 for five wagons and 10 for the longest path, Bo 7 for four wagons."""


def test_score_says_which_doubtful_routes_could_change_the_ranking(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """Six more wagons (15 points, longest path 6) would put Bo ahead; one wagon would not."""
    doubts = [
        "--doubtful",
        "helena--seattle=blue,none",
        "--doubtful",
        "atlanta--nashville=blue,none",
    ]
    assert main(["score", write(CLOSE), "--json", *doubts]) == 0
    assert printed(capsys)["decisive"] == {"routes": ["helena--seattle"], "exact": True}
    assert main(["score", write(CLOSE), *doubts]) == 0
    assert capsys.readouterr().out.endswith("change the ranking: Helena – Seattle\n")
    assert main(["score", write(CLOSE), *doubts[2:]]) == 0
    assert "None of the doubtful routes could change the ranking." in capsys.readouterr().out


def test_score_refuses_a_doubt_that_makes_no_sense(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", write(CLOSE), "--doubtful", "helena--seattle"]) == 2
    assert "write it as ROUTE=OWNER,OWNER" in complaint(capsys)
    assert main(["score", write(CLOSE), "--doubtful", "nowhere=blue,none"]) == 2
    assert "nowhere is no route of usa" in complaint(capsys)


BY_COUNTS: dict[str, Any] = {
    "game": "paris",
    "players": [
        {"name": "Ada", "colour": "blue", "route_lengths": {"1": 3, "2": 2, "3": 1}, "flags": 4},
        {"name": "Bo", "colour": "red", "route_lengths": {"3": 5}, "flags": 5},
    ],
}


def test_paris_by_counts_asks_about_more_flags_than_the_buses_make(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ada: 3 + 4 + 3 = 10 buses make 3 flags, she says 4. Bo: 15 buses make 5. Both are scored.

    Ada 3 + 4 + 4 + 4 × 4 = 27; Bo 5 × 4 + 5 × 4 = 40.
    """
    name = write(BY_COUNTS)
    assert main(["score", name, "--json"]) == 0
    sheet = printed(capsys)
    assert [player["total"] for player in sheet["players"]] == [27, 40]
    assert [player["wagons_left"] for player in sheet["players"]] == [5, 0]
    asked = [remark for remark in sheet["remarks"] if remark["code"] == "flags"]
    assert [remark["players"] for remark in asked] == [["Ada"]]
    assert main(["score", name, "--language", "it"]) == 0
    assert "al massimo 3" in " ".join(capsys.readouterr().out.split())


ANY_MAP: dict[str, Any] = {
    "game": "any-map",
    "players": [
        {
            "name": "Ada",
            "route_lengths": {"8": 1},
            "stations": 2,
            "bonuses": {"longest-path": 10, "mandala": -3},
            "tickets": [{"from": "London", "to": "Wien", "points": 10, "completed": True}],
        },
        {"name": "Bo", "route_lengths": {"2": 1}},
    ],
}


def test_any_map_is_printed_with_its_stations_and_bonuses(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """21 + 10 + 2 × 4 + 10 − 3 = 46."""
    assert main(["score", write(ANY_MAP), "--language", "it"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    for part in ("46 totale", "percorso", "mandala", "London – Wien", "vagoni rimasti: 37"):
        assert part in words


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("stations", 4, "from 0 to 3"),
        ("stations", ["London"], "must be a whole number"),
        ("bonuses", {"mandala": "x"}, "bonuses.mandala"),
        ("route_lengths", {"12": 1}, "no row for length 12"),
        ("flags", 2, "doesn't score these"),
        ("routes", ["london--wien"], "give route_lengths"),
        ("tickets", [{"points": 3}], "add completed"),
    ],
)
def test_a_mistake_in_a_map_by_counts_is_one_clear_line(
    field: str, value: Any, words: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    ada, bo = ANY_MAP["players"]
    ada = {key: kept for key, kept in ada.items() if field != "routes" or key != "route_lengths"}
    assert main(["score", write({**ANY_MAP, "players": [{**ada, field: value}, bo]})]) == 3
    assert words in complaint(capsys)


def test_settings_replace_the_figures_of_a_map_by_counts(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """8 → 30 points, stations at 5 each: 30 + 10 + 10 + 7 = 57; 20 − 8 = 12 wagons left."""
    agreed = {"route-points": {"2": 2, "8": 30}, "station-points": 5, "wagons-per-player": 20}
    assert main(["score", write({**ANY_MAP, "settings": agreed}), "--json"]) == 0
    sheet = printed(capsys)
    assert (sheet["players"][0]["total"], sheet["players"][0]["wagons_left"]) == (57, 12)
    assert {**sheet["settings"], **agreed} == sheet["settings"]


def test_diff_names_the_breach_that_went(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """Ada first holds both lines of a double, then one."""
    players = [{"name": "Ada", "routes": ["dallas--houston-1", "dallas--houston-2"]}]
    before = write({"game": "usa", "players": players})
    after = write({"game": "usa", "players": [{"name": "Ada", "routes": ["dallas--houston-1"]}]})
    assert main(["diff", before, after]) == 0
    told = capsys.readouterr().out
    assert "no longer against the rules: Ada holds more than one line" in told
    assert "Dallas – Houston (1)" in told
    assert main(["diff", after, before, "--language", "it"]) == 0
    assert "ora contro le regole: Ada ha più di una linea" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["score GAME", "explain GAME --player Ada", "diff GAME GAME"])
def test_a_board_of_the_table_s_own_that_is_damaged_is_named(
    command: str, write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is wrong with the game; the sentence was "it names neither places nor routes"."""
    board = tmp_path / "data" / "boards" / "our-usa.json"
    board.parent.mkdir(parents=True)
    board.write_text('{"format": 1, "id": "usa"}', "utf-8")
    assert main(command.replace("GAME", write(GAME)).split()) == 3
    told = capsys.readouterr().err
    assert told.startswith(f"companion {command.split()[0]}: {board}: it names neither places")
    assert told.count("\n") == 1


def test_of_thousands_of_problems_the_first_are_told(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    player = {"name": "Ada", "colour": "red", "routes": [0] * 1000, "tickets": [0] * 1000}
    players = [{**player, "name": name} for name in ("Ada", "Bo", "Cy")]
    assert main(["score", write([{"game": "usa", "players": players}] * 50)]) == 3
    told = capsys.readouterr().err
    assert "routes" in told
    assert "put these right first" in told
    assert len(told) < 20_000


def test_no_more_entries_are_read_than_a_game_has(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    passengers = {f"colour-{n}": 1 for n in range(20_000)}
    player = {"name": "Ada", "colour": "red", "routes": [], "passengers": passengers}
    assert main(["score", write({"game": "germany", "players": [player]})]) == 3
    told = capsys.readouterr().err
    assert "20000 entries are more than any game has" in told
    assert len(told) < 20_000


@pytest.mark.parametrize(("language", "piece"), [("en", "buses"), ("it", "autobus")])
def test_the_pieces_of_paris_are_called_buses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, piece: str
) -> None:
    """Three lines of 1 and one of 3 take 6 of the 15 buses."""
    ada = {"name": "Ada", "colour": "blue", "route_lengths": {"1": 3, "3": 1}}
    game = tmp_path / "game.json"
    game.write_text(json.dumps({"game": "paris", "players": [ada, {"name": "Bo"}]}), "utf-8")
    assert main(["score", str(game), "--language", language]) == 0
    printed = capsys.readouterr().out
    assert piece in printed
    assert "wagon" not in printed
    assert "vagon" not in printed


def test_a_list_without_a_game_is_an_empty_list_and_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.json"
    file.write_text("[]")
    assert main(["score", str(file), "--language", "en"]) == 0
    assert capsys.readouterr().out == "There is no game to score: the list in the file is empty.\n"
    assert main(["score", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["score", str(file), "--doubtful", "denver--omaha=red", "--language", "en"]) == 2
    assert "the file holds 0 games" in capsys.readouterr().err


@pytest.mark.parametrize("document", ["{}", '{"players": [{"name": "Ada"}]}', '{"id": "usa"}'])
def test_a_document_that_names_no_game_is_told_which_there_are(
    document: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_text(document)
    assert main(["score", str(file), "--language", "en"]) == 3
    said = capsys.readouterr().err
    assert "game: is missing; it names the game, one of usa, germany, france, paris" in said
    assert said.count("\n") == 1


READING: dict[str, Any] = {
    "board": "usa",
    "registration": {"method": "reference"},
    "routes": {
        "atlanta--miami": {"owner": "red"},
        "atlanta--nashville": {"owner": "red"},
        "dallas--houston-1": {"owner": "blue"},
        "denver--omaha": {"owner": None},
    },
    "review": ["dallas--houston-1"],
    "places": [],
}
"""As `companion scan --json` prints it; of dallas--houston-1 it is not sure."""


def test_a_photo_that_was_read_is_scored_without_writing_a_game(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """Red: 5 wagons and 1 are 10 + 1, and the longest path of 6 is 10 more. Blue: 1 wagon."""
    assert main(["score", write(READING), "--json", "--language", "it"]) == 0
    captured = capsys.readouterr()
    totals = {one["name"]: one["total"] for one in json.loads(captured.out)["players"]}
    assert totals == {"rosso": 21, "blu": 1}
    assert "lascia in dubbio" in captured.err
    assert "dallas--houston-1" in captured.err


def test_a_reading_of_no_board_is_one_sentence(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ended in a traceback."""
    reading = {key: value for key, value in READING.items() if key != "board"}
    assert main(["score", write(reading), "--language", "en"]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert "game: is missing" in line


@pytest.mark.parametrize(
    ("read", "told"),
    [({"owner": 3}, "3"), ({"owner": "mauve"}, '"mauve"'), ({"confidence": 1}, "{…}")],
)
def test_a_route_whose_owner_is_no_colour_is_not_counted_as_free(
    read: object, told: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """An owner of another kind was passed over, and the route was nobody's without a word."""
    routes = {**READING["routes"], "atlanta--miami": read}
    assert main(["score", write({**READING, "routes": routes, "review": []})]) == 3
    assert f"gives atlanta--miami to {told}, which is no colour" in complaint(capsys)


def test_the_sheet_is_printed_though_nobody_hears_of_the_doubts(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is told on stderr finds no room there: the sheet was not printed either."""
    with Path("/dev/full").open("w", buffering=1, encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stderr", full)
        assert main(["score", write(READING), "--json"]) == 0
        sheet = json.loads(capsys.readouterr().out)
        with suppress(OSError):
            full.close()
    assert {one["colour"]: one["total"] for one in sheet["players"]} == {"red": 21, "blue": 1}


def test_a_dispute_about_a_photo_is_settled_by_naming_the_owner(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """Were it blue's, Atlanta – Miami would be 10 + 10 for the longest path, and red's only 1."""
    read = write({**READING, "review": []})
    assert main(["score", read, "--assume", "atlanta--miami=blue", "--json"]) == 0
    totals = {one["colour"]: one["total"] for one in printed(capsys)["players"]}
    assert totals == {"red": 1, "blue": 1 + 10 + 10}
    assert main(["explain", read, "--player", "red", "--language", "en"]) == 0
    assert "longest path has 6 wagons" in " ".join(capsys.readouterr().out.split())


def test_a_route_that_the_person_has_answered_is_in_doubt_no_more(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    read = write({**READING, "review": ["dallas--houston-1", "denver--omaha"]})
    assert main(["score", read, "--assume", "denver--omaha=none", "--language", "en"]) == 0
    (doubt,) = capsys.readouterr().err.splitlines()
    assert doubt.endswith("counts one otherwise: dallas--houston-1")
    answers = ["--assume", "denver--omaha=none", "--assume", "dallas--houston-1=blue"]
    assert main(["score", read, *answers]) == 0
    assert capsys.readouterr().err == ""


def test_a_colour_that_holds_nothing_but_an_answered_route_plays_too(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """Denver – Omaha has four spaces: 7 points."""
    answer = ["--assume", "denver--omaha=verde"]
    read = write({**READING, "review": ["denver--omaha"]})
    assert main(["score", read, *answer, "--json", "--language", "it"]) == 0
    totals = {one["name"]: one["total"] for one in printed(capsys)["players"]}
    assert totals == {"rosso": 21, "blu": 1, "verde": 7}


def test_diff_takes_what_two_photos_showed(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """Red loses five of its six wagons to blue, which then has 1 + 10 and the longest path."""
    before, after = ({**READING, "review": []} for _ in range(2))
    after["routes"] = {**READING["routes"], "atlanta--miami": {"owner": "blue"}}
    assert main(["diff", write(before), write(after), "--language", "en"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("The winner changed: red → blue\n")
    assert "red: 21 → 1" in told
    assert "blue: 1 → 21" in told


def test_diff_takes_a_list_of_one_game_and_says_what_it_cannot_do_with_more(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", write([GAME]), write(GAME)]) == 0
    assert capsys.readouterr().out == "Nothing changed; the winner is Ada\n"
    assert main(["diff", write([GAME, GAME]), write(GAME)]) == 3
    assert "the file holds 2 games" in complaint(capsys)


def test_who_has_no_name_but_a_colour_is_called_by_it_once(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", write({**READING, "review": []}), "--language", "it"]) == 0
    printed_sheet = capsys.readouterr().out
    assert "  1. ● rosso     21\n  2. ■ blu        1" in printed_sheet
    assert "rosso (rosso)" not in printed_sheet
