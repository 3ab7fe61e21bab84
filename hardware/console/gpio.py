"""The box itself: buttons and lamps on a Raspberry Pi's pins through gpiozero.

The pins are sampled instead of waiting for edges: gpiozero's `bounce_time` loses edges on lgpio,
and a level that is sampled often enough cannot be missed.
"""

import logging
import queue
import threading
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardware.console.console import Button, Lamp, OnPress, OnTrouble, PinMap, is_lit
from hardware.console.lgpio_folder import load_lgpio
from hardware.errors import ConsoleError, HardwareError

TICK_S = 0.01
"""Seconds between two looks at the buttons."""

STEADY_SAMPLES = 3
"""Equal samples in a row before a level counts: 30 ms at 100 a second, longer than the bounce of
a common pushbutton (10 ms at most), shorter than any deliberate press (60 ms at least)."""

JOIN_S = 2.0
"""Longest wait at closing for a press that is being handled."""

_NO_MORE = None
"""Ends the queue of presses."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Debouncer:
    """Debounces one button; `down` is its debounced level. Held at power-on is no press."""

    down: bool = False
    _other: int = 0

    def sample(self, level: bool) -> bool:
        """Take one sample (True: contact closed) and say whether it completes a press."""
        if level == self.down:
            self._other = 0
            return False
        self._other += 1
        if self._other < STEADY_SAMPLES:
            return False
        self.down, self._other = level, 0
        return level


class GpioConsole:
    """Buttons and lamps on pins; raises ConsoleError where the pins cannot be had.

    `factory` is a gpiozero pin factory: gpiozero's own choice where none is given, its mock pins
    in tests. `tick` does everything there is to do at a time. `run` calls it from a thread, and
    hands the presses over from another, so that a slow listener makes no press go unseen.
    """

    def __init__(self, pins: PinMap, factory: Any = None) -> None:
        self.pins = pins
        self.trouble: HardwareError | None = None
        self._states: tuple[Lamp, ...] = ()
        self._on_press: OnPress | None = None
        self._on_trouble: OnTrouble = lambda: None
        self._presses: queue.SimpleQueue[tuple[Button, float] | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._buttons, self._lamps = _claim(pins, factory)
        self._debouncers = {
            button: Debouncer(down=bool(device.is_active))
            for button, device in self._buttons.items()
        }

    def listen(self, on_press: OnPress, on_trouble: OnTrouble = lambda: None) -> None:
        self._on_press = on_press
        self._on_trouble = on_trouble

    def show(self, lamps: Sequence[Lamp]) -> None:
        self._states = tuple(lamps)

    def run(self) -> None:
        """Watch the buttons, drive the lamps and hand over presses from threads until closed."""
        for work, name in ((self._sample, "console"), (self._hand_over, "console-presses")):
            thread = threading.Thread(target=work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def tick(self, t_s: float) -> None:
        """Sample every button once and set every lamp for the time `t_s`.

        Presses are handed over here where `run` was not called.
        """
        for button, device in self._buttons.items():
            if self._debouncers[button].sample(bool(device.is_active)):
                self._presses.put((button, time.monotonic()))
        for number, lamp in enumerate(self._lamps):
            state = self._states[number] if number < len(self._states) else Lamp.OFF
            lamp.value = is_lit(state, t_s)
        while not self._threads and not self._presses.empty():
            self._deliver(self._presses.get())

    def close(self) -> None:
        self._stop.set()
        self._presses.put(_NO_MORE)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(JOIN_S)
        for device in (*self._buttons.values(), *self._lamps):
            device.close()

    def _deliver(self, press: tuple[Button, float] | None) -> None:
        if press is not None and self._on_press is not None:
            self._on_press(*press)

    def _sample(self) -> None:
        """Tick until closed. An error of the pins stops the box, never the table."""
        while not self._stop.wait(TICK_S):
            try:
                self.tick(time.monotonic())
            except Exception as error:  # gpiozero's backends raise errors of many families
                self.trouble = ConsoleError("hardware.console.stopped", reason=error)
                self._on_trouble()
                return

    def _hand_over(self) -> None:
        """Deliver until closed. A press that cannot be handled does not stop the box."""
        while (press := self._presses.get()) is not _NO_MORE and not self._stop.is_set():
            try:
                self._deliver(press)
            except Exception:
                log.exception("The press of %s was not handled.", press)


def _claim(pins: PinMap, factory: Any) -> tuple[dict[Button, Any], list[Any]]:
    """Take all pins, or none of them."""
    # Imported here: a table without a box needs no gpiozero.
    from gpiozero import LED, InputDevice

    taken: list[Any] = []
    buttons: dict[Button, Any] = {}
    lamps: list[Any] = []
    without_lgpio = None if factory is not None else load_lgpio()
    # gpiozero warns of every library that it tries in vain; only the last one's error comes out.
    with warnings.catch_warnings(record=True) as tried:
        warnings.simplefilter("always")
        try:
            for button, pin in pins.buttons.items():
                buttons[button] = InputDevice(pin, pull_up=True, pin_factory=factory)
                taken.append(buttons[button])
            for pin in pins.lamps:
                lamps.append(LED(pin, pin_factory=factory))
                taken.append(lamps[-1])
        except Exception as error:  # its backends raise errors of many families
            for device in taken:
                device.close()
            reason = without_lgpio or (tried[0].message if tried else error)
            raise ConsoleError("hardware.console.no-pins", reason=reason) from error
    return buttons, lamps
