"""A lamp of one colour, or of red, green and blue mixed."""

from collections.abc import Mapping, Sequence
from typing import Any

from hardware.console.console import Lamp

Mix = tuple[bool, bool, bool]
"""Whether red, green and blue are lit."""

WHITE: Mix = (True, True, True)

MIXES: Mapping[str, Mix] = {
    "red": (True, False, False),
    "green": (False, True, False),
    "blue": (False, False, True),
    "yellow": (True, True, False),
    "orange": (True, True, False),
    "purple": (True, False, True),
    "pink": (True, False, True),
    "black": (False, True, True),
    "white": WHITE,
    "grey": WHITE,
}
"""How a player's colour shines. Black cannot: it is cyan, which is no player's colour."""

STATUS_MIXES: Mapping[Lamp, Mix] = {
    Lamp.ON: MIXES["green"],
    Lamp.PULSE: MIXES["yellow"],
    Lamp.BLINK: MIXES["red"],
    Lamp.OFF: WHITE,
}
"""The status lamp's colour goes with its rhythm: all well, look at the tablet, trouble."""


class Light:
    """A lamp on gpiozero's devices: one of them, or three for red, green and blue."""

    def __init__(self, devices: Sequence[Any]) -> None:
        self._devices = tuple(devices)

    def set(self, is_lit: bool, mix: Mix = WHITE) -> None:
        """Write the pins whose level that changes; a lamp of one colour knows no mix."""
        parts = mix if len(self._devices) > 1 else (True,)
        for device, part in zip(self._devices, parts, strict=True):
            if bool(device.value) != (is_lit and part):
                device.value = is_lit and part

    def close(self) -> None:
        """Let the pins go."""
        for device in self._devices:
            device.close()
