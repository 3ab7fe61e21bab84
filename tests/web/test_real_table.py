"""The panel on the real table: session, log, box and referee, and an eye told what to see.

The reading of pictures has tests of its own; here a look gives known routes at once.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.table.table import Table
from hardware.console.console import Button, Lamp
from hardware.console.virtual import VirtualConsole
from tests.companion.tables import (
    ADA_AND_BEN,
    ToldEye,
    new_table,
    scanned,
    sure,
    unsure,
)
from tests.web.conftest import STILL, hide_hand, skip_reveal
from web.errors import ActionRefusedError
from web.ports import TablePort

Serve = Callable[[TablePort], str]

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
def table(tmp_path: Path, console: VirtualConsole) -> Table:
    """A real table over a fresh log."""
    return new_table(tmp_path, ToldEye(SEEN), console)


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
    page.get_by_role("heading", name="Standing").wait_for()  # nobody is near the end
    console.press(Button.CONFIRM)
    page.get_by_role("heading", name="Tickets").wait_for()
    assert table.state()["routes"]["denver--omaha"]["owner"] is None

    page.get_by_role("link", name="Ada red").click()
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_label("Add a ticket").fill("hel los")
    page.get_by_role("button", name="Add Helena – Los Angeles, 8 points").click()
    page.get_by_text("not yet completed").wait_for()
    hide_hand(page)
    page.get_by_role("button", name="Finish all the same").click()

    skip_reveal(page, "Ada wins!")
    # Duluth - Helena 15, Duluth - Omaha 2, the ticket -8, the longest path +10.
    assert page.locator("#score-red .points").inner_text() == "19"
    page.get_by_role("button", name="Longest path 8 wagons").click()
    assert page.locator("#trail .badge").count() == 2

    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Finish all the same").wait_for()


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


def test_a_ticket_that_somebody_else_entered_is_taken_and_told_with_the_sheet(
    page: Any, serve: Serve, table: Table
) -> None:
    """Whoever was right is not kept from it, and nobody learns who else holds what."""
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    table.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    page.goto(f"{serve(table)}/tickets/blue?lang=it")
    page.get_by_role("button", name="Mostra i miei biglietti").click()
    page.get_by_label("Aggiungi un biglietto").fill("hel")
    page.get_by_role("button", name="Aggiungi Helena – Los Angeles").click()
    page.locator("#held button").wait_for()
    assert "Ada" not in page.locator("body").inner_text()
    assert [one["ticket"] for one in table.state()["tickets"]["blue"]] == ["helena--los-angeles"]
    assert table.state()["notices"] == []

    page.get_by_role("link", name="Nascondi, ho finito").click()
    page.get_by_role("button", name="Concludi lo stesso").click()
    page.wait_for_url("**/reveal*")
    page.goto(f"{page.url.partition('/reveal')[0]}/sheet")
    page.get_by_text("compare più di una volta (Ada e Ben)").first.wait_for()
    # Neither has a route: the ticket's 8 points are lost by both.
    sheet = table.state()["sheet"]
    assert sheet is not None
    assert [player["total"] for player in sheet["players"]] == [-8, -8]


def test_a_ticket_twice_in_one_hand_is_refused(table: Table) -> None:
    table.act("start", ADA_AND_BEN)
    ticket = {"player": "red", "ticket": "helena--los-angeles"}
    table.act("add-ticket", ticket)
    table.act("add-ticket", {**ticket, "player": "blue"})
    with pytest.raises(ActionRefusedError) as refused:
        table.act("add-ticket", ticket)
    assert "Ada has Helena – Los Angeles already: each ticket is one card." in str(refused.value)
    assert "Ben" not in str(refused.value)


def test_only_questions_that_could_change_the_ranking_must_be_answered(
    page: Any, browser: Any, serve: Serve, tmp_path: Path
) -> None:
    """Miami - New Orleans decides; Dallas - Houston can't (see tests/companion/test_questions)."""
    seen = {
        "atlanta--miami": sure("blue"),
        "dallas--houston-1": unsure("blue", None),
        "miami--new-orleans": unsure("red", None),
    }
    table = new_table(tmp_path, ToldEye(seen))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    address = serve(table)
    page.goto(f"{address}/doubts")
    titles = page.locator(".doubt h2")
    assert titles.all_inner_texts() == ["Dallas – Houston (1)", "Miami – New Orleans"]
    assert page.locator(".weight").count() == 0, "without tickets nobody can say"

    table.act("set-tickets", {"player": "red", "tickets": ["helena--los-angeles"]})
    table.act("set-tickets", {"player": "blue", "tickets": ["denver--el-paso"]})
    page.locator(".weight").first.wait_for()
    assert titles.all_inner_texts() == ["Miami – New Orleans", "Dallas – Houston (1)"]
    words = page.locator(".weight").all_inner_texts()
    assert words == ["Could change the ranking", "Cannot change the ranking"]
    assert page.get_by_role("button", name="Finish without the rest").count() == 0

    phone = browser.new_context(
        viewport={"width": 390, "height": 844}, locale="it", **STILL
    ).new_page()
    phone.goto(f"{address}/doubts")
    page.get_by_role("button", name="Ada red").first.click()
    phone.get_by_role("heading", name="La classifica è decisa").wait_for()
    finish = phone.get_by_role("button", name="Chiudi senza le altre")
    assert finish.bounding_box()["height"] >= 48
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.context.close()

    page.get_by_role("button", name="Finish without the rest").click()
    page.get_by_role("button", name="Finish all the same").click()
    skip_reveal(page, "Ada wins!")
    page.get_by_text("Finished with 1 question about the board unanswered").wait_for()
