"""A second pass along the strung lines: boxes where one is missing between others, or beside them.

Only what the measuring network surely sees there, where it is expected and as large as the others,
is taken: words and pictures are as often crossed by such a gap as boxes are.
"""

import numpy as np

from calibration.studio.boxes import Boxes, turned_deg, without_copies
from calibration.studio.measuring import measured
from calibration.studio.straightening import Straight
from calibration.studio.stringing import Line, tips_of
from scoring.board.angles import line_deg

SURE, MOST_OFF, MOST_LONGER, MOST_WIDER = 0.9, 1.6, 0.07, 0.15
"""Least likeness, units from where it was expected, and parts by which its size differs. Of some
1,500 gaps on fifteen boards 20 that hold a box pass, and none that doesn't."""

GAP = (0.8, 1.5)
"""Lengths of a box between two ends that one box may fill."""

AHEAD = 0.85
"""Cosine up to which both ends look at each other."""

BESIDE = (0.6, 1.75)
"""Widths of a box between the middles of two that lie side by side."""


def filled(straight: Straight, boxes: Boxes, lines: list[Line]) -> Boxes:
    """The boxes, and those that are surely seen in the gaps of their lines."""
    if not len(boxes):
        return boxes
    length, width = np.median(boxes.sizes, axis=0)
    expected = [*_between(boxes, lines, float(length)), *_beside(boxes, lines)]
    if not expected:
        return boxes
    rows = np.array(expected)
    sizes = np.tile([length, width], (len(rows), 1))
    seen = measured(straight, Boxes(rows[:, :2], rows[:, 2], sizes, np.ones(len(rows))))
    off = np.hypot(*(seen.centres - rows[:, :2]).T)
    longer, wider = np.abs(seen.sizes / [length, width] - 1).T
    sure = (seen.likeness >= SURE) & (off <= MOST_OFF)
    added = seen.chosen(sure & (longer < MOST_LONGER) & (wider < MOST_WIDER))
    return without_copies(boxes.joined(added))


def _between(boxes: Boxes, lines: list[Line], length: float) -> list[tuple[float, float, float]]:
    """Middles and directions of the gaps between two ends that look at each other."""
    tips, ways = tips_of(boxes, lines)
    found = []
    for one in range(len(tips)):
        for other in range(one + 1, len(tips)):
            way = tips[other] - tips[one]
            gap = float(np.hypot(*way))
            if one // 2 == other // 2 or not GAP[0] * length < gap < GAP[1] * length:
                continue
            if min(ways[one] @ way, -ways[other] @ way) > AHEAD * gap:
                x, y = (tips[one] + tips[other]) / 2
                found.append((float(x), float(y), line_deg(*way)))
    return found


def _beside(boxes: Boxes, lines: list[Line]) -> list[tuple[float, float, float]]:
    """Where the second line of a double has no box beside one of the first."""
    found = []
    for line in lines:
        own = boxes.chosen(np.array(line))
        apart = boxes.centres[None] - own.centres[:, None]
        along = (apart * own.along[:, None]).sum(axis=-1) / own.sizes[:, :1]
        across = (apart * own.across[:, None]).sum(axis=-1) / own.sizes[:, 1:]
        alike = (np.abs(along) < 0.5) & (
            turned_deg(boxes.angles_deg[None], own.angles_deg[:, None]) < 30
        )
        for side in (1, -1):
            there = alike & (across * side > BESIDE[0]) & (across * side < BESIDE[1])
            has = there.any(axis=1)
            if len(line) < 2 or has.all() or has.sum() * 2 < len(line):
                continue
            usual = float(np.median((across * own.sizes[:, 1:])[there]))
            for k in np.flatnonzero(~has):
                x, y = own.centres[k] + usual * own.across[k]
                found.append((float(x), float(y), float(own.angles_deg[k])))
    return found
