"""What a fixed camera's frames are compared with: the settled board, the last frame, the last read.

Keeps the board's place up to date as it is nudged, and works out what hides which space.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import Registration
from vision.spaces.evidence import OCCLUDED_COLUMN, SpaceEvidence
from vision.spaces.located_image import LocatedImage
from vision.watch.changes import (
    PX_PER_MM,
    BoardRectifier,
    BoardView,
    Mask,
    ViewDifference,
    compare,
    follow,
)

FrameImage = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class TrackerLimits:
    """Lengths in millimetres, times in seconds; probabilities and shares 0..1."""

    follow_mm: float = 0.25
    """A shift above this is followed; the tracking errs by 0.05 mm."""
    lost_mm: float = 12.0
    """After a larger shift the board is looked for anew."""
    occluded: float = 0.5
    """A space this likely to be occluded is hidden."""
    broad_occluded: float = 0.06
    """If the mean occlusion under a broad object exceeds this, everything under it counts as
    hidden. Hands on renders and drawn tables: 0.13 to 0.6; wagons and boards uncovered: 0.004."""
    under: float = 0.3
    """Part of a space under something broad that hides it."""
    margin_mm: float = 10.0
    """Spaces this near to something broad count as under it."""
    live_gap_s: float = 1.0
    """Frames farther apart than this are single pictures, not a stream."""


TRACKER_LIMITS = TrackerLimits()


@dataclass(frozen=True, slots=True, eq=False)
class TrackedFrame:
    """A frame's straightened board with how it differs from the settled one.

    `moving`: it differs from the frame before too. `read_before`: it is what was read last.
    """

    view: BoardView
    change: ViewDifference
    moving: bool
    read_before: bool


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """Spaces that something lies over, (N,) bool, and the mask of what is broad among it."""

    spaces: NDArray[np.bool_]
    broad: Mask


class BoardTracker:
    """The views of one camera on one board, from its first registered frame on.

    `empty` is a picture of the empty board, which the first frame is compared with.
    """

    def __init__(
        self,
        board: Board,
        where: Registration,
        frame_bgr: FrameImage,
        empty: LocatedImage | None = None,
    ) -> None:
        self._board = board
        self.where = where
        self.rectifier = BoardRectifier(board, where.spaces_px)
        self._told = self.rectifier
        view = self.rectifier.straighten(frame_bgr)
        self._settled = view if empty is None else _straightened(board, empty)
        self._last = view
        self._stirred = False
        self._read: BoardView | None = None

    def compare_frame(self, frame_bgr: FrameImage) -> TrackedFrame:
        """Straighten the next frame (H, W, 3), BGR, and compare it with the settled board."""
        view = self.rectifier.straighten(frame_bgr)
        change = compare(self._settled, view)
        # What equals the settled board, as the frame before did, needs no second comparison.
        moving = (change.is_any or self._stirred) and compare(self._last, view).is_any
        read = change.is_any and self._read is not None and not compare(self._read, view).is_any
        self._last, self._stirred = view, change.is_any
        return TrackedFrame(view, change, moving, read)

    def follow(self, frame_bgr: FrameImage, tracked: TrackedFrame) -> TrackedFrame | None:
        """The frame with the board's shift taken out; None where the board can't be followed."""
        shift = follow(self._settled, tracked.view, tracked.change.thick)
        if shift is None:
            return None
        spaces_px = self.rectifier.spaces_after(shift)
        moved_mm = self.rectifier.shift_mm(spaces_px)
        if moved_mm > TRACKER_LIMITS.lost_mm:
            return None
        if moved_mm <= TRACKER_LIMITS.follow_mm:
            return tracked
        corners_px = self.rectifier.points_after(shift, self.where.corners_px)
        error_px = self.where.error_px
        return self.place(
            frame_bgr, Registration(self.where.method, corners_px, spaces_px, error_px)
        )

    def place(self, frame_bgr: FrameImage, where: Registration) -> TrackedFrame:
        """The board lies elsewhere now; returns the frame compared anew from there."""
        self.where = where
        self.rectifier = BoardRectifier(self._board, where.spaces_px)
        return self.compare_frame(frame_bgr)

    def drift_mm(self) -> float:
        """How far the board has moved since `tell_drift`."""
        return self._told.shift_mm(self.where.spaces_px)

    def tell_drift(self) -> None:
        """The drift so far was told: count from here on."""
        self._told = self.rectifier

    def mark_read(self, view: BoardView) -> None:
        """This view has been read; reading it again would say the same."""
        self._read = view

    def settle(self, view: BoardView, hidden: Hidden | None = None) -> None:
        """Compare with this view (H, W, 3) from now on; what is hidden keeps its old picture."""
        if hidden is not None:
            view = np.where((hidden.broad > 0)[..., None], self._settled, view).astype(np.uint8)
        self._settled = view

    def hidden(self, evidence: SpaceEvidence, tracked: TrackedFrame) -> Hidden:
        """What lies over the board.

        A broad change is a hand, a cup or a card where the reader says so of what is under it,
        and light or shadow where it sees the board there.
        """
        occluded = evidence.probabilities[:, OCCLUDED_COLUMN]
        spaces = occluded > TRACKER_LIMITS.occluded
        broad = np.zeros_like(tracked.change.thick)
        for part in _parts(tracked.change.thick):
            under = self.under(_grown(part))
            if under.any() and occluded[under].mean() > TRACKER_LIMITS.broad_occluded:
                spaces = spaces | under
                broad |= _grown(part)
        return Hidden(spaces, broad)

    def under(self, broad: Mask) -> NDArray[np.bool_]:
        """The spaces that lie under something broad, (N,)."""
        return self.rectifier.share_of_spaces(broad) > TRACKER_LIMITS.under

    def share_of_spaces(self, tracked: TrackedFrame) -> NDArray[np.float64]:
        """Part of each space that changed, (N,)."""
        return self.rectifier.share_of_spaces(tracked.change.changed)


def _straightened(board: Board, look: LocatedImage) -> BoardView:
    return BoardRectifier(board, look.spaces_px).straighten(look.image_bgr)


def _parts(mask: Mask) -> list[Mask]:
    """The connected parts of a mask."""
    count, numbers = cv2.connectedComponents(mask)
    return [np.where(numbers == k, 255, 0).astype(np.uint8) for k in range(1, count)]


def _grown(mask: Mask) -> Mask:
    side = 2 * round(TRACKER_LIMITS.margin_mm * PX_PER_MM) + 1
    return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)), np.uint8)


class FramePace:
    """How the frames come: a stream that repeats itself, or single pictures of a recording."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self._gap_s = float("inf")
        self._moved_s = 0.0
        self._repeats = False

    def tick(self, t_s: float) -> None:
        """A frame came at `t_s` seconds."""
        self._gap_s = t_s - self.now_s
        self.now_s = t_s

    def see(self, moving: bool) -> None:
        """Whether it differs from the frame before."""
        if moving:
            self._moved_s = self.now_s
        elif self._gap_s <= TRACKER_LIMITS.live_gap_s:
            self._repeats = True

    @property
    def is_live(self) -> bool:
        """A camera gives the same picture again and again; a folder of moments never does."""
        return self._repeats and self._gap_s <= TRACKER_LIMITS.live_gap_s

    @property
    def still_s(self) -> float:
        """For how long nothing has moved."""
        return self.now_s - self._moved_s
