"""Pictures as the bytes of a file."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

FULL_COLOUR = (
    int(cv2.IMWRITE_JPEG_SAMPLING_FACTOR),
    int(cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444),
)
"""Options by which a JPEG keeps its colours at the full size."""


def jpeg(image_bgr: NDArray[np.uint8], quality: int, options: Sequence[int] = ()) -> bytes:
    """An image (H, W, 3), uint8, BGR, as JPEG of a quality from 0 to 100.

    Raises ValueError where it is none that JPEG can hold: empty, or longer than 65,535 pixels.
    """
    return _encoded(".jpg", image_bgr, (int(cv2.IMWRITE_JPEG_QUALITY), quality, *options))


def jpeg_within(image_bgr: NDArray[np.uint8], most_bytes: int, qualities: Sequence[int]) -> bytes:
    """A JPEG of the first of these qualities that is small enough, of the last where none is."""
    data = b""
    for quality in qualities:
        data = jpeg(image_bgr, quality)
        if len(data) <= most_bytes:
            break
    return data


def png(image_bgr: NDArray[np.uint8], options: Sequence[int] = ()) -> bytes:
    """An image (H, W, 3), uint8, BGR, as PNG. Raises ValueError where it is empty."""
    return _encoded(".png", image_bgr, options)


def _encoded(suffix: str, image_bgr: NDArray[np.uint8], options: Sequence[int]) -> bytes:
    try:
        done, data = cv2.imencode(suffix, image_bgr, options)
    except cv2.error as error:
        raise ValueError(f"the image cannot be written as {suffix}") from error
    if not done:
        raise ValueError(f"the image cannot be written as {suffix}")
    return data.tobytes()
