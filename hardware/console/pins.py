"""Which pin every button and lamp is on, read from a configuration and checked for clashes."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hardware.console.console import Button
from hardware.errors import MOST_TOLD, ConsoleError
from scoring.language import Message
from scoring.printable import printable

FIRST_PIN, LAST_PIN = 2, 27
"""The GPIOs of the 40-pin header, in BCM numbers."""

RGB = ("red", "green", "blue")
"""The order in which the pins of a lamp of several colours are given."""

LampPins = int | tuple[int, int, int]
"""A lamp of one colour, or one of red, green and blue."""

MOST_SIGNS = 40
"""Of a wrong value, in a sentence about it."""

OPTIONAL = ("status", "buzzer", "copy")
"""Parts that a box may do without."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something on a pin: its kind ("button", "lamp" or "buzzer"), its name, and its BCM number."""

    kind: str
    name: Message
    pin: int


@dataclass(frozen=True, slots=True)
class PinMap:
    """Which GPIO (BCM number) each button, lamp and the buzzer is on; lamps in seat order.

    A lamp may have three pins, for red, green and blue.

    Buttons connect their pin to ground, lamps shine when their pin is high. Raises ConsoleError
    where a pin is no GPIO of the 40-pin header or is used twice, for all of them at once.
    """

    scan: int = 5
    next: int = 6
    back: int = 13
    confirm: int = 19
    lamps: tuple[LampPins, ...] = (17, 27, 22, 23, 24)
    status: LampPins | None = None
    buzzer: int | None = None
    copy: int | None = None

    def __post_init__(self) -> None:
        if clashes := list(clashes_of(self.parts())):
            raise ConsoleError.of_all(clashes)

    @property
    def buttons(self) -> Mapping[Button, int]:
        four = {
            Button.SCAN: self.scan,
            Button.NEXT: self.next,
            Button.BACK: self.back,
            Button.CONFIRM: self.confirm,
        }
        return four if self.copy is None else {**four, Button.COPY: self.copy}

    def parts(self) -> tuple[Part, ...]:
        """Every part by what people call it, with its pin."""
        return tuple(_parts_of({name: getattr(self, name) for name in self.__slots__}))


def clashes_of(parts: Iterable[Part]) -> Iterator[ConsoleError]:
    """What is wrong with pins: those that the header does not have, and those given twice."""
    taken: dict[int, Message] = {}
    for part in parts:
        if not FIRST_PIN <= part.pin <= LAST_PIN:
            yield ConsoleError("hardware.pins.no-such-pin", pin=part.pin, part=part.name)
        elif part.pin in taken:
            yield ConsoleError(
                "hardware.pins.used-twice", pin=part.pin, first=taken[part.pin], second=part.name
            )
        else:
            taken[part.pin] = part.name


def _parts_of(pins: Mapping[str, Any]) -> Iterator[Part]:
    for button in (one for one in Button if pins[one.value] is not None):
        yield Part("button", Message(f"hardware.part.{button}"), pins[button.value])
    for seat, lamp in enumerate(pins["lamps"], start=1):
        yield from _lamp_parts(Message("hardware.part.lamp", seat=seat), lamp)
    if pins["status"] is not None:
        yield from _lamp_parts(Message("hardware.part.status"), pins["status"])
    if pins["buzzer"] is not None:
        yield Part("buzzer", Message("hardware.part.buzzer"), pins["buzzer"])


def pins_of(lamp: LampPins) -> tuple[int, ...]:
    """The pins of a lamp: one, or three."""
    return lamp if isinstance(lamp, tuple) else (lamp,)


def _lamp_parts(lamp: Message, pins: LampPins) -> Iterator[Part]:
    if not isinstance(pins, tuple):
        yield Part("lamp", lamp, pins)
        return
    for shade, pin in zip(RGB, pins, strict=True):
        name = Message(f"scoring.colour.{shade}")
        yield Part("lamp", Message("hardware.part.of-colour", part=lamp, shade=name), pin)


def pin_map_from_json(data: Any) -> PinMap:
    """The pins of a configuration: names of parts, each optional.

    Raises ConsoleError for all that is wrong at once: what is no pin, and the clashes of the rest.
    """
    pins, wrong = _read(data)
    if wrong:
        raise ConsoleError.of_all([*wrong, *clashes_of(_parts_with(pins))])
    return replace(PinMap(), **pins)


def planned_parts(data: Any) -> tuple[Part, ...]:
    """The parts of a configuration as it stands, clashes and all, for a drawing that shows them.

    Raises ConsoleError where it cannot be read.
    """
    pins, wrong = _read(data)
    if wrong:
        raise ConsoleError.of_all(wrong)
    return tuple(_parts_with(pins))


def _parts_with(pins: Mapping[str, Any]) -> Iterator[Part]:
    """The parts where these pins stand instead of the usual ones, clashes and all."""
    usual = PinMap()
    return _parts_of({**{name: getattr(usual, name) for name in usual.__slots__}, **pins})


def _read(data: Any) -> tuple[dict[str, Any], list[ConsoleError]]:
    """The pins that make sense, and what is wrong with the others; clashes stand in both."""
    known = {*(button.value for button in Button), "lamps", *OPTIONAL}
    if not isinstance(data, Mapping):
        raise ConsoleError("hardware.pins.unreadable")
    wrong = []
    if unknown := sorted(set(data) - known):
        names = ", ".join(map(_short, unknown[:MOST_TOLD]))
        wrong.append(ConsoleError("hardware.pins.unknown", name=names, known=_listed(known)))
    pins = {}
    for name, value in data.items():
        if name not in known:
            continue
        pin = _frozen(value)
        try:
            _check(name, pin)
        except ConsoleError as error:
            wrong.append(error)
        else:
            pins[name] = pin
    return pins, wrong


def _frozen(value: Any) -> Any:
    """Lists become tuples, those within them too."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _check(name: str, value: object) -> None:
    """Lamps are a list; a lamp is a whole number or three; everything else is a whole number.

    Raises ConsoleError.
    """
    if name == "lamps" and not isinstance(value, tuple):
        raise ConsoleError("hardware.pins.no-list", value=as_written(value))
    for one in value if name == "lamps" and isinstance(value, tuple) else (value,):
        is_pin = _is_lamp(one) if name in ("lamps", "status") else type(one) is int
        if not is_pin:
            raise ConsoleError("hardware.pins.no-number", name=name, value=as_written(one))


def _is_lamp(value: object) -> bool:
    if isinstance(value, tuple):
        return len(value) == len(RGB) and all(type(pin) is int for pin in value)
    return type(value) is int


def _listed(known: set[str]) -> str:
    return ", ".join(sorted(known))


def as_written(value: object) -> str:
    """A value of the configuration as it stands there: "5" in its quotes is no number."""
    return _short(printable(json.dumps(value, ensure_ascii=False, default=str)))


def _short(text: str) -> str:
    """As much of what stands in the configuration as names it."""
    return text if len(text) <= MOST_SIGNS else f"{text[:MOST_SIGNS]}…"
