"""Warnings about readings that break the rules of the game."""

from collections.abc import Iterable, Mapping

from scoring.board.board import Board
from vision.reading import COVERED, OCCLUDED, ReadingWarning, RouteReading, Why, route_name, warning


def rule_warnings(routes: Mapping[str, RouteReading], board: Board) -> list[ReadingWarning]:
    """What the rules forbid in a reading: usually a misreading, so a person should look."""
    owned = {name: r.owner for name, r in routes.items() if r.owner is not None}
    warnings = [
        *_too_many_wagons(owned, board),
        *doubles_held_twice(owned, board),
        *_crossings(owned, board),
    ]
    hidden = [n for n, r in routes.items() if any(s.label == OCCLUDED for s in r.spaces)]
    if hidden:
        warnings.append(warning(COVERED, tuple(hidden)))
    return warnings


def colours_alike(routes: Mapping[str, RouteReading]) -> Iterable[ReadingWarning]:
    """A warning where one player's wagons were taken for another's all over the photo."""
    alike = tuple(name for name, route in routes.items() if Why.TOO_MANY_WAGONS in route.why)
    if alike:
        yield warning("colours-alike", alike)


def _too_many_wagons(owned: Mapping[str, str], board: Board) -> Iterable[ReadingWarning]:
    for colour in sorted(set(owned.values())):
        names = tuple(name for name, owner in owned.items() if owner == colour)
        wagons = sum(board.route_by_id[name].length for name in names)
        if wagons > board.wagons_per_player:
            most = board.wagons_per_player
            yield warning("too-many-wagons", names, colour=colour, used=wagons, most=most)


def doubles_held_twice(owned: Mapping[str, str], board: Board) -> Iterable[ReadingWarning]:
    """A warning of every double of which one colour holds two lines, which the rules forbid.

    `owned` are the colours that hold routes, by the routes' ids.
    """
    for group in board.parallel_groups.values():
        names = [route.id for route in group if route.id in owned]
        holders = [owned[name] for name in names]
        held_twice = tuple(n for n in names if holders.count(owned[n]) > 1)
        if held_twice:
            called = ", ".join(_called(board, held_twice))
            yield warning("double-held-twice", held_twice, routes=called)


def _crossings(owned: Mapping[str, str], board: Board) -> Iterable[ReadingWarning]:
    for pair in board.crossings:
        if all(name in owned for name in pair):
            first, second = _called(board, pair)
            yield warning("crossing-built-over", pair, first=first, second=second)


def _called(board: Board, routes: Iterable[str]) -> list[str]:
    return [route_name(board, board.route_by_id[route]) for route in routes]
