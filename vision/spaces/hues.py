"""Colours without their brightness: what of them does not depend on how strong the light is."""

import numpy as np
from numpy.typing import NDArray

DARKEST_LEVEL = 8.0
"""A channel of 0..255 counts as no darker than this: in the dark the hue is noise."""


def hues_of(colours: NDArray[np.float64], darkest: float = DARKEST_LEVEL) -> NDArray[np.float64]:
    """Logarithms of the channels of colours (N, 3), each less the mean of its own three.

    `darkest` is the least that a channel counts as, in the unit of `colours`.
    """
    logs = np.log(np.maximum(colours, darkest))
    return np.asarray(logs - logs.mean(axis=1, keepdims=True))
