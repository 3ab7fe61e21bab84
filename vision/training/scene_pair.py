"""A view that was rendered twice, on a white and on a black print, in linear light."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Linear = NDArray[np.float32]
"""Linear RGB, (H, W, 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One view rendered on a white and on a black print, linear RGB (H, W, 3) each.

    `at_print` (H / 2, W / 2, 2) says which pixel of the print is seen, `board` and `wagon` (H, W)
    where these are.
    """

    white: Linear
    black: Linear
    at_print: Linear
    board: NDArray[np.bool_]
    wagon: NDArray[np.bool_]

    @property
    def by_print(self) -> Linear:
        """How much a white print adds to what is seen on a black one, (H, W, 3); anew each time."""
        return np.maximum(self.white - self.black, 0)


def load_pair(path: Path) -> Pair:
    """What `vision/training/render_scene.py` kept; OSError where there is none."""
    with np.load(path) as kept:
        return Pair(
            white=kept["white"].astype(np.float32),
            black=kept["black"].astype(np.float32),
            at_print=kept["at_print"],
            board=kept["board"] > 0,
            wagon=kept["wagon"] > 0,
        )


def solid_of(pair: Pair, by_print: Linear, below: float) -> NDArray[np.bool_]:
    """Where a print makes less difference than `below` of the median on the board: something lies
    on it, (H, W). `by_print` is the pair's."""
    strength = by_print.mean(axis=2)
    return np.asarray(strength < below * np.median(strength[pair.board]), dtype=np.bool_)


def px_a_unit(corners_px: Sequence[Sequence[float]], size: Sequence[float]) -> float:
    """Image pixels a unit of something flat, in the mean: its four corners as they are seen, its
    width and height in these units."""
    area_px = cv2.contourArea(np.array(corners_px, np.float32))
    return float(np.sqrt(area_px / (size[0] * size[1])))
