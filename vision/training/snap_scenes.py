"""Crops of straightened boards for training, with where each printed space in them lies.

A crop is `CROP_PX` square at 1 px a millimetre, cut from a photo as if its board had been
straightened by a homography that is a little wrong: turned, stretched, shifted, mirrored.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.geometry import corners_of_size, homography_of_quads, project, px_per_mm
from vision.training.outline_scenes import Image, Points, finish, made_up_colour, noise_art
from vision.training.snap_truth import TruthImage

CROP_PX = 192
CELL_PX = 4
NEAR_MM = 10.0
"""Cells within this distance of a space's centre learn its direction and offset."""

KEPT_PX_PER_MM = 1.35


@dataclass(frozen=True, slots=True, eq=False)
class BoardPicture:
    """A photo, shrunk to what the crops need, and the truth in its pixels (see TruthImage)."""

    image_bgr: Image
    to_photo: Points
    size_mm: tuple[float, float]
    corners_px: Points
    spaces_px: Points
    visible: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A crop and its targets, one value a cell.

    `targets` has shape (6, 48, 48): board, space centre near, cos and sin of twice the direction,
    offset to the nearest centre in cells (x, y). `weights` (2, 48, 48): where the centre channel
    and where the direction and offset channels count.
    """

    image_bgr: Image
    targets: NDArray[np.float32]
    weights: NDArray[np.float32]


def picture_of(truth: TruthImage) -> BoardPicture:
    """Load a labelled image, shrunk to about the crops' resolution."""
    image = cv2.imread(str(truth.path), cv2.IMREAD_COLOR)
    assert image is not None
    flat = corners_of_size(truth.size_mm)
    scale = min(1.0, KEPT_PX_PER_MM / px_per_mm(truth.corners_px, flat))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners = truth.corners_px * scale
    return BoardPicture(
        np.asarray(small, np.uint8), homography_of_quads(flat, corners), truth.size_mm,
        corners, truth.spaces_px * scale, truth.visible,
    )  # fmt: skip


def crop_of(rng: np.random.Generator, picture: BoardPicture) -> Crop:
    """A random crop of a picture, in the colours of another camera and light."""
    to_board = _wrong_view(rng, picture.size_mm)
    to_photo = picture.to_photo @ to_board
    image = cv2.warpPerspective(
        picture.image_bgr, to_photo, (CROP_PX, CROP_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    back = np.asarray(np.linalg.inv(to_photo), np.float64)
    return _with_targets(
        finish(rng, np.asarray(image, np.uint8)),
        project(back, picture.corners_px), project(back, picture.spaces_px), picture.visible,
    )  # fmt: skip


def _wrong_view(rng: np.random.Generator, size_mm: tuple[float, float]) -> Points:
    """Homography from crop pixels to board millimetres, off by what a rough outline is off by."""
    half = CROP_PX / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    angle = np.radians(90 * rng.integers(4) + rng.normal(0, 4))
    if rng.uniform() < 0.2:
        angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0])
    stretch = np.diag(np.exp(rng.normal(0, 0.06) + rng.normal(0, 0.04, 2)))
    centre = rng.uniform(-25, np.array(size_mm) + 25)
    corners = square @ (turn @ mirror @ stretch).T + centre + rng.normal(0, 3.0, (4, 2))
    return homography_of_quads(square + half, corners)


