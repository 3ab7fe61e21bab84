"""Finds how large a board's boxes are in a photo, and with them the board's proportions."""

import numpy as np
from numpy.typing import NDArray

from calibration.errors import StudioError
from calibration.studio.boxes import BOX, Boxes, Cells, find_boxes, look
from calibration.studio.straightening import Straight, shape_of, straighten
from vision.registration_geometry import Points

LONG_SIDES = (800.0, 640.0, 1000.0, 500.0)
"""Long side of the board in units that are tried first; the common boards have about 800."""

FEWEST = 8
"""Boxes that a board must show at least to be taken for one."""


def straighten_to_boxes(
    photo_bgr: NDArray[np.uint8], corners_px: Points, aspect: float | None
) -> tuple[Straight, Cells]:
    """The board in the size in which its boxes are `BOX` long, and what the network sees there.

    `aspect` is width over height where it is known. Raises StudioError where no boxes are seen.
    """
    given = aspect is not None
    shape = aspect if given else shape_of(corners_px, photo_bgr.shape[1::-1])
    straight, cells, boxes = _best_first(photo_bgr, corners_px, shape)
    for _ in range(2):
        straight = straighten(photo_bgr, corners_px, _better_size(straight, boxes, given))
        cells = look(straight)
        boxes = find_boxes(cells)
        if len(boxes) < FEWEST:
            raise StudioError("calibration.studio.no-boxes")
    return straight, cells


def _best_first(
    photo_bgr: NDArray[np.uint8], corners_px: Points, aspect: float
) -> tuple[Straight, Cells, Boxes]:
    """Of some sizes the one in which most boxes are seen; raises StudioError where there are none."""
    tries = []
    for long_side in LONG_SIDES:
        size = (long_side, long_side / aspect) if aspect > 1 else (long_side * aspect, long_side)
        straight = straighten(photo_bgr, corners_px, size)
        cells = look(straight)
        tries.append((straight, cells, find_boxes(cells)))
    best = max(tries, key=lambda seen: float((seen[2].likeness * _fitting(seen[2])).sum()))
    if len(best[2]) < FEWEST:
        raise StudioError("calibration.studio.no-boxes")
    return best


def _fitting(boxes: Boxes) -> Points:
    """How well each box has the expected length, 0..1."""
    return np.asarray(np.exp(-((np.log(boxes.sizes[:, 0] / BOX) / 0.25) ** 2)))


def _better_size(straight: Straight, boxes: Boxes, keep_shape: bool) -> tuple[float, float]:
    """The size in which boxes in every direction are `BOX` long.

    A box along (x, y) of a picture that is stretched by (sx, sy) satisfies
    (x / sx)^2 + (y / sy)^2 = BOX^2, which is linear in 1 / sx^2 and 1 / sy^2.
    """
    vectors = boxes.along * boxes.sizes[:, :1] / BOX
    usual = np.abs(np.log(boxes.sizes[:, 0] / np.median(boxes.sizes[:, 0]))) < 0.15
    squares = vectors[usual] ** 2
    if keep_shape:
        squares = squares.sum(axis=1, keepdims=True) / np.ones((1, 2)) / 2
    hold = 2.0 * np.eye(2) / np.mean(squares.sum(axis=1))
    middle = np.full(2, 1 / np.mean(squares.sum(axis=1)))
    inverse = np.linalg.solve(
        squares.T @ squares + hold, squares.sum(axis=0) + hold @ middle
    )
    stretch = np.sqrt(1 / np.clip(inverse, 0.2, 5.0))
    return float(straight.size[0] / stretch[0]), float(straight.size[1] / stretch[1])
