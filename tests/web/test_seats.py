"""A club's seats from one game to the next: a player's of this evening, not a colour's."""

from pathlib import Path

import pytest
from flask import Flask

from companion.session.events import PlayerRenamed
from companion.table.table import Table
from tests.companion.tables import ADA_AND_BEN, new_table
from tests.web.club_devices import ADA, DEVICES, HOST, device, link_of
from web.access.club import Club, LetIn
from web.app import create_app

BEN = {"name": "Ben", "colour": "blue"}
HOUR_S = 3600.0
DAY_S = 24 * HOUR_S
YEARS_S = 50 * 365 * DAY_S


@pytest.fixture
def now_s() -> list[float]:
    """The clock of the log, to be moved."""
    return [1_700_000_000.0]


@pytest.fixture
def run_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the box has been on, to be moved."""
    run_s = [60.0]
    monkeypatch.setattr("companion.table.evening.monotonic", lambda: run_s[0])
    return run_s


@pytest.fixture
def table(now_s: list[float], tmp_path: Path) -> Table:
    return new_table(tmp_path, open_camera=None, now=lambda: now_s[0])


@pytest.fixture
def app(table: Table, run_s: list[float]) -> Flask:
    """Ada (red) sits down with her phone in the first game."""
    app = create_app(table, access=Club(DEVICES, LetIn([HOST])))
    start(app, table, "Ada", "red")
    device(app, ADA).post(link_of(app, "Ada"))
    assert holds(app, "red")
    return app


def start(app: Flask, table: Table, name: str, colour: str) -> None:
    players = [{"name": name, "colour": colour}, BEN]
    table.act("start", {**ADA_AND_BEN, "camera": False, "players": players})


def holds(app: Flask, colour: str) -> bool:
    """Whether Ada's phone may open the hand of that colour."""
    return device(app, ADA).post(f"/tickets/{colour}").status_code == 303


def test_the_next_game_with_the_same_player_keeps_the_seat(app: Flask, table: Table) -> None:
    table.evening.record(PlayerRenamed("red", "Adele"))
    assert holds(app, "red")
    table.act("new-game", {})
    start(app, table, "ADELE", "red")
    assert holds(app, "red")


@pytest.mark.parametrize(("name", "colour"), [("Cleo", "red"), ("Ada", "green")])
def test_another_player_of_the_colour_gets_a_free_seat(
    app: Flask, table: Table, name: str, colour: str
) -> None:
    start(app, table, name, colour)
    assert not holds(app, "red")
    assert not holds(app, colour)
    device(app, "another").post(link_of(app, name))
    assert device(app, "another").post(f"/tickets/{colour}").status_code == 303


@pytest.mark.parametrize(
    ("later_s", "clock_set_s", "keeps"),
    [
        (3 * HOUR_S, 0, True),
        (DAY_S, 0, False),
        (3 * HOUR_S, YEARS_S, True),
        (3 * HOUR_S, -YEARS_S, True),
        (DAY_S, 1 - DAY_S, False),
    ],
)
def test_a_day_later_every_seat_is_free(
    app: Flask,
    table: Table,
    now_s: list[float],
    run_s: list[float],
    later_s: float,
    clock_set_s: float,
    keeps: bool,
) -> None:
    """Whatever the network tells a box without a battery meanwhile: everybody's seat was free in
    the second game, when the first had begun by a clock that was not set."""
    run_s[0] += later_s
    now_s[0] += later_s + clock_set_s
    assert holds(app, "red"), "a game that goes on keeps its seats"
    start(app, table, "Ada", "red")
    assert holds(app, "red") == keeps


@pytest.mark.parametrize(
    ("later_s", "keeps"), [(3 * HOUR_S, True), (DAY_S, False), (-DAY_S, False)]
)
def test_after_a_restart_the_clock_tells_which_evening_it_is(
    app: Flask, table: Table, now_s: list[float], tmp_path: Path, later_s: float, keeps: bool
) -> None:
    kept = LetIn([HOST], {"red": ADA}, {"red": "ada"}, table.in_play().began_ms)
    table.close()
    now_s[0] += later_s
    table = new_table(tmp_path, open_camera=None, now=lambda: now_s[0])
    app = create_app(table, access=Club(DEVICES, kept))
    assert holds(app, "red")
    start(app, table, "Ada", "red")
    assert holds(app, "red") == keeps


def test_seats_of_no_known_game_are_free(table: Table) -> None:
    """So earlier versions kept them: whoever was Red last week was Red once more."""
    app = create_app(table, access=Club(DEVICES, LetIn([HOST], {"red": ADA})))
    start(app, table, "Cleo", "red")
    assert not holds(app, "red")


@pytest.mark.parametrize("is_next", [False, True])
def test_nobody_sits_where_nobody_plays(app: Flask, table: Table, is_next: bool) -> None:
    known = LetIn([HOST], {"green": ADA}, {"red": "ada"}, table.in_play().began_ms)
    if is_next:
        start(app, table, "Ada", "red")
    anew = create_app(table, access=Club(DEVICES, known))
    assert device(anew, HOST).get("/board").status_code == 200
    assert device(anew, ADA).get("/board").status_code == 403


def test_a_link_to_the_seat_of_another_player_ends(app: Flask, table: Table) -> None:
    old = link_of(app, "Ben")
    players = [{"name": "Ada", "colour": "red"}, {"name": "Cleo", "colour": "blue"}]
    table.act("start", {**ADA_AND_BEN, "camera": False, "players": players})
    assert device(app, "bens").post(old).status_code == 404
    assert holds(app, "red")
