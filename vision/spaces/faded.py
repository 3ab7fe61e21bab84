"""Whether a photo shows no colours but shades of one: in sepia, or faded to nearly that.

Whose wagons lie there cannot be told then, yet a network that never saw such a photo is sure: it
takes blue, green and red for black.
"""

import numpy as np
from numpy.typing import NDArray

from vision.spaces.hues import DARKEST_LEVEL, hues_of

FEWEST = 8
"""Of fewer spaces than this nothing is told."""

MOST_COLOURED = 4
"""So many spaces may stand out by an accident, such as a coloured thing on the board."""

LEAST_COLOUR = 0.3
"""How far the next space's colour must be from what its brightness says. On 92 photos and renders
of games it is 0.44 at least; on the same in sepia 0.13 at most, 0.26 where a fifth of their own
colours is left."""


def is_faded(seen_bgr: NDArray[np.float64]) -> bool:
    """Whether the colours of a board's spaces (N, 3), 0..255, follow from their brightness alone.

    NaN stands for spaces of which too little is seen. Hue and depth of a tint vary with brightness
    by a smooth curve; print and wagons lie on all sides of any such curve.
    """
    known = seen_bgr[~np.isnan(seen_bgr).any(axis=1)]
    if len(known) < FEWEST:
        return False
    tint = hues_of(known)
    brightness = np.log(np.maximum(known, DARKEST_LEVEL)).mean(axis=1)
    powers = np.vander(brightness - brightness.mean(), 4)
    curve, *_ = np.linalg.lstsq(powers, tint, rcond=None)
    off = np.linalg.norm(tint - powers @ curve, axis=1)
    return bool(np.sort(off)[-MOST_COLOURED] < LEAST_COLOUR)
