"""Finds lines that run side by side, box beside box: doubles and triples."""

import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import Boxes, turned_deg
from calibration.studio.stringing import Line

MOST_ACROSS, MOST_ALONG, MOST_TURN_DEG = 1.75, 0.5, 30.0
"""Boxes side by side are apart by that much of their width and length, and turned by less."""


def find_parallels(boxes: Boxes, lines: list[Line]) -> list[int | None]:
    """For each line the first one of its group, None for a group's first and for a single line."""
    beside = _beside(boxes)
    parallel: list[int | None] = [None] * len(lines)
    for second in range(len(lines)):
        for first in range(second):
            if _side_by_side(beside, lines[first], lines[second]):
                above = parallel[first]
                parallel[second] = first if above is None else above
                break
    return parallel


def _beside(boxes: Boxes) -> NDArray[np.bool_]:
    """Which boxes lie side by side, (N, N), as the first of two sees it."""
    apart = boxes.centres[None] - boxes.centres[:, None]
    way = boxes.along
    along = np.abs(np.einsum("ijk,ik->ij", apart, way)) / boxes.sizes[:, :1]
    sine = apart[..., 0] * way[:, None, 1] - apart[..., 1] * way[:, None, 0]
    across = np.abs(sine) / boxes.sizes[:, 1:]
    turn = turned_deg(boxes.angles_deg[None], boxes.angles_deg[:, None])
    return np.asarray((along < MOST_ALONG) & (across < MOST_ACROSS) & (turn < MOST_TURN_DEG))


def _side_by_side(beside: NDArray[np.bool_], first: Line, second: Line) -> bool:
    """Whether both have as many boxes, and each of one lies beside one of the other."""
    if len(first) != len(second):
        return False
    both = beside[np.ix_(first, second)]
    return bool(both.any(axis=0).all() and both.any(axis=1).all())
