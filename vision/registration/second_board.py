"""Whether a photo shows the same board twice: then nobody can say which one is meant."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import BoardNotFoundError
from vision.images.resize import shrunk_to_side
from vision.registration.geometry import Points
from vision.registration.outline import BoardOutline, find_outline
from vision.registration.pattern_fit import REGISTRATION_LIMITS, align, outer_corners

GROWN = 1.06
"""The board that was found is left out with so much of its surroundings."""

LEAST_AREA = 0.25
"""What looks like a board and is smaller than this part of it is none: cards, boxes, books."""


STRIP = 0.4
"""Beside, above and below the board it is looked for once more where at least this part of its
width or height is left: what is painted over may lead the outline astray."""


def refuse_two_boards(photo_bgr: NDArray[np.uint8], corners_px: Points, board: Board) -> None:
    """Raise BoardNotFoundError if the board lies once more beside these corners (4, 2)."""
    small, scale = shrunk_to_side(photo_bgr, REGISTRATION_LIMITS.working_side_px)
    middle = corners_px.mean(axis=0)
    first = (middle + GROWN * (corners_px - middle)) * scale
    for second in _outlines_beside(small, first):
        if _area(second.corners_px) < LEAST_AREA * _area(first):
            continue
        found = align(small, second, board)
        if found.snapped.score < REGISTRATION_LIMITS.min_score:
            continue
        there = outer_corners(found).mean(axis=0)
        # On a checked cloth the second outline may hold the first board once more.
        if cv2.pointPolygonTest(first.astype(np.float32), tuple(there.tolist()), False) < 0:
            raise BoardNotFoundError("vision.board.two", board=board.title)


def _outlines_beside(image_bgr: NDArray[np.uint8], first: Points) -> Iterator[BoardOutline]:
    """What may be a board beside the first (4, 2): in the whole image, then in the strips left."""
    beside = find_outline(image_bgr, beside_px=first)
    if beside is not None:
        yield beside
    (left, top), (right, bottom) = first.min(axis=0).astype(int), first.max(axis=0).astype(int)
    high, wide = image_bgr.shape[:2]
    strips = (
        (0, 0, left, high),
        (right, 0, wide, high),
        (0, 0, wide, top),
        (0, bottom, wide, high),
    )
    for x0, y0, x1, y1 in strips:
        needed = max(1.0, STRIP * (right - left)), max(1.0, STRIP * (bottom - top))
        if x1 - x0 < needed[0] or y1 - y0 < needed[1]:
            continue
        found = find_outline(np.ascontiguousarray(image_bgr[y0:y1, x0:x1]))
        if found is not None and found.likeness >= REGISTRATION_LIMITS.min_likeness:
            yield BoardOutline(found.corners_px + np.array([x0, y0]), found.likeness, found.cut)


def _area(corners_px: Points) -> float:
    return abs(float(cv2.contourArea(corners_px.astype(np.float32))))
