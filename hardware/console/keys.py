"""Which keys of a USB number pad or a game controller stand for the buttons."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hardware.console.console import Button
from hardware.errors import MOST_TOLD, ConsoleError

KEY_CODES: Mapping[str, int] = {
    "KEY_ESC": 1,
    "KEY_BACKSPACE": 14,
    "KEY_TAB": 15,
    "KEY_ENTER": 28,
    "KEY_KPASTERISK": 55,
    "KEY_SPACE": 57,
    "KEY_NUMLOCK": 69,
    "KEY_KP7": 71,
    "KEY_KP8": 72,
    "KEY_KP9": 73,
    "KEY_KPMINUS": 74,
    "KEY_KP4": 75,
    "KEY_KP5": 76,
    "KEY_KP6": 77,
    "KEY_KPPLUS": 78,
    "KEY_KP1": 79,
    "KEY_KP2": 80,
    "KEY_KP3": 81,
    "KEY_KP0": 82,
    "KEY_KPDOT": 83,
    "KEY_KPENTER": 96,
    "KEY_KPSLASH": 98,
    "KEY_UP": 103,
    "KEY_PAGEUP": 104,
    "KEY_LEFT": 105,
    "KEY_RIGHT": 106,
    "KEY_DOWN": 108,
    "KEY_PAGEDOWN": 109,
    "BTN_TRIGGER": 288,
    "BTN_THUMB": 289,
    "BTN_THUMB2": 290,
    "BTN_TOP": 291,
    "BTN_SOUTH": 304,
    "BTN_EAST": 305,
    "BTN_NORTH": 307,
    "BTN_WEST": 308,
    "BTN_TL": 310,
    "BTN_TR": 311,
    "BTN_SELECT": 314,
    "BTN_START": 315,
}
"""Linux's names and numbers (`linux/input-event-codes.h`) of the keys that number pads, presenters
and game controllers have. Other keys are given by their number, which `evtest` tells."""

LARGEST_CODE = 767
"""`KEY_MAX`."""

USUAL: Mapping[Button, tuple[int, ...]] = {
    Button.SCAN: (KEY_CODES["KEY_KPASTERISK"], KEY_CODES["BTN_NORTH"], KEY_CODES["BTN_TOP"]),
    Button.NEXT: (KEY_CODES["KEY_KPPLUS"], KEY_CODES["BTN_WEST"], KEY_CODES["BTN_TRIGGER"]),
    Button.BACK: (KEY_CODES["KEY_KPMINUS"], KEY_CODES["BTN_EAST"], KEY_CODES["BTN_THUMB"]),
    Button.CONFIRM: (KEY_CODES["KEY_KPENTER"], KEY_CODES["BTN_SOUTH"], KEY_CODES["BTN_THUMB2"]),
    Button.COPY: (),
}
"""On a number pad × + − and Enter, on a controller the four buttons under the right thumb."""

EVERY_DEVICE = "/dev/input/event*"


@dataclass(frozen=True, slots=True)
class KeyMap:
    """Which keys stand for each button, and the device that has them (a path, `*` allowed).

    Raises ConsoleError where keys stand for two buttons.
    """

    keys: Mapping[Button, tuple[int, ...]] = field(default_factory=lambda: dict(USUAL))
    device: str = EVERY_DEVICE

    def __post_init__(self) -> None:
        taken: dict[int, Button] = {}
        twice = [
            ConsoleError("hardware.keys.used-twice", key=_name_of(code))
            for button, code in self.codes()
            if taken.setdefault(code, button) is not button
        ]
        if twice:
            raise ConsoleError.of_all(twice)

    def codes(self) -> Iterator[tuple[Button, int]]:
        """Every button with every key of it."""
        for button, codes in self.keys.items():
            for code in codes:
                yield button, code

    @property
    def buttons(self) -> Mapping[int, Button]:
        """The button of each key."""
        return {code: button for button, code in self.codes()}


def key_map_from_json(data: Any) -> KeyMap:
    """The keys of a configuration: "device" and button names, each optional.

    A key is a name, a number, or a list of them. Raises ConsoleError for all that is wrong at once.
    """
    known = {*(button.value for button in Button), "device"}
    if not isinstance(data, Mapping):
        raise ConsoleError("hardware.keys.unreadable")
    wrong = []
    if unknown := sorted(set(data) - known):
        names = ", ".join(name[:40] for name in unknown[:MOST_TOLD])
        listed = ", ".join(sorted(known))
        wrong.append(ConsoleError("hardware.keys.unknown-part", name=names, known=listed))
    device = data.get("device", EVERY_DEVICE)
    if not isinstance(device, str) or not device.startswith("/dev/"):
        wrong.append(ConsoleError("hardware.keys.no-device-name", device=device))
    own = {}
    for button in (one for one in Button if one.value in data):
        try:
            own[button] = _codes(data[button.value])
        except ConsoleError as error:
            wrong.append(error)
    try:
        keys = KeyMap({**_without(own), **own}, str(device))
    except ConsoleError as error:
        wrong.append(error)
    if wrong:
        raise ConsoleError.of_all(wrong)
    return keys


def _without(own: Mapping[Button, tuple[int, ...]]) -> dict[Button, tuple[int, ...]]:
    """The usual keys, less those that were given to another button."""
    taken = {code for codes in own.values() for code in codes}
    return {b: tuple(code for code in codes if code not in taken) for b, codes in USUAL.items()}


def _codes(value: object) -> tuple[int, ...]:
    return tuple(_code(one) for one in (value if isinstance(value, list) else [value]))


def _code(value: object) -> int:
    if isinstance(value, str) and value.upper() in KEY_CODES:
        return KEY_CODES[value.upper()]
    if type(value) is int and 0 < value <= LARGEST_CODE:
        return value
    raise ConsoleError("hardware.keys.unknown", key=value)


def _name_of(code: int) -> str:
    return next((name for name, number in KEY_CODES.items() if number == code), str(code))
