"""Buttons that bounce and lamps that blink, on gpiozero's mock pins."""

import time
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.console.console import Button, Gesture, Lamp, is_lit
from hardware.console.contact import Change, Contact
from hardware.console.gpio import EdgeTimes, GpioConsole
from hardware.console.pins import PinMap, pin_map_from_json
from hardware.console.virtual import VirtualConsole
from hardware.errors import ConsoleError
from tests.support.box_hand import Clock, Hand, mock_box
from tests.support.waiting import until

PINS = PinMap()
BOTH = (Button.SCAN, Button.CONFIRM)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.close()


@pytest.fixture
def hand() -> Iterator[Hand]:
    clock = Clock()
    factory, console = mock_box(PINS, clock)
    yield Hand(factory, console, clock)
    console.close()
    factory.close()


def heard_by(hand: Hand) -> list[Button | Gesture]:
    """Everything that the box says from now on, in its order."""
    heard = list[Button | Gesture]()
    hand.console.listen(
        lambda button, made_s: heard.append(button), on_gesture=lambda one: heard.append(one)
    )
    return heard


def presses(levels: str) -> int:
    """How many presses a line of milliseconds holds; `#` is contact, `.` is none."""
    contact, changes, before = Contact(), list[Change](), "."
    for ms, level in enumerate(levels):
        if level != before:
            contact.edge(level == "#", ms / 1000)
        changes += contact.settle(ms / 1000)
        before = level
    changes += contact.settle(len(levels) / 1000 + 1)
    return sum(change.is_down for change in changes)


@pytest.mark.parametrize(
    ("levels", "count"),
    [
        ("." * 100, 0),
        ("." * 20 + "#" * 6 + "." * 80, 0),
        ("." * 20 + "#" * 30 + "." * 80, 1),
        ("." * 20 + "#.##..#.#" + "#" * 80, 1),
        ("#" * 60 + "." * 8 + "#" * 60 + "." * 60, 1),
        ("#" * 60 + "..#.##.#" + "." * 60, 1),
        ("#" * 60 + "." * 15 + "#" * 60 + "." * 60, 1),  # a worn contact, held down all the time
        ("#" * 50 + "." * 50 + "#" * 50 + "." * 50, 2),
        ("#.#.##.#" + "#" * 20 + ".#..#." + "." * 60 + "#" * 20 + "." * 60, 2),
    ],
)
def test_bounces_and_glitches_are_no_presses(levels: str, count: int) -> None:
    assert presses(levels) == count


def test_edges_are_counted_however_late_they_are_looked_at() -> None:
    contact = Contact()
    edges = [(0.000, True), (0.030, False), (0.100, True), (0.130, False)]
    for at_s, closed in edges:
        contact.edge(closed, at_s)
    assert [one.is_down for one in contact.settle(0.130)] == [True, False, True]


def test_each_button_tells_its_name_once_a_press(hand: Hand) -> None:
    heard = heard_by(hand)
    for button in (Button.SCAN, Button.NEXT, Button.NEXT, Button.BACK, Button.CONFIRM):
        hand.press(button)
    hand.press(Button.SCAN, held_s=0.03)
    assert heard == [Button.SCAN, Button.NEXT, Button.NEXT, Button.BACK, Button.CONFIRM, "scan"]


def test_presses_that_are_looked_at_together_come_in_the_order_of_the_fingers(hand: Hand) -> None:
    """The box was busy while somebody went back and then on."""
    heard = heard_by(hand)
    for button in (Button.BACK, Button.NEXT):
        hand.down(button)
        hand.clock.now_s += 0.08
        hand.up(button)
        hand.clock.now_s += 0.08
    hand.wait(0.01)
    assert heard == [Button.BACK, Button.NEXT]


def test_holding_back_takes_back_and_is_no_press(hand: Hand) -> None:
    heard = heard_by(hand)
    hand.press(Button.BACK, held_s=2.0)
    assert heard == [Gesture.UNDO]


def test_the_outer_two_together_ask_to_be_held_and_then_switch_off(hand: Hand) -> None:
    heard = heard_by(hand)
    hand.down(*BOTH)
    hand.wait(0.9)
    assert heard == []
    hand.wait(0.2)
    assert heard == [Gesture.HOLD]
    hand.wait(2.7)
    assert heard == [Gesture.HOLD], "four seconds in all"
    hand.wait(0.5)
    hand.up(*BOTH)
    hand.wait(0.2)
    assert heard == [Gesture.HOLD, Gesture.POWER_OFF]


