"""Pictures small enough for a page with thirty of them on a slow home network."""

import numpy as np
from numpy.typing import NDArray

from vision.images.encode import jpeg_within
from vision.images.resize import shrunk

MOST_BYTES = 20_000
"""Largest picture: thirty of them load in under a second at 6 Mbit/s."""

QUALITIES = (85, 78, 70, 62)
"""JPEG qualities tried in turn; under the last the outlines fray, and a smaller size is better."""

SMALLER = 0.8
"""How much shorter the sides become where no quality is small enough."""


def encode_small(image_bgr: NDArray[np.uint8]) -> bytes:
    """A picture, (H, W, 3), uint8, BGR, as JPEG of MOST_BYTES at most.

    As good as fits, then as large as fits. Raises ValueError where it is no picture.
    """
    while True:
        data = jpeg_within(image_bgr, MOST_BYTES, QUALITIES)
        if len(data) <= MOST_BYTES:
            return data
        image_bgr = shrunk(image_bgr, SMALLER)
