"""In the virtual machine: buttons lead from a doubt to the sheet of a running `companion serve`.

The buttons are the simulated chip's, the lamps are read back from the kernel. The game is that of
`lay_evening.py`; its camera, one in the network, is gone for a while and comes back. Prints each
step; ends with 0 once the sheet stands and the winner's lamp is lit.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from buttons import contact, sim

from hardware.console.console import Button
from hardware.console.pins import PinMap

PINS = PinMap(status=25)
ADDRESS = "http://127.0.0.1:8000/"
CAMERA_PORT = 8090
PATIENCE_S = float(os.environ.get("PATIENCE_S", "900"))
TOTALS = {"Ada": 15 + 15 - 4 + 10, "Ben": 15 + 7 - 11 + 10}
"""Routes, a ticket that is not met each, and the longest path of six spaces that both have."""

Rhythm = set[bool]
"""What a lamp showed in some seconds: {True} lit, {False} dark, both: pulsing or blinking."""


class NetworkCamera:
    """A camera in the network with one picture, shown twice a second while it is plugged in.

    Each time with another comment: the same to the byte is a camera that hangs.
    """

    def __init__(self, picture: Path) -> None:
        start, rest = picture.read_bytes()[:2], picture.read_bytes()[2:]
        self._is_on = threading.Event()
        is_on = self._is_on

        class Stream(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
                self.end_headers()
                number = 0
                try:
                    while is_on.is_set():
                        jpeg = start + b"\xff\xfe\x00\x06" + number.to_bytes(4) + rest
                        size = f"Content-Length: {len(jpeg)}\r\n\r\n".encode()
                        head = b"--next\r\nContent-Type: image/jpeg\r\n"
                        self.wfile.write(head + size + jpeg + b"\r\n")
                        number += 1
                        time.sleep(0.5)
                except OSError:
                    return

            def log_message(self, *_words: object) -> None:
                return

        self._stream = Stream
        self._server: ThreadingHTTPServer | None = None

    def plug_in(self) -> None:
        self._is_on.set()
        self._server = ThreadingHTTPServer(("127.0.0.1", CAMERA_PORT), self._stream)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def unplug(self) -> None:
        self._is_on.clear()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()


def state() -> Any:
    with urllib.request.urlopen(f"{ADDRESS}api/state", timeout=120) as answer:
        return json.load(answer)


def act(action: str, payload: dict[str, Any]) -> None:
    head = {"Content-Type": "application/json", "Origin": ADDRESS.rstrip("/")}
    body = json.dumps(payload).encode()
    request = urllib.request.Request(f"{ADDRESS}api/act/{action}", body, head)
    urllib.request.urlopen(request, timeout=120).read()


def press(button: Button) -> None:
    contact(PINS.buttons[button], True)
    time.sleep(0.15)
    contact(PINS.buttons[button], False)
    time.sleep(1.0)


def rhythms(*pins: int) -> list[Rhythm]:
    """What lamps show in 3 seconds."""
    seen: list[Rhythm] = [set() for _ in pins]
    end_s = time.monotonic() + 3
    while time.monotonic() < end_s:
        for place, pin in enumerate(pins):
            seen[place].add(sim(pin, "value").read_text().strip() == "1")
        time.sleep(0.02)
    return seen


def seats() -> list[Rhythm]:
    return rhythms(*(int(pin) for pin in PINS.lamps[:2]))


def shows(what: str, seen: list[Rhythm], wanted: list[Rhythm]) -> None:
    if seen != wanted:
        raise SystemExit(f"lamps wrong: {what}: {seen}; {json.dumps(state())[:600]}")
    print(f"lamps: {what}", flush=True)


def until(what: str, is_so: Callable[[], bool]) -> None:
    start_s = time.monotonic()
    while not is_so():
        if time.monotonic() > start_s + PATIENCE_S:
            raise SystemExit(f"never: {what}")
        time.sleep(0.5)
    print(f"{what} ({time.monotonic() - start_s:.0f} s)", flush=True)


def answers() -> bool:
    try:
        return bool(state())
    except OSError:
        return False


def camera_status() -> str:
    return str(state()["camera"]["status"])


DARK: Rhythm = {False}
LIT: Rhythm = {True}
MOVING: Rhythm = {True, False}


def walk(camera: NetworkCamera) -> None:
    until("the panel answers", answers)
    assert not state()["virtual_box"], "the pins are the box"
    assert state()["phase"] == "look", "the game that was on goes on"
    shows("all dark while the game is on", seats(), [DARK, DARK])
    lose_the_camera(camera)
    press(Button.NEXT)
    assert state()["phase"] == "doubts"
    shows("Ben's blinks: the doubted route is probably his", seats(), [DARK, MOVING])
    press(Button.NEXT)
    shows("Ada's blinks: she is offered next", seats(), [MOVING, DARK])
    press(Button.BACK)
    press(Button.CONFIRM)
    assert state()["routes"]["denver--omaha"]["owner"] == "blue"
    if state()["phase"] == "look":
        press(Button.NEXT)
    hand_in_tickets()
    press(Button.CONFIRM)
    if state()["phase"] == "tickets":
        assert MOVING in seats(), "what is odd blinks before the sheet is written"
        press(Button.CONFIRM)
    until("the sheet stands", lambda: state()["phase"] == "sheet")
    shows("Ada's is lit: she wins", seats(), [LIT, DARK])
    totals = {one["name"]: one["total"] for one in state()["sheet"]["players"]}
    print("totals", totals, flush=True)
    assert totals == TOTALS


def lose_the_camera(camera: NetworkCamera) -> None:
    """The camera is unplugged during the game and comes back; the table goes on."""
    status = int(PINS.status or 0)
    camera.unplug()
    until("the camera is gone", lambda: camera_status() == "lost")
    shows("the status lamp blinks", rhythms(status), [MOVING])
    assert state()["phase"] == "look", "the game goes on"
    press(Button.SCAN)
    until("SCAN waits for a picture and gives up", lambda: camera_status() == "lost")
    camera.plug_in()
    until("the camera is back", lambda: camera_status() != "lost")


def hand_in_tickets() -> None:
    """The tickets go in on the panel; the box says whose are wanted."""
    assert state()["phase"] == "tickets", state()["phase"]
    shows("the first seat pulses", seats(), [MOVING, DARK])
    act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    act("add-ticket", {"player": "blue", "ticket": "denver--pittsburgh"})
    press(Button.CONFIRM)
    shows("the first is done, the second pulses", seats(), [LIT, MOVING])


def main(folder: Path) -> int:
    for pin in PINS.buttons.values():
        contact(pin, False)
    data = Path(shutil.copytree(folder, "/tmp/table"))
    camera = NetworkCamera(data / "table.jpg")
    camera.plug_in()
    words = [sys.executable, "-m", "companion", "serve", "--data", str(data)]
    seen = ["--camera", f"http://127.0.0.1:{CAMERA_PORT}/"]
    place = ["--host", "127.0.0.1", "--port", "8000"]
    program = subprocess.Popen([*words, *place, *seen])
    try:
        walk(camera)
    finally:
        program.terminate()
        program.wait(120)
    print("from a doubt to the sheet by buttons: well", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
