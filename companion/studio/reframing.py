"""A draft between other corners of its photo: what was taught stays where the photo shows it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.errors import RefusalError
from companion.studio.draft import UNIT_FRAME, Box, Draft
from companion.studio.step_fields import Step
from scoring.board.angles import line_deg
from vision.registration.geometry import (
    Points,
    homography_of_quads,
    is_seen_from_above,
    project,
)

FURTHEST = 2.0
"""Widths of the board that a corner may be moved by."""

PROBE = 0.001
"""A step along a space, in widths of the board, by which its new direction is told."""


def move_corners(draft: Draft, step: Step) -> Draft:
    """The step `corners`: they lie at these points of the frame; it is so large now, in mm.

    Raises RefusalError for points that lie too far out, or in another order than seen from above.
    """
    corners = np.array(step["corners"], np.float64).reshape(4, 2)
    size = np.array(step["size_mm"], np.float64).reshape(2)
    if not (np.abs(corners) <= 1 + FURTHEST).all() or not is_seen_from_above(corners):
        raise RefusalError("companion.studio.no-corners")
    return _reframed(draft, corners, (float(size[0]), float(size[1])))


def corners_in_photo(draft: Draft, base_px: Points) -> Points:
    """The board's corners (4, 2) in the photo; `base_px` are those that the draft began with."""
    begun = homography_of_quads(np.array(UNIT_FRAME), base_px)
    return project(begun, np.array(draft.frame))


def corners_step(draft: Draft, now_px: Points, wanted_px: Points) -> Step:
    """The step that moves the corners in the photo from where they are now to others."""
    to_frame = homography_of_quads(now_px, np.array(UNIT_FRAME))
    corners = project(to_frame, wanted_px)
    sides = np.hypot(*((np.roll(corners, -1, axis=0) - corners) * draft.size_mm).T)
    size = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    return {
        "do": "corners",
        "corners": corners.round(6).tolist(),
        "size_mm": [round(float(side), 1) for side in size],
    }


def _reframed(draft: Draft, corners: Points, size_mm: tuple[float, float]) -> Draft:
    to_new = homography_of_quads(corners, np.array(UNIT_FRAME))

    def moved(x: float, y: float) -> Points:
        return np.asarray(project(to_new, np.array([[x, y]]))[0], np.float64)

    def turned(box: Box) -> Box:
        way = np.radians(box.angle)
        ahead = PROBE * np.array([np.cos(way), np.sin(way) * draft.size_mm[0] / draft.size_mm[1]])
        here = moved(box.x, box.y)
        right, down = (moved(box.x + ahead[0], box.y + ahead[1]) - here) * size_mm
        return Box.seen_at(here, line_deg(right, down))

    places = {}
    for number, place in draft.places.items():
        x, y = moved(place.x, place.y)
        places[number] = replace(place, x=round(float(x), 5), y=round(float(y), 5))
    lines = {
        number: replace(line, boxes=tuple(map(turned, line.boxes)))
        for number, line in draft.lines.items()
    }
    from_base = homography_of_quads(np.array(UNIT_FRAME), np.array(draft.frame))
    frame = _as_frame(project(from_base, corners))
    return replace(draft, size_mm=size_mm, places=places, lines=lines, frame=frame)


def _as_frame(points: Points) -> tuple[tuple[float, float], ...]:
    rows: Sequence[Sequence[float]] = points.round(7).tolist()
    return tuple((float(x), float(y)) for x, y in rows)
