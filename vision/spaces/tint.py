"""Where light that a window adds to a part of the board may have made the wagons blue or purple.

By a lamp, daylight that is mirrored in the board is blue beside the rest: black and green wagons
under it look blue, red ones purple. Then even the darkest things beside them have much of that
blue, which a blue wagon's surroundings lack.
"""

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.light import to_linear
from vision.spaces.evidence import FIRST_COLOUR_COLUMN, SpaceEvidence

BLUISH = frozenset({"blue", "purple"})
"""What added blue makes of other colours."""

TINTED_FROM = 0.45
"""A wagon's blue may be the light's where the darkest of what is around it has this part of it, in
the median of the route's spaces; see docs/decisions/0087."""

DARKEST_PERCENT = 1.0
"""So much around a space is dark: gaps, lettering, the shadow side of wagons."""

DARKEST = 1e-4
"""A roof's linear light is no less than this: it is divided by."""


def tinted(
    patches_bgr: NDArray[np.uint8],
    roofs_bgr: NDArray[np.float64],
    evidence: SpaceEvidence,
    board: Board,
) -> frozenset[int]:
    """The spaces of a route read as blue or purple whose blue may be that of added light.

    `patches_bgr` (N, H, W, 3) show what is around each space, `roofs_bgr` (N, 3), 0..255, the roof
    of its wagon, NaN where there is none.
    """
    likeliest = evidence.probabilities[:, FIRST_COLOUR_COLUMN:].argmax(axis=1)
    bluish = np.isin(np.array(evidence.colours)[likeliest], list(BLUISH))
    which = np.flatnonzero(bluish & ~np.isnan(roofs_bgr).any(axis=1))
    if not len(which):
        return frozenset()
    part = np.full(len(patches_bgr), np.nan)
    dark = np.percentile(patches_bgr[which, ..., 0], DARKEST_PERCENT, axis=(1, 2))
    part[which] = to_linear(dark) / np.maximum(to_linear(roofs_bgr[which, 0]), DARKEST)
    found: set[int] = set()
    for spaces in board.spaces_of.values():
        own = np.flatnonzero(~np.isnan(part[spaces])) + spaces.start
        if len(own) and np.median(part[own]) > TINTED_FROM:
            found.update(own.tolist())
    return frozenset(found)
