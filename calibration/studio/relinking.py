"""A second look at how ends of boxes are joined, once it shows where the lines end.

About a place several lines end. So a sharp bend about which others end leads through a place and is
cut; and two ends that lie for themselves before each other are joined, farther apart than at first.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.registration.geometry import Points

SHARP_DEG, WIDE = 60.0, 4.0
"""Bend and gap (units, of which a box is 25 long) from which on a link may lead through a place."""

AROUND = 20.0
"""Ends within this of a link's middle, in units, end at the same place."""

LONE_GAP, LONE_TURN_DEG, LONE_COLOUR = 9.5, 100.0, 16.0
"""Farthest that two lone ends are joined: their gap in units, bend, and distance in Lab."""

BEHIND = -0.5
"""Widths of a box by which one end may lie behind the other: outer corners of a sharp bend."""


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Both ends of N boxes, 2k and 2k + 1 those of box k.

    `at` and `out` (2N, 2) are where they are and the ways out of them, in units; `colours_lab`
    (2N, 3); `apart` (N, N) which boxes do not lie side by side; `width` of a usual box.
    """

    at: Points
    out: Points
    colours_lab: Points
    apart: NDArray[np.bool_]
    width: float


def cut_through_places(partner: NDArray[np.int64], ends: Ends) -> NDArray[np.int64]:
    """The partner of each end (2N,), -1 for none, less the sharp links through a place."""
    free = np.flatnonzero(partner < 0)
    kept = partner.copy()
    for one, other in _links(partner):
        sharp = _turn_deg(ends, one, other) >= SHARP_DEG and _gap(ends, one, other) >= WIDE
        if sharp and _near(ends, free, one, other) >= 2:
            kept[one] = kept[other] = -1
    return kept


def join_lone_ends(partner: NDArray[np.int64], ends: Ends) -> NDArray[np.int64]:
    """The partners, with ends joined that lie before each other and about which no line ends."""
    free = np.flatnonzero(partner < 0)
    pairs = [
        (_gap(ends, one, other), one, other)
        for one, other in _within(LONE_GAP, ends, free)
        if _may_join(ends, one, other) and _near(ends, free, one, other) == 2
    ]
    joined = partner.copy()
    for _, one, other in sorted(pairs):
        is_free = joined[one] < 0 and joined[other] < 0
        if is_free and other // 2 not in _boxes_from(joined, one):
            joined[one], joined[other] = other, one
    return joined


def _within(gap: float, ends: Ends, free: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The pairs of free ends that are no farther apart than a gap."""
    apart = ends.at[free][:, None] - ends.at[free][None]
    near = np.triu(np.hypot(apart[..., 0], apart[..., 1]) <= gap, 1)
    return [(int(free[one]), int(free[other])) for one, other in np.argwhere(near)]


def _may_join(ends: Ends, one: int, other: int) -> bool:
    if one // 2 == other // 2:
        return False
    way = ends.at[other] - ends.at[one]
    ahead = min(float(way @ ends.out[one]), -float(way @ ends.out[other]))
    colour = float(np.linalg.norm(ends.colours_lab[one] - ends.colours_lab[other]))
    return (
        ahead > BEHIND * ends.width
        and colour < LONE_COLOUR
        and _turn_deg(ends, one, other) < LONE_TURN_DEG
        and bool(ends.apart[one // 2, other // 2])
    )


def _boxes_from(partner: NDArray[np.int64], end: int) -> set[int]:
    """The boxes of the line that a free end belongs to."""
    boxes, going_out = {end // 2}, end ^ 1
    while partner[going_out] >= 0:
        entered = int(partner[going_out])
        boxes.add(entered // 2)
        going_out = entered ^ 1
    return boxes


def _links(partner: NDArray[np.int64]) -> list[tuple[int, int]]:
    return [(one, int(other)) for one, other in enumerate(partner) if other > one]


def _gap(ends: Ends, one: int, other: int) -> float:
    return float(np.hypot(*(ends.at[one] - ends.at[other])))


def _turn_deg(ends: Ends, one: int, other: int) -> float:
    return float(np.degrees(np.arccos(np.clip(-ends.out[one] @ ends.out[other], -1, 1))))


def _near(ends: Ends, free: NDArray[np.int64], one: int, other: int) -> int:
    """How many of the free ends lie about the middle between two ends, these included."""
    middle = (ends.at[one] + ends.at[other]) / 2
    return int((np.hypot(*(ends.at[free] - middle).T) < AROUND).sum())
