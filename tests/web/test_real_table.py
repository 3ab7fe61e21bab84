"""The panel on the real table: session, log, box and referee, and an eye told what to see.

The reading of pictures has tests of its own; here a look gives known routes at once.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.table import Table
from hardware.console import Button, Lamp
from hardware.virtual import VirtualConsole
from tests.companion.tables import OPEN, ToldEye, new_table, sure, unsure
from web.ports import Table as PanelTable

Serve = Callable[[PanelTable], str]

SEEN = {
    "duluth--helena": sure("red"),
    "duluth--omaha-1": sure("red"),
    "denver--omaha": unsure("blue", None),
}


@pytest.fixture
def console() -> VirtualConsole:
    """The box, its pins left out."""
    return VirtualConsole()


@pytest.fixture
def table(tmp_path: Path, console: VirtualConsole) -> Iterator[Table]:
    """A real table over a fresh log."""
    yield new_table(tmp_path, ToldEye(SEEN), console)
    while OPEN:
        OPEN.pop().close()


def test_an_evening_with_the_box_and_the_tablet(
    page: Any, serve: Serve, table: Table, console: VirtualConsole
) -> None:
    page.goto(serve(table))
    page.get_by_role("link", name="Ticket to Ride (USA)").click()
    page.get_by_label("Name of the red player").fill("Ada")
    page.get_by_label("Name of the blue player").fill("Ben")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="Look at the board").wait_for()

    console.press(Button.SCAN)
    page.get_by_role("heading", name="Whose route is it?").wait_for()
    assert page.locator(".owner.pointed").inner_text().split()[0] == "Ben"
    assert console.lamps == (Lamp.BLINK, Lamp.OFF)
    console.press(Button.NEXT)
    page.locator(".owner.pointed", has_text="Nobody").wait_for()
    console.press(Button.CONFIRM)
    page.get_by_role("heading", name="Tickets").wait_for()
    assert table.state()["routes"]["denver--omaha"]["owner"] is None

    page.get_by_role("link", name="Ada red").click()
    page.get_by_role("link", name="Show my tickets").click()
    page.get_by_label("Add a ticket").fill("hel los")
    page.get_by_role("button", name="Add Helena – Los Angeles, 8 points").click()
    page.get_by_text("not yet completed").wait_for()
    page.get_by_role("link", name="Hide and pass on").click()
    page.get_by_role("button", name="Show the final sheet").click()

    page.get_by_role("heading", name="Ada wins!").wait_for()
    # Duluth - Helena 15, Duluth - Omaha 2, the ticket -8, the longest path +10.
    assert page.locator("#score-red .points").inner_text() == "19"
    page.get_by_role("button", name="Longest path 8 wagons").click()
    assert page.locator("#trail .badge").count() == 2

    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Show the final sheet").wait_for()


def test_the_panel_shows_the_evening_again_after_the_program_was_killed(
    page: Any, serve: Serve, table: Table, tmp_path: Path
) -> None:
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    table.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    table.close()
    again = new_table(tmp_path, ToldEye(SEEN))
    page.goto(serve(again))
    page.locator("#r-denver--omaha.claimed.c-blue").wait_for()
    assert page.get_by_text("41 wagons left").is_visible()


def test_a_ticket_that_somebody_else_holds_is_refused_in_the_pages_language(
    page: Any, serve: Serve, table: Table
) -> None:
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    table.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    page.goto(f"{serve(table)}/tickets/blue?open=1&lang=it")
    page.get_by_label("Aggiungi un biglietto").fill("hel")
    page.get_by_role("button", name="Aggiungi Helena – Los Angeles").click()
    page.get_by_role("alert").wait_for()
    assert "Ada" in page.get_by_role("alert").inner_text()
    assert table.state()["tickets"]["blue"] == []
