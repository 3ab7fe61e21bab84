"""Takes away a veil that lies over a part of the board: a window or a lamp mirrored in it, softly.

Like a veil over all of a photo (`veil.py`) it adds light, so that black wagons turn grey and the
colours of the others fade, but only there. So the board is looked at through a window that slides
over it: as every third part of a board shows something black, what is nowhere dark in a window is
veiled. Every place is as veiled as the most veiled of the windows that it lies in, so that the veil
ends where it ends (an opening of the dark channel of He et al. 2009). Where black shows what colour
the veil has, that colour is taken away, and the veil may swell towards its middle.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images.cells import are_seen, cells_within, counts_of_levels, light_below
from vision.images.hull import mask_within
from vision.images.levels import percentile
from vision.images.light import LINEAR, from_linear, to_linear
from vision.images.resize import shrunk_by


@dataclass(frozen=True, slots=True)
class PartVeilLimits:
    """When a part is veiled, and how much is taken away; see docs/decisions/0060 and 0080."""

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
    """A veil falls from its middle by no more than this part of pale print, times the square of the
    cells from there."""
    told_from: float = 0.06
    """Cells that are lifted by this part of pale print above the usual tell the veil's colour,"""
    black_part: float = 0.015
    """by so much of them, the darkest in all channels together,"""
    black_within: float = 1.25
    black_off: float = 0.02
    """if that is lifted no more than so many times what is darkest in each channel by itself, and
    this part of pale print more;"""
    fewest_black: int = 4
    """and if so many cells tell it."""
    tint_spread: float = 1.3
    """A veil lifts no channel by more than this times another, as parts of pale print: else it is
    other light than the board's, a window's by a lamp, of which black shows too little."""
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
    """A board in an image: its box there, and which pixels of the box, made smaller, show the
    board, `inside` (H, W). `pixels` (P, 3) are the levels of those, `cell` (P,) says in which cell
    each of them lies, row by row."""

    box: tuple[slice, slice]
    inside: NDArray[np.bool_]
    pixels: NDArray[np.uint8]
    cell: NDArray[np.int64]


