"""A board whose file gives no positions is played by lists, on the real table."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.table.table import Table, TableConfig
from scoring.board.board import Board, board_from_json
from tests.companion.tables import OPEN
from web.app import create_app
from web.ports import TablePort

DOCS = Path(__file__).parents[2] / "docs" / "boards.md"
PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
PAGES = ("/board", "/doubts", "/route/bakery--bridge", "/tickets", "/tickets/red?open=1", "/sheet")


def small_paris() -> Board:
    """The example of the page on board files."""
    blocks = re.findall(r"```json\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    (found,) = (json.loads(block) for block in blocks if '"id": "paris"' in block)
    return board_from_json(found)


@pytest.fixture(autouse=True)
def _close_tables() -> Iterator[None]:
    """No table outlives its test."""
    yield
    while OPEN:
        OPEN.pop().close()


def lay(data: Path) -> Table:
    table = Table(TableConfig([small_paris()], data))
    OPEN.append(table)
    return table


def start(table: Table) -> None:
    table.act("start", {"board": "paris", "players": PLAYERS, "camera": False})


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_page_is_shown_after_a_restart_too(tmp_path: Path, language: str) -> None:
    table = lay(tmp_path)
    start(table)
    for phase in ("before", "after"):
        client = create_app(table).test_client()
        for path in PAGES:
            page = client.get(path, headers={"Accept-Language": language})
            assert page.status_code == 200, (phase, path)
        table.close()
        table = lay(tmp_path)


def test_there_is_no_map_and_the_sentence_says_why(tmp_path: Path) -> None:
    table = lay(tmp_path)
    start(table)
    answer = create_app(table).test_client().get("/api/geometry")
    assert answer.status_code == 404
    assert answer.json == {
        "error": "The file of Our Paris gives no positions, so there is no map of it."
    }


def test_a_game_is_played_by_lists_to_its_sheet(
    page: Any, serve: Callable[[TablePort], str], tmp_path: Path
) -> None:
    """Ada: 1 + 4 points for routes of 1 and 3, and the ticket of 5."""
    table = lay(tmp_path)
    start(table)
    page.goto(serve(table))
    page.get_by_role("link", name="Bakery – Old Bridge").click()
    page.get_by_role("button", name="Ada red").click()
    page.locator("#r-bakery--bridge.claimed").wait_for()
    page.get_by_text("Change a route").click()
    page.get_by_label("Change a route").fill("market")
    page.locator("#found").get_by_role("link", name="Old Bridge – Market (1)").click()
    page.get_by_role("button", name="Ada red").click()
    page.locator("#r-bridge--market-1.claimed").wait_for()
    assert page.get_by_role("button", name="Take a photo").count() == 0
    table.act("add-ticket", {"player": "red", "ticket": "bakery--market"})
    table.act("finish", {})
    page.goto(page.url.split("/board")[0] + "/sheet")
    page.get_by_role("heading", name="Ada wins!").wait_for()
    assert page.locator("#score-red .points").inner_text() == "10"
    page.get_by_role("button", name="Bakery – Market completed").click()
    assert page.locator(".route-list .lit").count() == 2
