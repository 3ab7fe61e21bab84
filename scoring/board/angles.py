"""Directions on a board, where x goes right and y down, so that angles run clockwise as seen.

A direction leads somewhere; a line does not, so half a turn leaves it the same.
"""

import math

Point = tuple[float, float]


def direction_deg(start: Point, end: Point) -> float:
    """Direction from one point to another, clockwise from the x axis as seen.

    >>> direction_deg((0, 0), (0, 5))
    90.0
    """
    return math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))


def line_deg(right: float, down: float) -> float:
    """The line along which so far right is so far down, 0 to 180.

    >>> line_deg(0, -5), line_deg(-2, -2)
    (90.0, 45.0)
    """
    return math.degrees(math.atan2(down, right)) % 180


def level_deg(angle_deg: float) -> float:
    """A line by how far it slants, whichever way it is read: from -90 up to 90.

    >>> level_deg(170), level_deg(-100), level_deg(90)
    (-10, 80, -90)
    """
    return (angle_deg + 90) % 180 - 90


def between_deg(one: float, other: float) -> float:
    """Angle between two lines, 0 to 90: which way along them doesn't count.

    >>> between_deg(10, 190), between_deg(0, 135)
    (0, 45)
    """
    return abs(level_deg(one - other))


def mean_line_deg(one: float, other: float) -> float:
    """The line half-way between two lines.

    >>> round(mean_line_deg(10, 30), 6), round(mean_line_deg(170, 10), 6)
    (20.0, 0.0)
    """
    doubled = [math.radians(2 * angle) for angle in (one, other)]
    return math.degrees(math.atan2(*(sum(map(f, doubled)) for f in (math.sin, math.cos)))) / 2
