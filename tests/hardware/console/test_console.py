"""Buttons that bounce and lamps that blink, on gpiozero's mock pins."""

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.console.console import Button, Lamp, PinMap, is_lit, pin_map_from_json
from hardware.console.gpio import Debouncer, GpioConsole
from hardware.console.virtual import VirtualConsole
from hardware.errors import ConsoleError

PINS = PinMap()


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory()
    yield factory
    factory.close()


def presses(levels: str) -> int:
    """How many presses a line of samples holds; `#` is contact, `.` is none."""
    debouncer = Debouncer()
    return sum(debouncer.sample(level == "#") for level in levels)


@pytest.mark.parametrize(
    ("levels", "count"),
    [
        ("......", 0),
        ("..##....", 0),
        ("..###...", 1),
        ("..#.#.#.####################", 1),
        ("..########.#.########", 1),
        ("..#####..#.......#####...", 2),
        ("..#####.#.#......", 1),
    ],
)
def test_bounces_and_glitches_are_no_presses(levels: str, count: int) -> None:
    assert presses(levels) == count


def hold(console: GpioConsole, factory: MockFactory, pin: int, ticks: int) -> None:
    factory.pin(pin).drive_low()
    for _ in range(ticks):
        console.tick(0.0)
    factory.pin(pin).drive_high()
    for _ in range(ticks):
        console.tick(0.0)


def test_each_button_tells_its_name_once_a_press(factory: MockFactory) -> None:
    console, heard = GpioConsole(PINS, factory), list[Button]()
    console.listen(lambda button, made_s: heard.append(button))
    for pin in (PINS.scan, PINS.next, PINS.next, PINS.back, PINS.confirm):
        hold(console, factory, pin, ticks=20)
    hold(console, factory, PINS.scan, ticks=1)
    assert heard == [Button.SCAN, Button.NEXT, Button.NEXT, Button.BACK, Button.CONFIRM]
    console.close()


class HeldDown(MockPin):
    """A pin whose button is held down, so that its pull-up does not lift it."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.drive_low()


def test_a_button_stuck_at_power_on_is_no_press(factory: MockFactory) -> None:
    factory.pin(PINS.scan, pin_class=HeldDown)
    console, heard = GpioConsole(PINS, factory), list[Button]()
    console.listen(lambda button, made_s: heard.append(button))
    for _ in range(10):
        console.tick(0.0)
    assert heard == []
    factory.pin(PINS.scan).drive_high()
    for _ in range(10):
        console.tick(0.0)
    hold(console, factory, PINS.scan, ticks=5)
    assert heard == [Button.SCAN]
    console.close()


def lit(factory: MockFactory) -> list[bool]:
    return [bool(factory.pin(pin).state) for pin in PINS.lamps]


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


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"scan": 40}, "Pin 40 is no GPIO"),
        ({"scan": 6}, "Pin 6 is given to two"),
        ({"fire": 6}, "unreadable"),
        ({"lamps": "red"}, "unreadable"),
        ([5, 6], "unreadable"),
    ],
)
def test_wrong_pins_are_named(data: object, sentence: str) -> None:
    with pytest.raises(ConsoleError, match=sentence):
        pin_map_from_json(data)


def test_the_virtual_box_does_the_same_without_pins() -> None:
    console, heard = VirtualConsole(), list[Button]()
    console.press(Button.SCAN)
    console.listen(lambda button, made_s: heard.append(button))
    console.press(Button.CONFIRM)
    console.show([Lamp.ON, Lamp.BLINK])
    assert (heard, console.lamps) == ([Button.CONFIRM], (Lamp.ON, Lamp.BLINK))
    console.close()
    assert console.lamps == ()
