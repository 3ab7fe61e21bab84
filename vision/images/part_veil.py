"""Takes away a veil that lies over a part of the board: a window or a lamp mirrored in it, softly.

Like a veil over all of a photo (`veil.py`) it adds light, so that black wagons turn grey and the
colours of the others fade, but only there. So the board is looked at through a window that slides
over it: as every third part of a board shows something black, what is nowhere dark in a window is
veiled. Every place is as veiled as the most veiled of the windows that it lies in, so that the veil
ends where it ends (an opening of the dark channel of He et al. 2009).
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images.hull import mask_within
from vision.images.levels import percentile
from vision.images.light import LINEAR, from_linear, to_linear


@dataclass(frozen=True, slots=True)
class PartVeilLimits:
    """When a part is veiled, and how much is taken away; see docs/decisions/0060."""

    cells: int = 16
    """The board is looked at in so many cells along either side of the box around it."""
    window: int = 6
    """A window is so many cells wide and high."""
    darkest_percent: float = 1.0
    """So much of a window is nearly black, in each channel by itself."""
    bright_percent: float = 90.0
    """So much of the board is no brighter than pale print, in each channel by itself."""
    veiled_from: float = 0.1
    """A window is veiled where even the channel that is least lifted is nowhere darker than this
    part of pale print."""
    usual: float = 0.04
    """What a window's darkest pixels usually have of pale print; only what is more is taken."""
    tint: float = 1.5
    """A veil lifts no channel by more than this times the least lifted, as parts of pale print:
    what is lifted more only lacks wagons and print of other colours."""
    swelling: float = 0.04
    """A veil's curvature at its middle: so much of pale print, times the square of the cells from
    there, does it fall."""
    seen: float = 0.5
    """A window tells something where at least this part of it shows the board."""
    smooth_cells: float = 0.6
    """Standard deviation of the blur between cells."""
    sample_side_px: int = 600
    """The veil is measured on every so-manyth pixel, about so many along the longer side."""


PART_VEIL_LIMITS = PartVeilLimits()

LEVELS = np.rint(255 * from_linear(np.linspace(0, 1, 65_536))).astype(np.uint8)
"""The level of linear light in so fine steps, (65536,): a power for every pixel takes longer."""


@dataclass(frozen=True, slots=True, eq=False)
class _Board:
    """A board in an image: its box there, `levels` (H, W, 3) of some of the box's pixels, and which
    of them, `inside` (H, W), show the board."""

    box: tuple[slice, slice]
    levels: NDArray[np.uint8]
    inside: NDArray[np.bool_]


