"""A path of routes as a walk: which way each route is travelled, and how far one has come."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.board.board import Board
from scoring.longest_path.types import Trail


@dataclass(frozen=True, slots=True)
class TrailStep:
    """One route of a walk: from where to where, its wagons, and the wagons so far."""

    route: str
    start: str
    end: str
    backwards: bool
    """Whether the route is travelled from its second place to its first."""
    length: int
    total: int


def walk(board: Board, path: Sequence[str]) -> tuple[TrailStep, ...]:
    """The steps along a path of route ids in travel order.

    A path names routes, not cities, so both directions of the first route are tried; one of them
    leads through all the others if the path hangs together. Where it doesn't, the longest
    beginning that does is walked and the rest is left out.
    """
    if not path:
        return ()
    first = board.route_by_id[path[0]]
    return max((_walk_from(board, path, city) for city in first.ends), key=len)


def walk_trail(board: Board, trail: Trail) -> tuple[TrailStep, ...]:
    """The steps along a longest path, by the stops that were found with it.

    A stop in a country names its line after a colon.
    """
    steps: list[TrailStep] = []
    total = 0
    stops = [stop.partition(":")[0] for stop in trail.stops]
    for name, start, end in zip(trail.path, stops, stops[1:], strict=False):
        route = board.route_by_id[name]
        total += route.length
        steps.append(TrailStep(name, start, end, start == route.ends[1], route.length, total))
    return tuple(steps)


def _walk_from(board: Board, path: Sequence[str], city: str) -> tuple[TrailStep, ...]:
    steps: list[TrailStep] = []
    total = 0
    for name in path:
        route = board.route_by_id[name]
        if city not in route.ends:
            break
        backwards = city == route.ends[1]
        end = route.ends[0] if backwards else route.ends[1]
        total += route.length
        steps.append(TrailStep(name, city, end, backwards, route.length, total))
        city = end
    return tuple(steps)
