"""Names that are printed on a board in work: read once in the background, offered at its places."""

import json
import threading
from collections.abc import Callable, Sequence

import numpy as np

from companion.errors import RefusalError
from companion.setup.pictures import page_photo, straightened
from companion.studio.draft import UNIT_FRAME
from companion.studio.store import StudioStore, Work
from vision.errors import VisionError
from vision.images.photo import decode_photo
from vision.registration.geometry import homography_of_quads, project
from vision.tickets.map_names import PrintedName
from web.setup_port import SHOWN_WIDTH
from web.studio_port import StudioPrinted

ReadNames = Callable[[bytes], list[PrintedName]]
"""Reads the names in a picture of a straightened board, JPEG; raises RefusalError."""

WIDTH_PX = 2400
"""Of that picture: letters of 3 mm have 9 pixels, the least that is read."""

QUALITY = 92


class PrintedNames:
    """The names on the boards of a store; none where `read` is None.

    One board is read at a time: each takes 200 MB. One that was thrown away before its turn, or
    lies between other corners by then, is not read.
    """

    def __init__(self, store: StudioStore, read: ReadNames | None) -> None:
        self._store = store
        self._read = read
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._tried: set[tuple[str, bytes]] = set()

    def of(self, work: Work, height: float) -> list[StudioPrinted]:
        """Those that are known by now, in the page's units: `height` is the picture's."""
        kept = self._kept(work)
        if kept is None:
            self._begin(work)
            return []
        if not kept:
            return []
        begun = np.array([(one.x, one.y) for one in kept])
        to_now = homography_of_quads(np.array(work.now.frame), np.array(UNIT_FRAME))
        points = project(to_now, begun) * (SHOWN_WIDTH, height)
        return [
            StudioPrinted(one.words, round(float(x), 1), round(float(y), 1))
            for one, (x, y) in zip(kept, points, strict=True)
        ]

    def _kept(self, work: Work) -> list[PrintedName] | None:
        """What was read between these corners; None before it was."""
        try:
            document = json.loads(self._store.printed(work.key))
            if document["corners_px"] != _corners(work):
                return None
            return [PrintedName(str(w), float(x), float(y)) for w, x, y in document["names"]]
        except (RefusalError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return None

    def _begin(self, work: Work) -> None:
        """Read on a thread of its own; what fails is not tried again before the next start."""
        tried = _tried(work)
        with self._lock:
            if self._read is None or tried in self._tried:
                return
            look = threading.Thread(target=self._look, args=(work, self._read), daemon=True)
            try:
                look.start()
            except RuntimeError:  # the system gives no more threads: the next page tries again
                return
            self._tried.add(tried)

    def _look(self, work: Work, read: ReadNames) -> None:
        with self._reading:
            if self._is_wanted(work):
                self._read_on(work, read)

    def _is_wanted(self, work: Work) -> bool:
        """Whether it is still in work, and between these corners; those may come back."""
        try:
            is_so = _corners(self._store.load(work.key)) == _corners(work)
        except RefusalError:
            return False
        if not is_so:
            with self._lock:
                self._tried.discard(_tried(work))
        return is_so

    def _read_on(self, work: Work, read: ReadNames) -> None:
        try:
            photo_bgr = decode_photo(self._store.photo(work.key))
            straight = straightened(photo_bgr, work.base_corners_px, work.base.size_mm, WIDTH_PX)
            names = read(page_photo(straight, max(straight.shape[:2]), QUALITY))
            rows = [[one.words, round(one.x, 5), round(one.y, 5)] for one in names]
            document = {"corners_px": _corners(work), "names": rows}
            self._store.put_printed(work.key, json.dumps(document).encode())
        except (RefusalError, VisionError):
            return  # thrown away meanwhile, a full disk, a photo cut short: names are typed


def _tried(work: Work) -> tuple[str, bytes]:
    return work.key, work.base_corners_px.tobytes()


def _corners(work: Work) -> Sequence[Sequence[float]]:
    rows: list[list[float]] = work.base_corners_px.round(2).tolist()
    return rows
