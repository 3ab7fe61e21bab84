"""`companion explain` as a user calls it."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main

GAME: dict[str, Any] = {
    "game": "usa",
    "players": [
        {
            "name": "Ada",
            "colour": "red",
            "routes": ["atlanta--nashville", "atlanta--raleigh-1", "atlanta--miami"],
            "tickets": [],
        },
        {"name": "Ben", "colour": "blue", "routes": ["calgary--helena"], "tickets": []},
    ],
}
"""Ada: a star around Atlanta, 1 + 2 + 5; the two longest rays make 7."""


@pytest.fixture
def game(tmp_path: Path) -> str:
    return written(tmp_path, GAME)


def written(folder: Path, document: object) -> str:
    path = folder / "game.json"
    path.write_text(json.dumps(document))
    return str(path)


def test_a_name_gets_the_argument(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", game, "--player", "Ada", "--language", "en"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "● Ada (red)" in out
    assert "Ada's longest path has 7 wagons." in out
    assert "8 − 1 = 7" in out


def test_a_route_that_is_in_doubt_is_answered_for_the_proof(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With Atlanta - Charleston (2) in place of Atlanta - Miami (5) the longest rays make 4."""
    said = ["--assume", "atlanta--miami=none", "--assume", "atlanta--charleston=red"]
    assert main(["explain", game, "--player", "Ada", "--language", "en", *said]) == 0
    assert "Ada's longest path has 4 wagons." in " ".join(capsys.readouterr().out.split())
    wrong = ["--assume", "atlanta--miam=none"]
    assert main(["explain", game, "--player", "Ada", "--language", "en", *wrong]) == 2
    assert "did you mean atlanta--miami?" in capsys.readouterr().err


def test_a_colour_will_do_and_so_will_small_letters(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", game, "--player", "blue"]) == 0
    assert "Ben" in capsys.readouterr().out
    assert main(["explain", game, "--player", "ada", "--language", "it"]) == 0
    assert "Il percorso più lungo di Ada ha 7 vagoni." in capsys.readouterr().out


def test_a_board_file_of_another_game_is_refused(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The path was proved on the program's own board, and nobody heard that the file was none."""
    cards = {"format": 1, "id": "card-game", "title": "Cards", "version": 1}
    file = tmp_path / "cards.json"
    file.write_text(json.dumps({**cards, "tickets": [], "big_cities": {}}))
    assert main(["explain", game, "--player", "Ada", "--board", str(file)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "the board file teaches card-game, but the game is usa" in told.err


def test_a_name_is_found_however_its_accent_was_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zoe = {**GAME["players"][0], "name": "Zo\xeb"}
    game = written(tmp_path, {**GAME, "players": [zoe, GAME["players"][1]]})
    assert main(["explain", game, "--player", "zoe\N{COMBINING DIAERESIS}"]) == 0
    assert "Zo\xeb" in capsys.readouterr().out


def test_json_is_one_document_with_path_proof_and_text(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", game, "--player", "Ada", "--json", "--language", "en"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["player"] == "Ada"
    assert document["length"] == 7
    assert sorted(document["path"]) == ["atlanta--miami", "atlanta--raleigh-1"]
    assert document["stops"][1] == "atlanta"
    assert document["lengths"] == {"Ada": 7, "Ben": 4}
    (piece,) = document["certificate"]["argument"]["pieces"]
    assert piece["left_out"] == ["atlanta--nashville"]
    (pair,) = piece["pairs"]
    assert sorted(pair["nodes"]) == ["atlanta", "nashville"]
    assert pair["routes"] == ["atlanta--nashville"]
    assert document["text"][0] == "Ada's longest path has 7 wagons."


@pytest.mark.parametrize(
    ("change", "player", "code", "said"),
    [
        ({}, "Zoe", 2, 'nobody here is called "Zoe"; the players are Ada, Ben'),
        ({}, "", 2, 'nobody here is called ""; the players are Ada, Ben'),
        ({"game": "mars"}, "Ada", 2, "mars"),
        ({"players": []}, "Ada", 3, "players"),
        (
            {"game": "card-game", "players": [{"name": "Ada", "cards": {}, "tickets": []}]},
            "Ada",
            3,
            "no longest path",
        ),
    ],
)
def test_what_cannot_be_explained_is_said_in_one_line(
    change: dict[str, Any],
    player: str,
    code: int,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = written(tmp_path, {**GAME, **change})
    assert main(["explain", path, "--player", player, "--language", "en"]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_a_list_of_one_game_will_do_and_of_two_will_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", written(tmp_path, [GAME]), "--player", "Ada"]) == 0
    assert main(["explain", written(tmp_path, [GAME, GAME]), "--player", "Ada"]) == 3
    assert "2 games" in capsys.readouterr().err
