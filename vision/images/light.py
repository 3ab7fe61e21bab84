"""Measures a lamp's colour cast before a photo is read, and removes most of it.

An evening lamp that the camera hardly balanced leaves the blue channel a tenth of the red one, and
the networks, which learnt in daylight, then take wagons for print. So the light is measured on the
board itself, and where its channels lie far apart each gets a gain of its own (von Kries 1902), in
linear light. Photos in ordinary light stay as they are.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images.resize import shrunk_by


@dataclass(frozen=True, slots=True)
class LightLimits:
    """Measured beside the evening-lamp renders and photos of two copies of a board; see
    docs/decisions/0025. Other exponents and balancing every photo did harm there."""

    darkest_percent: float = 60.0
    brightest_percent: float = 97.0
    """Pixels between these percentiles of brightness tell the light: print, neither wagons and
    dark frames nor glare."""
    cast: float = 3.0
    """Brightest over darkest channel above which a photo is balanced; daylight stays below 3."""
    target: float = 0.42
    """Linear level that the brightest channel's mean is brought to."""
    part: float = 0.7
    """Exponent of a photo's gain between the channels: so much of the cast is taken away."""
    part_of_empty: float = 1.0
    """The same of the empty board's photo, which is brought to the photo's light afterwards."""
    grain_of_side: float = 1 / 2000
    """Standard deviation of the blur that evens a dim photo's grain, as a part of its long side."""
    sample_side_px: int = 600
    """The light is measured on a copy not much larger than this."""


LIGHT_LIMITS = LightLimits()


def light_of_all(image_bgr: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The light on a whole image (H, W, 3), where no board is known yet; as `light_of`."""
    times = max(1, max(image_bgr.shape[:2]) // LIGHT_LIMITS.sample_side_px)
    return light_of(shrunk_by(image_bgr, times).reshape(-1, 3))


def is_cast(light_bgr: NDArray[np.float64]) -> bool:
    """Whether a light (3,) is so far from white that a photo in it is better balanced."""
    return bool(light_bgr.max() > LIGHT_LIMITS.cast * light_bgr.min())


def balanced(
    image_bgr: NDArray[np.uint8], light_bgr: NDArray[np.float64], part: float = LIGHT_LIMITS.part
) -> NDArray[np.uint8]:
    """An image (H, W, 3) with that part of its light (3,) taken away, as bright as daylight."""
    gain = LIGHT_LIMITS.target / light_bgr.max() * (light_bgr.max() / light_bgr) ** part
    return with_light(image_bgr, LINEAR[:, None] * gain)


def with_light(image_bgr: NDArray[np.uint8], of_levels: NDArray[np.float64]) -> NDArray[np.uint8]:
    """An image (H, W, 3) whose levels have that linear light instead, (256, 3); 0..1 is kept."""
    table = np.rint(255 * from_linear(np.clip(of_levels, 0.0, 1.0))).astype(np.uint8)
    return np.asarray(cv2.LUT(image_bgr, table[None]), np.uint8)


def without_grain(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A balanced image (H, W, 3) as it can be told by a dim lamp: blurred a little, blue left out.

    Such a lamp gives blue a fiftieth of red's light, so that channel is noise; green stands for it.
    """
    told = image_bgr[..., [1, 1, 2]]
    sigma_px = LIGHT_LIMITS.grain_of_side * max(image_bgr.shape[:2])
    return np.asarray(cv2.GaussianBlur(told, (0, 0), sigma_px), np.uint8)


def light_of(pixels_bgr: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The light on pixels (N, 3), ndarray of shape (3,): mean linear BGR, 0..1, of those of
    middling brightness; white of none."""
    if len(pixels_bgr) == 0:
        return np.ones(3)
    linear = LINEAR.astype(np.float32)[pixels_bgr]
    bright = linear @ np.full(3, 1 / 3, np.float32)
    low, high = np.percentile(
        bright, (LIGHT_LIMITS.darkest_percent, LIGHT_LIMITS.brightest_percent)
    )
    told = ((bright >= low) & (bright <= high)).astype(np.float64)
    return np.asarray(np.maximum(told @ linear / told.sum(), to_linear(np.array(1))))


def to_linear(levels: NDArray[np.generic]) -> NDArray[np.float64]:
    """sRGB levels 0..255 as parts of linear light (IEC 61966-2-1)."""
    part = np.asarray(levels, np.float64) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def from_linear(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Linear light 0..1 as sRGB 0..1."""
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


LINEAR = to_linear(np.arange(256))
"""The linear light of every level, (256,)."""
