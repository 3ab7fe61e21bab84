"""Strings boxes into lines: whose end lies before whose, with about the same way and colour."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import Boxes
from calibration.studio.relinking import Ends, cut_through_places, join_lone_ends
from vision.registration.geometry import Points

Line = tuple[int, ...]
"""Indices of boxes in order along a line."""


@dataclass(frozen=True, slots=True)
class LinkLimits:
    """When two boxes follow each other. Lengths in units, of which a box is 25 long.

    On the three published boards ends of following boxes are 0.5 to 8 apart (90 % under 4), those
    of different lines 9 and more, but for one pair of each map.
    """

    most_gap: float = 11.0
    most_turn_deg: float = 100.0
    corner: float = 0.6
    """Part of the gap that a bend explains: outer corners of boxes that touch lie apart."""
    cost_of_turn: float = 0.035
    """Units that a degree of bend counts for."""
    colour_free: float = 14.0
    """Distance in Lab that two boxes of one line may have under a lamp."""
    cost_of_colour: float = 0.18
    most_cost: float = 7.5


LINK_LIMITS = LinkLimits()


def string_lines(boxes: Boxes, colours_lab: Points) -> list[Line]:
    """The lines of boxes, each box in exactly one; `colours_lab` (N, 3) are their prints."""
    if not len(boxes):
        return []
    partner = _partners(boxes, _costs(boxes, colours_lab))
    ends = _all_ends(boxes, colours_lab)
    lines = _chains(join_lone_ends(cut_through_places(partner, ends), ends))
    return sorted(_begun_at_the_left(boxes, line) for line in lines)


def ends_of(boxes: Boxes) -> tuple[Points, Points]:
    """Middles of both short sides, (N, 2, 2), and the unit vectors out of them, (N, 2, 2)."""
    out = np.stack([boxes.along, -boxes.along], axis=1)
    return boxes.centres[:, None] + out * boxes.sizes[:, :1, None] / 2, out


def tips_of(boxes: Boxes, lines: list[Line]) -> tuple[Points, Points]:
    """Outer ends of the lines, first and last in turn, (2K, 2), and the ways out of them."""
    ends, out = ends_of(boxes)
    tips, ways = [], []
    for line in lines:
        for at, towards in ((line[0], line[1:2]), (line[-1], line[-2:-1])):
            side = _outer_side(boxes, ends, at, towards)
            tips.append(ends[at, side])
            ways.append(out[at, side])
        if len(line) == 1:
            tips[-2], ways[-2] = ends[line[0], 1], out[line[0], 1]
            tips[-1], ways[-1] = ends[line[0], 0], out[line[0], 0]
    return np.array(tips).reshape(-1, 2), np.array(ways).reshape(-1, 2)


def _all_ends(boxes: Boxes, colours_lab: Points) -> Ends:
    at, out = (values.reshape(-1, 2) for values in ends_of(boxes))
    width = float(np.median(boxes.sizes[:, 1]))
    return Ends(at, out, np.repeat(colours_lab, 2, axis=0), ~_overlap(boxes), width)


def _outer_side(boxes: Boxes, ends: Points, at: int, towards: Line) -> int:
    """Which end of a line's last box looks away from the box before it."""
    if not towards:
        return 0
    apart = np.hypot(*(ends[at] - boxes.centres[towards[0]]).T)
    return int(apart.argmax())


def _costs(boxes: Boxes, colours_lab: Points) -> Points:
    """How badly each end goes on in each other end, (2N, 2N); infinite where it can't."""
    ends, out = (values.reshape(-1, 2) for values in ends_of(boxes))
    of_box = np.arange(len(ends)) // 2
    way = ends[None] - ends[:, None]
    gap = np.hypot(way[..., 0], way[..., 1])
    turn = np.degrees(np.arccos(np.clip(-(out @ out.T), -1, 1)))
    width = float(np.median(boxes.sizes[:, 1]))
    bend = LINK_LIMITS.corner * width * np.sin(np.radians(turn) / 2)
    apart = np.linalg.norm(colours_lab[of_box][:, None] - colours_lab[of_box][None], axis=-1)
    colour = LINK_LIMITS.cost_of_colour * np.maximum(0, apart - LINK_LIMITS.colour_free)
    cost = np.maximum(gap - bend, 0) + LINK_LIMITS.cost_of_turn * turn + np.minimum(colour, 6.0)
    ahead = np.einsum("ijk,ik->ij", way, out)
    both_ahead = np.minimum(ahead, ahead.T) > -0.35 * width
    possible = (gap < LINK_LIMITS.most_gap) & (turn < LINK_LIMITS.most_turn_deg) & both_ahead
    possible &= (of_box[:, None] != of_box[None]) & ~_overlap(boxes)[of_box][:, of_box]
    return np.where(possible & (cost < LINK_LIMITS.most_cost), cost, np.inf)


def _overlap(boxes: Boxes) -> NDArray[np.bool_]:
    """Which boxes lie side by side or on each other, and so can't follow each other, (N, N)."""
    apart = boxes.centres[None] - boxes.centres[:, None]
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]) < 0.5 * np.median(boxes.sizes[:, 0]))


def _partners(boxes: Boxes, cost: Points) -> NDArray[np.int64]:
    """For each end the end that it goes on in, or -1; the cheapest pairs first, no ring."""
    partner = np.full(len(cost), -1, np.int64)
    chain = np.arange(len(boxes))
    first, second = np.nonzero(np.isfinite(np.triu(cost, 1)) & (np.triu(cost, 1) > 0))
    for pick in np.argsort(cost[first, second], kind="stable"):
        one, other = int(first[pick]), int(second[pick])
        if partner[one] >= 0 or partner[other] >= 0 or chain[one // 2] == chain[other // 2]:
            continue
        partner[one], partner[other] = other, one
        chain[chain == chain[other // 2]] = chain[one // 2]
    return partner


def _chains(partner: NDArray[np.int64]) -> list[Line]:
    """Follow the partners from every free end."""
    lines, seen = [], set[int]()
    for end in np.flatnonzero(partner < 0):
        box = int(end) // 2
        if box in seen:
            continue
        line, going_out = [box], int(end) ^ 1
        while partner[going_out] >= 0:
            entered = int(partner[going_out])
            line.append(entered // 2)
            going_out = entered ^ 1
        seen.update(line)
        lines.append(tuple(line))
    return lines


def _begun_at_the_left(boxes: Boxes, line: Line) -> Line:
    """The line from its left end (its upper one if upright), so that it reads the same always."""
    first, last = boxes.centres[line[0]], boxes.centres[line[-1]]
    return line if tuple(first.round(1)) <= tuple(last.round(1)) else line[::-1]
