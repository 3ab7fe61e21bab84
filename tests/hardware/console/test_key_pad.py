"""A number pad as the box's buttons: the kernel's events written into a pipe that stands for it."""

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from hardware.console.console import Button, Gesture
from hardware.console.key_pad import EVENT, EVERY_DEVICE, KeyPad
from hardware.console.keys import KeyMap, key_map_from_json
from hardware.errors import ConsoleError
from tests.support.waiting import until

PLUS, MINUS, ENTER, ASTERISK, A = 78, 74, 96, 55, 30
"""As in linux/input-event-codes.h."""


class Pad:
    """A device file to which a test writes key events."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._pipe = os.open(path, os.O_RDWR)
        self._is_open = True
        self.path = path

    def key(self, code: int, value: int) -> None:
        os.write(self._pipe, EVENT.pack(0, 0, 1, code, value) + EVENT.pack(0, 0, 0, 0, 0))

    def tap(self, code: int) -> None:
        self.key(code, 1)
        self.key(code, 0)

    def unplug(self) -> None:
        self.path.unlink()
        self.close()

    def close(self) -> None:
        """May be called twice."""
        if self._is_open:
            os.close(self._pipe)
        self._is_open = False


@pytest.fixture
def heard() -> list[object]:
    return []


@pytest.fixture
def pad(tmp_path: Path, heard: list[object], monkeypatch: pytest.MonkeyPatch) -> Iterator[Pad]:
    monkeypatch.setattr("hardware.console.key_pad.LOOK_AGAIN_S", 0.02)
    pad = Pad(tmp_path / "event0")
    keys = KeyPad(KeyMap(device=str(tmp_path / "event*")))
    keys.listen(lambda button, at_s: heard.append(button), on_gesture=lambda one: heard.append(one))
    until(lambda: keys.devices == (str(pad.path),))
    yield pad
    keys.close()
    keys.close()
    pad.close()


def test_keys_are_the_buttons_and_others_are_left_alone(pad: Pad, heard: list[object]) -> None:
    for code in (PLUS, A, MINUS, ENTER, ASTERISK):
        pad.tap(code)
    until(lambda: len(heard) == 4)
    assert heard == [Button.NEXT, Button.BACK, Button.CONFIRM, Button.SCAN]


def test_a_key_that_is_held_repeats_nothing_and_back_held_is_undo(
    pad: Pad, heard: list[object]
) -> None:
    pad.key(PLUS, 1)
    pad.key(PLUS, 2)
    pad.key(PLUS, 2)
    pad.key(PLUS, 0)
    pad.key(MINUS, 1)
    time.sleep(0.25)
    pad.key(MINUS, 2)  # as Linux repeats a key that is held
    until(lambda: len(heard) == 2)
    pad.key(MINUS, 0)
    pad.tap(PLUS)
    until(lambda: len(heard) == 3)
    assert heard == [Button.NEXT, Gesture.UNDO, Button.NEXT]


def test_a_pad_may_be_unplugged_and_come_back(
    pad: Pad, heard: list[object], tmp_path: Path
) -> None:
    pad.unplug()
    time.sleep(0.1)
    again = Pad(tmp_path / "event1")
    time.sleep(0.1)
    again.tap(PLUS)
    until(lambda: heard == [Button.NEXT])
    again.close()


def test_a_pad_that_goes_while_a_button_is_down_works_when_it_comes_back(
    pad: Pad, heard: list[object], tmp_path: Path
) -> None:
    """What was down then was not pressed; its rest is not waited for."""
    pad.key(MINUS, 1)
    pad.unplug()
    time.sleep(1.0)  # as long as it takes to hold BACK
    again = Pad(tmp_path / "event1")
    time.sleep(0.1)
    again.tap(PLUS)
    until(lambda: heard == [Button.NEXT])
    again.close()


def test_a_pad_in_the_place_of_a_mouse_works_however_quickly_they_were_swapped(
    pad: Pad, heard: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system gives it the mouse's name again, and nobody had looked in between."""
    asked: list[int] = []

    def keys_of_a_mouse(number: int) -> set[int]:
        asked.append(number)
        return {A}

    monkeypatch.setattr("hardware.console.key_pad._keys_of", keys_of_a_mouse)
    # A pipe cannot be kept from other programs.
    monkeypatch.setattr("hardware.console.key_pad.EVERY_DEVICE", str(pad.path.parent / "event*"))
    mouse = Pad(pad.path.with_name("event1"))
    until(lambda: len(asked) == 1)
    time.sleep(0.1)
    assert len(asked) == 1, "it is left alone"
    assert [path for path in open_files() if path == mouse.path] == [mouse.path]  # the test's own
    monkeypatch.setattr("hardware.console.key_pad._keys_of", lambda number: {PLUS})
    other = Pad(pad.path.with_name("new"))
    other.path = other.path.rename(mouse.path)
    other.tap(PLUS)
    until(lambda: heard == [Button.NEXT])
    for one in (other, mouse):
        one.close()


