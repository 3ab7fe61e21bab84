"""Lines of several looks at one photo: which of them stand in one place, and which is best."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from scoring.board.angles import level_deg
from vision.tickets.lines import TextLine
from vision.tickets.plates import ReadLine
from vision.tickets.upright import SURELY_UPRIGHT

SAME_LINE = 0.35
"""Two lines that have this part of the smaller one in common stand in one place."""
GROWN = 1.4
"""By how much of its height a doubtful line is lengthened."""
LONGER = 1.15
"""A line longer by this than one that is read already may show another letter."""
LOWER = 0.75
"""A line lower by this may be one of two that were seen as one."""
LIKE_HEIGHT, SAME_DIRECTION_DEG, NEXT_LINE = 1.4, 15.0, 0.45
"""Two lines as high as each other, by that factor, and in one direction stand below each other if
their middles are so many heights apart: the boxes around close lines overlap."""
LEGIBLE = 4.0
"""How much a line's clearness counts beside the number of its letters."""


def best_of(looks: Sequence[ReadLine]) -> list[ReadLine]:
    """The lines of several looks: of those in one place the one that says most, and clearest."""
    kept: list[ReadLine] = []
    for read in sorted(looks, key=_legible, reverse=True):
        if not any(_same_place(read.line, other.line) for other in kept):
            kept.append(read)
    return sorted(kept, key=lambda read: (read.line.y_px, read.line.x_px))


def grown(line: TextLine) -> TextLine:
    """The line with a letter's room at both ends, which the detector may have cut off."""
    return replace(line, width_px=line.width_px + GROWN * line.height_px)


def elsewhere(lines: Sequence[TextLine], read: Sequence[ReadLine]) -> list[TextLine]:
    """One of the lines for each place in which nothing was read."""
    kept: list[TextLine] = []
    for line in lines:
        if not any(_same_place(line, other) for other in (*kept, *(one.line for one in read))):
            kept.append(line)
    return kept


def not_yet_clear(lines: Sequence[TextLine], read: Sequence[ReadLine]) -> list[TextLine]:
    """Those of the lines that show more than the clearly read ones in their places."""
    clear = [other.line for other in read if other.script.clearness > SURELY_UPRIGHT]
    return [
        line
        for line in lines
        if not any(
            _same_place(line, other)
            and line.width_px < LONGER * other.width_px
            and line.height_px > LOWER * other.height_px
            for other in clear
        )
    ]


def _legible(read: ReadLine) -> float:
    return read.script.letters * float(np.exp(LEGIBLE * read.script.clearness))


def _same_place(one: TextLine, other: TextLine) -> bool:
    reach = (one.width_px + other.width_px) / 2
    if abs(one.x_px - other.x_px) > reach or abs(one.y_px - other.y_px) > reach:
        return False
    if _stand_below_each_other(one, other):
        return False
    areas = one.width_px * one.height_px, other.width_px * other.height_px
    _, common = cv2.rotatedRectangleIntersection(one.rectangle, other.rectangle)
    return common is not None and float(cv2.contourArea(common)) > SAME_LINE * min(areas)


def _stand_below_each_other(one: TextLine, other: TextLine) -> bool:
    low, high = sorted((one.height_px, other.height_px))
    if high > LIKE_HEIGHT * low or not (one.is_longish and other.is_longish):
        return False
    if abs(level_deg(one.angle_deg - other.angle_deg)) > SAME_DIRECTION_DEG:
        return False
    angle = np.deg2rad(one.angle_deg if one.width_px > other.width_px else other.angle_deg)
    right, down = other.x_px - one.x_px, other.y_px - one.y_px
    apart_px = abs(down * np.cos(angle) - right * np.sin(angle))
    return bool(apart_px > NEXT_LINE * (low + high) / 2)
