"""A look at a photo of the empty board before it is a calibration: what was found, how well."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.advice import Advice, advise
from calibration.calibration import Calibration
from scoring.board.board import Board
from vision.empty_board import reference_of
from vision.errors import NotEmptyError
from vision.registration.board_geometry import board_centres_mm, outline_mm
from vision.registration.geometry import Points, project, px_per_mm
from vision.registration.pattern_fit import MIN_IN_PART, REGISTRATION_LIMITS
from vision.registration.reference import Reference
from vision.registration.register import register

UNEVEN_MM = 1.0
"""Part of a board that lies at least so far from where a flat one would: a fold, or a lens."""

PARTS: tuple[str, ...] = (
    "top-left", "top", "top-right",
    "left", "middle", "right",
    "bottom-left", "bottom", "bottom-right",
)  # fmt: skip
"""The ninths of a board, by rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What a photo of the empty board shows.

    `corners_px` (4, 2) and `spaces_px` (N, 4, 2) are where the board and its spaces lie, in photo
    pixels. `seen` (N,) says which spaces were found printed where they lie. `error_mm` is the
    registration's estimate of its error. `uneven` is the part of the board that lies farthest from
    a flat board's place, and by how many mm; None where none does by `UNEVEN_MM`. `claimed` are the
    routes on which wagons seem to lie: while there are any, `reference` is None.
    """

    corners_px: Points
    spaces_px: Points
    seen: NDArray[np.bool_]
    error_mm: float
    uneven: tuple[str, float] | None
    advice: tuple[Advice, ...]
    claimed: tuple[str, ...]
    reference: Reference | None

    @property
    def is_usable(self) -> bool:
        """Whether a calibration can be made of it."""
        return self.reference is not None


def survey(
    photo_bgr: NDArray[np.uint8],
    board: Board,
    corners_px: Points | None = None,
    *,
    really_empty: bool = False,
) -> Survey:
    """Look at a photo (H, W, 3), uint8, BGR, of an empty board.

    `corners_px` (4, 2) are its outer corners, in any turn, where a person marked them. Raises
    VisionError where the board is not found or the photo is of no use.
    """
    found = register(photo_bgr, board, corners_px=corners_px)
    reference, refusal = None, None
    try:
        reference = reference_of(photo_bgr, board, found, really_empty=really_empty)
    except NotEmptyError as error:
        refusal = error
    assert found.evidence is not None, "a board found without a reference says what it saw"
    scale = px_per_mm(found.corners_px, outline_mm(board))
    return Survey(
        corners_px=found.corners_px,
        spaces_px=found.spaces_px,
        seen=found.evidence > REGISTRATION_LIMITS.seen_evidence,
        error_mm=found.error_px / scale,
        uneven=_uneven(found.spaces_px.mean(axis=1), board),
        advice=advise(photo_bgr, board, found.corners_px),
        claimed=() if refusal is None else refusal.claimed,
        reference=reference,
    )


def calibration_of(reference: Reference, board: Board, created: str, name: str = "") -> Calibration:
    """The calibration of a surveyed board; `created` is the time as ISO 8601."""
    return Calibration(
        board_id=board.id,
        board_version=board.version,
        created=created,
        image_bgr=reference.image_bgr,
        corners_px=reference.corners_px,
        spaces_px=reference.spaces_px,
        looks_claimed=reference.looks_claimed,
        vouched=reference.vouched,
        name=name,
    )


def _uneven(centres_px: Points, board: Board) -> tuple[str, float] | None:
    """The ninth of the board that lies farthest from a flat one's place, and by how much, mm."""
    own = board_centres_mm(board)
    if len(own) < MIN_IN_PART:
        return None
    to_mm, _ = cv2.findHomography(centres_px, own, cv2.LMEDS)
    flat = project(np.asarray(to_mm, np.float64), centres_px)
    thirds = np.floor(own / np.array(board.frame.size_mm) * 3).clip(0, 2).astype(np.int64)
    part = thirds @ np.array([1, 3])
    off = {
        name: float(np.hypot(*np.median((flat - own)[part == k], axis=0)))
        for k, name in enumerate(PARTS)
        if int((part == k).sum()) >= MIN_IN_PART
    }
    if not off:
        return None
    worst = max(off, key=lambda name: off[name])
    return (worst, off[worst]) if off[worst] >= UNEVEN_MM else None
