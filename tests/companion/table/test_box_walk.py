"""A whole tally at the box: buttons on gpiozero's mock pins, lamps read back from theirs."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.table import box_face
from companion.table.table import Table
from hardware.console.console import BLINK_S, PULSE_S, Button, Gesture, Lamp
from hardware.console.pins import PinMap
from hardware.console.virtual import VirtualConsole
from tests.companion.tables import ADA_AND_BEN, ToldEye, new_table, scanned, sure, unsure
from tests.support.box_hand import Clock, Hand, mock_box
from tests.support.cameras import no_camera
from tests.support.threads import no_more_threads
from tests.support.waiting import until

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

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.press = hand.press

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
        self.hand.console.tick(t_s)
        return bool(self.hand.factory.pin(pin).state)


@pytest.fixture
def hand() -> Iterator[Hand]:
    clock = Clock()
    factory, console = mock_box(PINS, clock)
    yield Hand(factory, console, clock)
    factory.close()


@pytest.fixture
def table_and_box(tmp_path: Path, hand: Hand) -> Iterator[tuple[Table, Box]]:
    table = new_table(tmp_path, ToldEye(CLAIMED), hand.console)
    yield table, Box(hand)
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

    assert table.state()["phase"] == "look", "nobody is near the end: the game goes on"
    assert box.lamps() == ["off", "off"]
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


def test_the_lamps_pulse_while_the_camera_looks(tmp_path: Path, hand: Hand) -> None:
    seen = list[list[str]]()

    class WatchedEye(ToldEye):
        def look(self, *words: object) -> object:  # type: ignore[override]
            seen.append(box.lamps())
            return super().look(*words)  # type: ignore[arg-type]

    table = new_table(tmp_path, WatchedEye(CLAIMED), hand.console)
    box = Box(hand)
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
    for button in PINS.buttons:
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


def test_holding_back_takes_back_the_last_step_but_never_the_game(
    table_and_box: tuple[Table, Box],
) -> None:
    table, box = table_and_box
    table.act("start", ADA_AND_BEN)
    table.act("correct-route", {"route": "atlanta--miami", "owner": "blue"})
    box.press(Button.BACK, held_s=1.0)
    assert "atlanta--miami" not in table.state()["routes"]
    box.press(Button.BACK, held_s=1.0)
    assert table.state()["phase"] == "look", "the start of a game is asked about on the panel"


class Switch:
    """Stands for the machine's power: counts, and may refuse."""

    def __init__(self) -> None:
        self.offs = 0
        self.refuses: str | None = None

    def off(self) -> None:
        self.offs += 1
        if self.refuses:
            raise OSError(self.refuses)


@pytest.fixture
def switched(tmp_path: Path) -> Iterator[tuple[Table, VirtualConsole, Switch]]:
    console, switch = VirtualConsole(), Switch()
    table = new_table(tmp_path, ToldEye(CLAIMED), console, power_off=switch.off)
    table.act("start", ADA_AND_BEN)
    yield table, console, switch
    table.close()


def test_the_outer_two_show_a_sign_and_switch_off_only_when_held_on(
    switched: tuple[Table, VirtualConsole, Switch],
) -> None:
    _, console, switch = switched
    console.gesture(Gesture.HOLD)
    assert (console.lamps, console.status) == ((Lamp.BLINK,) * 5, Lamp.BLINK)
    console.gesture(Gesture.LET_GO)
    assert (console.lamps, switch.offs) == ((Lamp.OFF, Lamp.OFF), 0)
    console.gesture(Gesture.HOLD)
    console.gesture(Gesture.POWER_OFF)
    until(lambda: switch.offs == 1)
    assert (console.lamps, console.status) == ((), Lamp.PULSE)


def test_a_machine_that_cannot_be_switched_off_says_so(
    switched: tuple[Table, VirtualConsole, Switch],
) -> None:
    table, console, switch = switched
    switch.refuses = "no authority"
    console.gesture(Gesture.POWER_OFF)
    until(lambda: table.state().get("box") is not None)
    message = table.state().get("box")
    assert message is not None
    assert (message["key"], message["values"]["reason"]) == (
        "companion.box.no-power-off",
        "no authority",
    )
    assert console.lamps == (Lamp.OFF, Lamp.OFF)


def test_a_machine_without_a_thread_left_is_switched_off_all_the_same(
    switched: tuple[Table, VirtualConsole, Switch],
) -> None:
    _, console, switch = switched
    with no_more_threads():
        console.gesture(Gesture.POWER_OFF)
    assert switch.offs == 1


def test_without_leave_to_switch_off_the_outer_two_do_nothing(
    table_and_box: tuple[Table, Box],
) -> None:
    table, box = table_and_box
    table.act("start", ADA_AND_BEN)
    box.hand.down(Button.SCAN, Button.CONFIRM)
    box.hand.wait(5.0)
    box.hand.up(Button.SCAN, Button.CONFIRM)
    assert table.state()["phase"] == "look"
    assert box.lamps() == ["off", "off"]


def test_a_claim_lights_the_lamp_of_who_made_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose turn it is, nobody can know: drawing cards leaves nothing on the board."""
    monkeypatch.setattr(box_face, "CLAIM_SIGN_S", 1.0)
    console = VirtualConsole()
    table = new_table(tmp_path, ToldEye({}), console)
    table.act("start", ADA_AND_BEN)
    table.act("correct-route", {"route": "atlanta--miami", "owner": "blue"})
    assert console.lamps == (Lamp.OFF, Lamp.ON), "Ben's claim was taken in"
    told = table.state()
    assert told["lamps"] == {"red": "off", "blue": "on"}, "the panel's box shows it too"
    until(lambda: console.lamps == (Lamp.OFF, Lamp.OFF))
    assert table.wait(told["version"], 5.0) > told["version"], "and hears when it is over"
    assert table.state()["lamps"] == {"red": "off", "blue": "off"}
    table.close()


def test_the_status_lamp_says_wanted_saved_and_broken(tmp_path: Path) -> None:
    console = VirtualConsole()
    eye = ToldEye({"atlanta--miami": unsure("blue", None)})
    table = new_table(tmp_path, eye, console)
    assert console.status is Lamp.PULSE, "no game: start one on the tablet"
    table.act("start", ADA_AND_BEN)
    assert console.status is Lamp.OFF, "saved: it winks"
    until(lambda: console.status is Lamp.ON)
    table.act("scan", {})
    scanned(table)
    until(lambda: console.status is Lamp.PULSE)
    table.act("correct-route", {"route": "atlanta--miami", "owner": None})
    table.act("show", {"phase": "look"})
    until(lambda: console.status is Lamp.ON)
    table.close()


def test_the_status_lamp_blinks_while_there_is_no_camera(tmp_path: Path) -> None:
    console = VirtualConsole()
    table = new_table(tmp_path, console=console, open_camera=no_camera)
    table.act("start", ADA_AND_BEN)
    until(lambda: console.status is Lamp.BLINK)
    table.close()
