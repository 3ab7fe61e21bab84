"""All five games at the box, on gpiozero's mock pins: its buttons lead from the scan to the sheet.

Tickets, cards and counts are entered on the panel meanwhile. Every total is worked out by hand,
and every sheet is the one of `companion score` for the same `GAME.json`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.session.events import RouteProposal
from companion.table.table import Table
from hardware.console.console import Button
from hardware.console.pins import PinMap
from scoring.board.board import load_board
from scoring.game.mapless import mapless_games
from tests.companion.tables import ToldEye, new_table, scanned, sure, unsure
from tests.support.box_hand import Clock, Hand, mock_box
from tests.support.command_line import sheet_of_command_line

PINS = PinMap()
BOARDS = (*(load_board(name) for name in ("usa", "germany", "france")), *mapless_games())
Entries = tuple[tuple[str, Mapping[str, Any]], ...]


@dataclass(frozen=True)
class Evening:
    """A game: what the camera sees, what the panel is told meanwhile, and the totals."""

    names: Mapping[str, str]
    entries: Entries
    totals: Mapping[str, int]
    seen: Mapping[str, RouteProposal] = field(default_factory=dict)
    second_pass: Entries = ()


def ticket(player: str, **what: Any) -> tuple[str, Mapping[str, Any]]:
    return "add-ticket", {"player": player, **what}


EVENINGS = {
    # Ada: 2 + 2, the ticket of 4. Ben: 15 + 2, the ticket of 8 fails, longest path (8 wagons) 10.
    "usa": Evening(
        {"red": "Ada", "blue": "Ben"},
        (
            ticket("red", ticket="denver--el-paso"),
            ticket("blue", ticket="helena--los-angeles"),
        ),
        {"Ada": 8, "Ben": 19},
        {
            "denver--santa-fe": sure("red"),
            "el-paso--santa-fe": unsure("red", None),
            "duluth--helena": sure("blue"),
            "duluth--omaha-1": sure("blue"),
        },
    ),
    # Ada: 7, the ticket of 4, most green passengers 20, globetrotter 15. Ben: 7, a ticket of 4
    # fails, second most passengers 10.
    "germany": Evening(
        {"white": "Ada", "red": "Ben"},
        (
            ticket("white", ticket="berlin--leipzig"),
            ticket("red", ticket="koeln--frankfurt"),
            ("set-passengers", {"player": "white", "passengers": {"green": 2}}),
            ("set-passengers", {"player": "red", "passengers": {"green": 1}}),
        ),
        {"Ada": 46, "Ben": 13},
        {"berlin--leipzig": unsure("white", "red"), "hannover--magdeburg": sure("red")},
    ),
    # Ada: 7 + 2, the ticket of 6, longest path 10, globetrotter 15. Ben: 10, a ticket of 5 fails.
    "france": Evening(
        {"blue": "Ada", "red": "Ben"},
        (
            ticket("blue", ticket="lyon--marseille"),
            ticket("red", ticket="cherbourg--paris"),
        ),
        {"Ada": 40, "Ben": 5},
        {
            "avignon--lyon-1": sure("blue"),
            "avignon--marseille-1": unsure("blue", None),
            "cherbourg--le-mans": sure("red"),
        },
    ),
    # Ada: 3 × 1 + 4, a ticket of 5, two flags of 4. Ben: 2 × 4, a ticket of 3 fails.
    "paris-by-counts": Evening(
        {"blue": "Ada", "red": "Ben"},
        (
            ("set-route-points", {"route_points": {"1": 1, "2": 2, "3": 4}}),
            ("set-route-lengths", {"player": "blue", "route_lengths": {"1": 3, "3": 1}}),
            ("set-route-lengths", {"player": "red", "route_lengths": {"3": 2}}),
            ("set-flags", {"player": "blue", "flags": 2}),
            ticket("blue", ticket={"points": 5, "completed": True}),
            ticket("red", ticket={"points": 3, "completed": False}),
        ),
        {"Ada": 20, "Ben": 5},
    ),
    # First pass: Ada's 9 and Ben's 7 are set aside. Second pass: Ada's locomotive completes her 5,
    # and Chicago's bonus of 8 is hers; Cleo's 4 fails, Dan says that his 3 is done.
    "card-game": Evening(
        {"blue": "Ada", "red": "Ben", "green": "Cleo", "yellow": "Dan"},
        (
            ("set-cards", {"player": "blue", "cards": {"red": 2}}),
            ("set-cards", {"player": "red", "cards": {"green": 1}}),
            ticket(
                "blue",
                ticket={"from": "denver", "to": "omaha", "points": 9, "cards": {"red": 2}},
            ),
            ticket(
                "blue",
                ticket={"from": "chicago", "to": "boston", "points": 5, "cards": {"blue": 1}},
            ),
            ticket(
                "red",
                ticket={"from": "helena", "to": "duluth", "points": 7, "cards": {"green": 1}},
            ),
            ticket(
                "green",
                ticket={"from": "omaha", "to": "miami", "points": 4, "cards": {"white": 1}},
            ),
            ticket(
                "yellow", ticket={"from": "reno", "to": "omaha", "points": 3, "completed": True}
            ),
        ),
        {"Ada": 22, "Ben": 7, "Cleo": -4, "Dan": 3},
        second_pass=(
            ("set-cards", {"player": "blue", "cards": {"locomotive": 1}}),
            ("set-big-cities", {"big_cities": {"chicago": 8}}),
        ),
    ),
}


@dataclass(frozen=True)
class AtTheBox:
    """A table and a hand at its box."""

    table: Table
    hand: Hand

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.hand.press(button)

    def finish(self) -> None:
        """CONFIRM for every seat; once more where the box first tells what is odd."""
        seats = len(self.table.state()["players"])
        self.press(*[Button.CONFIRM] * seats)
        if "blink" in self.table.state()["lamps"].values():
            self.press(Button.CONFIRM)


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Callable[[Evening], AtTheBox]]:
    """Sets a table whose camera sees what the evening says."""
    clock = Clock()
    factory, console = mock_box(PINS, clock)

    def new(evening: Evening) -> AtTheBox:
        table = new_table(tmp_path, ToldEye(evening.seen), console, boards=BOARDS)
        return AtTheBox(table, Hand(factory, console, clock))

    yield new
    factory.close()


@pytest.mark.parametrize("game", list(EVENINGS))
def test_an_evening_at_the_box(
    sit: Callable[[Evening], AtTheBox],
    game: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = EVENINGS[game]
    box = sit(evening)
    table = box.table
    players = [{"name": name, "colour": colour} for colour, name in evening.names.items()]
    table.act("start", {"board": game, "players": players, "camera": True})
    if evening.seen:
        box.press(Button.SCAN)
        scanned(table)
        assert table.state()["phase"] == "doubts"
        box.press(Button.CONFIRM)  # the offered owner is right
        assert table.state()["phase"] == "look", "nobody is near the end"
        box.press(Button.CONFIRM)
    assert table.state()["phase"] == "tickets"
    for action, payload in evening.entries:
        table.act(action, payload)
    box.finish()
    if evening.second_pass:
        assert table.state()["phase"] == "tickets", "the second pass"
        assert table.state()["first_pass_is_on"] is False
        for action, payload in evening.second_pass:
            table.act(action, payload)
        box.finish()

    sheet: Any = table.state()["sheet"]
    assert sheet is not None
    assert {one["name"]: one["total"] for one in sheet["players"]} == evening.totals
    assert sheet == sheet_of_command_line(table, tmp_path, capsys, monkeypatch)
    winners = [c for c, lamp in table.state()["lamps"].items() if lamp == "on"]
    assert [evening.names[colour] for colour in winners] == sheet["winners"]
    table.close()
