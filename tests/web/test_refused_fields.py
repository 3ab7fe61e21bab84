"""What is refused in a form is told at the fields that it is about, all of it at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.table.table import Table
from scoring.board.board import load_board
from scoring.game.mapless import mapless_games
from tests.companion.tables import USA, new_table
from tests.web.conftest import PLAYERS
from web.app import create_app
from web.ports import TablePort

Serve = Callable[[TablePort], str]

TOO_LONG = "Maximiliana von Habsburg-L"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return new_table(tmp_path, open_camera=None, boards=(USA, *mapless_games()))


def refusal(client: FlaskClient, action: str, sent: dict[str, str]) -> tuple[str, dict[str, str]]:
    """What the table says to a form, as a whole and at its fields."""
    answer = client.post(f"/api/act/{action}", data=sent, headers={"Accept-Language": "en"})
    assert answer.status_code == 400
    said = answer.get_json()
    return said["error"], {one["field"]: one["error"] for one in said.get("fields", [])}


def test_a_wrong_number_has_the_focus_and_its_sentence_beside_it(
    phone: Any, serve: Serve, table: Table
) -> None:
    """The first field of the form had it, and the sentence stood below the keyboard."""
    table.act("start", {"board": "card-game", "players": PLAYERS, "camera": False})
    phone.goto(f"{serve(table)}/tickets/red?lang=it")
    phone.get_by_role("button", name="Mostra").click()
    start, end, points = (
        phone.locator(f"#type-ticket [name={n}]") for n in ("from", "to", "points")
    )
    start.fill("Chicago")
    end.fill("Dallas")
    points.fill("1000")
    phone.get_by_role("button", name="Aggiungi come completato").click()
    expect(points).to_be_focused()
    expect(points).to_have_attribute("aria-invalid", "true")
    expect(points).to_have_accessible_description("Punti: scrivi un numero intero da 0 a 100.")
    assert [one.input_value() for one in (start, end, points)] == ["Chicago", "Dallas", "1000"]
    expect(phone.locator("#toast")).to_be_hidden()
    beside, field = phone.locator(".refused").bounding_box(), points.bounding_box()
    assert 0 <= beside["y"] - field["y"] - field["height"] < 20

    end.fill("chicago")
    phone.get_by_role("button", name="Aggiungi come completato").click()
    expect(phone.locator("[aria-invalid]")).to_have_count(2)
    expect(end).to_be_focused()
    expect(end).to_have_accessible_description(
        "Un biglietto unisce due luoghi diversi, non Chicago con sé stesso."
    )
    end.fill("Dallas")
    expect(phone.locator("[aria-invalid]")).to_have_count(1)
    points.fill("10")
    phone.get_by_role("button", name="Aggiungi come completato").click()
    phone.locator("#held .who").wait_for()
    expect(phone.locator(".refused")).to_have_count(0)


def test_names_and_a_number_of_a_new_game_are_all_told_at_their_fields(
    phone: Any, serve: Serve, table: Table
) -> None:
    phone.goto(f"{serve(table)}/start?board=usa&lang=en")
    red, blue = (phone.locator(f"[name=name-{colour}]") for colour in ("red", "blue"))
    red.fill(TOO_LONG)
    blue.fill(TOO_LONG + "b")
    phone.locator(".more summary").click()
    phone.locator("[name=setting-score-track]").fill("5000")
    phone.locator(".more summary").click()
    phone.get_by_role("button", name="Start the game").click()
    expect(phone.locator(".refused")).to_have_count(3)
    expect(red).to_have_accessible_description(
        "“Maximiliana von Habsburg…” is too long: at most 24 letters."
    )
    expect(phone.locator("[name=setting-score-track]")).to_be_visible()
    expect(phone.locator("main input:focus")).to_have_attribute("aria-invalid", "true")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    red.fill("Ada")
    blue.fill("ADA")
    phone.locator("[name=setting-score-track]").fill("100")
    phone.get_by_role("button", name="Start the game").click()
    expect(phone.locator(".refused")).to_have_text(
        "Two players have the same name; tell them apart."
    )


def test_what_no_field_can_tell_is_told_at_the_foot(phone: Any, serve: Serve, table: Table) -> None:
    """One player alone."""
    phone.goto(f"{serve(table)}/start?board=usa&lang=en")
    phone.locator("[name=name-red]").fill("Ada")
    phone.get_by_role("button", name="Start the game").click()
    expect(phone.locator("#toast")).to_contain_text("players")
    expect(phone.locator(".refused")).to_have_count(0)


def test_every_wrong_field_of_a_form_is_told(table: Table) -> None:
    client = create_app(table).test_client()
    table.act("start", {"board": "card-game", "players": PLAYERS, "camera": False})
    cities = {"big_cities-chicago": "101", "big_cities-miami": "-1", "big_cities-dallas": "8"}
    error, fields = refusal(client, "set-big-cities", cities)
    assert error == "Points of a big city: type a whole number from 0 to 100."
    assert fields == dict.fromkeys(("big_cities-chicago", "big_cities-miami"), error)
    typed = {"from": "Omaha", "points": "x", "completed": "yes", "recipe-red": "100"}
    error, fields = refusal(client, "add-ticket", {"player": "red", **typed})
    assert list(fields) == ["to", "points", "recipe-red"]
    assert error == " ".join(fields.values())


def test_every_wrong_count_of_passengers_is_told(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=None, boards=(load_board("germany"),))
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "black"}]
    table.act("start", {"board": "germany", "players": players, "camera": False})
    counts = {"passengers-red": "100", "passengers-blue": "7", "passengers-black": "x"}
    client = create_app(table).test_client()
    error, fields = refusal(client, "set-passengers", {"player": "red", **counts})
    assert error == "Passengers: type a whole number from 0 to 99."
    assert fields == dict.fromkeys(("passengers-red", "passengers-black"), error)


def test_a_ticket_of_a_map_is_told_at_its_places_and_its_points(table: Table) -> None:
    client = create_app(table).test_client()
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    typed = {"from": "Atlantis", "to": "Chicgo", "points": "0"}
    _, fields = refusal(client, "add-ticket", {"player": "red", **typed})
    assert list(fields) == ["from", "to", "points"]
    assert "Chicago" in fields["to"]
    _, fields = refusal(client, "set-markers", {"marker-red": "1000", "marker-blue": "x"})
    assert sorted(fields) == ["marker-blue", "marker-red"]
