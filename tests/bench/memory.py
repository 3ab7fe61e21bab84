"""What `companion serve` takes of a small Pi's memory: all its processes, watching and scanning."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2

from scoring.board.board import load_board
from tests.support.jpeg_numbers import numbered
from vision.synthetic import Oddities, View, draw_photo, random_owners

PI, USB, PHONE = (2304, 1728), (3840, 2160), (4000, 3000)
"""Frames of the Pi's camera, of a USB camera of 8 megapixels, and of 12."""

STAND_INS = Path(__file__).parent / "camera_stand_ins"
"""Drivers of cameras that this machine has not."""

CAMERAS: tuple[tuple[str, tuple[int, int]], ...] = (
    ("recording", PI),
    ("recording", PHONE),
    ("the Pi's camera", PI),
    ("USB camera", USB),
    ("network camera", USB),
    ("network camera", PHONE),
)
"""Kinds of camera with their frames. All but a recording have a process of their own; of those
the Pi's and the USB camera have stand-ins for the driver."""

LIMIT_WATCHING_MB, LIMIT_SCANNING_MB = 300, 400
"""What a Pi Zero 2 W (512 MB) has left for this program."""

STREAM_FPS = 2.0

WATCHED_S, MOST_WATCHED_S = 20.0, 240.0
"""At least so long, and until the watcher has read the wagons, however busy the machine is."""

VIEW = View(tilt_deg=14.0, azimuth_deg=15.0, roll_deg=-4.0, hfov_deg=68.0, fill=0.93)
GAME = {
    "board": "usa",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    "camera": True,
}


def run() -> None:
    """Print the figures."""
    print(
        "\nMemory of `companion serve`, all its processes together (PSS, highest of many samples)"
    )
    for kind, size_px in CAMERAS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            reference, frames = _recording(folder, size_px)
            with _camera(kind, frames) as camera:
                figures = ", ".join(_measured(folder, reference, camera, frames))
            print(f"  {kind}, {size_px[0] * size_px[1] / 1e6:.0f} megapixels: {figures}")


@contextmanager
def _camera(kind: str, frames: Path) -> Iterator[str]:
    """The specification of a camera that shows these frames."""
    if kind == "network camera":
        with streaming(frames) as address:
            yield address
    else:
        specs = {"recording": f"replay:{frames}", "USB camera": "v4l2:/dev/null"}
        yield specs.get(kind, "pi")


def _recording(folder: Path, size_px: tuple[int, int]) -> tuple[Path, Path]:
    """An empty board, and a folder of frames: first the empty board, then one with wagons."""
    board = load_board("usa")
    owners = random_owners(board, seed=5, players=2)
    frames = folder / "frames"
    frames.mkdir()
    pictures: list[Any] = []
    for state, oddities in (({}, Oddities.none()), (owners, None)):
        drawn = draw_photo(
            board,
            state,
            seed=5,
            print_seed=5,
            rig_seed=5,
            camera=VIEW,
            size_px=size_px,
            oddities=oddities,
        )
        pictures.append(drawn.image_bgr)
    empty = folder / "empty.jpg"
    cv2.imwrite(str(empty), pictures[0])
    for number in range(60):
        cv2.imwrite(str(frames / f"{number:03}.jpg"), pictures[0 if number < 10 else 1])
    return empty, frames


@contextmanager
def streaming(frames: Path) -> Iterator[str]:
    """The address of a camera in the network that shows these pictures, and then stays on the last.

    Each has a comment of its own: one and the same again and again is a camera that hangs. Such a
    camera has a process of its own, as the Pi's and a USB camera have.
    """
    pictures = [one.read_bytes() for one in sorted(frames.iterdir())]
    stop = threading.Event()

    class Stream(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
            self.end_headers()
            number = 0
            try:
                while not stop.wait(1 / STREAM_FPS):
                    jpeg = numbered(pictures[min(number, len(pictures) - 1)], number)
                    head = f"Content-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    self.wfile.write(b"--next\r\n" + head.encode() + jpeg + b"\r\n")
                    number += 1
            except OSError:
                return

        def log_message(self, *words: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        stop.set()
        server.shutdown()
        server.server_close()


def _measured(folder: Path, reference: Path, camera: str, frames: Path) -> Iterator[str]:
    drivers = f"{STAND_INS}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    variables = {"PYTHONPATH": drivers, "BENCH_FRAMES": str(frames)}
    with serving(folder / "data", reference, camera, variables=variables) as (pid, address):
        post(address, "start", GAME)
        watching = _highest(
            pid,
            lambda since_s: (
                since_s < WATCHED_S or (since_s < MOST_WATCHED_S and not _has_claims(address))
            ),
        )
        assert _has_claims(address), "the watcher read the board"
        yield f"watching {watching:.0f} MB (limit {LIMIT_WATCHING_MB})"
        post(address, "scan", {})
        scanning = _highest(pid, lambda since_s: since_s < 1 or _is_looking(address))
        yield f"scanning {scanning:.0f} MB (limit {LIMIT_SCANNING_MB})"
        read = len(state_of(address)["routes"])
        assert read > 20, "the scan read the board"
        time.sleep(3)
        yield f"afterwards {_pss_mb(pid):.0f} MB"


@contextmanager
def serving(
    data: Path,
    reference: Path,
    camera: str,
    *more: str,
    variables: Mapping[str, str] | None = None,
) -> Iterator[tuple[int, str]]:
    """The running program's process id and address, with a camera's specification."""
    words = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1"]
    options = ["--port", "0", "--data", str(data), "--board", "usa", "--no-hardware"]
    source = ["--reference", str(reference), "--camera", camera, *more]
    program = subprocess.Popen(
        [*words, *options, *source],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(variables or {})},
    )
    assert program.stdout is not None
    told = re.search(r"http://\S+", program.stdout.readline())
    assert told is not None
    try:
        yield program.pid, told[0]
    finally:
        program.terminate()
        program.wait(30)


def _has_claims(address: str) -> bool:
    return any(one["owner"] for one in state_of(address)["routes"].values())


def _highest(pid: int, goes_on: Callable[[float], bool]) -> float:
    start_s, highest = time.monotonic(), 0.0
    while goes_on(time.monotonic() - start_s):
        highest = max(highest, _pss_mb(pid))
        time.sleep(0.05)
    return highest


def _pss_mb(pid: int) -> float:
    """The memory of a process and all its descendants, shared pages counted once."""
    return sum(_own_pss_mb(one) for one in (pid, *descendants(pid)))


def descendants(pid: int) -> Iterator[int]:
    try:
        threads = [task / "children" for task in Path(f"/proc/{pid}/task").iterdir()]
        words = sorted({word for path in threads for word in path.read_text().split()})
    except OSError:
        return
    for word in words:
        yield int(word)
        yield from descendants(int(word))


def _own_pss_mb(pid: int) -> float:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return int(found[1]) / 1000 if found else 0.0


def _is_looking(address: str) -> bool:
    return bool(state_of(address)["camera"]["status"] == "looking")


def state_of(address: str) -> Any:
    with urllib.request.urlopen(f"{address}api/state", timeout=60) as answer:
        return json.load(answer)


def post(address: str, action: str, payload: dict[str, Any]) -> None:
    request = urllib.request.Request(
        f"{address}api/act/{action}",
        json.dumps(payload).encode(),
        {"Content-Type": "application/json", "Origin": address.rstrip("/")},
    )
    urllib.request.urlopen(request, timeout=60).read()