def test_a_jammed_button_takes_no_other_along(hand: Hand) -> None:
    """SCAN hangs: CONFIRM said nothing any more, and held for four seconds it switched off."""
    heard = heard_by(hand)
    hand.down(Button.SCAN)
    hand.wait(2.0)
    hand.press(Button.CONFIRM)
    hand.press(Button.CONFIRM, held_s=6.0)
    assert heard == [Button.SCAN, Button.CONFIRM, Button.CONFIRM]


def test_letting_the_outer_two_go_changes_nothing(hand: Hand) -> None:
    heard = heard_by(hand)
    hand.down(*BOTH)
    hand.wait(0.5)
    hand.up(*BOTH)
    hand.wait(0.2)
    assert heard == [], "too short even for the sign"
    hand.down(Button.CONFIRM)
    hand.wait(0.02)
    hand.down(Button.SCAN)
    hand.wait(1.5)
    hand.up(Button.SCAN)
    hand.wait(5.0)
    hand.up(Button.CONFIRM)
    hand.wait(0.2)
    assert heard == [Gesture.HOLD, Gesture.LET_GO]


@pytest.mark.parametrize("first", BOTH)
def test_one_of_the_outer_two_let_go_ends_it_and_the_next_time_begins_anew(
    hand: Hand, first: Button
) -> None:
    """Whichever finger slips, nothing switches off; and the lamps warn each time."""
    heard = heard_by(hand)
    for _ in range(2):
        hand.down(*BOTH)
        hand.wait(2.0)
        hand.up(first)
        hand.wait(5.0)
        hand.up(*BOTH)
        hand.wait(0.2)
    assert heard == [Gesture.HOLD, Gesture.LET_GO] * 2


def test_a_press_counts_from_when_the_finger_came(hand: Hand) -> None:
    """BACK is told when it is let go. A question that has come meanwhile is not answered by it."""
    made = list[float]()
    hand.console.listen(lambda button, made_s: made.append(made_s))
    began_s = hand.clock.now_s
    hand.press(Button.BACK, held_s=0.5)
    assert made == [pytest.approx(began_s, abs=0.02)]


class Deaf(MockPin):
    """A pin whose edges are lost on their way."""

    def _call_when_changed(self) -> None:
        return


def test_a_lost_edge_leaves_no_button_stuck() -> None:
    clock, factory = Clock(), MockFactory(pin_class=Deaf)
    hand = Hand(factory, GpioConsole(PINS, factory, clock), clock)
    heard = heard_by(hand)
    hand.press(Button.NEXT, held_s=0.2)
    hand.wait(0.2)
    hand.press(Button.NEXT, held_s=0.2)
    assert heard == [Button.NEXT, Button.NEXT]
    hand.console.close()
    factory.close()


class HeldDown(MockPin):
    """A pin whose button is held down, so that its pull-up does not lift it."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.drive_low()


def test_a_button_stuck_at_power_on_is_no_press(factory: MockFactory) -> None:
    factory.pin(PINS.scan, pin_class=HeldDown)
    clock = Clock()
    hand = Hand(factory, GpioConsole(PINS, factory, clock), clock)
    heard = heard_by(hand)
    hand.wait(6.0)
    assert heard == []
    hand.up(Button.SCAN)
    hand.wait(0.2)
    hand.press(Button.NEXT)
    assert heard == [Button.NEXT]
    hand.console.close()


def test_no_press_of_30_ms_is_lost_and_all_come_at_once(factory: MockFactory) -> None:
    """In real time, with the box's own threads: 20 taps, one by one, with pauses as short."""
    console, came = GpioConsole(PINS, factory), list[float]()
    console.listen(lambda button, made_s: came.append(time.monotonic() - made_s))
    console.run()
    pin = factory.pin(PINS.next)
    for _ in range(20):
        pin.drive_low()
        time.sleep(0.03)
        pin.drive_high()
        time.sleep(0.03)
    console.close()
    assert len(came) == 20
    assert sorted(came)[10] < 0.04


class Breaking(MockPin):
    """A pin of a chip that is gone after a while."""

    is_gone = False

    def _get_state(self) -> float:
        if Breaking.is_gone:
            raise OSError("the chip is gone")
        return float(super()._get_state())


