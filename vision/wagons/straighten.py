"""The board of a photo as seen from above, small: what the network that finds wagons looks at."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images.resize import shrunk
from vision.registration.geometry import Points, project, px_per_mm

PX_PER_MM = 1.0
"""A wagon of 24 x 9 mm covers as many pixels."""

MARGIN_MM = 8.0
"""How much of the table is kept around the board: wagons near its edge lean over it."""

FINER = 1.4
"""A photo is first shrunk to this many pixels a pixel of the picture, then sampled."""

SIDE_STEP_PX = 8
"""The picture's sides are multiples of this, as the network halves them three times."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """A straightened board: `image_bgr` (H, W, 3) at `px_per_mm`, `origin_mm` its top left."""

    image_bgr: NDArray[np.uint8]
    origin_mm: Points
    px_per_mm: float = PX_PER_MM

    def to_mm(self, points_px: Points) -> Points:
        """Board millimetres of points (..., 2) of the picture; a pixel's middle is a whole one."""
        return (points_px + 0.5) / self.px_per_mm + self.origin_mm


def straighten(
    photo_bgr: NDArray[np.uint8], to_photo: Points, outline: Points, scale: float = PX_PER_MM
) -> BoardView:
    """The board in a photo (H, W, 3) straightened at `scale` pixels a millimetre.

    `to_photo` (3, 3) takes board millimetres to photo pixels, `outline` (4, 2) is the board's edge
    in millimetres.
    """
    finest = px_per_mm(project(to_photo, outline), outline)
    factor = min(1.0, FINER * scale / max(finest, 1e-6))
    small = shrunk(photo_bgr, factor)
    sides = np.array(
        [[s / b] for s, b in zip(small.shape[1::-1], photo_bgr.shape[1::-1], strict=True)]
    )
    shrinking = np.diag([*sides[:, 0], 1.0])
    shrinking[:2, 2] = (sides[:, 0] - 1) / 2
    origin = outline.min(axis=0) - MARGIN_MM
    wide, high = (
        SIDE_STEP_PX * math.ceil(side * scale / SIDE_STEP_PX)
        for side in outline.max(axis=0) + MARGIN_MM - origin
    )
    to_mm = np.array([[1 / scale, 0, origin[0] + 0.5 / scale],
                      [0, 1 / scale, origin[1] + 0.5 / scale], [0, 0, 1.0]])  # fmt: skip
    image = cv2.warpPerspective(
        small,
        shrinking @ to_photo @ to_mm,
        (wide, high),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return BoardView(np.asarray(image, np.uint8), origin, scale)
