"""The longest paths of two players side by side: counted wagon by wagon, and why they end there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.board.board import Board
from scoring.board.names import place_name
from scoring.explain.explain import Explanation, explain
from scoring.explain.text import argument
from scoring.game.game import Game, Player
from scoring.longest_path.types import Trail
from web.drawing.board_svg import BoardDrawing
from web.drawing.labels import Point
from web.pieces import by_its_pieces
from web.sheet.travel_order import TrailStep, walk_trail

WAYS: tuple[str, ...] = ("wagon", "route")
"""What one step of the count goes on by."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One route of a path as it is travelled; the points are in millimetres of the board.

    `wagons` are the centres of its spaces, none where the board's file gives no positions.
    """

    start: str
    end: str
    length: int
    total: int
    """Wagons up to here, this route included."""
    first: Point | None
    wagons: tuple[Point, ...]
    last: Point | None

    def to_json(self) -> dict[str, Any]:
        """The leg for the script."""
        return {
            "length": self.length,
            "total": self.total,
            "first": self.first,
            "wagons": self.wagons,
            "last": self.last,
        }


@dataclass(frozen=True, slots=True)
class DisputedPath:
    """One player's longest path, and the proof of it in words."""

    name: str
    colour: str
    length: int
    legs: tuple[Leg, ...]
    proof: tuple[str, ...]

    @property
    def stops(self) -> tuple[int, ...]:
        """The wagons counted after each route, from none to all."""
        return (0, *(leg.total for leg in self.legs))

    def line(self, count: int) -> tuple[Point, ...]:
        """The way through the first `count` wagons, to the city where a route is whole."""
        points: list[Point] = []
        for leg in self.legs:
            begun = count - (leg.total - leg.length)
            if begun <= 0 or not leg.wagons:
                break
            ends = [point for point in (leg.first,) if point is not None]
            points += [*ends, *leg.wagons[:begun]]
            if begun >= leg.length and leg.last is not None:
                points.append(leg.last)
        return tuple(points)

    def marks(self, count: int) -> tuple[tuple[int, Point], ...]:
        """Numbers on the map: the sum after each whole route, and the newest wagon's."""
        whole = [leg for leg in self.legs if leg.total <= count and leg.wagons]
        sums = [(leg.total, leg.wagons[len(leg.wagons) // 2]) for leg in whole]
        under_way = next((leg for leg in self.legs if leg.total > count), None)
        begun = 0 if under_way is None else count - (under_way.total - under_way.length)
        if under_way is not None and under_way.wagons and begun > 0:
            sums.append((count, under_way.wagons[begun - 1]))
        return tuple(sums)

    def to_json(self) -> dict[str, Any]:
        """The path for the script."""
        legs = [leg.to_json() for leg in self.legs]
        return {"colour": self.colour, "legs": legs}


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two paths, and the counts through which one steps by wagons or by routes."""

    paths: tuple[DisputedPath, ...]

    def counts(self, way: str) -> tuple[tuple[int, ...], ...]:
        """For each step the wagons counted so far of each path."""
        if way == "wagon":
            most = max(path.length for path in self.paths)
            return tuple(
                tuple(min(step, path.length) for path in self.paths) for step in range(most + 1)
            )
        most = max(len(path.legs) for path in self.paths)
        return tuple(
            tuple(path.stops[min(step, len(path.legs))] for path in self.paths)
            for step in range(most + 1)
        )

    def to_json(self) -> dict[str, Any]:
        """Everything that the script needs."""
        return {
            "paths": [path.to_json() for path in self.paths],
            "counts": {way: self.counts(way) for way in WAYS},
        }


def view_dispute(
    game: Game, colours: Sequence[str], drawing: BoardDrawing | None, language: str
) -> Dispute:
    """The paths of these players, each proved anew. Raises NoPathError where no map is known."""
    by_colour: Mapping[str | None, Player] = {player.colour: player for player in game.players}
    told = [explain(game, by_colour[colour]) for colour in colours]
    return Dispute(tuple(_path(one, drawing, language) for one in told))


def _path(told: Explanation, drawing: BoardDrawing | None, language: str) -> DisputedPath:
    return DisputedPath(
        name=told.name,
        colour=told.colour or "grey",
        length=told.trail.length,
        legs=tuple(_legs(told.board, told.trail, drawing)),
        proof=tuple(by_its_pieces(said, told.board, language) for said in argument(told, language)),
    )


def _legs(board: Board, trail: Trail, drawing: BoardDrawing | None) -> list[Leg]:
    return [_leg(board, step, drawing) for step in walk_trail(board, trail)]


def _leg(board: Board, step: TrailStep, drawing: BoardDrawing | None) -> Leg:
    route = None if drawing is None else drawing.by_route.get(step.route)
    line = [] if route is None else [(round(x, 1), round(y, 1)) for x, y in route.line]
    if step.backwards:
        line.reverse()
    return Leg(
        start=place_name(board, step.start),
        end=place_name(board, step.end),
        length=step.length,
        total=step.total,
        first=line[0] if line else None,
        wagons=tuple(line[1:-1]),
        last=line[-1] if line else None,
    )
