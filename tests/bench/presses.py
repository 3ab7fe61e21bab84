"""How soon a lamp follows a press, on gpiozero's mock pins: the program's own part of the way.

From the edge to the lamp's pin go the debouncing (10 ms, which a press has to last), the table with
its log on the disk, and the lamps. What the chip and lgpio add is measured by `make virtual-pi`.
"""

import tempfile
import threading
import time
from pathlib import Path

from gpiozero.pins.mock import MockFactory

from hardware.console.console import PULSE_S, Button
from hardware.console.gpio import GpioConsole
from hardware.console.pins import PinMap
from tests.bench.timing import Times
from tests.companion.tables import ADA_AND_BEN, ToldEye, new_table
from tests.support.box_hand import mock_box

PRESSES = 25
LIMIT_MS = 60
HELD_S, PAUSE_S = 0.05, 0.15
LONGEST_S = 2.0

PINS = PinMap()


def run() -> None:
    """Print the figures."""
    print("\nPress to lamp, the program's own part (mock pins, the real driver, table and log)")
    print(_times(is_busy=False).row(f"idle (limit {LIMIT_MS} ms median)"))
    print(_times(is_busy=True).row("while Python is busy as in a scan"))


def _times(*, is_busy: bool) -> Times:
    """From NEXT going down to the lamp of the next seat lit, in the phase of the tickets."""
    factory, console = mock_box(PINS, time.monotonic)
    stop = threading.Event()
    worker = threading.Thread(target=_work, args=(stop,))
    with tempfile.TemporaryDirectory() as folder:
        table = new_table(Path(folder), ToldEye(), console, open_camera=None)
        console.run()
        try:
            table.act("start", {**ADA_AND_BEN, "camera": False})
            table.act("show", {"phase": "tickets"})
            if is_busy:
                worker.start()
            return Times(tuple(_one_press(factory, console) for _ in range(PRESSES)))
        finally:
            stop.set()
            if is_busy:
                worker.join()
            table.close()
            factory.close()


def _one_press(factory: MockFactory, console: GpioConsole) -> float:
    """Milliseconds until the second seat's lamp is lit; then back to the first seat."""
    lamp = factory.pin(PINS.lamps[1])
    _wait_for_pulse()
    start_s = time.monotonic()
    _hold(factory, console, Button.NEXT, down=True)
    let_go_s: float | None = start_s + HELD_S
    while not lamp.state:
        now_s = time.monotonic()
        assert now_s < start_s + LONGEST_S, "the lamp never followed"
        if let_go_s is not None and now_s > let_go_s:
            _hold(factory, console, Button.NEXT, down=False)
            let_go_s = None
        time.sleep(0.0005)
    took_ms = 1000 * (time.monotonic() - start_s)
    time.sleep(HELD_S)
    if let_go_s is not None:
        _hold(factory, console, Button.NEXT, down=False)
    time.sleep(PAUSE_S)
    _hold(factory, console, Button.BACK, down=True)
    time.sleep(HELD_S)
    _hold(factory, console, Button.BACK, down=False)
    time.sleep(PAUSE_S)
    end_s = time.monotonic() + LONGEST_S
    while lamp.state and time.monotonic() < end_s:
        time.sleep(0.005)
    return took_ms


def _hold(factory: MockFactory, console: GpioConsole, button: Button, *, down: bool) -> None:
    pin = factory.pin(console.pins.buttons[button])
    (pin.drive_low if down else pin.drive_high)()


def _wait_for_pulse() -> None:
    """Until pulsing lamps have just been lit: a lamp in its dark part would follow unseen."""
    cycle_s = sum(PULSE_S)
    time.sleep(cycle_s - time.monotonic() % cycle_s + 0.05)


def _work(stop: threading.Event) -> None:
    """Keep Python busy: pure Python, as between the pieces of numpy in a scan."""
    while not stop.is_set():
        sum(i * i for i in range(5_000))
