"""Mistakes with axes and angles that turn all positions of a board file alike."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from scoring.board.board import Board, Place, Space


@dataclass(frozen=True, slots=True)
class AxisMistake:
    """One mistake: what puts a space right again, and whether the places have it too."""

    name: str
    space: Callable[[Space], Space]
    place: Callable[[float, float], tuple[float, float]] | None = None

    def undone(self, board: Board) -> Board:
        """The board as it is without the mistake, without its other prints."""
        routes = tuple(
            replace(route, spaces=tuple(map(self.space, route.spaces))) for route in board.routes
        )
        places = tuple(map(self._moved, board.places))
        return replace(board, routes=routes, places=places, prints=())

    def _moved(self, place: Place) -> Place:
        if self.place is None or place.x is None or place.y is None:
            return place
        x, y = self.place(place.x, place.y)
        return replace(place, x=x, y=y)


def _exchanged(space: Space) -> Space:
    return Space(space.y, space.x, space.angle_deg)


def _upside_down(space: Space) -> Space:
    return Space(space.x, 1 - space.y, space.angle_deg)


AXIS_MISTAKES: tuple[AxisMistake, ...] = (
    AxisMistake("exchanged", _exchanged),
    AxisMistake("exchanged", _exchanged, lambda x, y: (y, x)),
    AxisMistake("upside_down", _upside_down),
    AxisMistake("anticlockwise", lambda s: replace(s, angle_deg=-s.angle_deg)),
    AxisMistake("across", lambda s: replace(s, angle_deg=s.angle_deg + 90)),
)
"""x for y and y for x, y counted upwards, angles counted the other way or across the line; the
first in the spaces alone or in the places too. Where y counts upwards in the places too, the board
is mirrored whole, and looks like one whose angles count the other way."""
