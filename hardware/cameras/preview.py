"""Smaller frames for watching: a scan wants every pixel, watching does not.

OpenCV is imported only where a frame is large: the system's Python, under which the Pi's own camera
runs, may not have it (`hardware/cameras/system_python.py`).
"""

import numpy as np
from numpy.typing import NDArray

LEAST_SIDE_PX = 1_600
"""The longer side of a preview is at least this: 1.8 pixels a millimetre over a board of 80 cm,
where reading uses 1.35."""


MOST_SIDE_PX = 2 * LEAST_SIDE_PX - 1
"""A picture whose longer side is more is reduced."""


def divisor(longer_side_px: int) -> int:
    """By how much a picture is divided for watching: 1, 2, 4 or 8.

    >>> [divisor(px) for px in (2304, 3840, 4000, 9248)]
    [1, 2, 2, 4]
    """
    return next((by for by in (8, 4, 2) if longer_side_px >= by * LEAST_SIDE_PX), 1)


def preview_of(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture (H, W, 3) at the size for watching; the same array where that is its own."""
    by = divisor(max(image_bgr.shape[:2]))
    if by == 1:
        return image_bgr
    import cv2

    height_px, width_px = image_bgr.shape[:2]
    size_px = (-(-width_px // by), -(-height_px // by))  # rounded up, as a JPEG decoder does
    return np.asarray(cv2.resize(image_bgr, size_px, interpolation=cv2.INTER_AREA), np.uint8)
