"""A club and its hub with one finished game, for the tests of its pages."""

import json
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from companion.club.draw import LIMIT_S
from tests.support.postgres import Cluster
from tests.web.hub.club_site import ClubSite, club_site


@pytest.fixture(scope="module")
def club(postgres: Cluster) -> Iterator[ClubSite]:
    with club_site(postgres) as site:
        yield site


@pytest.fixture
def table_one(club: ClubSite) -> tuple[str, str]:
    """Table 1 with a finished game of Ada (red, 110) and Zoe (blue, 90); (table, evening)."""
    return finished_at_table_one(club, ("ada", "red"), ("Zoe", "blue"))


def drawn(
    organiser: FlaskClient,
    title: str,
    names: str,
    table: str,
    *,
    board: str = "usa",
    minutes: str = "60",
) -> str:
    """The address of a new tournament with one table, to which these people were drawn."""
    made = organiser.post("/tournaments", data={"name": title, "minutes": minutes}).location
    organiser.post(f"{made}/tables", data={"name": table, "board": board})
    organiser.post(f"{made}/arrive", data={"names": names})
    organiser.post(f"{made}/draw", data={"drawn": "0"})
    return str(made)


def finished_at_table_one(
    club: ClubSite, first: tuple[str, str], second: tuple[str, str]
) -> tuple[str, str]:
    """The same of others, (name, colour) each."""
    return finished_with(club, (*first, 110, 1), (*second, 90, 2))


def finished_with(club: ClubSite, *players: tuple[str, str, int, int]) -> tuple[str, str]:
    """The same of players as (name, colour, total, rank), in the order of their seats."""
    parts = ("name", "colour", "total", "rank")
    result = {"players": [dict(zip(parts, one, strict=True)) for one in players]}
    with club.database.transaction() as connection:
        connection.execute(
            "INSERT INTO tables (id, name) VALUES ('t1', 'Table 1') ON CONFLICT DO NOTHING"
        )
        connection.execute("DELETE FROM games WHERE table_id = 't1'")
        connection.execute("DELETE FROM evenings")
        connection.execute(
            "INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)"
            " VALUES ('t1', 'e1', 'usa', now(), now(), %s, %s)",
            [json.dumps(result), json.dumps(result)],
        )
    return "t1", "e1"


def known(club: ClubSite, name: str) -> int:
    """Somebody of this name, taken into the club where it has nobody of it."""
    person = club.desk.person_named(name) or club.desk.add_person(name)
    return person.id


def secret_of(club: ClubSite, name: str) -> str:
    return club.desk.person(known(club, name)).secret or ""


@pytest.fixture(scope="module")
def address(club: ClubSite) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, club.app, threaded=True)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def organiser_who_counts(club: ClubSite, table_one: tuple[str, str], *names: str) -> FlaskClient:
    """The organiser, after the result of these players at table one was confirmed."""
    table, evening = table_one
    players = [str(known(club, name)) for name in names]
    organiser = club.organiser()
    sent = {"table": table, "evening": evening, "player": players}
    organiser.post("/club/results", data=sent)
    return organiser


@pytest.fixture(scope="module")
def tab(browser: Any, club: ClubSite, address: str) -> Iterator[Any]:
    """The organiser's tablet."""
    context = browser.new_context(locale="en", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout((LIMIT_S + 40) * 1000)  # a draw on a busy machine takes its limit
    page.goto(f"{address}/join")
    page.get_by_label("PIN of the organiser").fill(club.access.pin.pin)
    press(page, page.get_by_role("button", name="I am the organiser"))
    yield page
    context.close()


def press(tab: Any, button: Any) -> None:
    """Press what leads to another page, and wait for that page."""
    with tab.expect_navigation():
        button.click()
