"""Keeps the space network's answers about a fixed camera's spaces while they look the same."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

BLOCK_PX = 5
"""Patches are compared by the means of blocks of 5 x 5 pixels, 4 mm on the board: a sensor's noise
goes, a wagon's edge stays."""

SAME_LEVELS = 8.0
"""A space looks the same where no block differs by more, of 255. Grain of 5 levels makes less than
6; a wagon that comes makes 20 and more."""

Run = Callable[[NDArray[np.intp]], NDArray[np.float32]]
"""From the numbers (n,) of some spaces to the network's answers about them, (n, …)."""


class SpaceCache:
    """Asks the network only about spaces that look otherwise than when it was asked last.

    For frames of one camera beside one picture of the empty board: with another one, begin anew.
    """

    def __init__(self) -> None:
        self._blocks: NDArray[np.float32] | None = None
        self._answers: NDArray[np.float32] | None = None

    def read(self, patches: NDArray[np.uint8], run: Run) -> NDArray[np.float32]:
        """The network's answers about all spaces, (N, …); `patches` is (N, H, W, 3), uint8."""
        blocks = _blocks(patches)
        if self._blocks is None or self._answers is None or self._blocks.shape != blocks.shape:
            self._blocks, self._answers = blocks, run(np.arange(len(patches)))
            return self._answers
        differ = np.abs(blocks - self._blocks).max(axis=(1, 2, 3)) > SAME_LEVELS
        changed = np.flatnonzero(differ)
        if len(changed):
            self._answers = self._answers.copy()
            self._answers[changed] = run(changed)
            self._blocks[changed] = blocks[changed]
        return self._answers


def _blocks(patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The means of all whole blocks, (N, rows, columns, 3), float32."""
    count, height, width, _ = patches.shape
    rows, columns = height // BLOCK_PX, width // BLOCK_PX
    whole = patches[:, : rows * BLOCK_PX, : columns * BLOCK_PX].astype(np.float32)
    stacked = whole.reshape(count * rows * BLOCK_PX, columns * BLOCK_PX, 3)
    means = cv2.resize(stacked, (columns, count * rows), interpolation=cv2.INTER_AREA)
    return np.asarray(means.reshape(count, rows, columns, 3), np.float32)
