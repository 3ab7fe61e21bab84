"""Geometry of printed boxes in millimetres."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.board.angles import Point
from scoring.board.board import Board


@dataclass(frozen=True, slots=True)
class Box:
    """One printed space: its route, its number there from 1, its centre and direction."""

    route: str
    number: int
    at_mm: Point
    angle_deg: float


def boxes_of(board: Board) -> dict[str, tuple[Box, ...]]:
    """The boxes of every route that has positions, in board order.

    >>> from scoring.board.board import load_board
    >>> len(boxes_of(load_board("usa"))["denver--omaha"])
    4
    """
    width_mm, height_mm = board.frame.size_mm
    return {
        route.id: tuple(
            Box(route.id, number, (s.x * width_mm, s.y * height_mm), s.angle_deg)
            for number, s in enumerate(route.spaces, start=1)
        )
        for route in board.routes
        if route.spaces
    }


def gap_mm(one: Box, other: Box, along_mm: float) -> float:
    """From the end of one box to the nearest end of another.

    >>> gap_mm(Box("a--b", 1, (0, 0), 0), Box("a--b", 2, (30, 0), 0), along_mm=25)
    5.0
    """
    return min(math.dist(a, b) for a in _tips(one, along_mm) for b in _tips(other, along_mm))


def overlap_mm(one: Box, other: Box, size_mm: tuple[float, float]) -> float:
    """How far two boxes would have to be moved to part; 0 or less where they are apart.

    By the separating-axis theorem: two rectangles are apart where their shadows on one of their
    four axes are.

    >>> overlap_mm(Box("a--b", 1, (0, 0), 0), Box("a--c", 1, (0, 8), 0), size_mm=(25, 9))
    1.0
    """
    across = (other.at_mm[0] - one.at_mm[0], other.at_mm[1] - one.at_mm[1])
    return min(
        _half_shadow(one, axis, size_mm)
        + _half_shadow(other, axis, size_mm)
        - abs(across[0] * axis[0] + across[1] * axis[1])
        for box in (one, other)
        for axis in _axes(box)
    )


def near_pairs(boxes: list[Box], reach_mm: float) -> Iterator[tuple[Box, Box]]:
    """Pairs of boxes whose centres are no farther apart than this.

    >>> boxes = [Box("a--b", n, (x, 0), 0) for n, x in enumerate((0, 10, 40), start=1)]
    >>> [(one.number, other.number) for one, other in near_pairs(boxes, reach_mm=10)]
    [(1, 2)]
    """
    ordered = sorted(boxes, key=lambda box: box.at_mm)
    for index, one in enumerate(ordered):
        for other in ordered[index + 1 :]:
            if other.at_mm[0] - one.at_mm[0] > reach_mm:
                break
            if math.dist(one.at_mm, other.at_mm) <= reach_mm:
                yield one, other


def _tips(box: Box, along_mm: float) -> tuple[Point, Point]:
    (x, y), turn = box.at_mm, math.radians(box.angle_deg)
    dx, dy = along_mm / 2 * math.cos(turn), along_mm / 2 * math.sin(turn)
    return (x + dx, y + dy), (x - dx, y - dy)


def _axes(box: Box) -> tuple[Point, Point]:
    turn = math.radians(box.angle_deg)
    return (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))


def _half_shadow(box: Box, axis: Point, size_mm: tuple[float, float]) -> float:
    sides = zip(_axes(box), size_mm, strict=True)
    return sum(size / 2 * abs(side[0] * axis[0] + side[1] * axis[1]) for side, size in sides)
