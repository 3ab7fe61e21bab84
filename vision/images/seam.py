"""Finds the seam from which on a JPEG's brightness or colours are shifted: it lost data there.

A JPEG stores each block's brightness as the difference to the block before, and its codes find
their way back after a loss. A file that lost a piece in its middle so decodes without complaint,
with everything behind the loss too dark, too bright or tinted: blue wagons turn black there.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SeamLimits:
    """What a seam is, in levels of brightness and of the two differences of colours.

    Of 174 photos and renders, upright and turned, none has a seam, down to a step of 5, nor have
    small copies of 100 of them at qualities from 8 to 80, made once or twice, nor 1,739 renders on
    other tables. Of 218 damaged copies that are off by 6 levels over a tenth of their rows, 94 have
    one (98 by the wider part of the sides alone, and 4 of the renders then).
    """

    step: float = 6.0
    """Least step of brightness between two rows of pixels that three in four columns share."""
    colour_step: float = 8.0
    """The same of a difference of colours, which is stored at half the size: the edges of a board
    or a table are as sharp there as a seam is. In small copies of photos they have up to 7."""
    file_steps: float = 2.0
    """The same of both in the file's own steps: of two blocks that are nearly alike a coarse JPEG
    puts one a step apart, and an edge adds to it. Quality 20 has steps of 5 levels, 75 of 1."""
    beside: float = 0.25
    """Most of it that the rows beside may differ: an edge in a photo is spread over them."""
    least_alike: float = 0.6
    """Least correlation of both rows: bars of a screenshot and collages show two pictures."""
    least_texture: float = 4.0
    """Least standard deviation of a row whose correlation means something."""
    least_seen: float = 0.1
    """Least part of a row that is neither black nor white in a channel of colour."""
    sides: tuple[float, float] = (0.08, 0.02)
    """Parts of the width at either side that have to be shifted as well: the edge of a board that
    nearly fills the picture reaches into the wider one."""
    crossing: float = 0.5
    """Least part of the step by which it is."""
    shaded: float = 0.7
    """A step is a hard shadow where its share of each pixel varies so much less than the step."""


SEAM_LIMITS = SeamLimits()

BLOCK_PX = 8
"""Blocks of a JPEG are so high; a seam lies between two of them."""

COLUMN_STEP_PX = 4
"""Every fourth column tells."""

REACHES: tuple[tuple[int, list[int]], ...] = ((0, [0]), (1, [1, 2]))
"""How many rows on either side a step is spread over, by channels: colours are stored at half the
size, and smoothed when they are enlarged."""

SPAN_PX = 20
"""As many rows above and below a step see it in all columns: two rows of blocks are 16 high."""

MOST_LOST = 16
"""By how many of these columns the picture may go on beside."""

Row = NDArray[np.float64]


def has_seam(
    image_bgr: NDArray[np.uint8],
    *,
    turned: bool,
    block_px: int = BLOCK_PX,
    file_step: float = 0.0,
) -> bool:
    """Whether a decoded JPEG (H, W, 3), BGR, is shifted behind a loss.

    `turned`: the file's rows stand upright in it, as its EXIF says. `block_px` is smaller where the
    picture was reduced while decoding. `file_step`: the least difference of two blocks, in levels.
    """
    image = np.swapaxes(image_bgr, 0, 1) if turned else image_bgr
    thinned = image[:, ::COLUMN_STEP_PX]
    rows = _block_rows(len(image), block_px)
    half_px = thinned.shape[1] // 2
    # The loss lies within a row of blocks: left of it the shift begins a row of blocks later.
    halves = thinned[:, :half_px], thinned[:, half_px:]
    return any(
        _crosses(thinned, step)
        for half in halves
        for step in _sharp_steps(half, rows, file_step)
        if _goes_on(half, step.row)
    )


@dataclass(frozen=True, slots=True)
class _Step:
    """Between a row of pixels and the one above: by how much a channel changes."""

    row: int
    channel: int
    levels: float


def _block_rows(height_px: int, block_px: int) -> NDArray[np.intp]:
    """Rows that may begin a block; where EXIF has the photo upside down they count from below."""
    rows = np.arange(SPAN_PX, height_px - SPAN_PX)
    begins = (rows % block_px == 0) | (rows % block_px == height_px % block_px)
    return np.asarray(rows[begins], np.intp)


def _sharp_steps(
    half_bgr: NDArray[np.uint8], rows: NDArray[np.intp], file_step: float
) -> Iterator[_Step]:
    """Steps that three in four columns share, and that are sharper than a photo's own edges."""
    for reach, channels in REACHES:
        steps = _levels(half_bgr, rows + reach) - _levels(half_bgr, rows - 1 - reach)
        low, high = np.percentile(steps[..., channels], (25, 75), axis=1)
        shared = np.where(low > -high, low, high)
        least = SEAM_LIMITS.colour_step if reach else SEAM_LIMITS.step
        least = max(least, SEAM_LIMITS.file_steps * file_step)
        for index, channel in np.argwhere(np.maximum(low, -high) >= least):
            step = _Step(int(rows[index]), channels[channel], float(shared[index, channel]))
            if _is_sharp(half_bgr, step, reach):
                yield step


