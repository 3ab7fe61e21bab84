"""What the table says was done last: claims, what can be done again, who played."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board

START = {
    "board": "usa",
    "players": [{"name": "Ben", "colour": "blue"}, {"name": "Ada", "colour": "red"}],
    "camera": False,
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(Table(TableConfig([load_board("usa")], tmp_path))) as table:
        table.act("start", START)
        yield table


def claim(table: Table, route: str, owner: str | None) -> None:
    table.act("correct-route", {"route": route, "owner": owner})


def test_the_last_claims_that_still_stand_come_newest_first(table: Table) -> None:
    routes = ["denver--omaha", "denver--helena", "duluth--helena", "el-paso--santa-fe"]
    for route in routes:
        claim(table, route, "red")
    claim(table, "denver--helena", None)
    claim(table, "calgary--winnipeg", "blue")
    assert [(one["route"], one["owner"]) for one in table.state()["recent"]] == [
        ("calgary--winnipeg", "blue"),
        ("el-paso--santa-fe", "red"),
        ("duluth--helena", "red"),
        ("denver--omaha", "red"),
    ]


def test_what_was_undone_is_done_again(table: Table) -> None:
    claim(table, "denver--omaha", "red")
    assert table.state()["redo"] is None
    table.act("undo", {})
    assert table.state()["redo"] == "correct-route"
    table.act("redo", {})
    state = table.state()
    assert state["routes"]["denver--omaha"]["owner"] == "red"
    assert state["redo"] is None


def test_after_a_new_game_the_last_players_are_known(table: Table) -> None:
    assert table.state()["last_players"] == []
    claim(table, "denver--omaha", "red")
    table.act("new-game", {})
    assert table.state()["last_players"] == START["players"]
    others = [{"name": "Cleo", "colour": "green"}, {"name": "Dan", "colour": "black"}]
    table.act("start", {**START, "players": others})
    table.act("undo", {"really": True})  # the wrong board; nobody wants to type the names again
    assert table.state()["last_players"] == others