def test_pins_that_fail_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buttons that had died without a word kept a table pressing them."""
    factory = MockFactory(pin_class=Breaking)
    console, told = GpioConsole(PINS, factory), list[str]()
    console.listen(lambda button, made_s: None, lambda: told.append(str(console.trouble)))
    console.run()
    monkeypatch.setattr(Breaking, "is_gone", True)
    until(lambda: bool(told))
    console.close()
    assert len(told) == 1
    assert "the chip is gone" in told[0]
    factory.close()


@pytest.mark.parametrize(
    ("ticks_s", "arrival_s", "at_s"),
    [
        (1003.2, 203.25, 203.2),  # 50 ms late
        (1003.2, 203.1, 203.1),  # never in the future: the first edge had come late itself
        (9999.0, 203.25, 203.25),  # the system's clock was set
        (7.0, 203.25, 203.25),  # and set back
    ],
)
def test_edges_are_placed_on_our_clock(ticks_s: float, arrival_s: float, at_s: float) -> None:
    times = EdgeTimes()
    assert times.place(1000.0, 200.0) == pytest.approx(200.0)
    assert times.place(ticks_s, arrival_s) == pytest.approx(at_s)


def test_a_tap_that_is_told_of_after_a_long_stall_keeps_its_length() -> None:
    times = EdgeTimes()
    closed_s, open_s = times.place(50.000, 54.0), times.place(50.030, 54.001)
    assert open_s - closed_s == pytest.approx(0.030)


def lit(factory: MockFactory) -> list[bool]:
    return [bool(factory.pin(pin).state) for pin in PINS.lamps]


MIXED = PinMap(lamps=((17, 27, 22), 23), status=(16, 20, 21))


def levels(factory: MockFactory, *pins: int) -> tuple[bool, ...]:
    return tuple(bool(factory.pin(pin).state) for pin in pins)


@pytest.mark.parametrize(
    ("colour", "red_green_blue"),
    [
        ("red", (True, False, False)),
        ("blue", (False, False, True)),
        ("yellow", (True, True, False)),
        ("green", (False, True, False)),
        ("orange", (True, True, False)),
        ("purple", (True, False, True)),
        ("black", (False, True, True)),  # cyan: nobody's colour
        ("white", (True, True, True)),
        ("mauve", (True, True, True)),  # a colour of a board of one's own
    ],
)
def test_a_lamp_of_several_colours_shines_in_its_player_s(
    factory: MockFactory, colour: str, red_green_blue: tuple[bool, ...]
) -> None:
    console = GpioConsole(MIXED, factory)
    console.show([Lamp.ON, Lamp.ON], Lamp.ON, [colour, "red"])
    console.tick(0.0)
    assert levels(factory, 17, 27, 22) == red_green_blue
    assert levels(factory, 23) == (True,)  # one of one colour beside it
    console.show([Lamp.OFF, Lamp.ON], Lamp.ON, [colour, "red"])
    console.tick(0.0)
    assert levels(factory, 17, 27, 22) == (False, False, False)
    console.close()


@pytest.mark.parametrize(
    ("status", "red_green_blue"),
    [
        (Lamp.ON, (False, True, False)),
        (Lamp.PULSE, (True, True, False)),
        (Lamp.BLINK, (True, False, False)),
        (Lamp.OFF, (False, False, False)),
    ],
)
def test_a_status_lamp_of_several_colours_is_green_yellow_or_red(
    factory: MockFactory, status: Lamp, red_green_blue: tuple[bool, ...]
) -> None:
    console = GpioConsole(MIXED, factory)
    console.show([], status)
    console.tick(0.0)
    assert levels(factory, 16, 20, 21) == red_green_blue
    console.close()


def test_a_box_without_a_status_lamp_tells_of_trouble_where_it_says_nothing_else(
    factory: MockFactory,
) -> None:
    console = GpioConsole(PINS, factory)
    console.show([Lamp.OFF, Lamp.OFF], Lamp.BLINK)
    console.tick(0.0)
    assert lit(factory) == [True] * 5
    console.tick(0.2)
    assert lit(factory) == [False] * 5
    console.show([Lamp.ON, Lamp.OFF], Lamp.BLINK)  # the seats' lamps have something to say
    console.tick(0.0)
    assert lit(factory) == [True, False, False, False, False]
    console.close()


def test_a_lamp_of_several_colours_clashes_pin_by_pin() -> None:
    with pytest.raises(ConsoleError, match=r"Pin 17 is given to both lamp 1 and lamp 2 \(green\)"):
        pin_map_from_json({"lamps": [17, [4, 17, 18]]})
    assert pin_map_from_json({"status": [16, 20, 21]}).status == (16, 20, 21)
    for wrong in ([17, [4, 18]], [[4, 18, 27, 22]], [[4, "x", 18]], [[[1], 2, 3]]):
        with pytest.raises(ConsoleError, match="three in a list: red, green, blue"):
            pin_map_from_json({"lamps": wrong})


def test_lamps_follow_the_seats(factory: MockFactory) -> None:
    console = GpioConsole(PINS, factory)
    console.show([Lamp.ON, Lamp.OFF, Lamp.BLINK, Lamp.PULSE])
    console.tick(0.0)
    assert lit(factory) == [True, False, True, True, False]
    console.tick(0.2)
    assert lit(factory) == [True, False, False, True, False]
    console.tick(1.4)
    assert lit(factory)[3] is False
    console.show([])
    console.tick(0.0)
    assert lit(factory) == [False] * 5
    console.close()


def test_the_status_lamp_and_the_buzzer_are_there_where_they_have_pins() -> None:
    clock = Clock()
    factory, console = mock_box(PinMap(status=25, buzzer=12), clock)
    hand = Hand(factory, console, clock)
    console.show([], Lamp.ON)
    hand.wait(0.05)
    assert (bool(factory.pin(25).state), bool(factory.pin(12).state)) == (True, False)
    hand.down(Button.NEXT)
    hand.wait(0.02)
    assert factory.pin(12).state, "it chirps as soon as the press counts"
    hand.wait(0.1)
    assert not factory.pin(12).state
    hand.down(Button.BACK)
    hand.wait(1.0)
    assert factory.pin(12).state, "taking back sounds long, beside a press that sounds short"
    hand.wait(0.4)
    assert not factory.pin(12).state
    hand.up(Button.NEXT)
    hand.wait(0.1)
    hand.down(Button.NEXT)
    hand.wait(0.02)
    assert factory.pin(12).state
    console.close()
    assert factory.pin(12).function == "input", "it does not go on for ever"
    factory.close()


def test_every_lamp_state_looks_different_over_time() -> None:
    times = [n / 20 for n in range(40)]
    looks = {lamp: tuple(is_lit(lamp, t) for t in times) for lamp in Lamp}
    assert len(set(looks.values())) == len(Lamp)


def test_the_thread_watches_until_closed(factory: MockFactory) -> None:
    console = GpioConsole(PINS, factory)
    console.run()
    console.close()
    console.close()
    assert console.trouble is None


def test_a_pin_taken_by_somebody_else_is_one_sentence_and_frees_the_rest(
    factory: MockFactory,
) -> None:
    first = GpioConsole(PinMap(lamps=(17,)), factory)
    with pytest.raises(ConsoleError, match="cannot be reached"):
        GpioConsole(PinMap(scan=20, next=21, back=12, confirm=16, lamps=(26, 17)), factory)
    GpioConsole(PinMap(scan=20, next=21, back=12, confirm=16, lamps=(26,)), factory).close()
    first.close()


def test_a_lamp_of_several_colours_that_lacks_a_pin_frees_its_others(factory: MockFactory) -> None:
    first = GpioConsole(PinMap(lamps=(17,)), factory)
    buttons = {"scan": 20, "next": 21, "back": 12, "confirm": 16}
    with pytest.raises(ConsoleError, match="cannot be reached") as told:
        GpioConsole(PinMap(**buttons, lamps=((26, 22, 17),)), factory)
    GpioConsole(PinMap(**buttons, lamps=((26, 22, 27),)), factory).close()
    assert "GPIO17" in str(told.value), "which the panel shows from then on, and keeps"
    first.close()


class Busy(MockFactory):
    """Pins that another program holds, with an error of the library's own family."""

    def pin(self, name: object) -> MockPin:
        raise BusyError("GPIO busy")


