"""Notices that the light over the table has changed for good since the camera's locks were set."""

import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Frame

STRIDE_PX = 16
"""Every so many-th pixel is enough for the brightness of a whole picture."""

CHANGED = 1.35
"""Ratio of brightness that a hand, a cup or a cloud does not make, and a lamp does."""

FRAMES = 20
"""So many frames in a row must show it: ten seconds at two frames a second."""


class LightDrift:
    """Compares every frame's brightness with that of the first frame after the locks were set."""

    def __init__(self) -> None:
        self._locked: float | None = None
        self._changed = 0

    def take(self, frame: Frame) -> bool:
        """Take a frame; says whether the light is another one by now."""
        level = brightness(frame.image_bgr)
        if self._locked is None:
            self._locked = level
        ratio = max(level, self._locked) / min(level, self._locked)
        self._changed = self._changed + 1 if ratio > CHANGED else 0
        return self._changed >= FRAMES

    def begin(self) -> None:
        """The locks were set anew."""
        self._locked, self._changed = None, 0


def brightness(image_bgr: NDArray[np.uint8]) -> float:
    """The mean level of a picture (H, W, 3), never 0, so that two can be divided."""
    return float(image_bgr[::STRIDE_PX, ::STRIDE_PX].mean()) + 1.0
