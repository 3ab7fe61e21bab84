"""Random textures that prints and tables are made of: noise, grain, colours.

Images are ndarrays of shape (H, W, 3), BGR; single layers have shape (H, W). Both float32, 0..1
unless said otherwise.
"""

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]
"""A float image or layer."""

Bgr = tuple[float, float, float]
"""A colour as seen on a screen (sRGB), 0..1, blue first."""


def bgr(hue: float, saturation: float, value: float) -> Bgr:
    """The colour of a hue (0..1, red is 0), saturation and value (0..1, clipped)."""
    red, green, blue = colorsys.hsv_to_rgb(
        hue % 1.0, min(max(saturation, 0.0), 1.0), min(max(value, 0.0), 1.0)
    )
    return (blue, green, red)


def shifted(colour: Bgr, hue: float, saturation: float, value: float) -> Bgr:
    """A colour turned by a hue, its saturation and value multiplied."""
    blue, green, red = colour
    h, s, v = colorsys.rgb_to_hsv(red, green, blue)
    return bgr(h + hue, s * saturation, v * value)


def noise(rng: np.random.Generator, shape: tuple[int, int], cell: float, octaves: int = 3) -> Image:
    """Smooth noise of mean 0.5, spread about 0.5, its largest blobs `cell` pixels wide."""
    total = np.zeros(shape, np.float32)
    weight = 1.0
    for _ in range(octaves):
        total += weight * _one_octave(rng, shape, max(cell, 1.0))
        weight *= 0.5
        cell *= 0.5
    return np.asarray(0.5 + total / 2.0, np.float32)


def _one_octave(rng: np.random.Generator, shape: tuple[int, int], cell: float) -> Image:
    rows, columns = int(shape[0] / cell) + 3, int(shape[1] / cell) + 3
    grid = rng.uniform(-0.5, 0.5, (rows, columns)).astype(np.float32)
    large = cv2.resize(
        grid, (int(columns * cell) + 1, int(rows * cell) + 1), interpolation=cv2.INTER_CUBIC
    )
    y, x = (int(v * cell) for v in rng.uniform(0.0, 1.0, 2))
    return np.asarray(large[y : y + shape[0], x : x + shape[1]], np.float32)


def mix(a: Image | Bgr, b: Image | Bgr, share: Image) -> Image:
    """`a` where the share is 0, `b` where it is 1; a share has shape (H, W)."""
    first, second = np.asarray(a, np.float32), np.asarray(b, np.float32)
    planes = [first[..., k] + (second[..., k] - first[..., k]) * share for k in range(3)]
    return np.asarray(cv2.merge(planes), np.float32)


def in_bgr(plane: Image) -> Image:
    """A plane (H, W) as (H, W, 3). NumPy multiplies two such arrays in a fifth of the time that
    it takes where it has to repeat each value of a plane three times."""
    return np.asarray(cv2.cvtColor(plane, cv2.COLOR_GRAY2BGR), np.float32)


def step(values: Image, at: float, width: float) -> Image:
    """0 below `at`, 1 above it, going over `width`."""
    return np.asarray(np.clip((values - at) / width + 0.5, 0.0, 1.0), np.float32)


def speckle(rng: np.random.Generator, image: Image, strength: float) -> Image:
    """The image with a fine grain in its brightness."""
    grain = cv2.GaussianBlur(rng.standard_normal(image.shape[:2], dtype=np.float32), (0, 0), 0.8)
    return np.asarray(np.clip(image * in_bgr(1.0 + strength * grain), 0.0, 1.0), np.float32)


def wood(rng: np.random.Generator, side_px: int) -> Image:
    """A square of wood grain."""
    light = bgr(rng.uniform(0.05, 0.1), rng.uniform(0.3, 0.65), rng.uniform(0.35, 0.85))
    dark = shifted(light, -0.01, 1.1, rng.uniform(0.55, 0.8))
    streaks = cv2.resize(
        noise(rng, (side_px, side_px // 16), 24.0, 5),
        (side_px, side_px),
        interpolation=cv2.INTER_CUBIC,
    )
    bend = noise(rng, (side_px, side_px), side_px / 3.0, 2)
    rows = np.arange(side_px, dtype=np.float32)[:, None] + 90.0 * bend
    columns = np.broadcast_to(np.arange(side_px, dtype=np.float32)[None, :], bend.shape)
    grain = cv2.remap(
        streaks, columns.copy(), rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    share = step(np.asarray(grain, np.float32), 0.5, 0.5)
    return speckle(rng, mix(dark, light, share), 0.02)


def cloth(rng: np.random.Generator, side_px: int) -> Image:
    """A square of woven cloth with soft folds."""
    colour = bgr(rng.uniform(), rng.uniform(0.0, 0.7), rng.uniform(0.15, 0.9))
    image = np.empty((side_px, side_px, 3), np.float32)
    image[:] = colour
    folds = noise(rng, (side_px, side_px), side_px / 5.0, 3)
    image *= in_bgr(0.75 + 0.5 * folds)
    return speckle(rng, image, 0.08)


def checked(rng: np.random.Generator, side_px: int) -> Image:
    """A checked cloth: two crossing sets of bands."""
    light = bgr(rng.uniform(), rng.uniform(0.0, 0.15), rng.uniform(0.75, 0.95))
    dark = bgr(rng.uniform(), rng.uniform(0.0, 0.8), rng.uniform(0.08, 0.5))
    period = rng.uniform(40.0, 130.0)
    bend = 14.0 * noise(rng, (side_px, side_px), side_px / 4.0, 2)
    along = np.arange(side_px, dtype=np.float32)
    bands = ((along[None, :] + bend) % period < period / 2).astype(np.float32)
    rows = ((along[:, None] + bend) % period < period / 2).astype(np.float32)
    share = cv2.GaussianBlur((bands + rows) / 2.0, (0, 0), 1.0)
    return speckle(rng, mix(dark, light, np.asarray(share, np.float32)), 0.05)


def tiles(rng: np.random.Generator, side_px: int) -> Image:
    """Tiles with joints."""
    colour = bgr(rng.uniform(0.03, 0.2), rng.uniform(0.0, 0.3), rng.uniform(0.35, 0.9))
    joint = shifted(colour, 0.0, 1.0, rng.uniform(0.5, 0.8))
    period = rng.uniform(90.0, 320.0)
    along = np.arange(side_px, dtype=np.float32) % period
    gap = np.minimum(along[None, :], along[:, None]) < rng.uniform(2.0, 6.0)
    base = mix(shifted(colour, 0.0, 1.0, 0.9), colour, noise(rng, (side_px, side_px), 120.0))
    return mix(base, joint, gap.astype(np.float32))


def plain(rng: np.random.Generator, side_px: int) -> Image:
    """A plain table top."""
    colour = bgr(rng.uniform(), rng.uniform(0.0, 0.35), rng.uniform(0.12, 0.95))
    other = shifted(colour, 0.0, 1.0, 0.94)
    return mix(other, colour, noise(rng, (side_px, side_px), side_px / 4.0, 4))
