"""Patches of prints for training the network that measures printed boxes, with their truth."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.boxes_drawn import KEPT_PX_PER_MM
from vision.training.outline_scenes import Image, Points

PATCH_PX = (80, 48)
PX_PER_MM = 2.0
BOX_MM = 25.0
"""Every print is scaled so that its boxes are about this long."""

NEAR_MM, FAR_MM = (6.0, 3.5), (7.5, 5.0)
"""Along and across: nearer than the first a patch shows its box, farther than the second none."""


@dataclass(frozen=True, slots=True, eq=False)
class PrintPicture:
    """A print at `KEPT_PX_PER_MM`; boxes (N, 3) are centres in mm and directions in degrees."""

    image_bgr: Image
    boxes: Points
    size_mm: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A patch of 80 x 48 px about where a box was supposed, along its supposed direction.

    `truth` (7,): 1 for a box and 0 for none; its centre (x, y) from the patch's, in mm; the angle
    that it is turned by, in radians; logarithms of its length and width over `BOX_MM`; and a last
    1 where all that may be learned from, 0 where only the first counts.
    """

    image_bgr: Image
    truth: NDArray[np.float32]


def load_print(path: Path) -> PrintPicture:
    """A print as `boxes_drawn` wrote it; `path` is its JSON file."""
    told = json.loads(path.read_text("utf-8"))
    image = cv2.imread(str(path.with_suffix(".png")), cv2.IMREAD_COLOR)
    assert image is not None
    return PrintPicture(np.asarray(image, np.uint8), np.array(told["boxes"]), told["size_mm"])


def random_patch(rng: np.random.Generator, pictures: Sequence[PrintPicture]) -> Patch:
    """A patch of a random print, on a box or beside one or anywhere, as a camera would see it."""
    picture = pictures[int(rng.integers(len(pictures)))]
    scale = BOX_MM / picture.size_mm[0] * np.exp(rng.normal(0, 0.06))
    at, angle = _supposed(rng, picture, scale)
    stretch = np.exp(rng.normal(0, 0.02, 2))
    truth = _truth(picture, at, angle, scale * stretch)
    image = _cut(picture, at, angle, scale * stretch, bool(rng.uniform() < 0.5), truth)
    return Patch(_seen(rng, image), truth)


def _supposed(
    rng: np.random.Generator, picture: PrintPicture, scale: float
) -> tuple[Points, float]:
    """Where a box is supposed, in the print's mm, and its direction in radians."""
    box = picture.boxes[int(rng.integers(len(picture.boxes)))]
    angle = np.radians(box[2]) + np.pi * rng.integers(2)
    kind = rng.uniform()
    if kind < 0.12:
        limits = np.array(picture.image_bgr.shape[1::-1]) / KEPT_PX_PER_MM
        return rng.uniform(0.02, 0.98, 2) * limits, float(rng.uniform(0, 2 * np.pi))
    if kind < 0.7:
        off, turn = rng.normal(0, (1.8, 1.2)), rng.normal(0, 0.09)
    else:
        off, turn = rng.uniform(-1, 1, 2) * (18.0, 12.0), rng.normal(0, 0.35)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    return box[:2] + (off[0] * along + off[1] * across) / scale, float(angle + turn)


def _truth(picture: PrintPicture, at: Points, angle: float, scale: Points) -> NDArray[np.float32]:
    """What `Patch.truth` says of the nearest box."""
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    local = (picture.boxes[:, :2] - at) @ turn.T * scale
    nearest = int(np.argmin((local / (6.0, 3.5)) ** 2 @ np.ones(2)))
    skew = np.radians(picture.boxes[nearest, 2]) - angle
    way = np.array([np.cos(skew), np.sin(skew)]) * scale
    skew = float((np.arctan2(way[1], way[0]) + np.pi / 2) % np.pi - np.pi / 2)
    off = np.abs(local[nearest])
    near = bool(np.all(off < NEAR_MM)) and abs(skew) < 0.5
    far = bool(np.any(off > FAR_MM)) or abs(skew) > 0.7
    length = picture.size_mm[0] * np.hypot(*way)
    width = picture.size_mm[1] * np.hypot(np.cos(skew) * scale[1], np.sin(skew) * scale[0])
    told = [near, *local[nearest], skew, np.log(length / BOX_MM), np.log(width / BOX_MM), near]
    if not near and not far:
        told[0] = 0.5
    return np.array(told, np.float32)


def _cut(
    picture: PrintPicture,
    at: Points,
    angle: float,
    scale: Points,
    mirrored: bool,
    truth: NDArray[np.float32],
) -> Image:
    """The patch itself; a mirrored one has its truth mirrored too (in place)."""
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    matrix = np.diag(scale * PX_PER_MM / KEPT_PX_PER_MM) @ turn
    if mirrored:
        matrix = np.diag([1.0, -1.0]) @ matrix
        truth[[2, 3]] *= -1
    shift = (np.array(PATCH_PX) - 1) / 2 - matrix @ (at * KEPT_PX_PER_MM - 0.5)
    affine = np.c_[matrix, shift]
    image = cv2.warpAffine(
        picture.image_bgr, affine, PATCH_PX, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(image, np.uint8)


def _seen(rng: np.random.Generator, image: Image) -> Image:
    """The patch in another camera's resolution, under other lamps, with noise."""
    out = image
    if rng.uniform() < 0.5:
        share = float(rng.uniform(0.4, 1.0))
        small = cv2.resize(out, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        out = np.asarray(cv2.resize(small, PATCH_PX, interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.uniform() < 0.4:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.6))), np.uint8)
    levels = out.astype(np.float32)
    if rng.uniform() < 0.15:
        levels = levels[..., rng.permutation(3)]
    levels *= (rng.uniform(0.55, 1.25) * rng.uniform(0.85, 1.15, 3)).astype(np.float32)
    levels = np.asarray(levels + _glare(rng), np.float32)
    if rng.uniform() < 0.4:
        grey = levels.mean(axis=2, keepdims=True)
        faded = grey + (levels - grey) * np.float32(rng.uniform(0.2, 1.4))
        levels = np.asarray(faded, np.float32)
    exponent = np.float32(rng.uniform(0.6, 1.5))
    levels = np.asarray(255 * np.clip(levels / 255, 0, 1) ** exponent, np.float32)
    noise = rng.standard_normal(levels.shape, np.float32) * np.float32(rng.uniform(0, 7))
    return np.clip(levels + noise, 0, 255).astype(np.uint8)


def _glare(rng: np.random.Generator) -> NDArray[np.float32]:
    """Light that lies on the print: a slope, sometimes the hard edge of a shadow; (48, 80, 1)."""
    y, x = np.mgrid[-1 : 1 : PATCH_PX[1] * 1j, -1 : 1 : PATCH_PX[0] * 1j].astype(np.float32)
    slope = rng.normal(0, 9, 2)
    light = slope[0] * x + slope[1] * y + (rng.uniform(0, 70) if rng.uniform() < 0.2 else 0.0)
    if rng.uniform() < 0.1:
        angle = rng.uniform(0, 2 * np.pi)
        side = np.cos(angle) * x + np.sin(angle) * y > rng.uniform(-0.8, 0.8)
        light = np.asarray(light - side * rng.uniform(10, 60), np.float32)
    return np.asarray(light[..., None], np.float32)
