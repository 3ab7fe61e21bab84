"""Finds how large a board's boxes are in a photo, and with them the board's proportions."""

import numpy as np
from numpy.typing import NDArray

from calibration.errors import StudioError
from calibration.studio.boxes import BOX, Boxes, without_copies
from calibration.studio.measuring import measured
from calibration.studio.searching import Cells, look, supposed_boxes
from calibration.studio.straightening import Straight, aspect_of, straighten
from vision.registration.geometry import Points

LONG_SIDES = (800.0, 690.0, 930.0, 590.0)
"""Long side of the board in units that are tried first; the common boards have about 800."""

FEWEST = 8
"""Boxes that a board must show at least to be taken for one."""

LIKELY = 0.5
"""Likeness from which on a supposed box, and one that was measured, tells the size."""


def straighten_to_boxes(
    photo_bgr: NDArray[np.uint8], corners_px: Points, aspect: float | None
) -> Straight:
    """The board in the size in which its boxes are `BOX` long.

    `aspect` is width over height where it is known. Raises StudioError where no boxes are seen.
    """
    known = aspect is not None
    first = aspect or aspect_of(corners_px, (photo_bgr.shape[1], photo_bgr.shape[0]))
    straight = _best_first(photo_bgr, corners_px, first)
    for _ in range(2):
        boxes = likely_boxes(straight, look(straight))
        if len(boxes) < FEWEST:
            raise StudioError("calibration.studio.no-boxes")
        straight = straighten(photo_bgr, corners_px, _better_size(straight, boxes, known))
    return straight


def likely_boxes(straight: Straight, cells: Cells) -> Boxes:
    """Boxes that are seen and measured as such."""
    boxes = measured(straight, supposed_boxes(cells, LIKELY), rounds=1)
    return without_copies(boxes.chosen(boxes.likeness > LIKELY))


def _best_first(photo_bgr: NDArray[np.uint8], corners_px: Points, aspect: float) -> Straight:
    """Of some sizes the one in which most boxes are seen."""
    tries = []
    for long_side in LONG_SIDES:
        size = (long_side, long_side / aspect) if aspect > 1 else (long_side * aspect, long_side)
        straight = straighten(photo_bgr, corners_px, size)
        seen = supposed_boxes(look(straight), LIKELY).likeness.sum()
        tries.append((float(seen), straight))
    return max(tries, key=lambda seen: seen[0])[1]


def _better_size(straight: Straight, boxes: Boxes, keep_shape: bool) -> tuple[float, float]:
    """The size in which boxes in every direction are `BOX` long.

    A box along (x, y) of a picture that is stretched by (sx, sy) satisfies
    (x / sx)^2 + (y / sy)^2 = BOX^2, which is linear in 1 / sx^2 and 1 / sy^2.
    """
    lengths = boxes.sizes[:, 0]
    usual = np.abs(np.log(lengths / np.median(lengths))) < 0.12
    common = float(np.median(lengths)) / BOX
    if keep_shape or usual.sum() < 40:
        return straight.size[0] / common, straight.size[1] / common
    squares = (boxes.along[usual] * lengths[usual][:, None] / BOX) ** 2
    inverse = np.linalg.lstsq(squares, np.ones(len(squares)), rcond=None)[0]
    stretch = np.clip(np.sqrt(1 / np.clip(inverse, 1e-3, None)), 0.85 * common, 1.15 * common)
    return float(straight.size[0] / stretch[0]), float(straight.size[1] / stretch[1])
