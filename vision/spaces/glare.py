"""Where a lamp is mirrored in the board or a wagon: from this side little can be told there."""

import cv2
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

MIDST_MM, MIDST_FEWEST, MIDST_GAP_DEG = 120.0, 3, 150.0
"""A wagon stands in the midst of washed out spaces where so many lie so near, in directions that
leave no wider gap than this."""

MIDST_BRIGHT, UNDIMMED = 200.0, 80.0
"""It stands there undimmed where most of its patch has all three channels this bright, and a fifth
of its own space one of them darker than this. In 18 such places of renders they are 207 to 250 and
11 to 64; of wagons in light laid over a whole photo the second is 159 to 236."""

ONE_LAMP_MM = 60.0
"""Washed out spaces this near each other are washed out by the same lamp."""


def washed_out(patches: NDArray[np.uint8], own: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which spaces show hardly more than the light of a mirrored lamp, (N,).

    `patches` (N, H, W, 3), BGR, show the spaces, `own` (N, H, W) where each of them lies.
    """
    bright = cv2.reduce(patches.reshape(len(patches), -1), 1, cv2.REDUCE_AVG, dtype=cv2.CV_64F)
    found = np.zeros(len(patches), bool)
    for k in np.flatnonzero(bright > VEILED_FROM):
        found[k] = _is_veiled(patches[k]) or _is_burnt_out(patches[k][own[k]])
    return found


def without_standing(
    hidden: NDArray[np.bool_],
    wagons: NDArray[np.bool_],
    patches: NDArray[np.uint8],
    own: NDArray[np.bool_],
    centres_mm: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Those washed out spaces, (N,), among which no wagon stands undimmed.

    A board's varnish mirrors a lamp, wagons on it do not: where one stands in the light as dark as
    ever, others would, too, and what shows none is free. Where a pane or a film over the board
    mirrors the lamp, wagons are as pale as all else. `wagons` (N,) says which spaces surely show
    one, `centres_mm` (N, 2) where the spaces lie; the rest as for `washed_out`.
    """
    left = hidden.copy()
    for k in np.flatnonzero(wagons & ~hidden):
        near = hidden & (np.linalg.norm(centres_mm - centres_mm[k], axis=1) < MIDST_MM)
        if near[left].any() and _in_midst(centres_mm[near] - centres_mm[k]):
            darkest = patches[k].min(axis=2)
            if np.median(darkest) > MIDST_BRIGHT and np.percentile(darkest[own[k]], 20) < UNDIMMED:
                left &= ~_of_one_lamp(near, hidden, centres_mm)
    return left


def _in_midst(away_mm: NDArray[np.float64]) -> bool:
    """Whether points (M, 2) lie all around the origin."""
    if len(away_mm) < MIDST_FEWEST:
        return False
    turns = np.sort(np.arctan2(away_mm[:, 1], away_mm[:, 0]))
    gaps = np.diff(np.append(turns, turns[0] + 2 * np.pi))
    return bool(np.degrees(gaps.max()) < MIDST_GAP_DEG)


def _of_one_lamp(
    some: NDArray[np.bool_], hidden: NDArray[np.bool_], centres_mm: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """The washed out spaces, (N,), that some of them lead to, each near the next."""
    found = some
    while True:
        apart_mm = np.linalg.norm(centres_mm[:, None] - centres_mm[found], axis=-1)
        grown = found | (hidden & (apart_mm < ONE_LAMP_MM).any(axis=1))
        if (grown == found).all():
            return found
        found = grown


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
