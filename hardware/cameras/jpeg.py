"""Decodes the JPEGs that USB and network cameras send: whole, or at the size for watching."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.preview import divisor, preview_of
from vision.images.headers import read_header

MOTION_JPEG = cv2.VideoWriter.fourcc(*"MJPG")
"""The code of a stream of JPEGs."""

HEADER_BYTES = 1 << 16
"""Cameras tell the size within the first bytes."""

WHOLE = cv2.IMREAD_COLOR
DIVIDED = {
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
"""By how much the sides are divided while decoding, which saves most of the time and memory."""


def picture_of(taken: NDArray[np.uint8], whole: bool) -> NDArray[np.uint8] | None:
    """What OpenCV took from a camera as (H, W, 3), uint8, BGR; None where it is no picture.

    `taken` is that picture already, or the JPEG as one row of bytes. Unless `whole` is wanted it
    is as small as a preview.
    """
    if taken.ndim == 3 and taken.shape[2] == 3:
        return taken if whole else preview_of(taken)
    data = taken.ravel()
    header = read_header(data[:HEADER_BYTES].tobytes())
    if header is None or header.kind != "jpeg":
        return None
    by = 1 if whole else divisor(max(header.width, header.height))
    try:
        image = cv2.imdecode(data, DIVIDED.get(by, WHOLE))
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)
