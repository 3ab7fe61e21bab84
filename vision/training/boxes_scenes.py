"""Crops of prints for training the network that finds printed boxes, with the boxes' targets."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.boxes_drawn import KEPT_PX_PER_MM
from vision.training.outline_scenes import Image, Points, finish

CROP_PX = 256
PX_PER_MM = 2.0
CELL_PX = 4
BOX_MM = 25.0
"""Every print is scaled so that its boxes are about this long."""


@dataclass(frozen=True, slots=True, eq=False)
class PrintPicture:
    """A print at `KEPT_PX_PER_MM`; boxes (N, 3) are centres in mm and directions in degrees."""

    image_bgr: Image
    boxes: Points
    size_mm: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class BoxCrop:
    """A crop and its targets, one value a cell of 4 x 4 px (2 x 2 mm).

    `targets` (7, h, w): centre near, cosine and sine of twice the direction, way to the centre in
    cells (x, y), logarithms of length and width over `BOX_MM`. `near` (h, w): where all but the
    first count.
    """

    image_bgr: Image
    targets: NDArray[np.float32]
    near: NDArray[np.float32]


def load_print(path: Path) -> PrintPicture:
    """A print as `boxes_drawn` wrote it; `path` is its JSON file."""
    told = json.loads(path.read_text("utf-8"))
    image = cv2.imread(str(path.with_suffix(".png")), cv2.IMREAD_COLOR)
    assert image is not None
    return PrintPicture(np.asarray(image, np.uint8), np.array(told["boxes"]), told["size_mm"])


def random_crop(rng: np.random.Generator, pictures: Sequence[PrintPicture]) -> BoxCrop:
    """A crop of a random print, as some camera would see it straightened."""
    picture = pictures[int(rng.integers(len(pictures)))]
    to_crop = _view(rng, picture)
    image = cv2.warpPerspective(
        picture.image_bgr, to_crop, (CROP_PX, CROP_PX),
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    centres, axes = _moved(picture, to_crop)
    targets, near = _targets(centres, axes)
    return BoxCrop(finish(rng, _coarse(rng, np.asarray(image, np.uint8))), targets, near)


def _view(rng: np.random.Generator, picture: PrintPicture) -> Points:
    """Homography from the print's pixels to the crop's."""
    scale = PX_PER_MM / KEPT_PX_PER_MM * BOX_MM / picture.size_mm[0]
    scale *= np.exp(rng.normal(0, 0.1))
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = turn @ np.diag(scale * np.exp(rng.normal(0, 0.025, 2)) * (rng.choice([-1, 1]), 1))
    limits = np.array(picture.image_bgr.shape[1::-1])
    middle = rng.uniform(0.0, 1.0, 2) * limits
    shift = CROP_PX / 2 - matrix @ middle
    tilt = rng.normal(0, 1.2e-5, 2)
    return np.array([[*matrix[0], shift[0]], [*matrix[1], shift[1]], [*tilt, 1 - tilt @ middle]])


def _coarse(rng: np.random.Generator, image: Image) -> Image:
    """What a camera of fewer pixels would have seen, scaled up again."""
    if rng.uniform() < 0.5:
        return image
    share = rng.uniform(0.38, 1.0)
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    large = cv2.resize(small, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(large, np.uint8)


def _moved(picture: PrintPicture, to_crop: Points) -> tuple[Points, Points]:
    """Centres (N, 2) in the crop and half axes (N, 2, 2), along then across, in its pixels."""
    angle = np.radians(picture.boxes[:, 2])
    along = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    centres = picture.boxes[:, :2]
    ends = [centres, centres + along * picture.size_mm[0] / 2, centres + across * picture.size_mm[1] / 2]
    flat = (np.stack(ends) * KEPT_PX_PER_MM).reshape(-1, 1, 2)
    seen = cv2.perspectiveTransform(flat, to_crop).reshape(3, -1, 2)
    return seen[0], np.stack([seen[1] - seen[0], seen[2] - seen[0]], axis=1)


def _targets(centres: Points, axes: Points) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    cells = CROP_PX // CELL_PX
    targets = np.zeros((7, cells, cells), np.float32)
    near = np.zeros((cells, cells), np.float32)
    inside = np.all((centres > -20) & (centres < CROP_PX + 20), axis=1)
    if not inside.any():
        return targets, near
    centres, axes = centres[inside], axes[inside]
    y, x = np.mgrid[0:cells, 0:cells] * CELL_PX + (CELL_PX - 1) / 2
    apart = centres - np.stack([x, y], axis=-1)[:, :, None, :]
    lengths = np.hypot(axes[..., 0], axes[..., 1])
    units = axes / lengths[..., None]
    local = np.einsum("hwnc,nkc->hwnk", apart, units)
    nearest = ((local / (14.0, 8.0)) ** 2).sum(-1).argmin(axis=2)
    own = np.take_along_axis(local, nearest[..., None, None], axis=2)[:, :, 0]
    off = np.take_along_axis(apart, nearest[..., None, None], axis=2)[:, :, 0]
    angle = 2 * np.arctan2(units[:, 0, 1], units[:, 0, 0])
    targets[0] = np.exp(-(apart**2).sum(-1).min(axis=2) / (2 * 4.0**2))
    targets[1], targets[2] = np.cos(angle)[nearest], np.sin(angle)[nearest]
    targets[3:5] = off.transpose(2, 0, 1) / CELL_PX
    targets[5:7] = np.log(2 * lengths / (BOX_MM * PX_PER_MM))[nearest].transpose(2, 0, 1)
    half = lengths[nearest]
    near[:] = (np.abs(own[..., 0]) < 14) & (np.abs(own[..., 1]) < half[..., 1])
    return targets, near
