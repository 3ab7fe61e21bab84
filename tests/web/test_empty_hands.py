"""Before the sheet names a winner, everybody hears whose tickets are missing."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.fake_table import FakeTable
from tests.web.test_pages import words
from web.ports import TablePort

SEATS = {"Ada": "red", "Ben": "blue", "Cleo": "green", "Dan": "yellow", "Eva": "black"}
FIVE = [{"name": name, "colour": colour} for name, colour in SEATS.items()]

MISSING = {
    "en": (
        "No ticket entered yet for Ben, Cleo, Dan and Eva.",
        "Enter Ben's tickets",
        "Finish all the same",
        "Finished without any tickets for Ben, Cleo, Dan and Eva: points and ranking may be off.",
    ),
    "it": (
        "Nessun biglietto inserito per Ben, Cleo, Dan ed Eva.",
        "Inserisci i biglietti di Ben",
        "Concludi lo stesso",
        "Partita chiusa senza alcun biglietto di Ben, Cleo, Dan ed Eva:"
        " punti e classifica possono essere sbagliati.",
    ),
}


@pytest.fixture
def five(table: FakeTable) -> FakeTable:
    """Five players, of whom only Ada has entered a ticket."""
    table.act("start", {"board": "usa", "players": FIVE, "camera": False})
    table.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    return table


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_missing_hands_are_named_without_telling_any_hand(
    client: FlaskClient, five: FakeTable, language: str
) -> None:
    page = words(client.get(f"/tickets?lang={language}").text)
    for part in MISSING[language][:3]:
        assert part in page
    assert "Los Angeles" not in page


def test_with_every_hand_entered_nothing_is_said(client: FlaskClient, five: FakeTable) -> None:
    for player, ticket in zip(("blue", "green", "yellow", "black"), tickets(), strict=True):
        five.act("add-ticket", {"player": player, "ticket": ticket})
    page = words(client.get("/tickets").text)
    assert "No ticket entered" not in page
    assert "Show the final sheet" in page
    five.act("finish", {})
    assert "Finished without" not in client.get("/sheet").text


def tickets() -> tuple[str, ...]:
    return ("denver--el-paso", "boston--miami", "dallas--new-york", "calgary--phoenix")


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_person_can_go_on_and_the_sheet_says_first_what_is_missing(
    browser: Any, serve: Callable[[TablePort], str], five: FakeTable, language: str
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=language)
    page = context.new_page()
    page.goto(f"{serve(five)}/tickets")
    page.get_by_role("button", name=MISSING[language][1]).wait_for()
    page.get_by_role("button", name=MISSING[language][2]).click()
    page.wait_for_url("**/reveal*")
    page.goto(page.url.partition("/reveal")[0] + "/sheet")
    note = page.locator("#final .missing")
    assert note.inner_text() == MISSING[language][3]
    assert note.bounding_box()["y"] < page.locator(".headline").bounding_box()["y"]
    context.close()