def without_part_veil(
    image_bgr: NDArray[np.uint8], board_px: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """An image (H, W, 3) without what veils a part of its board; the image itself if nothing does.

    `board_px` (N, 2) are points whose convex hull is the board.
    """
    board = _board(image_bgr, board_px)
    if not board.inside.any():
        return image_bgr
    levels = board.levels[board.inside]
    white = [percentile(channel, PART_VEIL_LIMITS.bright_percent) for channel in levels.T]
    white_bgr = to_linear(np.maximum(white, 1))
    counts = _counts(board)
    veil = _darkest(counts, board.inside) / white_bgr
    if veil.min(axis=2).max() < PART_VEIL_LIMITS.veiled_from:
        return image_bgr
    veil = np.maximum(veil, _rounded(counts, board.inside, white_bgr))
    least = veil.min(axis=2, keepdims=True)
    veil = np.minimum(veil, PART_VEIL_LIMITS.tint * least)
    added = np.maximum(veil - PART_VEIL_LIMITS.usual, 0.0)
    return _less(image_bgr, board.box, added * white_bgr)


def _board(image_bgr: NDArray[np.uint8], board_px: NDArray[np.float64]) -> _Board:
    least, most = np.floor(board_px.min(axis=0)), np.ceil(board_px.max(axis=0))
    left, top = np.maximum(least, 0).astype(int).tolist()
    right, bottom = np.minimum(most, image_bgr.shape[1::-1]).astype(int).tolist()
    box = (slice(top, max(top, bottom)), slice(left, max(left, right)))
    step = max(1, max(image_bgr.shape[:2]) // PART_VEIL_LIMITS.sample_side_px)
    levels = image_bgr[box][::step, ::step]
    height, width = levels.shape[:2]
    return _Board(box, levels, mask_within((height, width), (board_px - (left, top)) / step))


def _darkest(counts: NDArray[np.int64], inside: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The linear light of what is darkest about each cell, (cells, cells, 3): the brightest of the
    windows that it lies in."""
    cells, window = PART_VEIL_LIMITS.cells, PART_VEIL_LIMITS.window
    dark, pixels = _dark(_summed(counts))
    dark[pixels < PART_VEIL_LIMITS.seen * (window / cells) ** 2 * inside.size] = 0.0
    darkest = np.zeros((cells, cells, 3))
    for row, column in np.ndindex(dark.shape[:2]):
        within = darkest[row : row + window, column : column + window]
        np.maximum(within, dark[row, column], out=within)
    return darkest


def _rounded(
    counts: NDArray[np.int64], inside: NDArray[np.bool_], white_bgr: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The same, of a veil that swells towards its middle: what is darkest in each cell by itself,
    opened by a paraboloid. A cell without anything dark is no higher than the paraboloid that
    touches those around it."""
    cells = PART_VEIL_LIMITS.cells
    dark, pixels = _dark(counts)
    seen = (pixels[..., 0] >= PART_VEIL_LIMITS.seen / cells**2 * inside.size).ravel()
    at = np.mgrid[:cells, :cells].reshape(2, -1).T
    sinks = PART_VEIL_LIMITS.swelling * ((at[:, None] - at) ** 2).sum(axis=2)
    flat = (dark / white_bgr).reshape(-1, 3)
    under = np.stack([(flat[seen, c] + sinks[:, seen]).min(axis=1) for c in range(3)], axis=1)
    over = np.stack([(under[:, c] - sinks).max(axis=1) for c in range(3)], axis=1)
    return np.maximum(over, 0.0).reshape(cells, cells, 3)


def _dark(counts: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The linear light (..., 3) of the darkest hundredth, and how many pixels are counted."""
    pixels = counts.sum(axis=-1)
    below = counts.cumsum(axis=-1) <= pixels[..., None] * PART_VEIL_LIMITS.darkest_percent / 100
    return LINEAR[np.minimum(below.sum(axis=-1), 255)], pixels


def _counts(board: _Board) -> NDArray[np.int64]:
    """How many of the board's pixels each cell has of each level, (cells, cells, 3, 256)."""
    cells = PART_VEIL_LIMITS.cells
    rows, columns = (np.arange(side) * cells // side for side in board.inside.shape)
    cell = (rows[:, None] * cells + columns)[board.inside]
    counts = [
        np.bincount(cell * 256 + board.levels[..., channel][board.inside], minlength=256 * cells**2)
        for channel in range(3)
    ]
    return np.stack(counts, axis=-1).reshape(cells, cells, 256, 3).swapaxes(2, 3)


def _summed(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The counts of every window, by its upper left cell."""
    window = PART_VEIL_LIMITS.window
    for axis in (0, 1):
        up_to = np.moveaxis(np.insert(counts.cumsum(axis=axis), 0, 0, axis=axis), axis, 0)
        counts = np.moveaxis(up_to[window:] - up_to[:-window], 0, axis)
    return counts


def _less(
    image_bgr: NDArray[np.uint8], box: tuple[slice, slice], added: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """An image whose box has less of that linear light, (cells, cells, 3), the rest stretched."""
    clear = image_bgr.copy()
    part = clear[box]
    blurred = cv2.GaussianBlur(added.astype(np.float32), (0, 0), PART_VEIL_LIMITS.smooth_cells)
    smooth = np.asarray(blurred, np.float32)
    veil = cv2.resize(smooth, part.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    veiled = _veiled(smooth, part.shape[:2])
    veil = veil[veiled]
    light = (LINEAR.astype(np.float32)[part[veiled]] - veil) / (1 - veil)
    steps = np.rint(np.clip(light, 0.0, 1.0) * (len(LEVELS) - 1)).astype(np.uint16)
    part[veiled] = LEVELS[steps]
    return clear


def _veiled(veil: NDArray[np.float32], size_px: tuple[int, ...]) -> tuple[slice, ...]:
    """The rows and columns of a picture of that height and width that a veil of some cells,
    (cells, cells, 3), reaches once it is laid over it."""
    slices = []
    for axis, side in enumerate(size_px):
        cells = np.flatnonzero(veil.any(axis=(1 - axis, 2)))
        cell_px = side / veil.shape[axis]
        first, end = (cells[0] - 0.5) * cell_px, (cells[-1] + 1.5) * cell_px
        slices.append(slice(max(0, int(first)), int(end) + 1))
    return tuple(slices)