def _with_targets(image: Image, corners: Points, spaces: Points, visible: Points) -> Crop:
    cells = CROP_PX // CELL_PX
    board = np.zeros((CROP_PX, CROP_PX), np.uint8)
    limits = np.clip(corners, -20 * CROP_PX, 20 * CROP_PX)
    cv2.fillConvexPoly(board, np.round(limits * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    share = board.reshape(cells, CELL_PX, cells, CELL_PX).mean((1, 3)) / 255
    targets = np.zeros((6, cells, cells), np.float32)
    weights = np.zeros((2, cells, cells), np.float32)
    targets[0], weights[0] = share, 1.0
    centres = spaces.mean(axis=1)
    near = np.all((centres > -NEAR_MM) & (centres < CROP_PX + NEAR_MM), axis=1)
    if near.any():
        _mark_spaces(targets, weights, centres[near], _doubled(spaces[near]), visible[near])
    return Crop(image, targets, weights)


def _doubled(spaces: Points) -> Points:
    """Cosine and sine of twice the direction of each box's long side; shape (N, 2)."""
    first, second = spaces[:, 1] - spaces[:, 0], spaces[:, 2] - spaces[:, 1]
    longer = (first**2).sum(1) >= (second**2).sum(1)
    along = np.where(longer[:, None], first, second)
    angle = 2 * np.arctan2(along[:, 1], along[:, 0])
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _mark_spaces(
    targets: NDArray[np.float32], weights: NDArray[np.float32],
    centres: Points, doubled: Points, visible: Points,
) -> None:  # fmt: skip
    """Fill in the channels about spaces, each cell from its nearest centre."""
    cells = targets.shape[1]
    y, x = np.mgrid[0:cells, 0:cells] * CELL_PX + (CELL_PX - 1) / 2
    apart = np.stack([x, y], axis=-1)[:, :, None, :] - centres
    squared = (apart**2).sum(-1)
    nearest = squared.argmin(axis=2)
    distance = np.sqrt(squared.min(axis=2))
    targets[1] = np.exp(-(distance**2) / (2 * 4.0**2))
    targets[2:4] = doubled[nearest].transpose(2, 0, 1)
    offset = -np.take_along_axis(apart, nearest[:, :, None, None], axis=2)[:, :, 0]
    targets[4:6] = offset.transpose(2, 0, 1) / CELL_PX
    seen = visible[nearest] >= 0.4
    weights[0] = np.where((distance < 16) & ~seen, 0.0, 1.0)
    weights[1] = (distance < NEAR_MM) & seen


def made_up_picture(rng: np.random.Generator) -> BoardPicture:
    """A straightened board that nobody prints, lines of boxes on soft art, some under wagons."""
    size = rng.uniform(480, 900, 2)
    scale = KEPT_PX_PER_MM
    margin = 60.0
    shape = (round((size[1] + 2 * margin) * scale), round((size[0] + 2 * margin) * scale))
    image = noise_art(rng, shape, rng.uniform(2, 60), rng.uniform(0, 30))
    flat = corners_of_size((size[0], size[1]))
    shift = np.array([[scale, 0, margin * scale], [0, scale, margin * scale], [0, 0, 1.0]])
    corners = project(shift, flat)
    low, high = np.round(corners[0]).astype(int), np.round(corners[2]).astype(int)
    art_shape = (int(high[1] - low[1]), int(high[0] - low[0]))
    art = noise_art(rng, art_shape, rng.uniform(15, 150), rng.uniform(3, 40))
    image[low[1] : high[1], low[0] : high[0]] = art
    spaces = _lines(rng, size)
    for space in spaces:
        _draw_space(rng, image, project(shift, space), scale)
    quads = project(shift, spaces)
    dims = (float(size[0]), float(size[1]))
    return BoardPicture(image, shift, dims, corners, quads, np.ones(len(quads)))


def _lines(rng: np.random.Generator, size: Points) -> Points:
    """Boxes of random routes between random cities, none over another; shape (N, 4, 2), mm."""
    along, across = rng.uniform(22, 26), rng.uniform(7, 10)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (along / 2, across / 2)
    taken = np.zeros((0, 2))
    boxes: list[Points] = []
    for _ in range(400):
        start, angle = rng.uniform(35, size - 35), rng.uniform(0, np.pi)
        u = np.array([np.cos(angle), np.sin(angle)])
        v = np.array([-u[1], u[0]])
        steps = np.arange(rng.integers(1, 7)) * (along + rng.uniform(1, 4))
        line = start + steps[:, None] * u
        if rng.uniform() < 0.3:
            line = np.concatenate([line, line + v * (across + rng.uniform(0.5, 3))])
        if np.any(line < 30) or np.any(line > size - 30):
            continue
        if len(taken) and np.hypot(*(line[:, None] - taken).transpose(2, 0, 1)).min() < along:
            continue
        taken = np.concatenate([taken, line])
        boxes += [c + half @ np.array([u, v]) for c in line]
    return np.array(boxes).reshape(-1, 4, 2)


def _draw_space(rng: np.random.Generator, image: Image, quad: Points, scale: float) -> None:
    """A printed box, filled or only outlined, and on every other one a wagon."""
    colour = made_up_colour(rng)
    points = np.round(quad * 16).astype(np.int32)
    cv2.fillConvexPoly(image, points, colour, cv2.LINE_AA, 4)
    cv2.polylines(image, [points], True, made_up_colour(rng), 1, cv2.LINE_AA, 4)
    if rng.uniform() < 0.4:
        _draw_wagon(rng, image, quad + rng.normal(0, 1.0 * scale, 2), scale)


def _draw_wagon(rng: np.random.Generator, image: Image, quad: Points, scale: float) -> None:
    """A block with its shadow, a lit top and a darker side."""
    colour = np.array(made_up_colour(rng))
    lean, shade = rng.normal(0, 2.0 * scale, 2), rng.normal(0, 4.0 * scale, 2)
    centre = quad.mean(axis=0)
    body = centre + (quad - centre) * rng.uniform(0.85, 1.0)
    for points, tone in ((body + shade, 0.25), (body, 0.6), (body + lean, 1.0)):
        fill = tuple(float(c) for c in colour * tone)
        cv2.fillConvexPoly(image, np.round(points * 16).astype(np.int32), fill, cv2.LINE_AA, 4)


def random_crop(rng: np.random.Generator, groups: Sequence[Sequence[BoardPicture]]) -> Crop:
    """A crop of a random picture of a random group, so that small groups count as much."""
    group = groups[int(rng.integers(len(groups)))]
    return crop_of(rng, group[int(rng.integers(len(group)))])
