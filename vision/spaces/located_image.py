"""An image of a board and where its spaces lie in it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.images.resize import shrunk_by
from vision.spaces.patches import finer_than_patches


@dataclass(frozen=True, slots=True, eq=False)
class LocatedImage:
    """An image with where its spaces lie, ndarray of shape (N, 4, 2), pixels."""

    image_bgr: NDArray[np.uint8]
    spaces_px: NDArray[np.float64]


def as_fine_as_read(look: LocatedImage, size_mm: tuple[float, float]) -> LocatedImage:
    """The image so many whole times smaller as its patches are cut from it; often itself.

    `size_mm` is the printed box of a space. All that follows costs a quarter then, and the patches
    are the same.
    """
    times = finer_than_patches(look.spaces_px, size_mm)
    if times == 1:
        return look
    return LocatedImage(shrunk_by(look.image_bgr, times), (look.spaces_px + 0.5) / times - 0.5)