class BusyError(Exception):
    """As lgpio's own error: neither gpiozero's nor the system's."""


def test_pins_of_another_program_are_one_sentence() -> None:
    busy = Busy()
    with pytest.raises(ConsoleError, match="GPIO busy"):
        GpioConsole(PINS, busy)
    busy.close()


def test_pins_come_from_the_configuration() -> None:
    assert pin_map_from_json({}) == PinMap()
    assert pin_map_from_json({"scan": 20, "lamps": [4, 25]}) == PinMap(scan=20, lamps=(4, 25))
    assert pin_map_from_json({"status": 25, "buzzer": 12}) == PinMap(status=25, buzzer=12)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"scan": 40}, "The Scan button is on pin 40, which is no GPIO"),
        ({"scan": 1}, "The Scan button is on pin 1, which is no GPIO"),
        ({"scan": 6}, "Pin 6 is given to both Scan button and Next button"),
        ({"buzzer": 22}, "Pin 22 is given to both lamp 3 and buzzer"),
        ({"fire": 6}, "no part called fire"),
        ({"lamps": "red"}, 'lamps = "red" is no list'),
        ({"lamps": [True]}, "lamps = true is no pin"),
        ({"scan": 5.5}, "scan = 5.5 is no pin"),
        ({"scan": "5"}, 'scan = "5" is no pin'),
        ({"scan": [5]}, r"scan = \[5\] is no pin"),
        ([5, 6], r"\[pins\] is a section"),
    ],
)
def test_wrong_pins_are_named(data: object, sentence: str) -> None:
    with pytest.raises(ConsoleError, match=sentence):
        pin_map_from_json(data)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"scan": 6, "buzzer": 22}, ["Pin 6 is given to both", "Pin 22 is given to both"]),
        ({"scan": 6, "status": 40}, ["Pin 6 is given to both", "on pin 40, which is no GPIO"]),
        ({"scan": "5", "lamps": 3}, ['scan = "5" is no pin', "lamps = 3 is no list"]),
        ({"fire": 1, "ice": 2, "scan": 6}, ["no part called fire, ice", "Pin 6 is given to both"]),
    ],
)
def test_all_that_is_wrong_with_the_pins_is_told_at_once(data: object, told: list[str]) -> None:
    with pytest.raises(ConsoleError) as refused:
        pin_map_from_json(data)
    said = refused.value.sentence("en")
    assert [one for one in told if one not in said] == []
    assert said.count(". ") == len(told) - 1, "one sentence after the other"


