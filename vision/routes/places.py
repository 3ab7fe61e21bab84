"""Places: what scores. Lines of one double of equal length are one place with a bag of owners.

Which of two such lines is whose changes no score, so it is never asked: only the bag can be wrong.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from scoring.board.board import Board
from vision.reading import Owner, PlaceReading, RouteReading, Why

Bag = tuple[Owner, ...]
"""The owners of a place's lines whatever their order: sorted, nobody first."""


def places_of(board: Board) -> tuple[tuple[str, ...], ...]:
    """The lines of every place by their ids, in board order of the first; each line is in one.

    Lines of a parallel group that differ in length score differently, so they are places apart.

    >>> from scoring.board.board import load_board
    >>> [place for place in places_of(load_board("usa")) if "dallas--houston-1" in place]
    [('dallas--houston-1', 'dallas--houston-2')]
    """
    lines: dict[tuple[str | None, ...], list[str]] = {}
    for route in board.routes:
        alone = route.id if route.parallel_group is None else None
        lines.setdefault((route.parallel_group, alone, str(route.length)), []).append(route.id)
    return tuple(tuple(place) for place in lines.values())


def bag_of(owners: Iterable[Owner]) -> Bag:
    """Owners whatever their order: sorted, nobody first."""
    return tuple(sorted(owners, key=lambda owner: owner or ""))


def read_places(routes: Mapping[str, RouteReading], board: Board) -> tuple[PlaceReading, ...]:
    """Every place with what was read of its lines; it is asked about where one of them is."""
    return tuple(_read(place, routes) for place in places_of(board))


def ask_by_place(
    routes: Mapping[str, RouteReading], places: Iterable[PlaceReading]
) -> dict[str, RouteReading]:
    """The routes, all lines of a place asked about where one is: its bag may hold either way."""
    also = {
        name
        for place in places
        for name in place.routes
        if place.review and not routes[name].review
    }
    return {n: replace(r, why=(Why.OTHER_LINE,)) if n in also else r for n, r in routes.items()}


def _read(place: tuple[str, ...], routes: Mapping[str, RouteReading]) -> PlaceReading:
    lines = [routes[name] for name in place]
    why = dict.fromkeys(code for line in lines for code in line.why)
    return PlaceReading(place, tuple(line.owner for line in lines), tuple(why))
