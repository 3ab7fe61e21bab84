"""What of an image lies within the convex hull of some points."""

import cv2
import numpy as np
from numpy.typing import NDArray


def mask_within(shape: tuple[int, int], points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The pixels, (H, W), of an image of that shape that lie in the hull of points (N, 2)."""
    mask = np.zeros(shape, np.uint8)
    hull = cv2.convexHull(points_px.astype(np.float32)).round().astype(np.int32)
    cv2.fillConvexPoly(mask, hull, 1)
    return mask > 0


def pixels_of(image_bgr: NDArray[np.uint8], inside: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The pixels (P, 3) of an image (H, W, 3) that are `inside` (H, W)."""
    return image_bgr.reshape(-1, 3)[np.flatnonzero(inside)]  # three times as fast as by the mask


def pixels_within(
    image_bgr: NDArray[np.uint8], points_px: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """The pixels (P, 3) of an image (H, W, 3) in the convex hull of points (N, 2)."""
    height, width = image_bgr.shape[:2]
    return pixels_of(image_bgr, mask_within((height, width), points_px))
