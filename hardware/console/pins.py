"""Which pin every button and lamp is on, read from a configuration and checked for clashes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hardware.console.console import Button
from hardware.errors import ConsoleError
from scoring.language import Message

FIRST_PIN, LAST_PIN = 2, 27
"""The GPIOs of the 40-pin header, in BCM numbers."""

OPTIONAL = ("status", "buzzer")
"""Parts that a box may do without."""


@dataclass(frozen=True, slots=True)
class PinMap:
    """Which GPIO (BCM number) each button, lamp and the buzzer is on; lamps in seat order.

    Buttons connect their pin to ground, lamps shine when their pin is high. Raises ConsoleError
    where a pin is no GPIO of the 40-pin header or is used twice.
    """

    scan: int = 5
    next: int = 6
    back: int = 13
    confirm: int = 19
    lamps: tuple[int, ...] = (17, 27, 22, 23, 24)
    status: int | None = None
    buzzer: int | None = None

    def __post_init__(self) -> None:
        taken: dict[int, Message] = {}
        for part, pin in self.parts():
            if not FIRST_PIN <= pin <= LAST_PIN:
                raise ConsoleError("hardware.pins.no-such-pin", pin=pin, part=part)
            if pin in taken:
                raise ConsoleError(
                    "hardware.pins.used-twice", pin=pin, first=taken[pin], second=part
                )
            taken[pin] = part

    @property
    def buttons(self) -> Mapping[Button, int]:
        return {
            Button.SCAN: self.scan,
            Button.NEXT: self.next,
            Button.BACK: self.back,
            Button.CONFIRM: self.confirm,
        }

    def parts(self) -> Iterator[tuple[Message, int]]:
        """Every part by what people call it, with its pin."""
        for button, pin in self.buttons.items():
            yield Message(f"hardware.part.{button}"), pin
        for seat, pin in enumerate(self.lamps, start=1):
            yield Message("hardware.part.lamp", seat=seat), pin
        for name in OPTIONAL:
            pin_or_none: int | None = getattr(self, name)
            if pin_or_none is not None:
                yield Message(f"hardware.part.{name}"), pin_or_none


def pin_map_from_json(data: Any) -> PinMap:
    """The pins of a configuration: names of parts, each optional; raises ConsoleError."""
    known = {*(button.value for button in Button), "lamps", *OPTIONAL}
    if not isinstance(data, Mapping) or not set(data) <= known:
        raise _unreadable(known)
    pins: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
    }
    if not all(_is_right(name, value) for name, value in pins.items()):
        raise _unreadable(known)
    return replace(PinMap(), **pins)


def _is_right(name: str, value: object) -> bool:
    """Lamps are a list of whole numbers, everything else is one."""
    if isinstance(value, tuple):
        return name == "lamps" and all(type(pin) is int for pin in value)
    return name != "lamps" and type(value) is int


def _unreadable(known: set[str]) -> ConsoleError:
    return ConsoleError("hardware.pins.unreadable", known=", ".join(sorted(known)))
