"""The port of the box: four buttons and a lamp per player."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

from hardware.errors import ConsoleError, HardwareError


class Button(StrEnum):
    """The four buttons."""

    SCAN = "scan"
    NEXT = "next"
    BACK = "back"
    CONFIRM = "confirm"


class Lamp(StrEnum):
    """States of a lamp, told apart by rhythm, never by colour."""

    OFF = "off"
    ON = "on"
    PULSE = "pulse"
    BLINK = "blink"


PULSE_S = (1.2, 0.4)
"""Seconds lit and dark of a lamp that says "your turn"."""

BLINK_S = (0.15, 0.15)
"""Seconds lit and dark of a lamp that asks."""

OnPress = Callable[[Button, float], None]
"""Takes a press: which button, and when it was made, in seconds of `time.monotonic`."""

OnTrouble = Callable[[], None]
"""Called when a console's `trouble` has changed."""


class Console(Protocol):
    """Buttons that call a listener, and lamps that can be set."""

    @property
    def trouble(self) -> HardwareError | None:
        """What is wrong with the box, None where it works."""
        ...

    def listen(self, on_press: OnPress, on_trouble: OnTrouble = lambda: None) -> None:
        """Call `on_press`, from whatever thread, once for every press from now on.

        Presses come one at a time and in their order.
        """
        ...

    def show(self, lamps: Sequence[Lamp]) -> None:
        """Set the lamps, in seat order; lamps without a player go dark."""
        ...

    def close(self) -> None:
        """Turn the lamps off and free the pins; may be called twice."""
        ...


@dataclass(frozen=True, slots=True)
class PinMap:
    """Which GPIO (BCM number) each button and lamp is on; lamps in seat order.

    Buttons connect their pin to ground, lamps shine when their pin is high. Raises ConsoleError
    where a pin is no GPIO of the 40-pin header or is used twice.
    """

    scan: int = 5
    next: int = 6
    back: int = 13
    confirm: int = 19
    lamps: tuple[int, ...] = (17, 27, 22, 23, 24)

    def __post_init__(self) -> None:
        pins = [*self.buttons.values(), *self.lamps]
        wrong = [pin for pin in pins if not 2 <= pin <= 27]
        if wrong:
            raise ConsoleError("hardware.pins.no-such-pin", pin=wrong[0])
        twice = [pin for pin in pins if pins.count(pin) > 1]
        if twice:
            raise ConsoleError("hardware.pins.used-twice", pin=twice[0])

    @property
    def buttons(self) -> Mapping[Button, int]:
        return {
            Button.SCAN: self.scan,
            Button.NEXT: self.next,
            Button.BACK: self.back,
            Button.CONFIRM: self.confirm,
        }


def pin_map_from_json(data: Any) -> PinMap:
    """The pins of a configuration: button names and "lamps", each optional; raises ConsoleError."""
    known = {*(button.value for button in Button), "lamps"}
    if not isinstance(data, Mapping) or not set(data) <= known:
        raise ConsoleError("hardware.pins.unreadable", known=", ".join(sorted(known)))
    try:
        pins: dict[str, Any] = {
            name: tuple(int(pin) for pin in value) if name == "lamps" else int(value)
            for name, value in data.items()
        }
    except (TypeError, ValueError) as error:
        raise ConsoleError("hardware.pins.unreadable", known=", ".join(sorted(known))) from error
    return replace(PinMap(), **pins)


def is_lit(lamp: Lamp, t_s: float) -> bool:
    """Whether a lamp is lit at a time, in seconds."""
    if lamp is Lamp.PULSE:
        return t_s % sum(PULSE_S) < PULSE_S[0]
    if lamp is Lamp.BLINK:
        return t_s % sum(BLINK_S) < BLINK_S[0]
    return lamp is Lamp.ON
