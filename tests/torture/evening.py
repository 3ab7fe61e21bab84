"""An evening of four hours before the camera, replayed at speed, with everything that goes wrong.

A drawn board is watched by the program's own networks through the table's own feed. Every claim
has to stand as it is, or to be asked about: what stands wrongly unasked is false, what neither
stands nor is asked about is missed. Whoever is asked answers what is true. Between two claims the
camera goes, is slow, sends rubbish; the light changes; the program is started anew.
"""

import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Calibration
from companion.table.camera_feed import CameraFeed
from companion.table.process_memory import use_little_memory
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.table.vision_eye import VisionEye, VisionWatcher
from hardware.cameras.camera import ClosesItself, Frame
from hardware.errors import CameraError
from tests.support.child import memory_mb
from tests.support.drawn_table import USA
from tests.support.drawn_table import drawn as at_the_table
from tests.torture.outcome import Outcome
from vision.registration.reference import Reference
from vision.synthetic import DrawnPhoto, Oddities

COLOURS = ("red", "blue", "green")
BETWEEN_FRAMES_S = 0.48
"""30,000 frames are four hours."""

FRAMES_OF_A_CLAIM = 14
"""With the hand and the time that the watcher takes to be sure; faults come after these."""

FLAT = 1.05
"""The memory at the end, in parts of what it was early on."""

STARTS = (1, 3, 5)
"""Claims after which the program is started anew; the memory counts from the last one on."""

Picture = NDArray[np.uint8]


def drawn(owners: dict[str, str], hand: bool = False) -> DrawnPhoto:
    """The table with these wagons; those of routes further up in the board's list stay in place."""
    oddities = replace(Oddities.none(), hand_per_photo=1.0 if hand else 0.0)
    return at_the_table(USA, owners, seed=2, size_px=(1280, 960), oddities=oddities)


@cache
def empty() -> tuple[Picture, Reference]:
    """The empty board's picture, and the reference that set-up makes of it."""
    photo = drawn({})
    moment = "2026-01-31T20:15:00+00:00"
    found = photo.corners_px, photo.spaces_px
    return photo.image_bgr, Calibration(
        "usa", USA.version, moment, photo.image_bgr, *found
    ).reference(USA)


def claims(count: int) -> list[tuple[str, str]]:
    """Routes in the board's order, one of each double, with the players in turn."""
    single = [route.id for route in USA.routes if not route.id.endswith(("-2", "-3"))]
    chosen = [single[round(i * len(single) / count)] for i in range(count)]
    return [(route, COLOURS[i % len(COLOURS)]) for i, route in enumerate(chosen)]


Gone = Callable[[], None]
"""Does what a camera does in place of a frame; raises CameraError."""


@dataclass
class Script:
    """What the camera shows, frame by frame, over all its openings; `pause` waits for the table."""

    items: Iterator[Picture | Gone]
    shown: int = 0
    faults: int = 0
    pauses: set[int] = field(default_factory=set)
    at_pause: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)


class ScriptCamera(ClosesItself):
    """One opening of the camera; the script goes on where the last one left it."""

    name = "script"

    def __init__(self, script: Script) -> None:
        self._script = script

    def read(self) -> Frame:
        script = self._script
        with script.lock:
            item = next(script.items, None)
        if item is None:
            script.at_pause.set()
            time.sleep(0.2)
            raise CameraError("hardware.camera.no-picamera2")
        if callable(item):
            item()
            return self.read()
        script.shown += 1
        return Frame(item, None, script.shown * BETWEEN_FRAMES_S)


