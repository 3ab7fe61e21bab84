"""Counts an image's levels in cells, to tell what is bright and dark in each part of it."""

import numpy as np
from numpy.typing import NDArray

from vision.images.light import LINEAR


def cells_within(inside: NDArray[np.bool_], side_cells: int) -> NDArray[np.int64]:
    """In which of `side_cells` squared cells, counted row by row, each pixel lies of those that are
    `inside` (H, W); (P,)."""
    rows, columns = (np.arange(side) * side_cells // side for side in inside.shape)
    return np.asarray((rows[:, None] * side_cells + columns)[inside], np.int64)


def counts_of_levels(
    pixels: NDArray[np.uint8], cell: NDArray[np.int64], side_cells: int
) -> NDArray[np.int64]:
    """How many of the pixels (P, 3) in those cells (P,) have each level in each channel,
    (side_cells, side_cells, 3, 256)."""
    cells = side_cells**2
    counts = [np.bincount(cell * 256 + channel, minlength=256 * cells) for channel in pixels.T]
    return np.stack(counts, axis=-1).reshape(side_cells, side_cells, 256, 3).swapaxes(2, 3)


def are_seen(counts: NDArray[np.int64], least_part: float, pixels: float) -> NDArray[np.bool_]:
    """Where at least that part of so many pixels was counted, (..., 3, 256), for each of (...)."""
    return np.asarray(counts[..., 0, :].sum(axis=-1) >= least_part * pixels)


def light_below(counts: NDArray[np.int64], percent: float) -> NDArray[np.float64]:
    """The linear light (..., 3) that so much of what was counted, (..., 3, 256), is below."""
    pixels = counts.sum(axis=-1, keepdims=True)
    below = counts.cumsum(axis=-1) <= pixels * percent / 100
    return np.asarray(LINEAR[np.minimum(below.sum(axis=-1), 255)])
