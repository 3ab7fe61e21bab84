"""Opens the shadows of a photo whose contrast a filter has raised.

"Dramatic" filters and high contrast press all that is dark towards black: green and blue wagons
then look black, and a network that saw plain photos is sure of it. As long as the levels are not
cut off they can be spread again.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images.hull import mask_within
from vision.images.levels import percentile
from vision.images.resize import shrunk_by


@dataclass(frozen=True, slots=True)
class ShadowLimits:
    """When shadows are too deep, and how far they are opened; see docs/decisions/0058."""

    dark_percent: float = 5.0
    bright_percent: float = 90.0
    """A part of the board is as dark as so much of it, the board as bright as so much."""
    cells: int = 6
    """The board is looked at in so many parts along either side, so that neither a black sleeve nor
    the shadow of a hand counts for all."""
    deep_below: float = 0.13
    """Shadows are too deep where dark levels are less than this part of bright ones, in the median
    of the parts. Clear photos and renders have 0.227 at least, dramatic filters 0.122 at most."""
    usual: float = 0.3
    """What the dark levels are brought to."""
    least_power: float = 0.45
    """No power less than this is taken of the levels: what was cut off is noise."""
    sample_side_px: int = 300
    """They are measured on a copy not much larger than this: dark edges that a camera sharpens are
    not seen there."""


SHADOW_LIMITS = ShadowLimits()

LEVELS = np.arange(256) / 255


def with_open_shadows(
    image_bgr: NDArray[np.uint8], within_px: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """An image (H, W, 3) with its shadows opened; the image itself where they are not too deep.

    `within_px` (N, 2) are points whose convex hull is the board.
    """
    levels, times = _sample(image_bgr)
    dark = _dark_part(levels, within_px / times)
    if dark >= SHADOW_LIMITS.deep_below:
        return image_bgr
    power = math.log(SHADOW_LIMITS.usual) / math.log(max(dark, 1 / 255))
    table = np.rint(255 * LEVELS ** max(power, SHADOW_LIMITS.least_power)).astype(np.uint8)
    return np.asarray(cv2.LUT(image_bgr, table), np.uint8)


def _sample(image_bgr: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], int]:
    """The brightest channel (H, W) of a small copy, and how many times smaller it is.

    Means of sixteen pixels are enough; of a large photo to look at every pixel takes twice as long.
    """
    height, width = image_bgr.shape[:2]
    times = max(1, max(height, width) // SHADOW_LIMITS.sample_side_px)
    step = max(1, times // 4)
    size = (width // step, height // step)
    thinned = cv2.resize(image_bgr, size, interpolation=cv2.INTER_NEAREST)
    small = shrunk_by(np.asarray(thinned, np.uint8), max(1, times // step))
    brightest = np.maximum.reduce(cv2.split(small))
    return brightest, step * max(1, times // step)


def _dark_part(levels: NDArray[np.uint8], within_px: NDArray[np.float64]) -> float:
    """Dark levels (H, W) of the board's parts over its bright ones; 1 where none of it is seen."""
    height, width = levels.shape
    inside = mask_within((height, width), within_px)
    rows, columns = (np.flatnonzero(inside.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return 1.0
    bright = percentile(levels[inside], SHADOW_LIMITS.bright_percent)
    cells = [
        cell
        for some_rows in np.array_split(rows, SHADOW_LIMITS.cells)
        for some in np.array_split(columns, SHADOW_LIMITS.cells)
        if 2 * len(cell := _seen(levels, inside, some_rows, some)) > len(some_rows) * len(some)
    ]
    dark = [percentile(cell, SHADOW_LIMITS.dark_percent) for cell in cells]
    return float(np.median(dark) / max(bright, 1.0)) if dark else 1.0


def _seen(
    levels: NDArray[np.uint8],
    inside: NDArray[np.bool_],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> NDArray[np.uint8]:
    """The board's own levels, (P,), in some rows and columns."""
    cell = np.ix_(rows, columns)
    return np.asarray(levels[cell][inside[cell]])
