"""A board with stations and bonuses of its own is played on the panel to the sheet of its rules."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.table.table import Table
from scoring.board.board import board_from_json
from scoring.language import LANGUAGES
from tests.companion.tables import new_table
from tests.support.small_board import station_board
from tests.web.test_pages import opened, words
from web.app import create_app

PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Bo", "colour": "blue"}]
OWNERS = {"ash--birch": "red", "birch--oak": "blue", "oak--pine": "blue"}
ROUTES, TICKETS_FAILED, THREE_STATIONS = 1, -8 - 11, 3 * 4
"""Ada holds Ash - Birch (1); her tickets Ash - Oak (8) and Ash - Pine (11) need Bo's routes."""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    board = board_from_json(station_board(hand_bonuses=["mayor"]))
    table = new_table(tmp_path, open_camera=None, boards=[board])
    table.act("start", {"board": "wood", "players": PLAYERS, "camera": False})
    for route, owner in OWNERS.items():
        table.act("correct-route", {"route": route, "owner": owner})
    for ticket in ("ash--oak", "ash--pine"):
        table.act("add-ticket", {"player": "red", "ticket": ticket})
    return table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table).test_client()


def send(client: FlaskClient, action: str, language: str = "en", **sent: Any) -> Any:
    return client.post(
        f"/api/act/{action}", json={"player": "red", **sent}, headers={"Accept-Language": language}
    )


def adas_total(table: Table) -> int:
    table.act("finish", {})
    (total,) = (one["total"] for one in table.state()["sheet"]["players"] if one["name"] == "Ada")
    return int(total)


def test_stations_that_nobody_built_give_their_points(table: Table) -> None:
    assert adas_total(table) == ROUTES + TICKETS_FAILED + THREE_STATIONS


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_station_in_a_city_lends_a_route_and_the_sheet_names_it(
    table: Table, client: FlaskClient, language: str
) -> None:
    """The one in Oak lends Birch - Oak: 8 instead of -8, and two stations left."""
    assert send(client, "set-stations", city="OAK").status_code == 200
    assert "Oak" in words(opened(client, "red").text)
    assert adas_total(table) == ROUTES + 8 - 11 + 2 * 4
    page = words(client.get(f"/sheet?lang={language}").text)
    for part in {
        "en": ("completed, with Birch – Oak, lent", "in Oak lends Birch – Oak (Bo)"),
        "it": ("completato, con Birch – Oak, in prestito", "di Oak presta Birch – Oak (Bo)"),
    }[language]:
        assert part in page


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "completed, with Birch – Oak and Oak – Pine, lent by 2 stations"),
        ("it", "completato, con Birch – Oak e Oak – Pine, in prestito da 2 stazioni"),
    ],
)
def test_two_stations_lend_two_routes_for_one_ticket(
    table: Table, client: FlaskClient, language: str, told: str
) -> None:
    """Ash - Oak - Pine: 1 for the route, 8 + 11 for the tickets, one station left."""
    for city in ("oak", "pine"):
        send(client, "set-stations", city=city)
    assert adas_total(table) == ROUTES + 8 + 11 + 4
    assert told in words(client.get(f"/sheet?lang={language}").text)


def test_a_station_is_taken_away_again_and_the_third_closes_the_form(
    table: Table, client: FlaskClient
) -> None:
    for city in ("oak", "cedar", "oak", "fir"):
        assert send(client, "set-stations", city=city).status_code == 200
    assert table.state()["figures"]["red"]["stations"] == ["oak", "cedar", "fir"]
    assert "Add the station" not in opened(client, "red").text
    assert send(client, "set-stations", remove="oak").status_code == 200
    assert "Add the station" in opened(client, "red").text
    assert adas_total(table) == ROUTES + TICKETS_FAILED + 4


def test_how_many_are_left_may_be_said_without_their_cities(
    table: Table, client: FlaskClient
) -> None:
    assert send(client, "set-stations", stations=1).status_code == 200
    assert "Stations left: 1" in words(opened(client, "red").text)
    assert adas_total(table) == ROUTES + TICKETS_FAILED + 4


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"city": "okk"}, '"okk" non è un luogo di Wood; intendevi Oak?'),
        ({"stations": ["oak", "ash", "fir", "pine"]}, "Ada ha solo 3 stazioni."),
    ],
)
def test_a_wrong_station_is_told_in_the_words_of_the_table(
    table: Table, client: FlaskClient, sent: dict[str, Any], told: str
) -> None:
    answer = send(client, "set-stations", "it", **sent)
    assert answer.status_code in (400, 409)
    assert told in words(answer.get_json()["error"])
    assert "stations" not in table.state()["figures"]["red"]


def test_a_bonus_that_the_board_names_is_given_by_hand(table: Table, client: FlaskClient) -> None:
    assert "mayor" in opened(client, "red").text
    assert send(client, "set-bonuses", bonus="mayor", points=10).status_code == 200
    assert adas_total(table) == ROUTES + TICKETS_FAILED + THREE_STATIONS + 10
