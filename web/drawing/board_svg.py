"""A board's geometry as the panel draws it: everything in millimetres, x right and y down."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import cos, hypot, radians, sin
from threading import Lock
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from markupsafe import Markup

from scoring.board.angles import level_deg
from scoring.board.board import Board, Place, Route
from scoring.board.names import line_mark, places_name
from scoring.game.colours import SYMBOL
from scoring.language import text
from web.drawing.labels import Label, Point, place_labels
from web.drawing.parallel_lines import sides_of_lines

NAMES_ALONG = 52
"""How many heights of a name's letters make the board's longer side."""

BETWEEN_ELEMENTS = re.compile(r">\s+<")

MOST_KEPT = 5_000
"""Parts of pages that are kept of a board: a hundred routes, each of some owners and languages."""

Drawn = TypeVar("Drawn")

TERMINAL_GAP_MM = 4.0
"""How far beyond the edge of its last space a line into a country ends."""


@dataclass(frozen=True, slots=True)
class SpaceBox:
    """One printed box: centre, clockwise angle, size along and across the route."""

    x: float
    y: float
    angle_deg: float
    along: float
    across: float

    @property
    def corners(self) -> tuple[Point, ...]:
        """The four corners, clockwise from the box's own top left."""
        return tuple(self.at(u, v) for u, v in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)))

    @property
    def upright_deg(self) -> float:
        """The angle, half a turn on where a sign in the box would stand on its head."""
        return level_deg(self.angle_deg)

    def at(self, u: float, v: float) -> Point:
        """The point at a fraction of the box's size from its centre, along and across."""
        turn = radians(self.angle_deg)
        dx, dy = u * self.along, v * self.across
        return (self.x + dx * cos(turn) - dy * sin(turn), self.y + dx * sin(turn) + dy * cos(turn))


@dataclass(frozen=True, slots=True)
class RouteDrawing:
    """A route's boxes, and the line from its first place through all of them to its second."""

    id: str
    ends: tuple[str, str]
    title: str
    colour: str
    boxes: tuple[SpaceBox, ...]
    line: tuple[Point, ...]

    @property
    def points(self) -> str:
        """The line as the `points` of an SVG polyline."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.line)

    @property
    def middle(self) -> Point:
        """The middle of the line, where a number stands."""
        last = len(self.line) - 1
        (ax, ay), (bx, by) = self.line[last // 2], self.line[last - last // 2]
        return (ax + bx) / 2, (ay + by) / 2


@dataclass(frozen=True, slots=True)
class PlaceDrawing:
    """A place's dots (a country has one for every line into it) and its name's label."""

    id: str
    name: str
    is_country: bool
    dots: tuple[Point, ...]
    label: Label


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """The whole board on a sheet of `width` by `height` millimetres."""

    board: str
    width: float
    height: float
    label_mm: float
    routes: tuple[RouteDrawing, ...]
    places: tuple[PlaceDrawing, ...]
    by_route: Mapping[str, RouteDrawing]
    sides: Mapping[str, str]
    """Which line of a double or triple a route is (see `web.drawing.parallel_lines`)."""
    kept: dict[object, Markup] = field(default_factory=dict, compare=False, repr=False)
    """Parts of the map as pages have them, by all that they show."""

    def keep(self, shown: object, part: str) -> Markup:
        """Keep a part that was made for a page; returned without the spaces between elements."""
        if len(self.kept) >= MOST_KEPT:
            self.kept.clear()
        kept = self.kept[shown] = Markup(BETWEEN_ELEMENTS.sub("><", part.strip()))
        return kept

    def to_json(self) -> dict[str, Any]:
        """The document of `GET /api/geometry`."""
        return {
            "board": self.board,
            "size_mm": [self.width, self.height],
            "routes": {route.id: _route_json(route) for route in self.routes},
            "places": {place.id: _place_json(place) for place in self.places},
        }


class Drawings(Generic[Drawn]):
    """Draws each board once, as long as it stays the same: evenings of several may be open."""

    def __init__(self, draw: Callable[[Board], Drawn]) -> None:
        self._draw = draw
        self._lock = Lock()
        self._drawn: dict[str, tuple[Board, Drawn]] = {}

    def of(self, board: Board) -> Drawn | None:
        """The board's drawing; None where it has no positions.

        It is made anew only where another board of the same id has taken its place.
        """
        if not any(route.spaces for route in board.routes):
            return None
        with self._lock:
            known = self._drawn.get(board.id)
            if known is None or known[0] is not board:
                known = self._drawn[board.id] = (board, self._draw(board))
            return known[1]


def draw_board(board: Board) -> BoardDrawing:
    """The drawing of a board; what its file gives no position of is left out."""
    routes = draw_routes(board)
    width, height = board.frame.size_mm
    label_mm = max(width, height) / NAMES_ALONG
    return BoardDrawing(
        board=board.id,
        width=width,
        height=height,
        label_mm=label_mm,
        routes=routes,
        places=_draw_places(board, routes, label_mm),
        by_route=MappingProxyType({route.id: route for route in routes}),
        sides=sides_of_lines(board),
    )


def draw_routes(board: Board) -> tuple[RouteDrawing, ...]:
    """The routes alone, without the names of places: enough for a small picture of the map."""
    return tuple(_draw_route(board, route) for route in board.routes if route.spaces)


def route_title(board: Board, route: Route, language: str) -> str:
    """A route's name for people: its two places, and which line of a double or triple it is.

    Where no map shows the lines they are told apart by the colours in which they are printed.
    """
    group = board.parallel_groups.get(route.parallel_group or "", ())
    printed = {line.colour for line in group}
    is_drawn = any(line.spaces for line in group)
    if is_drawn or len(printed) < max(2, len(group)) or not printed <= SYMBOL.keys():
        return _numbered_title(board, route)
    colour = text(f"scoring.colour.{route.colour}", language)
    return f"{places_name(board, route.ends)} ({SYMBOL[route.colour]} {colour})"


def _numbered_title(board: Board, route: Route) -> str:
    """The same with the number of the line, as the board's file counts them."""
    return places_name(board, route.ends) + line_mark(board, route)


