"""Pictures of boards on tables for training: known boards and made-up ones, seen from anywhere.

Everything is an image of shape (H, W, 3), uint8, BGR; corners are (4, 2) pixels, top-left,
top-right, bottom-right, bottom-left as printed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.geometry import corners_of_size
from vision.synthetic.camera import random_view, stand

Image = NDArray[np.uint8]
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BoardShot:
    """A photo with its board's corners and size in millimetres."""

    image_bgr: Image
    corners_px: Points
    size_mm: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class OutlineScene:
    """A training picture, square, and where the board's corners lie (None: no board in it)."""

    image_bgr: Image
    corners_px: Points | None


def scene(rng: np.random.Generator, shots: Sequence[BoardShot], side_px: int) -> OutlineScene:
    """One random picture: a real photo seen anew, a board laid on another table, or no board."""
    choice = rng.uniform()
    if choice < 0.06:
        return OutlineScene(finish(rng, clutter(rng, background(rng, shots, side_px))), None)
    shot = shots[int(rng.integers(len(shots)))]
    if choice < 0.5:
        image, corners = _seen_anew(rng, shot, side_px)
    else:
        if choice > 0.85:
            shot = made_up_board(rng, 420)
        image, corners = _laid_down(rng, shot, background(rng, shots, side_px))
    if rng.uniform() < 0.6:
        image = occlude(rng, image, corners)
    return OutlineScene(finish(rng, image), corners)


def random_corners(rng: np.random.Generator, size_mm: tuple[float, float], side_px: int) -> Points:
    """Where a camera over a table would see the corners of a board."""
    aspect = float(rng.choice([4 / 3, 3 / 4, 16 / 9, 1.0], p=[0.55, 0.25, 0.1, 0.1]))
    width, height = (side_px, side_px / aspect) if aspect >= 1 else (side_px * aspect, side_px)
    camera = stand(random_view(rng), size_mm, (round(width), round(height)))
    w, h = size_mm
    flat = np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], np.float64)
    corners = camera.project(flat) + (np.array([side_px, side_px]) - (width, height)) / 2
    if rng.uniform() < 0.25:
        corners = corners.mean(0) + (corners - corners.mean(0)) * rng.uniform(0.6, 0.95)
    if rng.uniform() < 0.2:
        corners = corners + rng.normal(0, 0.12 * side_px, 2)
    return np.asarray(corners)


def _seen_anew(rng: np.random.Generator, shot: BoardShot, side_px: int) -> tuple[Image, Points]:
    """The whole photo, table and all, warped so that its board lies elsewhere."""
    corners = random_corners(rng, shot.size_mm, side_px)
    if rng.uniform() < 0.5:
        corners = _turned_photo(rng, shot, side_px)
    matrix = cv2.getPerspectiveTransform(
        shot.corners_px.astype(np.float32), corners.astype(np.float32)
    )
    border = cv2.BORDER_REPLICATE if rng.uniform() < 0.7 else cv2.BORDER_CONSTANT
    image = cv2.warpPerspective(
        shot.image_bgr, matrix, (side_px, side_px), flags=cv2.INTER_AREA, borderMode=border
    )
    return np.asarray(image, np.uint8), corners


def _turned_photo(rng: np.random.Generator, shot: BoardShot, side_px: int) -> Points:
    """The photo as it is, fitted into the square, by a quarter turn and a little more."""
    height, width = shot.image_bgr.shape[:2]
    scale = side_px / max(height, width) * rng.uniform(0.85, 1.15)
    angle = np.radians(90.0 * rng.integers(4) + rng.normal(0, 5.0))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    centred = (shot.corners_px - np.array([width, height]) / 2) * scale
    return np.asarray(centred @ turn.T + side_px / 2 + rng.normal(0, 0.02 * side_px, 2))


