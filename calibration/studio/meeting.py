"""Proposes places where lines meet: a line points at a place a little beyond each of its ends."""

from dataclasses import dataclass

import numpy as np

from calibration.studio.boxes import Boxes
from calibration.studio.stringing import Line, tips_of
from vision.registration.geometry import Points

BEYOND = 9.0
"""Units from a line's last box to its place; 5 to 16 on the published boards."""

REACH = 17.0
"""Ends that point this near to each other, in units, may share a place."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Places (M, 2), in units, and for each line (K, 2) the places at its first and last box."""

    centres: Points
    of_lines: list[tuple[int, int]]


def find_places(boxes: Boxes, lines: list[Line]) -> Places:
    """Where the lines' ends meet; a line's two ends never share a place."""
    tips, ways = tips_of(boxes, lines)
    groups = _groups(tips + BEYOND * ways)
    numbers = {group: number for number, group in enumerate(sorted(set(groups)))}
    centres = np.array([_crossing(tips, ways, np.array(groups) == group) for group in numbers])
    numbered = [numbers[group] for group in groups]
    pairs = list(zip(numbered[::2], numbered[1::2], strict=True))
    return Places(centres.reshape(-1, 2), pairs)


def _groups(points: Points) -> list[int]:
    """A number for each point that those which meet share; nearest groups join first."""
    group = np.arange(len(points))
    middle = points.astype(np.float64).copy()
    first, second = np.triu_indices(len(points), 1)
    apart = np.hypot(*(points[first] - points[second]).T)
    for pick in np.argsort(apart):
        if apart[pick] > REACH:
            break
        one, other = group[first[pick]], group[second[pick]]
        if one == other or np.hypot(*(middle[one] - middle[other])) > REACH:
            continue
        members = np.flatnonzero((group == one) | (group == other))
        if len(set((members // 2).tolist())) < len(members):
            continue
        group[members] = one
        middle[one] = points[members].mean(axis=0)
    return [int(number) for number in group]


def _crossing(tips: Points, ways: Points, which: Points) -> Points:
    """The point nearest to the lines out of these tips, held to about `BEYOND` from each."""
    tip, way = tips[which], ways[which]
    across = np.stack([-way[:, 1], way[:, 0]], axis=1)
    normal = np.einsum("ni,nj->ij", across, across) + 0.25 * np.eye(2) * len(tip)
    right = np.einsum("ni,nj,nj->i", across, across, tip) + 0.25 * (tip + BEYOND * way).sum(axis=0)
    return np.asarray(np.linalg.solve(normal, right), np.float64)
