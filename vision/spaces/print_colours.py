"""Whether a photo shows a board's printed boxes in the colours of the board file.

Where red and blue are swapped, or all colours inverted or turned, wagons look like another
player's, as clear as ever, and are read so. The print's own colours are known.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.images.cosine import cosine
from vision.spaces.hues import hues_of
from vision.spaces.patches import PRINT_BGR

COLOURED = frozenset({"blue", "red", "green", "yellow", "orange", "pink", "purple"})
"""The words of a board file that name a hue; black, white and grey are the light's own."""

SURELY_FREE = 0.9
"""A space is free that is read as empty with more than this probability."""

FEWEST = 8
"""With fewer free spaces in colours than this nothing is told."""

FEWEST_HUES = 3
"""Of fewer hues than this, each on two free spaces, nothing is told: how two neighbours among them,
such as yellow and orange, differ depends on a board's own inks more than on the photo."""

LEAST_LIKE = 0.3
"""Least correlation of hues. On 29 photos and renders it is 0.79 at least as they are, 0.32 with
light mirrored in them; with red and blue swapped, all colours inverted or turned -0.29 at most as
they are, 0.21 with such light (docs/decisions/0057)."""


def shows_other_colours(
    seen_bgr: NDArray[np.float64], empty: NDArray[np.float64], printed: Sequence[str]
) -> bool:
    """Whether free spaces, seen as `seen_bgr` (N, 3), have other hues than those `printed`.

    NaN stands for spaces of which too little is seen; `empty` (N,) is how likely each is free. The
    light's own hue, which all of them share, takes no part.
    """
    told = np.array([word in COLOURED for word in printed]) & (empty > SURELY_FREE)
    told &= ~np.isnan(seen_bgr).any(axis=1)
    times = Counter(np.array(printed)[told].tolist()).values()
    if told.sum() < FEWEST or sum(number >= 2 for number in times) < FEWEST_HUES:
        return False
    print_bgr = np.array([PRINT_BGR[word] for word in np.array(printed)[told]], np.float64)
    seen, wanted = _hues_apart(seen_bgr[told]), _hues_apart(print_bgr)
    return bool(seen.any()) and cosine(seen, wanted) < LEAST_LIKE


def _hues_apart(colours_bgr: NDArray[np.float64]) -> NDArray[np.float64]:
    """Hues of colours (M, 3), less the mean of all."""
    hues = hues_of(colours_bgr)
    return np.asarray(hues - hues.mean(axis=0))
