"""Finds lines that run side by side, box beside box: doubles and triples."""

import numpy as np

from calibration.studio.boxes import Boxes
from calibration.studio.stringing import Line

MOST_ACROSS, MOST_ALONG, MOST_TURN_DEG = 1.75, 0.5, 30.0
"""Boxes side by side are apart by that much of their width and length, and turned by less."""


def find_parallels(boxes: Boxes, lines: list[Line]) -> list[int | None]:
    """For each line the first one of its group, None for a group's first and for a single line."""
    parallel: list[int | None] = [None] * len(lines)
    for second in range(len(lines)):
        for first in range(second):
            if _side_by_side(boxes, lines[first], lines[second]):
                above = parallel[first]
                parallel[second] = first if above is None else above
                break
    return parallel


def _side_by_side(boxes: Boxes, first: Line, second: Line) -> bool:
    """Whether both have as many boxes, and each of one lies beside one of the other."""
    if len(first) != len(second):
        return False
    here, there = boxes.chosen(np.array(first)), boxes.chosen(np.array(second))
    apart = there.centres[None] - here.centres[:, None]
    along = np.abs(np.einsum("ijk,ik->ij", apart, here.along)) / here.sizes[:, :1]
    sine = apart[..., 0] * here.along[:, None, 1] - apart[..., 1] * here.along[:, None, 0]
    across = np.abs(sine) / here.sizes[:, 1:]
    turn = np.abs((there.angles_deg[None] - here.angles_deg[:, None] + 90) % 180 - 90)
    beside = (along < MOST_ALONG) & (across < MOST_ACROSS) & (turn < MOST_TURN_DEG)
    return bool(beside.any(axis=0).all() and beside.any(axis=1).all())
