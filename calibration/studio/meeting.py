"""Proposes places where lines meet: a line points at a place a little beyond each of its ends."""

import math
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import Boxes
from calibration.studio.parallels import find_parallels
from calibration.studio.stringing import Line, tips_of
from vision.registration.geometry import Points

BEYOND = 13.0
"""Units from a line's last box to its place, until the board's own figure is known: in the median
10 on USA, 12 on Germany, 16 on France."""

SPREAD = 6.0
"""Units by which a place usually lies beside the point that a line aims at, each way."""

MOST_OFF = 3.75
"""Spreads from that point to a place at which the line may still end."""

REACH = 60.0
"""Ends that aim farther from each other than this, in units, share no place."""

MEETS = 10.0
"""Units between the aims of two ends that surely share a place. Of 139 lone boxes on 36 boards that
are not sure by themselves 17 have two such ends, and one of these is none."""

CROWD, FEWEST = 3, 20
"""Lines that surely make a place, and ends at such places that tell the board's own `BEYOND`."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Places (M, 2), in units, and for each line (K, 2) the places at its first and last box."""

    centres: Points
    of_lines: list[tuple[int, int]]


def find_places(boxes: Boxes, lines: list[Line]) -> Places:
    """Where the lines' ends meet; a line's two ends never share a place."""
    tips, ways = tips_of(boxes, lines)
    beside = _ends_beside(tips, find_parallels(boxes, lines))
    groups = _groups(tips + BEYOND * ways, beside)
    crowded = [group for group in groups if len(group) >= CROWD]
    if sum(map(len, crowded)) >= FEWEST:
        own = [(_middle(tips + BEYOND * ways, one) - tips[one], ways[one]) for one in crowded]
        beyond = float(np.median(np.concatenate([(off * way).sum(axis=1) for off, way in own])))
        groups = _groups(tips + beyond * ways, beside)
    else:
        beyond = BEYOND
    number = np.empty(len(tips), np.int64)
    for place, group in enumerate(groups):
        number[group] = place
    centres = [_middle(tips + beyond * ways, group) for group in groups]
    pairs = [(int(first), int(last)) for first, last in number.reshape(-1, 2)]
    return Places(np.array(centres).reshape(-1, 2), pairs)


def ends_that_meet(boxes: Boxes, lines: list[Line]) -> NDArray[np.bool_]:
    """Whether the first and last end of each line (K, 2) aims where another line's end does."""
    tips, ways = tips_of(boxes, lines)
    aims = tips + BEYOND * ways
    apart = np.hypot(*(aims[:, None] - aims).transpose(2, 0, 1))
    of_line = np.arange(len(aims)) // 2
    apart[of_line[:, None] == of_line] = np.inf
    return np.asarray((apart < MEETS).any(axis=1).reshape(-1, 2))


def _ends_beside(tips: Points, parallels: list[int | None]) -> list[tuple[int, int]]:
    """Pairs of ends of lines that run side by side: both lines join the same places."""
    pairs = []
    for line, first in enumerate(parallels):
        if first is not None:
            own, other = tips[2 * line : 2 * line + 2], tips[2 * first : 2 * first + 2]
            turned = np.hypot(*(own - other).T).sum() > np.hypot(*(own - other[::-1]).T).sum()
            pairs += [(2 * line + side, 2 * first + (side ^ int(turned))) for side in (0, 1)]
    return pairs


def _groups(aims: Points, beside: list[tuple[int, int]]) -> list[list[int]]:
    """Ends that meet, the likeliest groups joined first; `aims` (2K, 2) are where they point."""
    groups = {end: [end] for end in range(len(aims))}
    for one, other in beside:
        first, second = (next(k for k, g in groups.items() if end in g) for end in (one, other))
        if first != second and _may_share(groups[first] + groups[second]):
            groups[first] += groups.pop(second)
    numbers = list(groups)
    middles = {number: _middle(aims, group) for number, group in groups.items()}
    offers = [
        offer
        for k, one in enumerate(numbers)
        for other in numbers[k + 1 :]
        if (offer := _offer(aims, groups, middles, one, other)) is not None
    ]
    heapify(offers)
    while offers:
        _, one, other, size = heappop(offers)
        if one not in groups or other not in groups:
            continue
        if len(groups[one]) + len(groups[other]) != size:
            continue
        groups[one] += groups.pop(other)
        middles[one] = _middle(aims, groups[one])
        for third in groups:
            offer = None if third == one else _offer(aims, groups, middles, one, third)
            if offer is not None:
                heappush(offers, offer)
    return sorted(sorted(group) for group in groups.values())


def _offer(
    aims: Points,
    groups: dict[int, list[int]],
    middles: dict[int, tuple[float, float]],
    one: int,
    other: int,
) -> tuple[float, int, int, int] | None:
    """How far the farthest end of two groups would lie off their common place, if they may meet."""
    if math.dist(middles[one], middles[other]) > REACH:
        return None
    both = groups[one] + groups[other]
    if not _may_share(both):
        return None
    off = float(np.hypot(*(aims[both] - _middle(aims, both)).T).max()) / SPREAD
    return (off, one, other, len(both)) if off < MOST_OFF else None


def _may_share(ends: list[int]) -> bool:
    """Whether no line has both ends among them."""
    return len({end // 2 for end in ends}) == len(ends)


def _middle(aims: Points, group: list[int]) -> tuple[float, float]:
    x, y = aims[group].mean(axis=0).tolist()
    return x, y
