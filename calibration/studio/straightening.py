"""Straightens the board in a photo, so that its printed boxes are all of one known size."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.geometry import (
    Points,
    area_of,
    corners_of_size,
    homography_of_quads,
    project,
)

PX_PER_UNIT = 2.0
"""Resolution of a straightened board, for which the network that finds boxes was trained."""

CONTRAST, TILES = 2.0, (8, 8)
"""Most that the contrast is raised by, in so many parts across and down."""


@dataclass(frozen=True, slots=True, eq=False)
class Straight:
    """A straightened board.

    Lengths are in units of which a printed box is about 25 long: millimetres on nearly all boards.
    `image_bgr` is (H, W, 3), uint8, at `PX_PER_UNIT`; `corners_px` (4, 2) are the board's corners
    in the photo, top-left, top-right, bottom-right, bottom-left; `size` is (width, height).
    """

    image_bgr: NDArray[np.uint8]
    corners_px: Points
    size: tuple[float, float]

    def to_photo(self, points: Points) -> Points:
        """Photo pixels of points of shape (..., 2)."""
        return project(homography_of_quads(corners_of_size(self.size), self.corners_px), points)


def straighten(
    photo_bgr: NDArray[np.uint8], corners_px: Points, size: tuple[float, float]
) -> Straight:
    """The board between these corners as a picture of about that size, in units; see `Straight`.

    Its own size is that of whole pixels.
    """
    size_px = tuple(max(16, round(side * PX_PER_UNIT)) for side in size)
    flat = corners_of_size((size_px[0], size_px[1])) - 0.5
    to_straight = homography_of_quads(corners_px, flat)
    image = cv2.warpPerspective(
        _softened(photo_bgr, corners_px, size_px), to_straight, size_px, flags=cv2.INTER_LINEAR
    )
    return Straight(
        np.asarray(image, np.uint8),
        corners_px,
        (size_px[0] / PX_PER_UNIT, size_px[1] / PX_PER_UNIT),
    )


def with_even_contrast(straight: Straight) -> Straight:
    """The same with the contrast of every part of the board raised (CLAHE, on lightness)."""
    lab = cv2.cvtColor(straight.image_bgr, cv2.COLOR_BGR2LAB)
    lab[..., 0] = cv2.createCLAHE(CONTRAST, TILES).apply(lab[..., 0])
    return replace(straight, image_bgr=np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8))


def aspect_of(corners_px: Points, photo_size_px: tuple[int, int]) -> float:
    """Width over height of a rectangle seen in those corners (4, 2) by a camera without distortion.

    The way two pairs of parallel sides converge tells the camera's focal length, and that the
    rectangle's proportions (Zhang and He, Whiteboard scanning, 2004). Seen from straight above the
    sides don't converge, and their lengths tell.
    """
    middle = np.array(photo_size_px, np.float64) / 2
    scale = float(max(photo_size_px))
    top_left, top_right, bottom_right, bottom_left = (
        np.array([*((corner - middle) / scale), 1.0]) for corner in corners_px
    )
    across = _ray(top_left, top_right, bottom_left, bottom_right)
    down = _ray(top_left, bottom_left, top_right, bottom_right)
    tilted = min(abs(across[2]), abs(down[2])) > 0.02
    squared = -float(across[:2] @ down[:2]) / float(across[2] * down[2]) if tilted else -1.0
    focal = np.array([1.0, 1.0, np.sqrt(squared)]) if 0.3 < squared < 4.0 else FOCAL
    return float(np.linalg.norm(across / (1 / focal)) / np.linalg.norm(down / (1 / focal)))


FOCAL = np.array([1.0, 1.0, 0.8])
"""Focal length of a common phone, in long sides of the photo, taken where none can be told."""


def _ray(start: Points, end: Points, other_start: Points, other_end: Points) -> Points:
    """Direction in space of two parallel sides, with its true length but for one common factor."""
    share = float(
        np.dot(np.cross(start, other_end), other_start)
        / np.dot(np.cross(end, other_end), other_start)
    )
    return np.asarray(share * end - start)


def _softened(
    photo_bgr: NDArray[np.uint8], corners_px: Points, size_px: tuple[int, ...]
) -> NDArray[np.uint8]:
    """The photo, blurred by as much as it will be shrunk, so that no fine pattern is falsified."""
    shrink = float(np.sqrt(area_of(corners_px) / (size_px[0] * size_px[1])))
    if shrink < 1.3:
        return photo_bgr
    blurred = cv2.GaussianBlur(photo_bgr, (0, 0), 0.35 * shrink)
    return np.asarray(blurred, np.uint8)
