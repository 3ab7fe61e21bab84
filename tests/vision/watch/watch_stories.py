"""A reader that knows the truth, and drawn photos for it: what a watcher does can be told exactly.

The pictures are real input to the watcher (it compares them itself); only finding the board and
reading its spaces is taken from what was drawn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import load_board
from vision.errors import BoardNotFoundError
from vision.reading import EMPTY, OCCLUDED, Registration
from vision.spaces.evidence import SpaceEvidence
from vision.spaces.located_image import LocatedImage
from vision.synthetic import DrawnPhoto, Oddities, View, draw_photo
from vision.watch.events import WatchEvent
from vision.watch.eye import FrameReading
from vision.watch.watcher import Watcher

SIZE = (1014, 760)
COLOURS = load_board("usa").player_colours
LABELS = (EMPTY, OCCLUDED, *COLOURS)
FIRST = {"el-paso--los-angeles": "yellow"}
SECOND = FIRST | {"portland--salt-lake-city": "red"}


@cache
def drawn(claimed: int, hand: bool = False) -> DrawnPhoto:
    """One table after no, one or two claims; the wagons already there stay where they are."""
    owners: Mapping[str, str] = ({}, FIRST, SECOND)[claimed]
    return draw_photo(
        load_board("usa"),
        owners,
        seed=5,
        print_seed=3,
        rig_seed=4,
        camera=View(tilt_deg=15.0, azimuth_deg=40.0, roll_deg=5.0),
        size_px=SIZE,
        oddities=replace(Oddities.none(), hand_per_photo=1.0 if hand else 0.0),
    )


def evidence_of(labels: Sequence[str]) -> SpaceEvidence:
    """What a good reader would say of spaces that show these labels."""
    rows = np.full((len(labels), len(LABELS)), 0.001 / (len(LABELS) - 1))
    for row, label in zip(rows, labels, strict=True):
        row[LABELS.index(label)] = 0.999
    return SpaceEvidence(LABELS, rows)


def nudged(photo: DrawnPhoto, pixels: tuple[float, float]) -> DrawnPhoto:
    """The same photo with everything moved by some pixels."""
    shift = np.array([[1.0, 0, pixels[0]], [0, 1.0, pixels[1]]])
    image = cv2.warpAffine(photo.image_bgr, shift, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return replace(
        photo,
        image_bgr=np.asarray(image, np.uint8),
        spaces_px=photo.spaces_px + pixels,
        corners_px=photo.corners_px + pixels,
    )


@dataclass(eq=False)
class TruthfulEye:
    """Finds and reads what the photo it was given last really shows."""

    photo: DrawnPhoto
    empty_board: LocatedImage | None = None
    reads: int = 0
    searches: int = 0
    lost: BoardNotFoundError | None = None

    def find(self, frame_bgr: NDArray[np.uint8]) -> Registration:
        self.searches += 1
        if self.lost is not None:
            raise self.lost
        return Registration("reference", self.photo.corners_px, self.photo.spaces_px, 0.5)

    def read(self, frame_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64]) -> FrameReading:
        self.reads += 1
        return FrameReading(evidence_of(self.photo.labels))

    def learn_empty(self, frame_bgr: NDArray[np.uint8], where: Registration) -> None:
        self.empty_board = LocatedImage(frame_bgr, where.spaces_px)


class Table:
    """A watcher with its truthful eye, fed one photo after the other."""

    def __init__(self, gap_s: float) -> None:
        self.gap_s = gap_s
        self.eye = TruthfulEye(drawn(0))
        self.watcher = Watcher(load_board("usa"), eye=self.eye)
        self._frames = 0

    def show(self, photo: DrawnPhoto, gain: float = 1.0) -> list[WatchEvent]:
        """The next frame, with the noise that every frame of a camera has."""
        self.eye.photo = photo
        noise = np.random.default_rng(self._frames).normal(0, 2, photo.image_bgr.shape)
        frame = np.clip(photo.image_bgr * gain + noise, 0, 255).astype(np.uint8)
        return self.show_picture(frame)

    def show_picture(self, frame_bgr: NDArray[np.uint8]) -> list[WatchEvent]:
        """The next frame as it is."""
        self._frames += 1
        return self.watcher.feed(frame_bgr, (self._frames - 1) * self.gap_s)


def told(events: Sequence[WatchEvent]) -> list[tuple[str, ...]]:
    """Kinds, with route and owner where there are any."""
    return [tuple(x for x in (e.kind, e.route, e.owner) if x is not None) for e in events]
