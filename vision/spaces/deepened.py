"""Takes away what lifts even the darkest of a patch: light over a place too small for a veil.

What `vision/images/part_veil.py` takes away is told by a third of the board. A lamp mirrored in
less turns black wagons grey, and by lamplight grey-brown: a person sees them plainly, the network
surely takes them for print. Nearly every patch of a board shows something dark, a wagon, an outline
or a city's name, so that of a patch which shows nothing dark some light is taken away.
"""

import numpy as np
from numpy.typing import NDArray

from vision.images.light import LINEAR, from_linear
from vision.spaces.print_light import sampled

DARK_PERCENT = 2
"""So much of a patch shows how dark its darkest is, in each channel by itself."""

LIFTED_FROM = 0.45
"""A patch is lifted where even the least lifted channel of that has this part of pale print's
light; see docs/decisions/0080."""

LEFT = 0.08
"""So much of pale print's light is left of it."""

PALE_PERCENT = 90
"""So much of all patches is no brighter than pale print."""


def deepened(patches: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The patches (N, H, W, 3), BGR, their darkest dark again where it is lifted; themselves where
    none is."""
    if not len(patches):
        return patches
    levels = sampled(patches).reshape(len(patches), -1, 3)
    pale = _percentile(levels.reshape(1, -1, 3), PALE_PERCENT)
    dark = LINEAR[_percentile(levels, DARK_PERCENT)]
    lifted = (dark / LINEAR[np.maximum(pale, 1)]).min(axis=1)
    which = np.flatnonzero(lifted > LIFTED_FROM)
    if not len(which):
        return patches
    clear = patches.copy()
    for k in which:
        added = dark[k] * (1 - LEFT / lifted[k])
        light = np.clip((LINEAR[patches[k]] - added) / (1 - added), 0.0, 1.0)
        clear[k] = np.rint(255 * from_linear(light))
    return clear


def _percentile(levels: NDArray[np.uint8], percent: int) -> NDArray[np.uint8]:
    """Of each of several (N, P, 3) the level (N, 3) that this part is below."""
    at = levels.shape[1] * percent // 100
    return np.asarray(np.partition(levels, at, axis=1)[:, at])