def _laid_down(rng: np.random.Generator, shot: BoardShot, table: Image) -> tuple[Image, Points]:
    """The board alone, cut out along its corners and laid on another table, with a shadow."""
    side_px = table.shape[0]
    corners = random_corners(rng, shot.size_mm, side_px)
    matrix = cv2.getPerspectiveTransform(
        shot.corners_px.astype(np.float32), corners.astype(np.float32)
    )
    board = cv2.warpPerspective(shot.image_bgr, matrix, (side_px, side_px), flags=cv2.INTER_AREA)
    shadow = mask_of(corners + rng.normal(0, 3.0, 2), side_px).astype(np.float32) / 255
    soft = cv2.GaussianBlur(shadow, (0, 0), rng.uniform(0.8, 5.0)) * rng.uniform(0.0, 0.6)
    shadow = np.asarray(soft, np.float64)
    cover = cv2.GaussianBlur(mask_of(corners, side_px).astype(np.float32) / 255, (0, 0), 0.6)
    out = table * (1 - shadow[..., None])
    out = out * (1 - cover[..., None]) + board * cover[..., None]
    return np.clip(out, 0, 255).astype(np.uint8), corners


def mask_of(corners_px: Points, side_px: int) -> Image:
    """255 inside the quadrilateral, 0 outside, antialiased; shape (side, side)."""
    mask = np.zeros((side_px, side_px), np.uint8)
    points = np.round(np.clip(corners_px, -4 * side_px, 5 * side_px) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, 4)
    return mask


def background(rng: np.random.Generator, shots: Sequence[BoardShot], side_px: int) -> Image:
    """A table: wood, cloth, checks, tiles, plain, or what lies beside the board in some photo."""
    kind = rng.integers(6)
    if kind == 0:
        table = _beside_board(rng, shots[int(rng.integers(len(shots)))], side_px)
    elif kind == 1:
        table = _checks(rng, side_px)
    elif kind == 2:
        table = _grain(rng, side_px)
    else:
        table = noise_art(rng, (side_px, side_px), float(rng.uniform(2, 60)), rng.uniform(0, 40))
    return clutter(rng, table) if rng.uniform() < 0.5 else table


def _beside_board(rng: np.random.Generator, shot: BoardShot, side_px: int) -> Image:
    """A strip of the photo beyond the board's bounding box, mirrored to fill the picture."""
    left, top = np.clip(shot.corners_px.min(0), 0, None).astype(int)
    right, bottom = shot.corners_px.max(0).astype(int)
    strips = [
        shot.image_bgr[:top], shot.image_bgr[bottom:],
        shot.image_bgr[:, :left], shot.image_bgr[:, right:],
    ]  # fmt: skip
    strips = [s for s in strips if min(s.shape[:2]) >= 20]
    if not strips:
        return noise_art(rng, (side_px, side_px), 20.0, 10.0)
    strip = strips[int(rng.integers(len(strips)))]
    size = min(*strip.shape[:2], side_px)
    y, x = rng.integers(strip.shape[0] - size + 1), rng.integers(strip.shape[1] - size + 1)
    tile = strip[y : y + size, x : x + size]
    pad = side_px - size
    bordered = cv2.copyMakeBorder(tile, 0, pad, 0, pad, cv2.BORDER_REFLECT)
    tile = np.asarray(bordered, np.uint8)
    return np.asarray(tile, np.uint8)


def _colour(rng: np.random.Generator) -> NDArray[np.float64]:
    base = rng.uniform(15, 245)
    return np.clip(base + rng.normal(0, rng.uniform(2, 60), 3), 0, 255)


def made_up_colour(rng: np.random.Generator) -> tuple[float, float, float]:
    """Any colour, as OpenCV's drawing takes it (blue, green, red)."""
    blue, green, red = _colour(rng)
    return float(blue), float(green), float(red)


def _checks(rng: np.random.Generator, side_px: int) -> Image:
    """Checked or striped cloth at any angle."""
    y, x = np.mgrid[0:side_px, 0:side_px].astype(np.float32)
    angle, period = rng.uniform(0, np.pi), rng.uniform(5, 60)
    u = (np.cos(angle) * x + np.sin(angle) * y) / period
    v = (np.cos(angle) * y - np.sin(angle) * x) / (period * rng.choice([1.0, 1.0, 1e3]))
    pattern = ((np.floor(u) % 2) + (np.floor(v) % 2)) / 2
    out = _colour(rng) * (1 - pattern[..., None]) + _colour(rng) * pattern[..., None]
    return np.clip(out + rng.normal(0, 4, out.shape), 0, 255).astype(np.uint8)


