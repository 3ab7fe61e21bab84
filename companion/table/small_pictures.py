"""Pictures small enough for a page with thirty of them on a slow home network."""

from typing import Any

import cv2

MOST_BYTES = 20_000
"""Largest picture: thirty of them load in under a second at 6 Mbit/s."""

QUALITIES = (85, 78, 70, 62)
"""JPEG qualities tried in turn; under the last the outlines fray, and a smaller size is better."""

SMALLER = 0.8
"""How much shorter the sides become where no quality is small enough."""


def encode_small(image_bgr: Any) -> bytes:
    """A picture, (H, W, 3), uint8, BGR, as JPEG of MOST_BYTES at most.

    As good as fits, then as large as fits. Raises ValueError where it is no picture.
    """
    while True:
        for quality in QUALITIES:
            data = _jpeg(image_bgr, quality)
            if len(data) <= MOST_BYTES:
                return data
        image_bgr = cv2.resize(
            image_bgr, None, fx=SMALLER, fy=SMALLER, interpolation=cv2.INTER_AREA
        )


def _jpeg(image_bgr: Any, quality: int) -> bytes:
    done, data = cv2.imencode(".jpg", image_bgr, [int(cv2.IMWRITE_JPEG_QUALITY), quality])
    if not done:
        raise ValueError("the image cannot be written as JPEG")
    return bytes(data)