def _draw_route(board: Board, route: Route) -> RouteDrawing:
    width, height = board.frame.size_mm
    along, across = board.space_size_mm
    boxes = tuple(
        SpaceBox(s.x * width, s.y * height, s.angle_deg, along, across) for s in route.spaces
    )
    start, finish = (_position(board, end) for end in route.ends)
    centres = [(box.x, box.y) for box in boxes]
    inner_of_first = centres[1] if len(centres) > 1 else finish
    inner_of_last = centres[-2] if len(centres) > 1 else start
    start = start or _beyond(boxes[0], inner_of_first)
    finish = finish or _beyond(boxes[-1], inner_of_last)
    return RouteDrawing(
        id=route.id,
        ends=route.ends,
        title=_numbered_title(board, route),
        colour=route.colour,
        boxes=boxes,
        line=(start, *centres, finish),
    )


def _position(board: Board, place_id: str) -> Point | None:
    """A city's centre; None for a country, which has no one point."""
    place, (width, height) = board.place_by_id[place_id], board.frame.size_mm
    if place.x is None or place.y is None:
        return None
    return (place.x * width, place.y * height)


def _beyond(box: SpaceBox, inner: Point | None) -> Point:
    """Where a line that runs into a country ends: past its last box, away from the rest."""
    reach = 0.5 + TERMINAL_GAP_MM / box.along
    ahead, back = box.at(reach, 0), box.at(-reach, 0)
    if inner is None:
        return ahead
    return max(ahead, back, key=lambda point: hypot(point[0] - inner[0], point[1] - inner[1]))


def _draw_places(
    board: Board, routes: tuple[RouteDrawing, ...], label_mm: float
) -> tuple[PlaceDrawing, ...]:
    found = {place: _dots(board, place, routes) for place in board.places}
    dots = {place: own for place, own in found.items() if own}
    boxes = [box for route in routes for box in route.boxes]
    obstacles = [box.at(u, 0) for box in boxes for u in (-0.45, -0.15, 0.15, 0.45)]
    labels = place_labels(
        names={place.id: (place.name, own) for place, own in dots.items()},
        obstacles=obstacles,
        size=board.frame.size_mm,
        text_height=label_mm,
    )
    return tuple(
        PlaceDrawing(place.id, place.name, place.is_country, own, labels[place.id])
        for place, own in dots.items()
    )


def _dots(board: Board, place: Place, routes: tuple[RouteDrawing, ...]) -> tuple[Point, ...]:
    position = _position(board, place.id)
    if position is not None:
        return (position,)
    starts = [route.line[0] for route in routes if route.ends[0] == place.id]
    return (*starts, *(route.line[-1] for route in routes if route.ends[1] == place.id))


def _route_json(route: RouteDrawing) -> dict[str, Any]:
    return {
        "ends": list(route.ends),
        "title": route.title,
        "colour": route.colour,
        "line": [_rounded(point) for point in route.line],
        "spaces": [[_rounded(corner) for corner in box.corners] for box in route.boxes],
    }


def _place_json(place: PlaceDrawing) -> dict[str, Any]:
    return {
        "name": place.name,
        "country": place.is_country,
        "dots": [_rounded(dot) for dot in place.dots],
    }


def _rounded(point: Point) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]