def _grain(rng: np.random.Generator, side_px: int) -> Image:
    """Wood: noise drawn out along one direction, with planks."""
    grain = rng.normal(0, 1, (side_px, 8)).astype(np.float32)
    large = cv2.resize(grain, (2 * side_px, 2 * side_px), interpolation=cv2.INTER_CUBIC)
    grain = np.asarray(large, np.float32)
    turn = cv2.getRotationMatrix2D((side_px, side_px), float(rng.uniform(0, 180)), 1.0)
    size = (grain.shape[1], grain.shape[0])
    turned = cv2.warpAffine(grain, turn, size, borderMode=cv2.BORDER_REFLECT)
    grain = np.asarray(turned, np.float32)
    half = side_px // 2
    grain = grain[half : half + side_px, half : half + side_px, None]
    return np.clip(_colour(rng) + grain * rng.uniform(3, 25), 0, 255).astype(np.uint8)


def noise_art(
    rng: np.random.Generator, shape: tuple[int, int], coarse_px: float, strength: float
) -> Image:
    """Soft coloured blotches of about the given size."""
    small = (max(2, round(shape[0] / coarse_px)), max(2, round(shape[1] / coarse_px)))
    blotches = rng.normal(0, 1, (*small, 3)).astype(np.float32)
    full = cv2.resize(blotches, shape[::-1], interpolation=cv2.INTER_CUBIC)
    blotches = np.asarray(full, np.float32)
    fine = rng.normal(0, rng.uniform(0, 6), (*shape, 1))
    return np.clip(_colour(rng) + blotches * strength + fine, 0, 255).astype(np.uint8)


def made_up_board(rng: np.random.Generator, side_px: int) -> BoardShot:
    """A board that nobody prints: a border of cells, soft art, lines of boxes."""
    aspect = float(np.exp(rng.uniform(-0.45, 0.45)))
    width = round(side_px * min(1.0, aspect))
    height = round(side_px * min(1.0, 1 / aspect))
    art = noise_art(rng, (height, width), rng.uniform(20, 120), rng.uniform(5, 50))
    border = round(rng.uniform(0.0, 0.055) * side_px)
    if border > 3:
        art[:] = np.where(
            _border_mask(height, width, border)[..., None], _cells(rng, art.shape), art
        )
    for _ in range(rng.integers(15, 70)):
        _boxes(rng, art)
    corners = corners_of_size((width, height))
    scale = rng.uniform(500, 900) / side_px
    return BoardShot(art, corners, (width * scale, height * scale))


def _border_mask(height: int, width: int, border: int) -> NDArray[np.bool_]:
    inside = np.zeros((height, width), bool)
    inside[border:-border, border:-border] = True
    return ~inside


def _cells(rng: np.random.Generator, shape: tuple[int, ...]) -> Image:
    """A score track's squares, in two colours or one."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    step = int(rng.uniform(8, 30))
    pattern = ((x // step + y // step) % 2)[..., None]
    return (_colour(rng) * pattern + _colour(rng) * (1 - pattern)).astype(np.uint8)


def _boxes(rng: np.random.Generator, art: Image) -> None:
    """A line of coloured boxes somewhere on the art (drawn in place)."""
    height, width = art.shape[:2]
    at = rng.uniform(0.08, 0.92, 2) * (width, height)
    angle, length = rng.uniform(0, np.pi), max(height, width) * 0.031
    colour = made_up_colour(rng)
    for step in range(rng.integers(1, 7)):
        centre = at + step * 1.08 * length * np.array([np.cos(angle), np.sin(angle)])
        box = ((centre[0], centre[1]), (length, length * 0.4), float(np.degrees(angle)))
        cv2.fillConvexPoly(art, np.round(cv2.boxPoints(box)).astype(np.int32), colour)


def clutter(rng: np.random.Generator, image: Image) -> Image:
    """Things on the table: sheets, cards, cups, all as plain shapes."""
    out = image.copy()
    for _ in range(rng.integers(0, 6)):
        _thing(rng, out, rng.uniform(0, out.shape[0], 2))
    return out


def occlude(rng: np.random.Generator, image: Image, corners_px: Points) -> Image:
    """Things over the board's edge: cards, a cup, an arm from outside the picture."""
    out = image.copy()
    for _ in range(rng.integers(0, 4)):
        side, t = rng.integers(4), rng.uniform()
        edge = corners_px[side] * (1 - t) + corners_px[(side + 1) % 4] * t
        _thing(rng, out, edge + rng.normal(0, 0.05 * out.shape[0], 2))
    if rng.uniform() < 0.5:
        _arm(rng, out, corners_px)
    return out


