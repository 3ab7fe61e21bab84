"""Which line of a double or triple is which, in words that need no colour: upper, lower, left."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from scoring.board.board import Board
from web.drawing.labels import Point

SIDES: tuple[str, ...] = ("upper", "lower", "left", "right", "middle")
"""Where a line of a double or triple lies among its neighbours."""


def sides_of_lines(board: Board) -> Mapping[str, str]:
    """Every route of a double or triple to one of SIDES; single routes are left out.

    Lines that run across the board are told apart as upper and lower, the others as left and
    right. A line whose spaces have no positions is left out with its neighbours.
    """
    sides: dict[str, str] = {}
    for routes in board.parallel_groups.values():
        if len(routes) > 1 and all(route.spaces for route in routes):
            middles = {route.id: _middle(board, route.id) for route in routes}
            sides |= _sides(middles, across=_runs_across(board, routes[0].id))
    return MappingProxyType(sides)


def _sides(middles: Mapping[str, Point], *, across: bool) -> dict[str, str]:
    first, last = ("upper", "lower") if across else ("left", "right")
    order: Sequence[str] = sorted(middles, key=lambda route: middles[route][1 if across else 0])
    return {**dict.fromkeys(order, "middle"), order[0]: first, order[-1]: last}


def _middle(board: Board, route: str) -> Point:
    """The mean of a line's boxes in millimetres."""
    width, height = board.frame.size_mm
    spaces = board.route_by_id[route].spaces
    n = len(spaces)
    return (sum(s.x for s in spaces) * width / n, sum(s.y for s in spaces) * height / n)


def _runs_across(board: Board, route: str) -> bool:
    """Whether a line runs more across the board than up and down, by the mean of its boxes."""
    turns = (space.angle_deg % 180 for space in board.route_by_id[route].spaces)
    flat = sum(turn < 45 or turn > 135 for turn in turns)
    return 2 * flat >= len(board.route_by_id[route].spaces)
