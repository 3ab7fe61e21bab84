"""Cuts one card out of a photo, upright, so that a person can say what it is."""

import cv2
import numpy as np
from numpy.typing import NDArray

LONG_SIDE_PX = 420
"""Enough to read any card's names by eye; a page may show nine of them."""
AROUND = 0.06
"""Seen beyond the card, as a part of its long side."""
MOST_ASPECT = 1.7
"""Where only the names were seen, as much above and below is shown as makes a card of them."""


def card_crop(image_bgr: NDArray[np.uint8], corners_px: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The piece of a photo (H, W, 3), BGR, around a card's corners, upright as printed."""
    corners = corners_px.astype(np.float64)
    along, down = corners[1] - corners[0], corners[3] - corners[0]
    width, height = float(np.hypot(*along)), float(np.hypot(*down))
    along, down = along / max(width, 1.0), down / max(height, 1.0)
    around = AROUND * max(width, height)
    wide = width + 2 * around
    high = max(height + 2 * around, wide / MOST_ASPECT)
    scale = LONG_SIDE_PX / max(wide, high)
    size = max(8, round(wide * scale)), max(8, round(high * scale))
    first = corners.mean(axis=0) - along * wide / 2 - down * high / 2
    source = np.array([first, first + along * wide, first + down * high], np.float32)
    target = np.array([[0, 0], [size[0], 0], [0, size[1]]], np.float32)
    turn = cv2.getAffineTransform(source, target)
    cut = cv2.warpAffine(image_bgr, turn, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
