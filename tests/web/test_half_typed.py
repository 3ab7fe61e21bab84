"""A ticket that was typed and not added is still there when its player looks again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.table.table import Table
from tests.companion.tables import ADA_AND_BEN, game_by_hand
from web.ports import TablePort

Serve = Callable[[TablePort], str]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = game_by_hand(tmp_path)
    table.act("show", {"phase": "tickets"})
    return table


def open_hand(page: Any, address: str, name: str) -> None:
    page.goto(f"{address}/tickets")
    page.locator(".hand-card", has_text=name).click()
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_role("heading", name=f"{name}'s tickets").wait_for()


def typed(page: Any) -> list[str]:
    return [page.locator(f"#typed-ticket [name={one}]").input_value() for one in ("from", "points")]


def type_half(page: Any) -> None:
    page.get_by_text("A ticket that is not in the list").click()
    page.get_by_label("From", exact=True).fill("Omaha")
    page.get_by_label("Points", exact=True).fill("9")


def test_it_outlives_the_hand_that_hides_by_itself_and_no_other_player_sees_it(
    page: Any, serve: Serve, table: Table
) -> None:
    """One tablet for all: Ben opens his hand meanwhile, and finds nothing of Ada's in it."""
    address = serve(table)
    page.clock.install()
    open_hand(page, address, "Ada")
    type_half(page)
    page.clock.run_for(61_000)
    page.get_by_role("heading", name="Only Ada looks").wait_for()
    assert page.locator("#typed-ticket").count() == 0
    open_hand(page, address, "Ben")
    assert typed(page) == ["", ""]
    open_hand(page, address, "Ada")
    assert typed(page) == ["Omaha", "9"]
    assert page.get_by_label("From", exact=True).is_visible()
    page.get_by_label("To", exact=True).fill("Miami")
    page.get_by_role("button", name="Add this ticket").click()
    page.get_by_text("Omaha – Miami").wait_for()
    assert typed(page) == ["", ""]
    open_hand(page, address, "Ada")
    assert typed(page) == ["", ""], "what was added is not typed twice"


def test_it_is_not_there_in_the_next_game(page: Any, serve: Serve, table: Table) -> None:
    """Another player may have the colour then."""
    address = serve(table)
    open_hand(page, address, "Ada")
    type_half(page)
    page.goto(f"{address}/board")
    open_hand(page, address, "Ada")
    assert typed(page) == ["Omaha", "9"]
    page.goto(f"{address}/board")
    table.act("new-game", {})
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("show", {"phase": "tickets"})
    open_hand(page, address, "Ada")
    assert typed(page) == ["", ""]