def without_part_veil(
    image_bgr: NDArray[np.uint8], board_px: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """An image (H, W, 3) without what veils a part of its board; the image itself if nothing does.

    `board_px` (N, 2) are points whose convex hull is the board.
    """
    board = _board(image_bgr, board_px)
    if not board.inside.any():
        return image_bgr
    white = [percentile(channel, PART_VEIL_LIMITS.bright_percent) for channel in board.pixels.T]
    white_bgr = to_linear(np.maximum(white, 1))
    counts = _counts(board)
    veil = _darkest(counts, board.inside) / white_bgr
    if veil.min(axis=2).max() < PART_VEIL_LIMITS.veiled_from:
        return image_bgr
    dark = np.where(_seen(counts, 1, board.inside)[..., None], _dark(counts) / white_bgr, np.inf)
    swollen = np.maximum(veil, _swelling(dark))
    tint = _tint(board, dark, swollen, white_bgr)
    added = _added(veil) if tint is None else _added_of(swollen, tint)
    return _less(image_bgr, board.box, added * white_bgr)


def _added(veil: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is taken from each cell, (cells, cells, 3), as parts of pale print, where nothing is
    darker than `veil` (cells, cells, 3) and what colour was added is not known."""
    capped = np.minimum(veil, PART_VEIL_LIMITS.tint * veil.min(axis=2, keepdims=True))
    return np.asarray(np.maximum(capped - PART_VEIL_LIMITS.usual, 0.0))


def _added_of(veil: NDArray[np.float64], tint: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same of light of that tint (3,)."""
    lifted = np.maximum(veil - PART_VEIL_LIMITS.usual, 0.0) / tint
    return np.asarray(lifted.min(axis=2, keepdims=True) * tint)


def _board(image_bgr: NDArray[np.uint8], board_px: NDArray[np.float64]) -> _Board:
    least, most = np.floor(board_px.min(axis=0)), np.ceil(board_px.max(axis=0))
    left, top = np.maximum(least, 0).astype(int).tolist()
    right, bottom = np.minimum(most, image_bgr.shape[1::-1]).astype(int).tolist()
    box = (slice(top, max(top, bottom)), slice(left, max(left, right)))
    step = max(1, max(image_bgr.shape[:2]) // PART_VEIL_LIMITS.sample_side_px)
    levels = shrunk_by(image_bgr[box], step)
    height, width = levels.shape[:2]
    inside = mask_within((height, width), (board_px - (left, top)) / step)
    return _Board(box, inside, levels[inside], cells_within(inside, PART_VEIL_LIMITS.cells))


def _darkest(counts: NDArray[np.int64], inside: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The linear light of what is darkest about each cell, (cells, cells, 3): the brightest of the
    windows that it lies in."""
    cells, window = PART_VEIL_LIMITS.cells, PART_VEIL_LIMITS.window
    of_windows = _summed(counts)
    dark = np.where(_seen(of_windows, window, inside)[..., None], _dark(of_windows), 0.0)
    darkest = np.zeros((cells, cells, 3))
    for row, column in np.ndindex(dark.shape[:2]):
        within = darkest[row : row + window, column : column + window]
        np.maximum(within, dark[row, column], out=within)
    return darkest


def _swelling(dark: NDArray[np.float64]) -> NDArray[np.float64]:
    """A veil (cells, cells, 3) that swells towards its middle: what is darkest in each cell by
    itself, `dark` (cells, cells, 3), opened by a paraboloid (Sternberg 1983). A cell without
    anything dark, or unseen, is no higher than the paraboloid that touches those around it."""
    cells = PART_VEIL_LIMITS.cells
    at = np.mgrid[:cells, :cells].reshape(2, -1).T
    sinks = PART_VEIL_LIMITS.swelling * ((at[:, None] - at) ** 2).sum(axis=2)
    under = [(channel + sinks).min(axis=1) for channel in dark.reshape(-1, 3).T]
    over = [(channel - sinks).max(axis=1) for channel in under]
    return np.asarray(np.maximum(np.stack(over, axis=1), 0.0).reshape(dark.shape))


def _tint(
    board: _Board,
    dark: NDArray[np.float64],
    veil: NDArray[np.float64],
    white_bgr: NDArray[np.float64],
) -> NDArray[np.float64] | None:
    """The veil's colour (3,) as parts of pale print's, 1 in the mean; None where nothing tells it.

    It is what black shows under it. Black is seen in a cell where one and the same pixels are the
    darkest in all channels.
    """
    usual, cells = PART_VEIL_LIMITS.usual, PART_VEIL_LIMITS.cells
    cell = board.cell
    in_order = np.argsort(cell, kind="stable")
    light = LINEAR.astype(np.float32)[board.pixels[in_order]] / white_bgr
    first = np.searchsorted(cell[in_order], np.arange(cells**2 + 1))
    seen = np.isfinite(dark).all(axis=2)
    tints = []
    for k in np.flatnonzero(seen & (veil.min(axis=2) > usual + PART_VEIL_LIMITS.told_from)):
        mine = light[first[k] : first[k + 1]]
        few = max(3, round(PART_VEIL_LIMITS.black_part * len(mine)))
        if few >= len(mine):
            continue
        lifted = mine[np.argpartition(mine.sum(axis=1), few)[:few]].mean(axis=0) - usual
        least = dark.reshape(-1, 3)[k] - usual
        if (lifted <= PART_VEIL_LIMITS.black_within * least + PART_VEIL_LIMITS.black_off).all():
            tints.append(lifted / lifted.mean())
    if len(tints) < PART_VEIL_LIMITS.fewest_black:
        return None
    tint = np.median(tints, axis=0)
    if tint.max() > PART_VEIL_LIMITS.tint_spread * tint.min():
        return None
    return np.asarray(tint / tint.mean())


def _dark(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The linear light (..., 3) of the darkest hundredth of what was counted (..., 3, 256)."""
    return light_below(counts, PART_VEIL_LIMITS.darkest_percent)


def _seen(
    counts: NDArray[np.int64], side_cells: int, inside: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Whether enough of the board lies in what was counted, windows of that side."""
    pixels = inside.size * (side_cells / PART_VEIL_LIMITS.cells) ** 2
    return are_seen(counts, PART_VEIL_LIMITS.seen, pixels)


def _counts(board: _Board) -> NDArray[np.int64]:
    """How many of the board's pixels each cell has of each level, (cells, cells, 3, 256)."""
    return counts_of_levels(board.pixels, board.cell, PART_VEIL_LIMITS.cells)


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
