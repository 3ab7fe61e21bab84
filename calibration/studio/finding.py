"""Finds the board's corners in a photo, and refuses photos that can't be taught from."""

import numpy as np
from numpy.typing import NDArray

from calibration.errors import StudioError
from vision.errors import BoardNotFoundError
from vision.images.photo import check_quality, take_another
from vision.images.resize import shrunk_to_side
from vision.registration.geometry import Points, is_seen_from_above, project
from vision.registration.heatmaps import predict_heatmaps, seen_outline
from vision.registration.outline import find_outline

LEAST_SIDE_PX = 1000
"""Under this a printed box is less than 10 pixels wide and can't be measured to a millimetre."""

WORKING_SIDE_PX = 2400
USUAL_LONG_MM = 795.0
"""Long side of most boards: the outline is seen at about 1 px a millimetre."""

LEAST_LIKENESS = 0.78
"""An outline that holds what the network marked worse than that is no board's."""


def check_photo(photo_bgr: NDArray[np.uint8]) -> None:
    """Raise StudioError for a photo that is too small, ImageError for one of no use."""
    height, width = photo_bgr.shape[:2]
    if max(height, width) < LEAST_SIDE_PX:
        raise StudioError(
            "calibration.studio.too-small", width=width, height=height, least=LEAST_SIDE_PX
        )
    check_quality(photo_bgr)


def check_corners(corners_px: Points) -> Points:
    """The corners (4, 2), if they go round something; raises BoardNotFoundError."""
    if not np.isfinite(corners_px).all() or not is_seen_from_above(corners_px):
        raise BoardNotFoundError("vision.board.corners")
    return corners_px


def find_corners(photo_bgr: NDArray[np.uint8]) -> Points:
    """The board's outer corners (4, 2), photo pixels, from the one nearest the top left, clockwise.

    Raises BoardNotFoundError where no board is seen.
    """
    small, scale = shrunk_to_side(photo_bgr, WORKING_SIDE_PX)
    outline = find_outline(small)
    if outline is None or outline.likeness < LEAST_LIKENESS:
        raise BoardNotFoundError("vision.board.none", again=take_another(photo_bgr))
    corners = outline.corners_px
    for _ in range(2):
        corners = _seen_corners(small, corners)
    return np.asarray(corners / scale, np.float64)


def _seen_corners(photo_bgr: NDArray[np.uint8], corners_px: Points) -> Points:
    """The same corners where the board is seen to begin in a straightened picture."""
    sight = predict_heatmaps(photo_bgr, corners_px, _usual_size(corners_px))
    seen = project(sight.to_photo, seen_outline(sight))
    return seen if is_seen_from_above(seen) else corners_px


def _usual_size(corners_px: Points) -> tuple[float, float]:
    """About the size of what is seen, its long side as most boards have it."""
    sides = np.hypot(*(np.roll(corners_px, -1, axis=0) - corners_px).T)
    width, height = sides[[0, 2]].mean(), sides[[1, 3]].mean()
    unit = USUAL_LONG_MM / max(width, height)
    return float(width * unit), float(height * unit)
