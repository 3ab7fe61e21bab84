"""What `companion serve` costs while it watches, and how soon it tells a claim.

Two megapixels, two frames a second. The camera is a file that is replaced (a claim) or a folder of
noisy pictures (idle), so that each frame is decoded as one of a USB camera would be.
"""

import os
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scoring.board.board import load_board
from tests.bench.memory import GAME, VIEW, descendants, post, serving, state_of
from vision.synthetic import Oddities, draw_photo

SIZE_PX = (1632, 1224)
"""Two megapixels."""

LIMIT_CLAIM_S, LIMIT_CORE = 2.5, 0.15
"""From the wagons on the board to the tablet; the share of one core of an idle evening."""

FPS = 2
IDLE_S = 40.0
PATIENCE_S = 30.0

CLAIMS = ("duluth--helena", "denver--omaha", "el-paso--los-angeles", "portland--salt-lake-city")
"""Lines of 4 to 6 spaces, far from each other."""


def run() -> None:
    """Print the figures."""
    print(f"\nWatching {SIZE_PX[0] * SIZE_PX[1] / 1e6:.1f} megapixels, {FPS} frames a second")
    with tempfile.TemporaryDirectory() as folder:
        claims = list(_claims(Path(folder)))
    times_s, works_s = [wall_s for wall_s, _ in claims], [work_s for _, work_s in claims]
    print(
        f"  claim to tablet: median {statistics.median(times_s):.2f} s, worst {max(times_s):.2f} s "
        f"of {len(times_s)} (limit {LIMIT_CLAIM_S} s); the lamps are set before a tablet is told"
    )
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(
        f"    of it {statistics.median(works_s):.2f} s of processor time; "
        f"{busy:.1f} programs shared each core, which a quiet machine has for itself"
    )
    with tempfile.TemporaryDirectory() as folder:
        share = _idle(Path(folder))
    print(f"  idle: {100 * share:.1f} % of one core (limit {100 * LIMIT_CORE:.0f} %)")


def _claims(folder: Path) -> Iterator[tuple[float, float]]:
    """The time of each claim, from the picture with the wagons to the state that shows them.

    Seconds on the clock, and of processor time.
    """
    owners = dict[str, str]()
    pictures = [_drawn(owners)]
    for number, route in enumerate(CLAIMS):
        owners[route] = ("red", "blue")[number % 2]
        pictures.append(_drawn(owners))
    seen, empty = folder / "seen.jpg", folder / "empty.jpg"
    _put(empty, pictures[0])
    _put(seen, pictures[0])
    with serving(folder / "data", empty, f"still:{seen}") as (pid, address):
        post(address, "start", GAME)
        time.sleep(8.0)  # it finds the board and sees that it is empty
        for route, picture in zip(CLAIMS, pictures[1:], strict=True):
            before_s = _cpu_s(pid)
            yield _until_owned(address, route, _put(seen, picture)), _cpu_s(pid) - before_s
            time.sleep(2.0)


def _until_owned(address: str, route: str, start_s: float) -> float:
    """As a tablet does: it hears that something changed, and asks for the state."""
    with urllib.request.urlopen(f"{address}events", timeout=PATIENCE_S) as events:
        for line in events:
            if line.startswith(b"data:"):
                known: Mapping[str, Any] = state_of(address)["routes"].get(route, {})
                if known.get("owner"):
                    return time.monotonic() - start_s
            if time.monotonic() > start_s + PATIENCE_S:
                break
    raise AssertionError(f"{route} was never seen")


def _idle(folder: Path) -> float:
    """The share of one core that all processes take while nothing happens."""
    frames, empty = folder / "frames", folder / "empty.jpg"
    frames.mkdir()
    picture = _drawn({})
    _put(empty, picture)
    noise = np.random.default_rng(1)
    for number in range(int(FPS * (IDLE_S + 30))):
        grain = noise.normal(0.0, 2.0, picture.shape)
        noisy = np.clip(picture + grain, 0, 255).astype(np.uint8)
        cv2.imwrite(str(frames / f"{number:03}.jpg"), noisy)
    options = ("--fps", str(FPS))
    with serving(folder / "data", empty, f"replay:{frames}", *options) as (pid, address):
        post(address, "start", GAME)
        time.sleep(15.0)
        before_s, start_s = _cpu_s(pid), time.monotonic()
        time.sleep(IDLE_S)
        return (_cpu_s(pid) - before_s) / (time.monotonic() - start_s)


def _cpu_s(pid: int) -> float:
    """Processor time of a process and all its descendants, those that have ended too."""
    tick = os.sysconf("SC_CLK_TCK")
    total = 0
    for one in (pid, *descendants(pid)):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15]))
    return total / tick


def _drawn(owners: Mapping[str, str]) -> Any:
    board = load_board("usa")
    drawn = draw_photo(
        board,
        owners,
        seed=5,
        print_seed=5,
        rig_seed=5,
        camera=VIEW,
        size_px=SIZE_PX,
        oddities=Oddities.none(),
    )
    return drawn.image_bgr


def _put(path: Path, picture: Any) -> float:
    """Write a picture whole; returns when it was there."""
    draft = path.with_suffix(".draft.jpg")
    cv2.imwrite(str(draft), picture)
    draft.replace(path)
    return time.monotonic()
