"""What was typed into the table's forms and not sent yet is still there when their page changes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.table.table import Table
from scoring.game.mapless import mapless_games
from tests.companion.tables import game_by_hand, new_table
from web.ports import TablePort

Serve = Callable[[TablePort], str]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return game_by_hand(tmp_path, {"denver--omaha": "red"})


@pytest.fixture
def card_game(tmp_path: Path) -> Table:
    table = new_table(tmp_path, open_camera=None, boards=mapless_games())
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    table.act("start", {"board": "card-game", "players": players, "camera": False})
    return table


def type_chicago(page: Any, address: str) -> Any:
    """The field of a big city's points, 8 typed and not saved."""
    page.goto(f"{address}/tickets")
    chicago = page.get_by_label("Chicago")
    chicago.fill("8")
    return chicago


def read_italian(page: Any) -> None:
    page.locator(".languages summary").click()
    page.get_by_role("link", name="Italiano").click()
    page.locator("html[lang=it]").wait_for()


def test_values_of_big_cities_stay_when_the_last_hand_is_entered_elsewhere(
    page: Any, serve: Serve, card_game: Table
) -> None:
    """The hint above them goes then, and the page is drawn anew: five numbers were gone."""
    chicago = type_chicago(page, serve(card_game))
    ticket = {"from": "Chicago", "to": "Miami", "points": 5, "completed": True}
    for player in ("red", "blue"):
        card_game.act("add-ticket", {"player": player, "ticket": ticket})
    page.locator("#turn").wait_for(state="detached")
    expect(chicago).to_have_value("8")
    expect(chicago).to_be_focused()


def test_they_are_not_taken_into_the_next_game(page: Any, serve: Serve, card_game: Table) -> None:
    chicago = type_chicago(page, serve(card_game))
    before = page.evaluate("document.body.dataset.game")
    players = [{"name": "Eva", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    card_game.act("start", {"board": "card-game", "players": players, "camera": False})
    page.locator("#hands").get_by_text("Eva").wait_for()
    assert page.evaluate("document.body.dataset.game") != before
    expect(chicago).to_have_value("")


def test_wagons_that_are_being_counted_stay_when_another_device_enters_a_route(
    page: Any, serve: Serve, table: Table
) -> None:
    page.goto(f"{serve(table)}/check/red")
    field = page.get_by_label("Wagons left")
    field.fill("39")
    table.act("correct-route", {"route": "denver--helena", "owner": "red"})
    page.get_by_text("37").first.wait_for()  # 45 - 4 - 4
    expect(field).to_have_value("39")


@pytest.mark.parametrize(
    ("address", "field"),
    [("markers", "marker-red"), ("settings", "setting-score-track"), ("names", "name")],
)
def test_a_half_filled_form_outlives_a_reload_and_another_language(
    page: Any, serve: Serve, table: Table, address: str, field: str
) -> None:
    page.goto(f"{serve(table)}/{address}")
    typed = page.locator(f"#main [name='{field}']").first
    typed.fill("47")
    page.reload()
    expect(typed).to_have_value("47")
    read_italian(page)
    expect(typed).to_have_value("47")


def test_a_choice_that_was_not_saved_outlives_another_language(
    page: Any, serve: Serve, table: Table
) -> None:
    page.goto(f"{serve(table)}/settings")
    other = page.locator("#main input[type=radio]:not(:checked)").first
    value = other.get_attribute("value")
    name = other.get_attribute("name")
    other.check()
    read_italian(page)
    expect(page.locator(f"#main [name='{name}'][value='{value}']")).to_be_checked()


def test_what_was_sent_is_not_put_over_what_another_device_said_later(
    page: Any, serve: Serve, table: Table
) -> None:
    page.goto(f"{serve(table)}/markers")
    field = page.locator("[name='marker-red']")
    field.fill("47")
    page.get_by_role("button", name="Compare").click()
    page.locator("#compared li").first.wait_for()
    table.act("set-markers", {"markers": {"red": 7}})
    page.reload()
    expect(field).to_have_value("7")
