"""A box on gpiozero's mock pins with a clock of its own, and a hand that presses its buttons."""

import time
from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPin

from hardware.console.console import Button
from hardware.console.gpio import GpioConsole
from hardware.console.pins import PinMap


class Clock:
    """A time that moves only when it is told to; later than everything that has ever shown."""

    def __init__(self) -> None:
        self.now_s = time.monotonic() + 3600

    def __call__(self) -> float:
        return self.now_s


def mock_box(pins: PinMap, clock: Callable[[], float]) -> tuple[MockFactory, GpioConsole]:
    """A console without threads whose pins and whose time a test moves."""

    class ClockedPin(MockPin):
        """Tells of its edges at the time of the test's clock."""

        def _call_when_changed(self) -> None:
            super(MockPin, self)._call_when_changed(clock(), self._state)

    factory = MockFactory(pin_class=ClockedPin)
    return factory, GpioConsole(pins, factory, clock)


class Hand:
    """Presses buttons of a box; between two movements time passes and the box ticks."""

    def __init__(self, factory: MockFactory, console: GpioConsole, clock: Clock) -> None:
        self.factory, self.console, self.clock = factory, console, clock

    def down(self, *buttons: Button) -> None:
        for button in buttons:
            self.factory.pin(self.console.pins.buttons[button]).drive_low()

    def up(self, *buttons: Button) -> None:
        for button in buttons:
            self.factory.pin(self.console.pins.buttons[button]).drive_high()

    def wait(self, seconds: float) -> None:
        """Let time pass in steps as short as those of the box itself."""
        end_s = self.clock.now_s + seconds
        while self.clock.now_s < end_s - 1e-9:
            self.clock.now_s = min(end_s, self.clock.now_s + 0.01)
            self.console.tick(self.clock.now_s)

    def press(self, button: Button, held_s: float = 0.08) -> None:
        self.down(button)
        self.wait(held_s)
        self.up(button)
        self.wait(0.08)
