"""A whole tally at the box: buttons on gpiozero's mock pins, lamps read back from theirs."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from companion.table.table import Table
from hardware.console.console import BLINK_S, PULSE_S, Button, PinMap
from hardware.console.gpio import GpioConsole
from tests.companion.tables import ADA_AND_BEN, ToldEye, new_table, scanned, sure, unsure

PINS = PinMap()
CLAIMED = {
    "denver--omaha": sure("red"),
    "los-angeles--san-francisco-1": unsure("red", None),
    "chicago--saint-louis-1": unsure("red", "blue"),
    "atlanta--miami": unsure("blue", None),
}
"""Ada truly has the first two (4 and 3 wagons), Ben the third (2 wagons), nobody the last."""


class Box:
    """The mock pins seen as a person sees the box: buttons to press, lamps to look at."""

    def __init__(self, factory: MockFactory, console: GpioConsole) -> None:
        self.factory = factory
        self.console = console

    def press(self, button: Button) -> None:
        pin = self.factory.pin(PINS.buttons[button])
        for drive in (pin.drive_low, pin.drive_high):
            drive()
            for _ in range(5):
                self.console.tick(0.0)

    def lamps(self, seats: int = 2) -> list[str]:
        """What each seat's lamp does, told by watching its pin for a while."""
        return [self.rhythm(PINS.lamps[seat]) for seat in range(seats)]

    def rhythm(self, pin: int) -> str:
        late_in_pulse, late_in_blink = PULSE_S[0] + 0.01, BLINK_S[0] + 0.01
        looks = tuple(self.look(pin, t) for t in (0.0, late_in_blink, late_in_pulse))
        return {
            (False, False, False): "off",
            (True, True, True): "on",
            (True, True, False): "pulse",
            (True, False, True): "blink",
        }[looks]

    def look(self, pin: int, t_s: float) -> bool:
        self.console.tick(t_s)
        return bool(self.factory.pin(pin).state)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.close()


@pytest.fixture
def table_and_box(tmp_path: Path, factory: MockFactory) -> Iterator[tuple[Table, Box]]:
    console = GpioConsole(PINS, factory)
    table = new_table(tmp_path, ToldEye(CLAIMED), console)
    yield table, Box(factory, console)
    table.close()


def test_a_tally_from_the_first_look_to_the_sheet_with_buttons_alone(
    table_and_box: tuple[Table, Box],
) -> None:
    table, box = table_and_box
    assert box.lamps() == ["off", "off"]
    table.act("start", ADA_AND_BEN)
    assert box.lamps() == ["off", "off"]

    box.press(Button.SCAN)
    scanned(table)
    assert asked(table) == ("los-angeles--san-francisco-1", "red")
    assert box.lamps() == ["blink", "off"]

    box.press(Button.CONFIRM)
    assert asked(table) == ("chicago--saint-louis-1", "red")
    box.press(Button.NEXT)
    assert asked(table) == ("chicago--saint-louis-1", "blue")
    assert box.lamps() == ["off", "blink"]
    box.press(Button.CONFIRM)

    assert asked(table) == ("atlanta--miami", "blue")
    box.press(Button.NEXT)
    assert asked(table) == ("atlanta--miami", None)
    assert box.lamps() == ["blink", "blink"], "all blink: nobody's"
    box.press(Button.CONFIRM)

    assert table.state()["phase"] == "tickets"
    assert table.state()["cursor"]["player"] == "red"
    assert box.lamps() == ["pulse", "off"]
    box.press(Button.CONFIRM)
    assert table.state()["cursor"]["player"] == "blue"
    assert box.lamps() == ["on", "pulse"]
    box.press(Button.CONFIRM)
    assert table.state()["phase"] == "tickets", "no ticket is in yet, and that is told first"
    assert box.lamps() == ["blink", "blink"]
    box.press(Button.CONFIRM)

    state = table.state()
    assert state["phase"] == "sheet"
    assert state["sheet"] is not None
    # Ada: 7 for four wagons, 4 for three, 10 for the longest path (4 against 2). Ben: 2 for two.
    assert [player["total"] for player in state["sheet"]["players"]] == [21, 2]
    assert state["sheet"]["winners"] == ["Ada"]
    assert box.lamps() == ["on", "off"]


