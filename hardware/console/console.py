"""The port of the box: four buttons and a lamp per player."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Protocol

from hardware.errors import HardwareError


class Button(StrEnum):
    """The four buttons, and one for a copy of the table where it is configured."""

    SCAN = "scan"
    NEXT = "next"
    BACK = "back"
    CONFIRM = "confirm"
    COPY = "copy"


class Gesture(StrEnum):
    """What more than a press of one button means."""

    UNDO = "undo"
    """BACK was held: take back the last step."""
    HOLD = "hold"
    """The outer two are held; holding them on switches off."""
    LET_GO = "let-go"
    """They were let go before."""
    POWER_OFF = "power-off"
    """They were held long enough."""


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

OnGesture = Callable[[Gesture], None]
"""Takes a gesture, in the order of presses and gestures."""

OnTrouble = Callable[[], None]
"""Called when a console's `trouble` has changed."""


class Buttons(Protocol):
    """Buttons that call a listener."""

    @property
    def trouble(self) -> HardwareError | None:
        """What is wrong with them, None where they work."""
        ...

    def listen(
        self,
        on_press: OnPress,
        on_trouble: OnTrouble = lambda: None,
        on_gesture: OnGesture = lambda gesture: None,
    ) -> None:
        """Call `on_press`, from whatever thread, once for every press from now on.

        Presses and gestures come one at a time and in their order.
        """
        ...

    def close(self) -> None:
        """Let the devices go, with all lamps off; may be called twice."""
        ...


class Console(Buttons, Protocol):
    """Buttons, and lamps that can be set."""

    def show(
        self, lamps: Sequence[Lamp], status: Lamp = Lamp.OFF, colours: Sequence[str] = ()
    ) -> None:
        """Set the lamps in seat order, and the status lamp; lamps without a player go dark.

        `colours` are the players', in seat order: lamps of several colours shine in them.
        """
        ...


def is_lit(lamp: Lamp, t_s: float) -> bool:
    """Whether a lamp is lit at a time, in seconds."""
    if lamp is Lamp.PULSE:
        return t_s % sum(PULSE_S) < PULSE_S[0]
    if lamp is Lamp.BLINK:
        return t_s % sum(BLINK_S) < BLINK_S[0]
    return lamp is Lamp.ON
