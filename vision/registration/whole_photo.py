"""Outlines of a board by what the network of the spaces sees in a whole photo.

The network of the outline sees a photo at 256 pixels, where a checked cloth looks like a board.
This one knows the spaces, too, but looks at far more pixels: it is asked where no board fits.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.geometry import Points, corners_of_size
from vision.registration.heatmaps import CELL_MM, MARGIN_MM
from vision.registration.outline import PLAIN, SIDE_PX, BoardOutline, outline_of
from vision.registration.pattern_fit import heatmaps_at

LONG_SIDES_MM = (1000.0, 1300.0)
"""What the photo's long side may be on the table: a board's is 0.6 to 0.8 m."""


def outlines_by_spaces(photo_bgr: NDArray[np.uint8]) -> Iterator[BoardOutline]:
    """Outlines that may be a board's in a photo (H, W, 3), BGR, each when it is asked for."""
    size_px = np.array(photo_bgr.shape[1::-1], np.float64)
    scale = SIDE_PX / size_px.max()
    wide, high = np.round(size_px * scale).astype(int).tolist()
    for long_side_mm in LONG_SIDES_MM:
        seen = _board_seen(photo_bgr, size_px, size_px * long_side_mm / size_px.max())
        square = np.zeros((SIDE_PX, SIDE_PX), np.float32)
        square[:high, :wide] = cv2.resize(seen, (wide, high), interpolation=cv2.INTER_LINEAR)
        outline = outline_of(square, PLAIN.likelier_than, size_px * scale, scale)
        if outline is not None:
            yield outline


def _board_seen(
    photo_bgr: NDArray[np.uint8], size_px: Points, size_mm: Points
) -> NDArray[np.float32]:
    """How likely each cell of the photo is board, if the whole photo, with width and height
    `size_px`, shows so much of the table."""
    width_mm, height_mm = size_mm.tolist()
    width_px, height_px = size_px.tolist()
    corners_px = corners_of_size((width_px, height_px)) - 0.5
    heatmaps = heatmaps_at(photo_bgr, corners_px, (width_mm, height_mm))
    first = round(MARGIN_MM / CELL_MM)
    columns, rows = (first + round(side_mm / CELL_MM) for side_mm in (width_mm, height_mm))
    return heatmaps.board[first:rows, first:columns]
