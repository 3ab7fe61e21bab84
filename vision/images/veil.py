"""Takes away the veil that a greasy lens, a plate of glass or dust in the light lays over a photo.

It adds the same light everywhere, so that even black print and deep shadows are grey. A network
that saw clear photos takes black wagons for grey print, and is sure; the colours of the others
fade. What the darkest pixels show is the veil, as every board has black print (the dark-object
subtraction of Chavez 1988, the dark channel of He et al. 2009, with one veil for the whole photo).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.images.hull import pixels_within
from vision.images.levels import percentile
from vision.images.light import LINEAR, to_linear, with_light


@dataclass(frozen=True, slots=True)
class VeilLimits:
    """When a photo is veiled, and how black is afterwards; see docs/decisions/0055."""

    darkest_percent: float = 0.3
    """So much of a clear photo of a board is nearly black, in each channel by itself."""
    bright_percent: float = 90.0
    """So much of it is no brighter than pale print."""
    veiled_from: float = 0.03
    """A photo is veiled where even the channel that is least lifted is nowhere darker than this
    part of pale print: a veil lifts them all, a print without black hardly ever does. Clear photos,
    renders and empty boards have 0.023 at most."""
    black: float = 12.0
    """The level that the darkest pixels are brought to."""
    sample_side_px: int = 600
    """The veil is measured on every so-manyth pixel, about so many along the longer side."""


VEIL_LIMITS = VeilLimits()


def without_veil(
    image_bgr: NDArray[np.uint8], within_px: NDArray[np.float64] | None = None
) -> NDArray[np.uint8]:
    """An image (H, W, 3) without its veil; the image itself if it has none.

    `within_px` (N, 2) are points in whose convex hull the veil is measured, all of it if None.
    """
    pixels = _sample(image_bgr, within_px)
    if not len(pixels):
        return image_bgr
    channels = pixels.T
    veil_bgr = np.array([percentile(c, VEIL_LIMITS.darkest_percent) for c in channels])
    bright = percentile(np.maximum.reduce(list(channels)), VEIL_LIMITS.bright_percent)
    if to_linear(veil_bgr.min()) < VEIL_LIMITS.veiled_from * to_linear(np.array(bright)):
        return image_bgr
    added = np.maximum(to_linear(veil_bgr) - to_linear(np.array(VEIL_LIMITS.black)), 0.0)
    return with_light(image_bgr, (LINEAR[:, None] - added) / (1 - added))


def _sample(
    image_bgr: NDArray[np.uint8], within_px: NDArray[np.float64] | None
) -> NDArray[np.uint8]:
    """Some of the pixels, (N, 3), that lie in the hull of these points."""
    step = max(1, max(image_bgr.shape[:2]) // VEIL_LIMITS.sample_side_px)
    sample = image_bgr[::step, ::step]
    return sample.reshape(-1, 3) if within_px is None else pixels_within(sample, within_px / step)