def asked(table: Table) -> tuple[str | None, str | None]:
    cursor = table.state()["cursor"]
    return cursor["route"], cursor["choice"]


def test_the_lamps_pulse_while_the_camera_looks(tmp_path: Path, factory: MockFactory) -> None:
    console = GpioConsole(PINS, factory)
    seen = list[list[str]]()

    class WatchedEye(ToldEye):
        def look(self, *words: object) -> object:  # type: ignore[override]
            seen.append(box.lamps())
            return super().look(*words)  # type: ignore[arg-type]

    table = new_table(tmp_path, WatchedEye(CLAIMED), console)
    box = Box(factory, console)
    table.act("start", ADA_AND_BEN)
    box.press(Button.SCAN)
    scanned(table)
    assert seen == [["pulse", "pulse"]]
    table.close()


def test_back_goes_back_one_thing_at_a_time(table_and_box: tuple[Table, Box]) -> None:
    table, box = table_and_box
    table.act("start", ADA_AND_BEN)
    box.press(Button.SCAN)
    scanned(table)
    box.press(Button.CONFIRM)
    box.press(Button.NEXT)
    box.press(Button.BACK)
    assert asked(table) == ("chicago--saint-louis-1", "red")
    box.press(Button.BACK)
    assert asked(table) == ("los-angeles--san-francisco-1", "red"), "the answer is taken back"
    box.press(Button.BACK)
    assert table.state()["phase"] == "look"
    assert len(table.state()["doubts"]) == 3, "the scan is not taken back"
    box.press(Button.CONFIRM)
    assert table.state()["phase"] == "doubts"


def test_the_sheet_is_opened_again_with_back(table_and_box: tuple[Table, Box]) -> None:
    table, box = table_and_box
    table.act("start", ADA_AND_BEN)
    presses: list[Callable[[], None]] = [lambda: box.press(Button.CONFIRM)] * 4
    for press in presses:
        press()
    assert table.state()["phase"] == "sheet"
    for dead in (Button.SCAN, Button.NEXT, Button.CONFIRM):
        box.press(dead)
        assert table.state()["phase"] == "sheet"
    box.press(Button.BACK)
    assert (table.state()["phase"], table.state()["cursor"]["player"]) == ("tickets", "blue")
    box.press(Button.BACK)
    box.press(Button.BACK)
    assert table.state()["phase"] == "look"


def test_buttons_without_a_game_do_nothing(table_and_box: tuple[Table, Box]) -> None:
    table, box = table_and_box
    for button in Button:
        box.press(button)
    assert table.state()["phase"] == "start"
    assert box.lamps() == ["off", "off"]


def test_a_press_on_the_panel_moves_the_box(table_and_box: tuple[Table, Box]) -> None:
    table, box = table_and_box
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    table.act("correct-route", {"route": "los-angeles--san-francisco-1", "owner": None})
    assert asked(table)[0] == "chicago--saint-louis-1"
    table.act("undo", {})
    assert asked(table)[0] == "los-angeles--san-francisco-1"
    assert box.lamps() == ["blink", "off"]


def test_the_box_tells_of_empty_hands_before_it_finishes(
    table_and_box: tuple[Table, Box],
) -> None:
    table, box = table_and_box
    table.act("start", ADA_AND_BEN)
    table.act("show", {"phase": "tickets"})
    table.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    box.press(Button.NEXT)
    box.press(Button.CONFIRM)
    assert table.state()["phase"] == "tickets"
    assert box.lamps() == ["on", "blink"], "Ben's hand is empty"
    box.press(Button.NEXT)
    assert box.lamps() == ["pulse", "off"], "any other button goes on as before"
    box.press(Button.NEXT)
    box.press(Button.CONFIRM)
    assert box.lamps() == ["on", "blink"]
    table.act("add-ticket", {"player": "blue", "ticket": "denver--el-paso"})
    assert box.lamps() == ["on", "pulse"], "no hand is empty any more"
    box.press(Button.CONFIRM)
    assert box.lamps() == ["blink", "blink"], "both have all their wagons: did the game end at all?"
    box.press(Button.CONFIRM)
    assert table.state()["phase"] == "sheet"