def _is_sharp(half_bgr: NDArray[np.uint8], step: _Step, reach: int) -> bool:
    around = np.arange(step.row - 3 - reach, step.row + 3 + reach)
    levels = _levels(half_bgr, around)[..., step.channel]
    steps = np.abs(np.median(np.diff(levels, axis=0), axis=1))
    within = steps[2 : 3 + 2 * reach].sum()
    return bool(max(steps[:2].max(), steps[-2:].max()) <= SEAM_LIMITS.beside * within)


def _crosses(thinned_bgr: NDArray[np.uint8], step: _Step) -> bool:
    """Whether the shift reaches both sides of the picture; edges of a board and of cards do not."""
    ends = np.array([step.row - SPAN_PX, step.row + SPAN_PX - 1])
    above, below = _levels(thinned_bgr, ends)[..., step.channel]
    wanted = SEAM_LIMITS.crossing * step.levels
    has_room = (above + wanted > 0) & (above + wanted < 255)  # what is black gets no darker
    is_shifted = (below - above) * np.sign(wanted) >= abs(wanted)
    widths = (max(1, round(part * len(above))) for part in SEAM_LIMITS.sides)
    sides = (side for wide in widths for side in (slice(None, wide), slice(-wide, None)))
    return all(is_shifted[side].sum() * 2 >= has_room[side].sum() for side in sides)


def _levels(image_bgr: NDArray[np.uint8], rows: NDArray[np.intp]) -> NDArray[np.int16]:
    """Brightness and the two differences of colours of some rows: (R, W, 3)."""
    picked = np.ascontiguousarray(image_bgr[rows])
    return np.asarray(cv2.cvtColor(picked, cv2.COLOR_BGR2YCrCb), np.int16)


def _goes_on(half_bgr: NDArray[np.uint8], row: int) -> bool:
    """Whether the picture goes on behind the step, shifted and not shaded.

    Codes that find their way back may have lost a few blocks: then it goes on beside.
    """
    before, after = half_bgr[[row - 1, row]].astype(np.float64)
    pairs = [
        pair
        for channel in range(3)
        for lost in range(-MOST_LOST, MOST_LOST + 1, BLOCK_PX // COLUMN_STEP_PX)
        if (pair := _aligned(before[:, channel], after[:, channel], lost)) is not None
    ]
    if not pairs:
        return False
    best = max(pairs, key=_likeness)
    return _likeness(best) >= SEAM_LIMITS.least_alike and not _is_shaded(best)


def _aligned(before: Row, after: Row, lost: int) -> tuple[Row, Row] | None:
    """The columns of two rows that show the same place and are not clipped; None if too few."""
    end = len(before) - abs(lost)
    pair = np.stack([before[max(0, -lost) :][:end], after[max(0, lost) :][:end]])
    seen = pair[:, ((pair > 0) & (pair < 255)).all(axis=0)]
    if seen.shape[1] < SEAM_LIMITS.least_seen * len(before):
        return None
    return None if seen.std(axis=1).min() < SEAM_LIMITS.least_texture else (seen[0], seen[1])


def _likeness(pair: tuple[Row, Row]) -> float:
    return float(np.corrcoef(*pair)[0, 1])


def _is_shaded(pair: tuple[Row, Row]) -> bool:
    """A shadow takes a part of each pixel; a loss adds the same to all."""
    before, after = pair
    part = (before @ after) / (before @ before)
    spread = np.ptp(
        np.percentile([after - before, after - part * before], (15, 85), axis=1), axis=0
    )
    return bool(spread[1] < SEAM_LIMITS.shaded * spread[0])
