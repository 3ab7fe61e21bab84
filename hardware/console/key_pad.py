"""A USB number pad or a game controller as the box's buttons, through Linux's input devices.

The devices are read directly: an event is 24 bytes that have been the same for twenty years, and
nothing has to be installed.
"""

import fcntl
import glob
import logging
import os
import select
import struct
import threading
import time
from pathlib import Path

from hardware.console.console import Gesture, OnGesture, OnPress, OnTrouble
from hardware.console.fingers import Fingers, Press, Said
from hardware.console.keys import EVERY_DEVICE, KeyMap
from hardware.errors import ConsoleError, HardwareError

EVENT = struct.Struct("@llHHi")
"""`struct input_event`: two numbers of time, type, code, value."""

EV_KEY = 1
UP, DOWN = 0, 1
"""Values of a key's event; others are repetitions of a key that is held."""

KEY_BITS_BYTES = 96
EVIOCGBIT_KEY = (2 << 30) | (KEY_BITS_BYTES << 16) | (ord("E") << 8) | (0x20 + EV_KEY)
"""Asks a device which keys it has, a bit each."""

EVIOCGRAB = (1 << 30) | (4 << 16) | (ord("E") << 8) | 0x90
"""Keeps a device's keys from everybody else, such as the login on the screen."""

LOOK_AGAIN_S = 2.0
"""How often new devices are looked for: one that is plugged in works at once for a person."""

log = logging.getLogger(__name__)


class KeyPad:
    """Every device that has one of the keys; devices may come and go.

    `trouble` says why a device that is there cannot be used, or that a key is held down all the
    time. A device that the configuration names is kept from other programs.
    """

    def __init__(self, keys: KeyMap) -> None:
        self.keys = keys
        self.trouble: HardwareError | None = None
        self._buttons = keys.buttons
        self._fingers = Fingers()
        self._open: dict[str, int] = {}
        self._left_out: dict[str, tuple[int, int]] = {}
        """Devices without any of the keys, each with its mark."""
        self._on_press: OnPress = lambda button, at_s: None
        self._on_trouble: OnTrouble = lambda: None
        self._on_gesture: OnGesture = lambda gesture: None
        self._bell, self._ringer = os.pipe()
        self._thread = threading.Thread(target=self._watch, name="keys", daemon=True)
        self._stop = threading.Event()

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices that are read now."""
        return tuple(self._open)

    def listen(
        self,
        on_press: OnPress,
        on_trouble: OnTrouble = lambda: None,
        on_gesture: OnGesture = lambda gesture: None,
    ) -> None:
        """Call `on_press` for every press from now on, from a thread that starts here."""
        self._on_press, self._on_trouble, self._on_gesture = on_press, on_trouble, on_gesture
        self._thread.start()

    def close(self) -> None:
        """Let the devices go; may be called twice."""
        if self._stop.is_set():
            return
        self._stop.set()
        os.write(self._ringer, b"x")
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()
        for pipe in (self._bell, self._ringer):
            os.close(pipe)

    def _watch(self) -> None:
        look_s = 0.0
        while not self._stop.is_set():
            if time.monotonic() >= look_s:
                self._look_for_devices()
                look_s = time.monotonic() + LOOK_AGAIN_S
            wait_s = max(0.0, min(look_s, self._fingers.due_s) - time.monotonic())
            ready, _, _ = select.select([self._bell, *self._open.values()], [], [], wait_s)
            for name, number in list(self._open.items()):
                if number in ready:
                    self._read(name, number)
            self._deliver(self._fingers.wait(time.monotonic()))
        for number in self._open.values():
            os.close(number)
        self._open = {}

    def _look_for_devices(self) -> None:
        trouble: HardwareError | None = None
        there = {os.path.realpath(name) for name in glob.glob(self.keys.device)}  # noqa: PTH207
        self._left_out = {
            name: mark for name, mark in self._left_out.items() if _mark_of(name) == mark
        }
        for name in sorted(there - self._open.keys() - self._left_out.keys()):
            try:
                self._take(name)
            except PermissionError:
                trouble = ConsoleError("hardware.keys.no-permission", device=name)
            except OSError as error:
                trouble = ConsoleError("hardware.keys.unusable", device=name, reason=error)
        trouble = trouble or self._fingers.jammed(time.monotonic())
        if str(trouble) != str(self.trouble):
            self.trouble = trouble
            self._on_trouble()

    def _take(self, name: str) -> None:
        """Open a device; one that has none of the keys is left alone. Raises OSError."""
        number = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
        has = _keys_of(number)
        if has is not None and not has & self._buttons.keys():
            os.close(number)
            self._left_out[name] = _mark_of(name)
            return
        try:
            if has is not None and self.keys.device != EVERY_DEVICE:
                fcntl.ioctl(number, EVIOCGRAB, 1)
        except OSError:  # another program keeps it to itself; it is tried again in a moment
            os.close(number)
            raise
        self._open[name] = number

    def _read(self, name: str, number: int) -> None:
        try:
            raw = os.read(number, EVENT.size * 64)
        except BlockingIOError:
            return
        except OSError:  # unplugged
            raw = b""
        if not raw:
            os.close(number)
            del self._open[name]
            self._deliver(self._fingers.vanish())
        for at in range(0, len(raw) - EVENT.size + 1, EVENT.size):
            _, _, kind, code, value = EVENT.unpack_from(raw, at)
            if kind == EV_KEY and code in self._buttons and value in (UP, DOWN):
                follow = self._fingers.down if value == DOWN else self._fingers.up
                self._deliver(follow(self._buttons[code], time.monotonic()))

    def _deliver(self, said: list[Said]) -> None:
        for one in said:
            try:
                if isinstance(one, Press):
                    self._on_press(one.button, one.at_s)
                elif isinstance(one, Gesture):
                    self._on_gesture(one)
            except Exception:
                log.exception("%s was not handled.", one)


def _mark_of(name: str) -> tuple[int, int]:
    """Another one for another device that has got the same name since."""
    try:
        found = Path(name).stat()
    except OSError:
        return 0, 0
    return found.st_ino, found.st_ctime_ns


def _keys_of(number: int) -> set[int] | None:
    """The keys that a device has; None where it cannot be asked (a recording of events)."""
    bits = bytearray(KEY_BITS_BYTES)
    try:
        fcntl.ioctl(number, EVIOCGBIT_KEY, bits)
    except OSError:
        return None
    return {8 * at + bit for at, byte in enumerate(bits) for bit in range(8) if byte >> bit & 1}
