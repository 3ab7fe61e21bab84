"""Where a lamp is mirrored in the board or a wagon: from this side little can be told there."""

import numpy as np
from numpy.typing import NDArray

BRIGHT = 232
"""From this level of all three channels on a pixel shows the lamp rather than what it lights."""

LEAST, MOST = 0.03, 0.3
"""Parts of a space that are so bright. Of places in between, 22 % were asked about on 79 photos
and renders; of those with less 8 %, and of those with more too: white wagons and pale print."""

BURNT_FROM, BURNT_SPREAD = 210, 6.0
"""A space is burnt out where nine tenths of its pixels are this bright in all three channels and
differ by no more than this (standard deviation): neither print nor a wagon shows any edge there."""

VEILED_FROM, VEILED_CONTRAST = 170.0, 55.0
"""A space is veiled where even the darkest 2 % of all that is around it are this bright, and the
brightest 2 % by no more than this brighter: black wagons are as pale as the board. Of 18,000 spaces
of 71 photos and renders 20 are, nearly all under a mirrored lamp."""


def washed_out(patches: NDArray[np.uint8], own: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which spaces show hardly more than the light of a mirrored lamp, (N,).

    `patches` (N, H, W, 3), BGR, show the spaces, `own` (N, H, W) where each of them lies.
    """
    bright = patches.mean(axis=(1, 2, 3))
    found = np.zeros(len(patches), bool)
    for k in np.flatnonzero(bright > VEILED_FROM):
        found[k] = _is_veiled(patches[k]) or _is_burnt_out(patches[k][own[k]])
    return found


def _is_veiled(patch_bgr: NDArray[np.uint8]) -> bool:
    """Whether all of a patch (H, W, 3) is bright and of little contrast."""
    darkest, brightest = np.percentile(patch_bgr.mean(axis=2), (2, 98))
    return bool(darkest > VEILED_FROM and brightest - darkest < VEILED_CONTRAST)


def _is_burnt_out(seen_bgr: NDArray[np.uint8]) -> bool:
    """Whether the pixels (P, 3) of a space are all alike and bright."""
    if not len(seen_bgr) or np.percentile(seen_bgr.min(axis=1), 10) < BURNT_FROM:
        return False
    return bool(seen_bgr.mean(axis=1).std() < BURNT_SPREAD)


def under_glare(patches: NDArray[np.uint8], own: NDArray[np.bool_]) -> frozenset[int]:
    """The spaces on which a lamp is mirrored.

    `patches` (N, H, W, 3), BGR, show the spaces, `own` (N, H, W) where each of them lies.
    """
    bright = own.copy()
    for channel in range(3):  # a minimum over the last axis takes ten times as long
        bright &= patches[..., channel] > BRIGHT
    part = bright.sum(axis=(1, 2)) / np.maximum(own.sum(axis=(1, 2)), 1)
    return frozenset(np.flatnonzero((part > LEAST) & (part < MOST)).tolist())
