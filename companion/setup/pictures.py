"""Photos as the set-up pages show them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Calibration, Lab
from vision.images.encode import jpeg
from vision.images.resize import shrunk_to_side
from vision.registration.geometry import corners_of_size, homography_of_quads

PAGE_SIDE_PX = 1600
"""Long side of a photo on a page: a corner can be put to half a pixel of it."""

LIVE_SIDE_PX = 960
KEPT_WIDTH_PX = 480


def page_photo(
    photo_bgr: NDArray[np.uint8], side_px: int = PAGE_SIDE_PX, quality: int = 82
) -> bytes:
    """A photo (H, W, 3), uint8, BGR, as JPEG of that long side at most."""
    return jpeg(shrunk_to_side(photo_bgr, side_px)[0], quality)


def kept_picture(calibration: Calibration) -> bytes:
    """The empty board of a calibration, straightened, as a small JPEG."""
    corners = calibration.corners_px
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    aspect = float((sides[1] + sides[3]) / max(sides[0] + sides[2], 1.0))
    shape = (1.0, min(max(aspect, 0.2), 3.0))
    return page_photo(straightened(calibration.image_bgr, corners, shape, KEPT_WIDTH_PX))


def straightened(
    photo_bgr: NDArray[np.uint8],
    corners_px: NDArray[np.float64],
    shape: tuple[float, float],
    width_px: int = PAGE_SIDE_PX,
) -> NDArray[np.uint8]:
    """What lies within the corners (4, 2), as a picture of that width and proportions."""
    size = (width_px, max(1, round(width_px * shape[1] / shape[0])))
    to_flat = homography_of_quads(corners_px, corners_of_size(size))
    straight = cv2.warpPerspective(photo_bgr, to_flat, size)
    return np.asarray(straight, np.uint8)


def hex_of_lab(lab: Lab) -> str:
    """A colour as `#rrggbb`."""
    pixel = np.array([[lab]], np.float32)
    rgb = np.clip(np.asarray(cv2.cvtColor(pixel, cv2.COLOR_Lab2RGB))[0, 0], 0, 1)
    return "#" + "".join(f"{round(float(part) * 255):02x}" for part in rgb)
