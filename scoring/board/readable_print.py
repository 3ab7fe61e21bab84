"""Whether a board's file says enough about where its spaces are printed to read it from photos."""

import math
from collections.abc import Sequence
from statistics import covariance, pvariance

from scoring.board.board import Board, Space
from scoring.errors import ScoringError
from scoring.language import SpokenError

FEWEST_SPACES = 10
"""The distortion model has as many coefficients per axis; fewer spaces would fit anything."""

LEAST_SPREAD_MM = 20.0
"""Spaces that scatter less than this in some direction do not fix the board's position."""

MOST_NAMED = 8
"""Routes that a sentence names before it breaks off."""


class UnplacedError(SpokenError, ScoringError, ValueError):
    """The board can be scored, but not read from photos."""


def refuse_unplaced(board: Board) -> None:
    """Raise UnplacedError, which says what is missing, where photos of a board cannot be read.

    >>> from scoring.board.board import load_board
    >>> refuse_unplaced(load_board("usa"))
    """
    if not board.routes:
        raise UnplacedError("scoring.unplaced.no-map", board=board.name, id=board.id)
    missing = unplaced_routes(board)
    if len(missing) == len(board.routes):
        raise UnplacedError("scoring.unplaced.all", board=board.name)
    if missing:
        raise UnplacedError("scoring.unplaced.some", board=board.name, routes=named(missing))
    if not all(_is_spread(printed) for printed in board.as_printed):
        raise UnplacedError("scoring.unplaced.narrow", board=board.name)


def can_be_read(board: Board) -> bool:
    """Whether photos of a board can be read at all.

    >>> from scoring.board.board import load_board
    >>> can_be_read(load_board("usa"))
    True
    """
    try:
        refuse_unplaced(board)
    except UnplacedError:
        return False
    return True


def unplaced_routes(board: Board) -> list[str]:
    """The routes whose spaces have no positions in the file.

    >>> from scoring.board.board import load_board
    >>> unplaced_routes(load_board("usa"))
    []
    """
    return [route.id for route in board.routes if not route.spaces]


def named(routes: Sequence[str]) -> str:
    """The first few of these routes, as they may stand in a sentence.

    >>> named(["a--b", "b--c"]), named(list("abcdefghij"))
    ('a--b, b--c', 'a, b, c, d, e, f, g, h, …')
    """
    return ", ".join([*routes[:MOST_NAMED], *(["…"] if len(routes) > MOST_NAMED else [])])


def _is_spread(board: Board) -> bool:
    spaces = [space for route in board.routes for space in route.spaces]
    return len(spaces) >= FEWEST_SPACES and _least_spread_mm(spaces, board) >= LEAST_SPREAD_MM


def _least_spread_mm(spaces: Sequence[Space], board: Board) -> float:
    """Standard deviation of the centres in the direction in which it is least.

    Its square is the smaller eigenvalue of their covariance.
    """
    width_mm, height_mm = board.frame.size_mm
    x_mm, y_mm = ([s.x * width_mm for s in spaces], [s.y * height_mm for s in spaces])
    across, down, both = pvariance(x_mm), pvariance(y_mm), covariance(x_mm, y_mm)
    least = (across + down) / 2 - math.hypot((across - down) / 2, both)
    return math.sqrt(max(least, 0.0))
