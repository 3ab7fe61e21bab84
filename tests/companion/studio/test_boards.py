"""The board files of a table: what comes in takes no other file's place, nor a game's id."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.errors import RefusalError
from companion.studio.boards import TaughtBoards
from scoring.game.mapless import mapless_games
from scoring.game.rules import GAMES_WITHOUT_A_MAP
from tests.support.small_board import station_board


def board(name: str) -> dict[str, Any]:
    return {**station_board(), "id": name}


def put(data: Path, file: str, content: str) -> Path:
    (data / "boards").mkdir(exist_ok=True)
    path = data / "boards" / file
    path.write_text(content, "utf-8")
    return path


def test_a_board_of_another_name_is_not_written_over(tmp_path: Path) -> None:
    """Somebody named the file of the board `europa` after the box."""
    kept = put(tmp_path, "europe.json", json.dumps(board("europa")))
    boards = TaughtBoards(tmp_path)
    boards.bring_in(json.dumps(board("europe")).encode())
    assert json.loads(kept.read_text("utf-8"))["id"] == "europa"
    assert {one.id for _, one in boards.all()} == {"europa", "europe"}
    boards.bring_in(json.dumps({**board("europe"), "version": 7}).encode())
    assert {(one.id, one.version) for _, one in boards.all()} == {("europa", 1), ("europe", 7)}


def test_a_file_with_mistakes_is_not_written_over_by_a_new_board(tmp_path: Path) -> None:
    """The studio gives a new board an id that is free."""
    put(tmp_path, "ours.json", json.dumps({**board("ours"), "players": "many"}))
    cut_short = put(tmp_path, "theirs.json", json.dumps(board("theirs"))[:-20])
    boards = TaughtBoards(tmp_path)
    assert "ours" in boards.ids()
    boards.write(board("theirs"))
    assert cut_short.read_text("utf-8").startswith("{")
    assert [(path.name, one.id) for path, one in boards.all()] == [("theirs-2.json", "theirs")]


@pytest.mark.parametrize("name", GAMES_WITHOUT_A_MAP)
def test_no_board_takes_the_place_of_a_game_without_a_map(tmp_path: Path, name: str) -> None:
    """After a restart it was gone from the list, and the game that was played on it could not
    go on."""
    boards = TaughtBoards(tmp_path)
    assert name in boards.ids()
    with pytest.raises(RefusalError):
        boards.bring_in(json.dumps(board(name)).encode())
    assert not (tmp_path / "boards").exists()


def test_the_ids_of_the_games_without_a_map_are_known() -> None:
    assert {game.id for game in mapless_games()} == set(GAMES_WITHOUT_A_MAP)