def _thing(rng: np.random.Generator, image: Image, at: Points) -> None:
    side = image.shape[0]
    size = rng.uniform(0.02, 0.16, 2) * side
    colour = made_up_colour(rng)
    if rng.uniform() < 0.7:
        box = ((float(at[0]), float(at[1])), (size[0], size[1]), float(rng.uniform(0, 180)))
        cv2.fillConvexPoly(
            image, np.round(cv2.boxPoints(box)).astype(np.int32), colour, cv2.LINE_AA
        )
    else:
        centre = (round(float(at[0])), round(float(at[1])))
        cv2.circle(image, centre, round(size.min() / 2), colour, -1, cv2.LINE_AA)


def _arm(rng: np.random.Generator, image: Image, corners_px: Points) -> None:
    """A sleeve and a hand reaching from beyond the picture to somewhere on the board."""
    side = image.shape[0]
    weights = rng.dirichlet(np.ones(4))
    hand = weights @ corners_px
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    wide = rng.uniform(0.03, 0.13) * side
    skin = (float(rng.uniform(60, 170)), float(rng.uniform(90, 190)), float(rng.uniform(130, 235)))
    wrist = hand + away * wide * 2
    for colour, start, end, width in (
        (made_up_colour(rng), wrist, hand + away * 2 * side, 1.2 * wide),
        (skin, hand, wrist, wide),
    ):
        ends = [tuple(int(v) for v in np.round(p)) for p in (start, end)]
        cv2.line(image, ends[0], ends[1], colour, max(2, round(width)), cv2.LINE_AA)


def finish(rng: np.random.Generator, image: Image) -> Image:
    """Light, colour, focus and noise of another camera on another day."""
    out = image.astype(np.float32)
    if rng.uniform() < 0.15:
        out = out[..., rng.permutation(3)]
    out = out * rng.uniform(0.8, 1.2, 3).astype(np.float32) * _light(rng, out.shape[:2])
    out = 255 * np.power(np.clip(out / 255, 0, 1), rng.uniform(0.6, 1.6))
    if rng.uniform() < 0.3:
        hsv = cv2.cvtColor(out.astype(np.uint8), cv2.COLOR_BGR2HSV).astype(np.float32)
        hsv[..., 1] *= rng.uniform(0.3, 1.5)
        back = cv2.cvtColor(np.clip(hsv, 0, 255).astype(np.uint8), cv2.COLOR_HSV2BGR)
        out = np.asarray(back, np.float32)
    if rng.uniform() < 0.5:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.3)), np.float32)
    noisy = out + rng.normal(0, rng.uniform(0, 8), out.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _light(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float32]:
    """A gradient, sometimes with a round glare or a hard shadow; shape (H, W, 1)."""
    y, x = np.mgrid[0 : 1 : shape[0] * 1j, 0 : 1 : shape[1] * 1j]
    slope = rng.normal(0, 0.25, 2)
    light = rng.uniform(0.6, 1.25) + slope[0] * (x - 0.5) + slope[1] * (y - 0.5)
    if rng.uniform() < 0.3:
        distance = np.hypot(x - rng.uniform(), y - rng.uniform())
        light = light + rng.uniform(0.2, 1.2) * np.exp(-((distance / rng.uniform(0.05, 0.2)) ** 2))
    if rng.uniform() < 0.25:
        angle = rng.uniform(0, 2 * np.pi)
        side = np.cos(angle) * (x - rng.uniform(0.2, 0.8)) + np.sin(angle) * (y - 0.5)
        light = light * np.where(side > 0, 1.0, rng.uniform(0.4, 0.85))
    return np.clip(light, 0.1, 2.5).astype(np.float32)[..., None]
