"""The box itself: buttons and lamps on a Raspberry Pi's pins through gpiozero.

Every edge of a button comes with the time at which the system saw it. They are debounced here,
because gpiozero's `bounce_time` loses edges on lgpio, and the levels are looked at besides, so that
an edge that was lost leaves no button stuck.
"""

import logging
import queue
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

from hardware.console.console import (
    Button,
    Gesture,
    Lamp,
    OnGesture,
    OnPress,
    OnTrouble,
    is_lit,
)
from hardware.console.contact import LATE_S, Change, Contact
from hardware.console.fingers import JAMMED_S, Fingers, Press, Said, jammed
from hardware.console.lgpio_folder import load_lgpio
from hardware.console.light import MIXES, STATUS_MIXES, WHITE, Light
from hardware.console.pins import LampPins, PinMap, pins_of
from hardware.errors import ConsoleError, HardwareError

TICK_S = 0.05
"""Longest time between two looks at the levels, and between two settings of a blinking lamp."""

LOOK_S = 0.01
"""A look that took longer, because the thread was held up, does not say when it was so."""

CHIRP_S = {"press": 0.03, "gesture": 0.4}
"""How long the buzzer sounds."""

JOIN_S = 2.0
"""Longest wait at closing for a press that is being handled."""

_TROUBLE: Final = "trouble"
"""Tells, in its turn among the presses, that `trouble` is another one."""

_NO_MORE = None
"""Ends the queue of presses."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class EdgeTimes:
    """Puts the times of edges, which count from anywhere, on the clock of `time.monotonic`."""

    _offset_s: float = 0.0
    """Linux's own edges count on that clock already."""

    def place(self, ticks_s: float, arrival_s: float) -> float:
        """The time of an edge that arrived at `arrival_s`; never later than that.

        Two edges that come later than `LATE_S` are placed at their arrival, both at once, and their
        press is lost.
        """
        at_s = ticks_s + self._offset_s
        if not arrival_s - LATE_S <= at_s <= arrival_s:
            self._offset_s, at_s = arrival_s - ticks_s, arrival_s
        return at_s


@dataclass(slots=True)
class _Parts:
    """What is on the pins, as gpiozero's devices; closed together."""

    buttons: dict[Button, Any] = field(default_factory=dict)
    lamps: list[Light] = field(default_factory=list)
    status: Light | None = None
    buzzer: Light | None = None

    def close(self) -> None:
        for device in (*self.buttons.values(), *self.lamps, self.status, self.buzzer):
            if device is not None:
                device.close()


