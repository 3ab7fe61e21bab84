"""In the virtual machine: presses the simulated pins and reads the lamps back from the kernel.

Prints how many presses arrived, how many of them the kernel told, and how long they took to the
listener and to the lamp. The finger is a process of its own, so that it costs the box nothing. Ends
with 1 where the box lost or doubled a press that the kernel told: where the host stalls, the
simulated chip notices both edges of a tap at once and tells of neither, which a real one does not.
"""

import multiprocessing
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from hardware.console.console import Button, Gesture, Lamp
from hardware.console.gpio import GpioConsole
from hardware.console.pins import PinMap

PINS = PinMap(status=25, buzzer=12)
PAUSE_S = 0.06
SLACK_S = 0.03
"""Between a finger's own times and the kernel's."""
AROUND_S = 0.4

LONGEST_S = 1.0


def sim(pin: int, what: str) -> Path:
    (chip,) = Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*")
    return chip / f"sim_gpio{pin}" / what


def contact(pin: int, closed: bool) -> None:
    sim(pin, "pull").write_text("pull-down" if closed else "pull-up")


def finger(pin: int, lamp: int, count: int, held_s: float, out: object) -> None:
    """Tap a button; sends the start and the length of every tap, and when the lamp followed."""
    pull, value = sim(pin, "pull").open("w"), sim(lamp, "value").open()

    def level(closed: bool) -> None:
        pull.seek(0)
        pull.write("pull-down" if closed else "pull-up")
        pull.flush()

    def lit() -> bool:
        value.seek(0)
        return value.read().strip() == "1"

    for _ in range(count):
        before, start_s = lit(), time.monotonic()
        level(True)
        # From here on it is surely closed: a processor that is slow now makes no tap shorter.
        time.sleep(held_s)
        level(False)
        end_s, seen_s = time.monotonic(), None
        while time.monotonic() < start_s + LONGEST_S:
            if lit() != before:
                seen_s = time.monotonic()
                break
            time.sleep(0.001)
        out.send((start_s, end_s - start_s, seen_s))  # type: ignore[attr-defined]
        time.sleep(PAUSE_S)
    out.send(None)  # type: ignore[attr-defined]


class WatchedConsole(GpioConsole):
    """Notes every edge that the kernel tells, with its time."""

    def __init__(self, pins: PinMap) -> None:
        self.edges: list[tuple[Button, bool, float, float]] = []
        super().__init__(pins)

    def _edge(self, button: Button, ticks_s: float, state: int) -> None:
        self.edges.append((button, not state, ticks_s, time.monotonic()))
        super()._edge(button, ticks_s, state)

    def told(self, button: Button, start_s: float, end_s: float) -> bool:
        """Whether the kernel told of a tap: that its button closed, and 20 ms later opened."""
        times: dict[bool, list[float]] = {True: [], False: []}
        for one, is_closed, at_s, _ in list(self.edges):
            if one is button and start_s - SLACK_S < at_s < end_s + SLACK_S:
                times[is_closed].append(at_s)
        return any(up > down + 0.02 for down in times[True] for up in times[False])

    def around(self, button: Button, start_s: float) -> str:
        """The edges of a button around a time, in milliseconds from it, and when they arrived."""
        return ", ".join(
            f"{'closed' if is_closed else 'open'} {1000 * (at_s - start_s):.0f} "
            f"(told at {1000 * (came_s - start_s):.0f})"
            for one, is_closed, at_s, came_s in list(self.edges)
            if one is button and abs(at_s - start_s) < AROUND_S
        )


class Listener:
    """Changes a lamp for every press, as the table does."""

    def __init__(self, console: WatchedConsole) -> None:
        self.console = console
        self.is_right = True
        """Whether each press that the kernel told of was heard, and no other."""
        self.heard: list[float] = []
        self.made: list[float] = []
        self.gestures: list[Gesture] = []

    def press(self, button: Button, made_s: float) -> None:
        self.heard.append(time.monotonic())
        self.made.append(made_s)
        self.console.show([Lamp.ON if len(self.heard) % 2 else Lamp.OFF])


def taps(listener: Listener, button: Button, count: int, held_s: float) -> str:
    """Press a button so many times; says what arrived and how fast."""
    first = len(listener.heard)
    ours, theirs = multiprocessing.Pipe()
    words = (PINS.buttons[button], PINS.lamps[0], count, held_s, theirs)
    child = multiprocessing.get_context("fork").Process(target=finger, args=words)
    child.start()
    done = list[tuple[float, float, float | None]]()
    while (tap := ours.recv()) is not None:
        done.append(tap)
    child.join()
    heard = listener.heard[first:]
    to_listener = [
        next((at_s - start_s for at_s in heard if at_s > start_s), LONGEST_S)
        for start_s, _, _ in done
    ]
    to_lamp = [LONGEST_S if seen is None else seen - start for start, _, seen in done]
    console, made = listener.console, listener.made[first:]
    told = [
        (start, end) for start, held, _ in done if console.told(button, start, end := start + held)
    ]
    for start, end in told:
        if not any(start - SLACK_S < at_s < end + SLACK_S for at_s in made):
            listener.is_right = False
            print(f"LOST {button} by the box: {console.around(button, start)}", flush=True)
    listener.is_right = listener.is_right and len(heard) <= count
    return (
        f"{button}: {len(heard)} of {count} taps of {_ms([held for _, held, _ in done])}, "
        f"the kernel told {len(told)}; "
        f"to the listener {_ms(to_listener)}, to the lamp {_ms(to_lamp)}"
    )


def _ms(times: Sequence[float]) -> str:
    late = sorted(times)[int(len(times) * 0.95)]
    return f"{1000 * statistics.median(times):.0f} ms (95 % under {1000 * late:.0f})"


def work(stop: threading.Event) -> None:
    """Keep Python busy as a scan does: pure Python between pieces of numpy."""
    import numpy as np

    values = np.random.default_rng(1).random((300, 300))
    while not stop.is_set():
        sum(i * i for i in range(5_000))
        np.sort(values, axis=None)


def main(count: int) -> int:
    for pin in PINS.buttons.values():
        contact(pin, False)
    console = WatchedConsole(PINS)
    listener = Listener(console)
    console.listen(listener.press, on_gesture=listener.gestures.append)
    console.run()
    time.sleep(0.5)
    print("idle", taps(listener, Button.NEXT, count, 0.03), flush=True)
    print("idle", taps(listener, Button.CONFIRM, 50, 0.03), flush=True)
    stop = threading.Event()
    worker = threading.Thread(target=work, args=(stop,))
    worker.start()
    print("busy", taps(listener, Button.NEXT, count, 0.03), flush=True)
    stop.set()
    worker.join()
    contact(PINS.back, True)
    time.sleep(1.2)
    contact(PINS.back, False)
    contact(PINS.scan, True)
    contact(PINS.confirm, True)
    time.sleep(5)
    print("gestures", [str(one) for one in listener.gestures], flush=True)
    console.close()
    return 0 if listener.is_right else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
