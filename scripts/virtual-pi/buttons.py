"""In the virtual machine: presses the simulated pins and reads the lamps back from the kernel.

Prints how many presses arrived, and how long they took to the listener and to the lamp.
"""

import statistics
import sys
import threading
import time
from pathlib import Path

from hardware.console.console import Button, Gesture, Lamp
from hardware.console.gpio import GpioConsole
from hardware.console.pins import PinMap

PINS = PinMap(status=25, buzzer=12)
(CHIP,) = Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*")


def contact(pin: int, closed: bool) -> None:
    (CHIP / f"sim_gpio{pin}" / "pull").write_text("pull-down" if closed else "pull-up")


def is_lit(pin: int) -> bool:
    return (CHIP / f"sim_gpio{pin}" / "value").read_text().strip() == "1"


class Listener:
    """Shows a lamp for every press, as the table does."""

    def __init__(self, console: GpioConsole) -> None:
        self.console = console
        self.heard: list[tuple[Button, float]] = []
        self.gestures: list[Gesture] = []

    def press(self, button: Button, made_s: float) -> None:
        self.heard.append((button, time.monotonic()))
        is_on = len(self.heard) % 2 == 1
        self.console.show([Lamp.ON if is_on else Lamp.OFF])


def taps(listener: Listener, button: Button, count: int, held_s: float, bounces: int) -> str:
    """Press a button so many times; says what arrived and how fast."""
    pin, before = PINS.buttons[button], len(listener.heard)
    to_listener, to_lamp = list[float](), list[float]()
    for number in range(count):
        for _ in range(bounces):
            contact(pin, True)
            contact(pin, False)
        start_s = time.monotonic()
        contact(pin, True)
        time.sleep(max(0.0, start_s + held_s - time.monotonic()))
        contact(pin, False)
        wanted = (before + number + 1) % 2 == 1
        end_s = time.monotonic() + 0.2
        while is_lit(PINS.lamps[0]) != wanted and time.monotonic() < end_s:
            time.sleep(0.001)
        to_lamp.append(time.monotonic() - start_s)
        if len(listener.heard) > before + number:
            to_listener.append(listener.heard[before + number][1] - start_s)
        time.sleep(0.04)
    arrived = len(listener.heard) - before
    return (
        f"{button}: {arrived} of {count} taps of {1000 * held_s:.0f} ms; to the listener "
        f"{_ms(to_listener)}, to the lamp at the chip {_ms(to_lamp)}"
    )


def _ms(times: list[float]) -> str:
    if len(times) < 2:
        return "-"
    return f"{1000 * statistics.median(times):.0f} ms median {1000 * sorted(times)[int(len(times) * 0.95)]:.0f} ms at 95 %"


def work(stop: threading.Event) -> None:
    """Keep Python busy as a scan does: pieces of pure Python between pieces of numpy."""
    import numpy as np

    values = np.random.default_rng(1).random((600, 600))
    while not stop.is_set():
        sum(i * i for i in range(20_000))
        np.sort(values, axis=None)


def main() -> int:
    for pin in PINS.buttons.values():
        contact(pin, False)
    console = GpioConsole(PINS)
    listener = Listener(console)
    console.listen(listener.press, on_gesture=listener.gestures.append)
    console.run()
    time.sleep(0.5)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    print("idle", taps(listener, Button.NEXT, count, 0.03, bounces=3), flush=True)
    print("idle", taps(listener, Button.CONFIRM, 50, 0.08, bounces=3), flush=True)
    stop = threading.Event()
    worker = threading.Thread(target=work, args=(stop,))
    worker.start()
    print("busy", taps(listener, Button.NEXT, count, 0.03, bounces=3), flush=True)
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
