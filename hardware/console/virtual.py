"""The virtual box: a program or a web page presses its buttons and reads its lamps."""

import threading
import time
from collections.abc import Sequence

from hardware.console.console import Button, Gesture, Lamp, OnGesture, OnPress, OnTrouble
from hardware.errors import HardwareError


class VirtualConsole:
    """Stands in for the pins in the demo, in tests, and where the pins cannot be had.

    `trouble` says why the pins cannot be had, None where nobody wanted them.
    """

    def __init__(self, trouble: HardwareError | None = None) -> None:
        self.trouble = trouble
        self._lock = threading.Lock()
        self._lamps: tuple[Lamp, ...] = ()
        self._status = Lamp.OFF
        self._on_press: OnPress | None = None
        self._on_gesture: OnGesture = lambda gesture: None

    @property
    def lamps(self) -> tuple[Lamp, ...]:
        """The lamps' states, in seat order."""
        with self._lock:
            return self._lamps

    @property
    def status(self) -> Lamp:
        """The status lamp."""
        with self._lock:
            return self._status

    def press(self, button: Button) -> None:
        """Press a button; returns when the listener has handled it."""
        if self._on_press is not None:
            self._on_press(button, time.monotonic())

    def gesture(self, gesture: Gesture) -> None:
        """Make a gesture; returns when the listener has handled it."""
        self._on_gesture(gesture)

    def listen(
        self,
        on_press: OnPress,
        on_trouble: OnTrouble = lambda: None,
        on_gesture: OnGesture = lambda gesture: None,
    ) -> None:
        self._on_press, self._on_gesture = on_press, on_gesture

    def show(
        self, lamps: Sequence[Lamp], status: Lamp = Lamp.OFF, colours: Sequence[str] = ()
    ) -> None:
        with self._lock:
            self._lamps, self._status = tuple(lamps), status

    def close(self) -> None:
        self.show(())