def test_the_virtual_box_does_the_same_without_pins() -> None:
    console, heard = VirtualConsole(), list[object]()
    console.press(Button.SCAN)
    console.listen(
        lambda button, made_s: heard.append(button), on_gesture=lambda one: heard.append(one)
    )
    console.press(Button.CONFIRM)
    console.gesture(Gesture.UNDO)
    console.show([Lamp.ON, Lamp.BLINK], Lamp.PULSE)
    assert heard == [Button.CONFIRM, Gesture.UNDO]
    assert (console.lamps, console.status) == ((Lamp.ON, Lamp.BLINK), Lamp.PULSE)
    console.close()
    assert (console.lamps, console.status) == ((), Lamp.OFF)


def test_a_button_for_copies_is_there_only_where_it_has_a_pin() -> None:
    assert Button.COPY not in PinMap().buttons
    pins = pin_map_from_json({"copy": 26})
    assert pins.buttons[Button.COPY] == 26
    assert ("copy", 26) in [
        (str(part.name.key).rpartition(".")[2], part.pin) for part in pins.parts()
    ]
    with pytest.raises(ConsoleError, match="26"):
        pin_map_from_json({"copy": 26, "status": 26})
    clock = Clock()
    factory, console = mock_box(pins, clock)
    heard = heard_by(hand := Hand(factory, console, clock))
    hand.press(Button.COPY, held_s=0.03)
    assert heard == [Button.COPY]
    console.close()
    factory.close()


def test_a_button_that_jams_is_told_by_its_name_until_it_is_free(hand: Hand) -> None:
    """A finger rests on a button for a while; half a minute is no finger."""
    told = list[str | None]()
    hand.console.listen(
        lambda button, made_s: None,
        lambda: told.append(hand.console.trouble and str(hand.console.trouble)),
    )
    hand.down(Button.NEXT)
    hand.wait(29)
    assert told == []
    hand.wait(2)
    sentence = "The Next button is held down all the time: it is jammed"
    assert len(told) == 1
    assert (told[0] or "").startswith(sentence)
    hand.up(Button.NEXT)
    hand.wait(0.1)
    assert told[1:] == [None]


def test_a_button_that_is_down_from_the_start_is_told_too(factory: MockFactory) -> None:
    factory.pin(PINS.scan, pin_class=HeldDown)
    clock = Clock()
    hand = Hand(factory, GpioConsole(PINS, factory, clock), clock)
    hand.wait(29)
    assert hand.console.trouble is None, "a finger may rest on it"
    hand.wait(2)
    assert "Scan button" in str(hand.console.trouble)
    hand.console.close()