class Evening:
    """One evening: `run` plays all of it and counts."""

    def __init__(self, frames: int, count: int, seed: int, folder: Path) -> None:
        self._chance = random.Random(seed)
        self._noise = _noises(seed)
        self._claims = claims(count)
        self._frames_each = max(FRAMES_OF_A_CLAIM + 10, frames // (count + 1))
        self._folder = folder
        self._owners: dict[str, str] = {}
        self.outcome = Outcome("an evening at speed")
        self._script = Script(self._items())
        self._asked: set[str] = set()
        self._starts = 0
        self._memory: list[float] = []
        self._table = self._open()

    def run(self) -> Outcome:
        """All of the evening."""
        players = [{"name": colour.title(), "colour": colour} for colour in COLOURS]
        self._table.act("start", {"board": "usa", "players": players, "camera": True})
        for number in range(len(self._claims) + 1):
            self._until_pause()
            self._look_over()
            if number in STARTS:
                self._start_anew()
            self._go_on()
        self._until_pause()
        self._tally()
        self._table.close()
        self._go_on()  # the camera's thread, which ends now
        memory = self._memory[max(STARTS) + 1 :] or self._memory
        third = max(1, len(memory) // 3)
        early, late = median(memory[:third]), median(memory[-third:])
        self.outcome.trials = self._script.shown
        self.outcome.bad += late > FLAT * early and len(memory) >= 9
        self.outcome.notes |= {
            "claims": len(self._claims),
            "asked about": len(self._asked),
            "faults": self._script.faults,
            "starts": self._starts,
            "MB early": round(early),
            "MB late": round(late),
        }
        return self.outcome

    # --- before the camera ---

    def _items(self) -> Iterator[Picture | Gone]:
        picture = empty()[0]
        yield from (self._frame(picture) for _ in range(self._frames_each - 1))
        yield self._pause
        for route, colour in self._claims:
            self._owners[route] = colour
            hand = drawn(self._owners, hand=True).image_bgr
            picture = drawn(self._owners).image_bgr
            yield from (self._frame(hand) for _ in range(3))
            yield from (self._frame(picture) for _ in range(FRAMES_OF_A_CLAIM - 3))
            yield from self._quiet(picture, self._frames_each - FRAMES_OF_A_CLAIM)
            yield self._pause
        yield self._pause

    def _quiet(self, picture: Picture, frames: int) -> Iterator[Picture | Gone]:
        """Nobody claims anything, but something is always wrong; the last frames are good ones."""
        left = frames
        while left > 20:
            light = self._chance.choice((1.0, 1.0, 1.0, 0.97, 1.04))
            still = min(left - 10, self._chance.randrange(60, 160))
            yield from (self._frame(picture, light) for _ in range(max(1, still)))
            left -= max(1, still)
            fault = self._chance.choice(self._faults())
            self._script.faults += 1
            for item in fault(picture):
                left -= not callable(item)
                yield item
        yield from (self._frame(picture) for _ in range(max(8, left)))

    def _faults(self) -> tuple[Callable[[Picture], Iterator[Picture | Gone]], ...]:
        def gone(picture: Picture) -> Iterator[Picture | Gone]:
            yield _raise
            yield _raise

        def late(picture: Picture) -> Iterator[Picture | Gone]:
            yield lambda: time.sleep(1.0)

        def slow(picture: Picture) -> Iterator[Picture | Gone]:
            self._script.shown += 25  # twelve seconds without a frame
            yield self._frame(picture)

        def rubbish(picture: Picture) -> Iterator[Picture | Gone]:
            other = np.random.default_rng(self._script.shown)
            yield other.integers(0, 256, picture.shape, np.uint8)
            yield np.full_like(picture, self._chance.choice((0, 128, 255)))

        def torn(picture: Picture) -> Iterator[Picture | Gone]:
            cut = picture.copy()
            cut[picture.shape[0] // 2 :] = 128
            yield cut

        def small(picture: Picture) -> Iterator[Picture | Gone]:
            yield np.asarray(cv2.resize(picture, (640, 480)), np.uint8)

        def blurred(picture: Picture) -> Iterator[Picture | Gone]:
            yield np.asarray(cv2.GaussianBlur(picture, (31, 31), 0), np.uint8)

        def dark(picture: Picture) -> Iterator[Picture | Gone]:
            yield from (self._frame(picture, 0.15) for _ in range(4))

        def before_the_lens(picture: Picture) -> Iterator[Picture | Gone]:
            yield from (np.full_like(picture, 60) for _ in range(6))

        return gone, late, slow, rubbish, torn, small, blurred, dark, before_the_lens

    def _frame(self, picture: Picture, light: float = 1.0) -> Picture:
        """As the camera gives it, with noise of its own."""
        lit = picture if light == 1.0 else cv2.convertScaleAbs(picture, alpha=light)
        noise = self._chance.choice(self._noise)
        return np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U), np.uint8)

    def _pause(self) -> None:
        """Wait, on the camera's thread, until the table was looked over."""
        self._script.go_on.clear()
        self._script.at_pause.set()
        while not self._script.go_on.wait(0.2):
            pass

    # --- at the table ---

    def _open(self) -> Table:
        self._starts += 1
        reference = empty()[1]
        feed = CameraFeed(
            lambda: ScriptCamera(self._script), patience_s=60.0, retry_s=0.01, interval_s=0.0
        )
        return Table(
            TableConfig(
                [USA],
                self._folder,
                VisionEye(reference),
                feed,
                new_watcher=lambda board, colours: VisionWatcher(board, colours, reference),
            )
        )

    def _until_pause(self) -> None:
        assert self._script.at_pause.wait(3600), "the camera's thread goes on"
        self._script.at_pause.clear()

    def _go_on(self) -> None:
        self._script.go_on.set()

    def _look_over(self) -> None:
        """Compare what stands with what lies there, and answer what is asked."""
        routes = self._table.state()["routes"]
        for route in USA.routes:
            told, true = routes.get(route.id), self._owners.get(route.id)
            if told is not None and told["status"] == "doubtful":
                self._asked.add(route.id)
                self._table.act("correct-route", {"route": route.id, "owner": true})
            elif (None if told is None else told["owner"]) != true:
                self.outcome.bad += 1
                kind = "missed" if true is not None else "false"
                self.outcome.notes[kind] = self.outcome.notes.get(kind, 0) + 1
                self._table.act("correct-route", {"route": route.id, "owner": true})
        self._memory.append(memory_mb())

    def _start_anew(self) -> None:
        before = _lasting(self._table)
        self._table.close()
        self._table = self._open()
        self.outcome.bad += _lasting(self._table) != before

    def _tally(self) -> None:
        """To the sheet, with a restart after each step."""
        steps: tuple[tuple[str, dict[str, object]], ...] = (
            ("show", {"phase": "doubts"}),
            ("show", {"phase": "tickets"}),
            ("add-ticket", {"player": "red", "ticket": "helena--los-angeles"}),
            ("finish", {"really": True}),
        )
        for action, sent in steps:
            self._table.act(action, sent)
            self._start_anew()
        self.outcome.bad += self._table.state()["phase"] != "sheet"


def _raise() -> None:
    raise CameraError("hardware.camera.no-picamera2")


def _noises(seed: int) -> list[NDArray[np.int16]]:
    rng = np.random.default_rng(seed)
    return [rng.normal(0, 2, empty()[0].shape).astype(np.int16) for _ in range(4)]


def _lasting(table: Table) -> object:
    """What a restart keeps: all but the camera's own news."""
    state = table.state()
    return state["routes"], state["phase"], state["standing"], state["tickets"]


def evening(frames: int, seed: int = 7) -> Outcome:
    """An evening of so many frames: no claim missed, none false, memory flat within 5 %."""
    use_little_memory()  # as `companion serve` does
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return Evening(frames, max(2, min(36, frames // 120)), seed, Path(folder)).run()
