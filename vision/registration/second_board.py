"""Whether a photo shows the same board twice: then nobody can say which one is meant."""

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import BoardNotFoundError
from vision.images.resize import shrunk
from vision.registration.geometry import Points
from vision.registration.outline import find_outline
from vision.registration.pattern_fit import REGISTRATION_LIMITS, align, outer_corners

GROWN = 1.06
"""The board that was found is left out with so much of its surroundings."""

LEAST_AREA = 0.25
"""What looks like a board and is smaller than this part of it is none: cards, boxes, books."""


def refuse_two_boards(photo_bgr: NDArray[np.uint8], corners_px: Points, board: Board) -> None:
    """Raise BoardNotFoundError if the board lies once more beside these corners (4, 2)."""
    scale = min(1.0, REGISTRATION_LIMITS.working_side_px / max(photo_bgr.shape[:2]))
    small = shrunk(photo_bgr, scale)
    middle = corners_px.mean(axis=0)
    first = (middle + GROWN * (corners_px - middle)) * scale
    second = find_outline(small, beside_px=first)
    if second is None or _area(second.corners_px) < LEAST_AREA * _area(first):
        return
    found = align(small, second, board)
    if found.snapped.score < REGISTRATION_LIMITS.min_score:
        return
    there = outer_corners(found).mean(axis=0)
    # On a checked cloth the second outline may hold the first board once more.
    if cv2.pointPolygonTest(first.astype(np.float32), tuple(there.tolist()), False) < 0:
        raise BoardNotFoundError("vision.board.two", board=board.title)


def _area(corners_px: Points) -> float:
    return abs(float(cv2.contourArea(corners_px.astype(np.float32))))