def test_a_pad_that_goes_while_the_outer_two_are_held_lets_them_go(
    pad: Pad, heard: list[object]
) -> None:
    """Its battery is empty, say: the lamps blinked for switching off until the program ended."""
    pad.key(ASTERISK, 1)
    pad.key(ENTER, 1)
    until(lambda: heard == [Gesture.HOLD])
    pad.unplug()
    until(lambda: len(heard) == 2)
    assert heard == [Gesture.HOLD, Gesture.LET_GO]


def test_a_pad_that_may_not_be_read_says_how_to_mend_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "event0").touch()

    def forbidden(path: str, flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    told = list[str]()
    keys = KeyPad(KeyMap(device=str(tmp_path / "event0")))
    with monkeypatch.context() as closed:
        closed.setattr("hardware.console.key_pad.os.open", forbidden)
        keys.listen(lambda button, at_s: None, lambda: told.append(str(keys.trouble)))
        until(lambda: bool(told))
    assert "usermod -aG input" in told[0]
    keys.close()


@pytest.mark.parametrize("free", [lambda pad: pad.key(PLUS, 0), Pad.unplug])
def test_a_key_that_something_lies_on_is_told_until_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: Callable[[Pad], None]
) -> None:
    """A box is put down on the number pad; half a minute is no finger."""
    passed_s = 0.0
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + passed_s)
    monkeypatch.setattr("hardware.console.key_pad.LOOK_AGAIN_S", 0.02)
    monkeypatch.setattr("hardware.console.key_pad.time", clock)
    pad = Pad(tmp_path / "event0")
    heard, told = list[Button](), list[str | None]()
    keys = KeyPad(KeyMap(device=str(pad.path)))
    keys.listen(
        lambda button, at_s: heard.append(button),
        lambda: told.append(keys.trouble and str(keys.trouble)),
    )
    pad.key(PLUS, 1)
    until(lambda: heard == [Button.NEXT])
    passed_s = 29.0
    time.sleep(0.1)
    assert told == []
    passed_s = 31.0
    until(lambda: len(told) == 1)
    assert (told[0] or "").startswith("The Next button is held down all the time")
    free(pad)
    until(lambda: told[1:] == [None])
    keys.close()
    pad.close()


def test_the_usual_keys_are_those_of_a_number_pad_and_a_controller() -> None:
    keys = KeyMap()
    assert keys.device == EVERY_DEVICE
    assert keys.buttons[PLUS] is Button.NEXT
    assert keys.buttons[0x130] is Button.CONFIRM, "BTN_SOUTH"


def test_a_key_given_to_another_button_leaves_its_usual_one() -> None:
    keys = key_map_from_json({"back": "key_kpplus", "next": [103, "KEY_DOWN"]})
    assert keys.buttons[PLUS] is Button.BACK
    assert (keys.buttons[103], keys.buttons[108]) == (Button.NEXT, Button.NEXT)
    only = key_map_from_json({"back": "KEY_KPPLUS"}).buttons
    assert only[PLUS] is Button.BACK
    assert Button.NEXT in only.values(), "by its other usual keys"


def test_a_key_may_save_a_copy_but_none_does_unless_it_is_given() -> None:
    assert Button.COPY not in KeyMap().buttons.values()
    assert key_map_from_json({"copy": "KEY_KP0"}).buttons[82] is Button.COPY


@pytest.mark.parametrize("code", [0, 768, True, "KEY_", 1.5, None])
def test_a_key_that_is_none_is_named(code: object) -> None:
    with pytest.raises(ConsoleError, match="No key is called"):
        key_map_from_json({"scan": code})


def test_all_that_is_wrong_with_the_keys_is_told_at_once() -> None:
    data = {"fire": 2, "device": "pad", "scan": 0, "next": "KEY_UP", "back": "KEY_UP"}
    with pytest.raises(ConsoleError) as refused:
        key_map_from_json(data)
    said = refused.value.sentence("en")
    for told in ("no button called fire", "not pad", "No key is called 0", "The key KEY_UP"):
        assert told in said


def test_a_pad_that_another_program_keeps_is_asked_for_again_and_uses_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every look opened it once more: after half an hour the program had no files left."""
    asked = list[int]()

    def busy(number: int, *_: object) -> int:
        asked.append(number)
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

    monkeypatch.setattr("hardware.console.key_pad.LOOK_AGAIN_S", 0.01)
    monkeypatch.setattr("hardware.console.key_pad._keys_of", lambda number: {PLUS})
    monkeypatch.setattr("hardware.console.key_pad.fcntl.ioctl", busy)
    pad = Pad(tmp_path / "event0")
    keys = KeyPad(KeyMap(device=str(pad.path)))
    keys.listen(lambda button, at_s: None)
    until(lambda: len(asked) > 5)
    keys.close()
    assert "event0" in str(keys.trouble)
    assert [path for path in open_files() if path == pad.path] == [pad.path]  # the test's own
    pad.unplug()


def open_files() -> Iterator[Path]:
    for one in list(Path("/proc/self/fd").iterdir()):
        with suppress(OSError):  # the listing's own is gone by now
            yield one.readlink()
