"""Where something plain lies over the board: a sheet of paper, a sleeve, the back of a card."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.spaces.patches import PX_PER_MM

REACH_MM = (19.0, 9.5)
"""How far along and across a space its own box, its outline and the map beside it are seen."""

PLAIN = 0.05
"""There nothing shows an edge where, but for a slope of the light, the brightest and the darkest
differ by less than this part of the mean. 209 readings of games: the least on a claimed space is
0.17; 13 questions come of it, 9 of them about places that are hidden, one of those read wrongly."""

MAY_BE_PLAIN = 0.06
"""No space whose own pixels spread by more than this part of their mean is looked at: quicker."""

SOFT_PX = 1.0
"""Noise is softened by so much (standard deviation)."""


def under_something_plain(patches: NDArray[np.uint8], own: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which spaces show neither a box's outline nor the map beside it, (N,).

    `patches` (N, H, W, 3), BGR, show the spaces, `own` (N, H, W) where each of them lies.
    """
    count = own.sum(axis=(1, 2))
    space = np.repeat(np.arange(len(patches)), count)
    grey = patches[own] @ np.full(3, 1 / 3)
    total, squares = (np.bincount(space, of, len(patches)) for of in (grey, grey**2))
    mean = total / np.maximum(count, 1)
    spread = np.sqrt(np.maximum(squares / np.maximum(count, 1) - mean**2, 0))
    found = np.zeros(len(patches), bool)
    for k in np.flatnonzero(spread < MAY_BE_PLAIN * mean):
        found[k] = _is_plain(patches[k].mean(axis=2))
    return found


def _is_plain(grey: NDArray[np.float64]) -> bool:
    """Whether the middle of a patch (H, W) shows nothing but a slope of light."""
    along, across = (round(reach * PX_PER_MM) for reach in REACH_MM)
    high, wide = (side // 2 for side in grey.shape)
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), SOFT_PX))
    middle = soft[high - across : high + across, wide - along : wide + along]
    y, x = np.indices(middle.shape)
    plane = np.stack([x.ravel(), y.ravel(), np.ones(middle.size)], axis=1)
    slope, *_ = np.linalg.lstsq(plane, middle.ravel(), rcond=None)
    darkest, brightest = np.percentile(middle.ravel() - plane @ slope, (2, 98))
    return bool(brightest - darkest < PLAIN * middle.mean())
