"""Shrinks images by averaging areas, large ones in steps, which is much faster."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

WHOLE_FROM = 0.8
"""A whole number of times may leave this part of the side that is wanted."""

HALVED_FIRST = 0.5
"""Images that shrink to this or less are halved first, which is many times faster a pixel."""


def shrunk(image: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """An image (H, W) or (H, W, 3) at a scale of at most 1; the image itself at 1."""
    if scale >= 1.0:
        return image
    while scale <= HALVED_FIRST:
        image, scale = shrunk_by(image, 2), scale * 2
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def shrunk_to_side(image: NDArray[np.uint8], side_px: int) -> tuple[NDArray[np.uint8], float]:
    """An image (H, W) or (H, W, 3) with a long side of at most that, and its scale."""
    scale = min(1.0, side_px / max(image.shape[:2]))
    return shrunk(image, scale), scale


def shrunk_to_about(image: NDArray[np.uint8], side_px: int) -> tuple[NDArray[np.uint8], float]:
    """Like `shrunk_to_side`; a whole number of times where that is at most a fifth smaller, which
    takes a twentieth of the time: a photo of 12 megapixels is halved for 2,400 pixels."""
    times = math.ceil(max(image.shape[:2]) / side_px)
    if max(image.shape[:2]) < WHOLE_FROM * side_px * times:
        return shrunk_to_side(image, side_px)
    return shrunk_by(image, times), 1 / times


def shrunk_by(image: NDArray[np.uint8], times: int) -> NDArray[np.uint8]:
    """An image (H, W) or (H, W, 3) so many times smaller; a rest of rows and columns is cut off."""
    if times == 1:
        return image
    height, width = (side // times for side in image.shape[:2])
    whole = image[: height * times, : width * times]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
