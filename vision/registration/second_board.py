"""Whether a photo shows the same board twice: then nobody can say which one is meant."""

import math
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import BoardNotFoundError
from vision.images.resize import shrunk_to_side
from vision.registration.geometry import Points, area_of, corners_of_size
from vision.registration.outline import BoardOutline, find_outline
from vision.registration.pattern_fit import (
    REGISTRATION_LIMITS,
    SearchedPhoto,
    is_found,
    outer_corners,
)

GROWN = 1.06
"""The board that was found is left out with so much of its surroundings."""

LEAST_AREA = 0.25
"""What looks like a board and takes less room beside it than this part of it is none: cards, boxes,
books, the table around the board. Where a photo has so much room on no side, none is looked for."""

LOOKED_AT_PX = 1200
"""Long side of what is searched for an outline: more tells nothing more, and costs time."""

STRIP = 0.4
"""Beside, above and below the board it is looked for once more where at least this part of its
width or height is left: what is painted over may lead the outline astray."""


def refuse_two_boards(photo_bgr: NDArray[np.uint8], corners_px: Points, board: Board) -> None:
    """Raise BoardNotFoundError if the board lies once more beside these corners (4, 2)."""
    small, scale = shrunk_to_side(photo_bgr, LOOKED_AT_PX)
    middle = corners_px.mean(axis=0)
    first = middle + GROWN * (corners_px - middle)
    if _room_beside(first, photo_bgr) < LEAST_AREA * area_of(first):
        return
    for beside in _outlines_beside(small, first * scale):
        second = replace(beside, corners_px=beside.corners_px / scale)
        if _area_beside(second.corners_px, first) < LEAST_AREA * area_of(first):
            continue
        there = _board_in(photo_bgr, second, board)
        # On a checked cloth the second outline may hold the first board once more.
        if there is not None and not _holds(first, there.mean(axis=0)):
            raise BoardNotFoundError("vision.board.two", board=board.name)


def _room_beside(corners_px: Points, photo_bgr: NDArray[np.uint8]) -> float:
    """How much of the photo, in square pixels, lies beyond one side of a quadrilateral (4, 2)."""
    height, width = photo_bgr.shape[:2]
    photo = corners_of_size((width, height)).astype(np.float32)
    far_px = 4.0 * max(height, width)
    most = 0.0
    for corner, next_corner in zip(corners_px, np.roll(corners_px, -1, axis=0), strict=True):
        along = far_px * (next_corner - corner) / max(math.dist(next_corner, corner), 1e-9)
        out = np.array([along[1], -along[0]])
        side = [corner - along, corner + along, corner + along + out, corner - along + out]
        beyond, _ = cv2.intersectConvexConvex(photo, np.array(side, np.float32))
        most = max(most, beyond)
    return most


def _board_in(photo_bgr: NDArray[np.uint8], outline: BoardOutline, board: Board) -> Points | None:
    """The board's corners (4, 2) in the photo, if it is what the outline holds."""
    near, scale = shrunk_to_side(photo_bgr, REGISTRATION_LIMITS.working_side_px)
    there = replace(outline, corners_px=outline.corners_px * scale)
    found = SearchedPhoto(near).align(there, board)
    if found is None or not is_found(found):
        return None
    return outer_corners(found) / scale


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


def _area_beside(corners_px: Points, other_px: Points) -> float:
    """How much of one quadrilateral (4, 2) lies outside another."""
    both, _ = cv2.intersectConvexConvex(
        cv2.convexHull(corners_px.astype(np.float32)), cv2.convexHull(other_px.astype(np.float32))
    )
    return area_of(corners_px) - both


def _holds(corners_px: Points, point_px: Points) -> bool:
    point = tuple(point_px.tolist())
    return cv2.pointPolygonTest(corners_px.astype(np.float32), point, False) >= 0
