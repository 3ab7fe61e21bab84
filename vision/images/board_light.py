"""Tells the light on a board, also where a window is mirrored in a part of it by a lamp.

The two have different colours. Measured over all of the board the light is a mixture of both, and
balanced by that a lamp leaves blue wagons green. So where even what is darkest in some parts of the
board has more blue than the lamp gives to pale print in the others, the lamp's light alone counts:
that of the parts with the least blue. What the window does to its own part is left.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.images.cells import are_seen, cells_within, counts_of_levels, light_below
from vision.images.hull import mask_within, pixels_of
from vision.images.light import LIGHT_LIMITS, balanced, is_cast, light_of, to_linear
from vision.images.resize import shrunk_by

BLUE, RED = 0, 2


@dataclass(frozen=True, slots=True)
class TwoLightsLimits:
    """When a second light lies over a part of a board; see docs/decisions/0086."""

    cells: int = 16
    """The board is looked at in so many cells along either side of the image,"""
    sample_step: int = 2
    """on every so-manyth pixel along it."""
    pale_percent: float = 90.0
    """So much of a cell is no brighter than its pale print,"""
    dark_percent: float = 1.0
    """and so much nearly black, in each channel by itself."""
    seen: float = 0.5
    """A cell tells something where at least this part of it shows the board."""
    by_lamp_percent: float = 30.0
    """So many of the cells, those whose pale print has the least blue beside red, are lit by the
    lamp alone."""
    bluer: float = 2.0
    """There are two lights where the board has this many times as much blue beside red as these
    cells, whose own light is a lamp's,"""
    veiled_percent: float = 90.0
    veil: float = 1.2
    veil_bluer: float = 2.5
    """and of all but so many cells even the darkest has this many times the blue that the lamp
    gives to print, and so many times as much of the lamp's blue as of its red: a print of several
    colours does not."""


TWO_LIGHTS_LIMITS = TwoLightsLimits()


def light_on_board(
    image_bgr: NDArray[np.uint8], outline_px: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The light, ndarray of shape (3,), mean linear BGR, 0..1, on the board within an outline.

    `image_bgr` has shape (H, W, 3), `outline_px` (N, 2) are points whose convex hull it is.
    """
    times = max(1, max(image_bgr.shape[:2]) // LIGHT_LIMITS.sample_side_px)
    small = shrunk_by(image_bgr, times)
    inside = mask_within((small.shape[0], small.shape[1]), outline_px / times)
    light_bgr = light_of(pixels_of(small, inside))
    step = TWO_LIGHTS_LIMITS.sample_step
    lamp_bgr = _lamp_beside_window(small[::step, ::step], inside[::step, ::step], light_bgr)
    return light_bgr if lamp_bgr is None else lamp_bgr


def in_daylight(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A straightened board (H, W, 3), balanced where its light has a cast."""
    height, width = image_bgr.shape[:2]
    outline_px = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    light_bgr = light_on_board(image_bgr, outline_px)
    return balanced(image_bgr, light_bgr) if is_cast(light_bgr) else image_bgr


def _lamp_beside_window(
    sample_bgr: NDArray[np.uint8], inside: NDArray[np.bool_], light_bgr: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """The lamp's light (3,) on a board where a window's lies over a part of it, else None.

    `sample_bgr` (H, W, 3) shows the board where it is `inside` (H, W), `light_bgr` (3,) is its
    light.
    """
    limits, pixels = TWO_LIGHTS_LIMITS, sample_bgr[inside]
    cell = cells_within(inside, limits.cells)
    counts = counts_of_levels(pixels, cell, limits.cells).reshape(-1, 3, 256)
    seen = are_seen(counts, limits.seen, inside.size / limits.cells**2)
    if not seen.any():
        return None
    pale = np.maximum(light_below(counts, limits.pale_percent), to_linear(np.array(1)))
    blueness = np.where(seen, pale[:, BLUE] / pale[:, RED], np.inf)
    by_lamp = blueness <= np.percentile(blueness[seen], limits.by_lamp_percent)
    lamp_bgr = light_of(pixels[by_lamp[cell]])
    if not is_cast(lamp_bgr) or _blueness(light_bgr) < limits.bluer * _blueness(lamp_bgr):
        return None
    dark = light_below(counts[seen], limits.dark_percent)
    veil = np.percentile(dark, limits.veiled_percent, axis=0) / lamp_bgr
    is_other = veil[BLUE] > max(limits.veil, limits.veil_bluer * veil[RED])
    return lamp_bgr if is_other else None


def _blueness(light_bgr: NDArray[np.float64]) -> float:
    return float(light_bgr[BLUE] / light_bgr[RED])
