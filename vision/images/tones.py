"""A photo of a board in the tones of a plain one: without a veil, and with its shadows open."""

import numpy as np
from numpy.typing import NDArray

from vision.images.deep_shadows import with_open_shadows
from vision.images.veil import without_veil


def in_plain_tones(
    image_bgr: NDArray[np.uint8], board_px: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """An image (H, W, 3), as it is to be read; the image itself where its tones are plain.

    `board_px` (N, 2) are points whose convex hull is the board.
    """
    return with_open_shadows(without_veil(image_bgr, board_px), board_px)
