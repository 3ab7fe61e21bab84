"""The box itself: buttons and lamps on a Raspberry Pi's pins through gpiozero."""

import threading
import time
import warnings
from collections.abc import Sequence
from typing import Any

from hardware.console import Button, Lamp, OnPress, PinMap, is_lit
from hardware.debounce import Debouncer
from hardware.errors import ConsoleError

TICK_S = 0.01
"""Seconds between two looks at the buttons."""


class GpioConsole:
    """Buttons and lamps on pins; raises ConsoleError where the pins cannot be had.

    `factory` is a gpiozero pin factory: gpiozero's own choice where none is given, its mock pins
    in tests. `tick` does everything there is to do at a time; `run` calls it from a thread.
    """

    def __init__(self, pins: PinMap, factory: Any = None) -> None:
        self.pins = pins
        self.fault: Exception | None = None
        self._states: tuple[Lamp, ...] = ()
        self._on_press: OnPress | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._buttons, self._lamps = _claim(pins, factory)
        self._debouncers = {
            button: Debouncer(down=bool(device.is_active))
            for button, device in self._buttons.items()
        }

    def listen(self, on_press: OnPress) -> None:
        self._on_press = on_press

    def show(self, lamps: Sequence[Lamp]) -> None:
        self._states = tuple(lamps)

    def run(self) -> None:
        """Watch the buttons and drive the lamps from a thread until closed."""
        self._thread = threading.Thread(target=self._loop, name="console", daemon=True)
        self._thread.start()

    def tick(self, t_s: float) -> None:
        """Look at every button once and set every lamp as it is at that time."""
        pressed = [
            button
            for button, device in self._buttons.items()
            if self._debouncers[button].sample(bool(device.is_active))
        ]
        for number, lamp in enumerate(self._lamps):
            state = self._states[number] if number < len(self._states) else Lamp.OFF
            lamp.value = is_lit(state, t_s)
        for button in pressed:
            if self._on_press is not None:
                self._on_press(button)

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        for device in (*self._buttons.values(), *self._lamps):
            device.close()

    def _loop(self) -> None:
        """Tick until closed; a fault of the pins ends the box, never the table."""
        while not self._stop.wait(TICK_S):
            try:
                self.tick(time.monotonic())
            except Exception as error:  # gpiozero's backends raise errors of many families
                self.fault = error
                return


def _claim(pins: PinMap, factory: Any) -> tuple[dict[Button, Any], list[Any]]:
    """Take all pins, or none of them."""
    # Imported here: a table without a box needs no gpiozero.
    from gpiozero import LED, GPIOZeroError, InputDevice, PinFactoryFallback

    taken: list[Any] = []
    buttons: dict[Button, Any] = {}
    lamps: list[Any] = []
    try:
        with warnings.catch_warnings():
            # Which libraries gpiozero tries in vain is `companion doctor`'s matter.
            warnings.simplefilter("ignore", PinFactoryFallback)
            for button, pin in pins.buttons.items():
                buttons[button] = InputDevice(pin, pull_up=True, pin_factory=factory)
                taken.append(buttons[button])
            for pin in pins.lamps:
                lamps.append(LED(pin, pin_factory=factory))
                taken.append(lamps[-1])
    except (GPIOZeroError, OSError, RuntimeError) as error:
        for device in taken:
            device.close()
        raise ConsoleError("hardware.console.no-pins", reason=error) from error
    return buttons, lamps