class GpioConsole:
    """Buttons and lamps on pins; raises ConsoleError where the pins cannot be had.

    `factory` is a gpiozero pin factory: gpiozero's own choice where none is given, its mock pins
    in tests. `tick` does everything there is to do at a time of `clock`. `run` calls it from a
    thread, and hands the presses over from another, so that a slow listener delays no press.
    """

    def __init__(
        self, pins: PinMap, factory: Any = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.pins = pins
        self.trouble: HardwareError | None = None
        self._clock = clock
        self._wanted: tuple[tuple[Lamp, ...], Lamp, tuple[str, ...]] = ((), Lamp.OFF, ())
        self._on_press: OnPress | None = None
        self._on_trouble: OnTrouble = lambda: None
        self._on_gesture: OnGesture = lambda gesture: None
        self._said: queue.SimpleQueue[Said | Literal["trouble"] | None] = queue.SimpleQueue()
        self._edges: queue.SimpleQueue[tuple[Button, bool, float] | None] = queue.SimpleQueue()
        self._times = EdgeTimes()
        self._fingers = Fingers()
        self._silent_from_s = 0.0
        self._began_s = clock()
        self._jammed: Button | None = None
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._parts = _claim(pins, factory)
        self._contacts = {
            button: Contact(bool(device.is_active))
            for button, device in self._parts.buttons.items()
        }
        self._callbacks = {button: partial(self._edge, button) for button in pins.buttons}
        for button, device in self._parts.buttons.items():
            device.pin.edges = "both"
            device.pin.when_changed = self._callbacks[button]

    def listen(
        self,
        on_press: OnPress,
        on_trouble: OnTrouble = lambda: None,
        on_gesture: OnGesture = lambda gesture: None,
    ) -> None:
        self._on_press, self._on_trouble, self._on_gesture = on_press, on_trouble, on_gesture

    def show(
        self, lamps: Sequence[Lamp], status: Lamp = Lamp.OFF, colours: Sequence[str] = ()
    ) -> None:
        self._wanted = tuple(lamps), status, tuple(colours)
        self._edges.put(None)

    def run(self) -> None:
        """Watch the buttons, drive the lamps and hand over presses from threads until closed."""
        for work, name in ((self._watch, "console"), (self._hand_over, "console-presses")):
            thread = threading.Thread(target=work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def tick(self, now_s: float) -> None:
        """Take in the edges that came, look at the levels, and set every lamp for a time.

        Presses are handed over here where `run` was not called.
        """
        while not self._edges.empty():
            self._take(self._edges.get())
        changes = [
            (change, button) for button in self._contacts for change in self._changes(button, now_s)
        ]
        for change, button in sorted(changes, key=lambda one: one[0].at_s):
            follow = self._fingers.down if change.is_down else self._fingers.up
            self._put(follow(button, change.at_s))
        self._put(self._fingers.wait(now_s))
        self._notice_jam(now_s)
        self._light(now_s)
        while not self._threads and not self._said.empty():
            self._deliver(self._said.get())

    def close(self) -> None:
        self._stop.set()
        self._edges.put(None)
        self._said.put(_NO_MORE)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(JOIN_S)
        self._parts.close()

    def _edge(self, button: Button, ticks_s: float, state: int) -> None:
        """On the library's own thread: the level of a pin changed. Closed contacts are low."""
        if state not in (0, 1):  # lgpio also tells of time-outs
            return
        self._edges.put((button, not state, self._times.place(ticks_s, self._clock())))

    def _take(self, edge: tuple[Button, bool, float] | None) -> None:
        if edge is not None:
            button, is_closed, at_s = edge
            self._contacts[button].edge(is_closed, at_s)

    def _changes(self, button: Button, now_s: float) -> list[Change]:
        """What the edges say of a button, and its level besides."""
        contact, device = self._contacts[button], self._parts.buttons[button]
        before_s = self._clock()
        is_closed = bool(device.is_active)
        if self._clock() - before_s < LOOK_S:
            contact.look(is_closed, before_s)
        return contact.settle(now_s)

    def _put(self, said: Sequence[Said]) -> None:
        for one in said:
            self._said.put(one)
            kind = "press" if isinstance(one, Press) else "gesture"
            self._silent_from_s = self._clock() + CHIRP_S[kind]

    def _notice_jam(self, now_s: float) -> None:
        """A button that nobody can press is told, and so is its end; also one held at power-on."""
        held = (
            button
            for button, contact in self._contacts.items()
            if now_s - max(contact.down_since_s, self._began_s) >= JAMMED_S
        )
        button = next(held, None)
        if button is self._jammed:
            return
        self._jammed, self.trouble = button, None if button is None else jammed(button)
        self._said.put(_TROUBLE)

    def _light(self, now_s: float) -> None:
        lamps, status, colours = self._wanted
        if self._parts.status is None and status is Lamp.BLINK and not any(map(_is_shown, lamps)):
            # Without a status lamp the seats' lamps tell of trouble while they say nothing else.
            lamps = (Lamp.BLINK,) * len(self._parts.lamps)
        for number, light in enumerate(self._parts.lamps):
            mix = MIXES.get(colours[number], WHITE) if number < len(colours) else WHITE
            light.set(number < len(lamps) and is_lit(lamps[number], now_s), mix)
        if self._parts.status is not None:
            self._parts.status.set(is_lit(status, now_s), STATUS_MIXES[status])
        if self._parts.buzzer is not None:
            self._parts.buzzer.set(now_s < self._silent_from_s)

    def _deliver(self, said: Said | Literal["trouble"] | None) -> None:
        if isinstance(said, Press) and self._on_press is not None:
            self._on_press(said.button, said.at_s)
        elif isinstance(said, Gesture):
            self._on_gesture(said)
        elif said == _TROUBLE:
            self._on_trouble()

    def _watch(self) -> None:
        """Tick until closed. An error of the pins stops the box, never the table."""
        while not self._stop.is_set():
            try:
                self._wait_for_edge()
                self.tick(self._clock())
            except Exception as error:  # gpiozero's backends raise errors of many families
                if not self._stop.is_set():
                    self.trouble = ConsoleError("hardware.console.stopped", reason=error)
                    self._on_trouble()
                return

    def _wait_for_edge(self) -> None:
        """Sleep until an edge comes, something is due, or it is time to look at the lamps."""
        due_s = min(self._fingers.due_s, *(one.due_s for one in self._contacts.values()))
        try:
            edge = self._edges.get(timeout=min(TICK_S, max(0.0, due_s - self._clock())))
        except queue.Empty:
            return
        self._take(edge)

    def _hand_over(self) -> None:
        """Deliver until closed. A press that cannot be handled does not stop the box."""
        while (said := self._said.get()) is not _NO_MORE and not self._stop.is_set():
            try:
                self._deliver(said)
            except Exception:
                log.exception("%s was not handled.", said)


def _is_shown(lamp: Lamp) -> bool:
    return lamp is not Lamp.OFF


def _claim(pins: PinMap, factory: Any) -> _Parts:
    """Take all pins, or none of them."""
    # Imported here: a table without a box needs no gpiozero.
    from gpiozero import LED, InputDevice

    parts = _Parts()
    led = partial(LED, pin_factory=factory)
    without_lgpio = None if factory is not None else load_lgpio()
    # gpiozero warns of every library that it tries in vain; only the last one's error comes out.
    with warnings.catch_warnings(record=True) as tried:
        warnings.simplefilter("always")
        try:
            for button, pin in pins.buttons.items():
                parts.buttons[button] = InputDevice(pin, pull_up=True, pin_factory=factory)
            for lamp in pins.lamps:
                parts.lamps.append(_light_on(lamp, led))
            parts.status = None if pins.status is None else _light_on(pins.status, led)
            parts.buzzer = None if pins.buzzer is None else _light_on(pins.buzzer, led)
        except Exception as error:  # its backends raise errors of many families
            parts.close()
            reason = without_lgpio or (tried[0].message if tried else error)
            raise ConsoleError("hardware.console.no-pins", reason=reason) from error
    return parts


def _light_on(lamp: LampPins, led: Callable[[int], Any]) -> Light:
    """A lamp on its pins, all of them or none."""
    devices: list[Any] = []
    try:
        for pin in pins_of(lamp):
            devices.append(led(pin))
    except Exception:
        Light(devices).close()
        raise
    return Light(devices)
