"""A board as data: places, routes with their printed spaces, tickets and the table of points.

Positions are in *board units*: x right and y down, 0..1 of the board's frame as the file
describes it (`BoardFrame`). Multiply by `Frame.size_mm` for millimetres.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import Any

from scoring.board.edition import Bases, whole_document
from scoring.board.format import document_problems
from scoring.board.game_names import game_name
from scoring.board.shipped import BOARDS_WITH_DATA, shipped_document
from scoring.errors import BoardDataError, UnknownBoardError
from scoring.game.rules import (
    BASE_BONUSES,
    BASE_DOUBLES_OPEN_FROM,
    BASE_TIE_BREAKS,
    PARIS,
    PARIS_BONUSES,
    Bonuses,
    Rules,
)
from scoring.language import Message

UNMEASURED: Mapping[str, Any] = {"reference": "outer", "size_mm": (795, 525)}
"""Frame of a board file that gives no positions: such a board is scored, never read."""

TRAIN_SPACE_MM = (25.0, 9.0)
"""Printed box of a board file that gives none: the base game's."""

STATION_POINTS = 4
"""Of a station that was never built, where a file names no other figure."""


@dataclass(frozen=True, slots=True)
class BoardFrame:
    """What positions are relative to.

    `reference` is "outer" (the printed board's outer edge) or "art" (the picture inside the
    score-track border, whose width on the print is not known). `size_mm` is (width, height).
    """

    reference: str
    size_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Space:
    """One printed box: centre in board units, direction of its long side in degrees.

    The angle is clockwise from the x axis as seen (x right, y down), in the board's own
    proportions (that is, measured in millimetres, not in board units).
    """

    x: float
    y: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class Place:
    """A city, or a country whose lines all end in terminals of their own."""

    id: str
    name: str
    kind: str
    x: float | None = None
    y: float | None = None

    @property
    def is_country(self) -> bool:
        return self.kind == "country"


@dataclass(frozen=True, slots=True)
class Route:
    """One printed line of spaces between two places, in order from the first place."""

    id: str
    ends: tuple[str, str]
    length: int
    colour: str
    parallel_group: str | None
    ferry: int
    spaces: tuple[Space, ...]
    tunnel: bool = False
    """A tunnel, which scores as any other route; kept for drawing."""


@dataclass(frozen=True, slots=True)
class OtherPrint:
    """Another print of the map, whose boxes lie elsewhere: the spaces of every route by its id."""

    name: str
    spaces: Mapping[str, tuple[Space, ...]]


@dataclass(frozen=True, slots=True)
class Ticket:
    """A destination ticket as printed: two places and a value."""

    id: str
    places: tuple[str, str]
    points: int
    deck: str


@dataclass(frozen=True)
class Board:
    """A printed map with its rules' figures."""

    id: str
    title: str
    edition: str
    version: int
    frame: BoardFrame
    players: tuple[int, int]
    player_colours: tuple[str, ...]
    wagons_per_player: int
    doubles_open_from: int
    """Number of players from which all lines of a double are open."""
    route_points: Mapping[int, int]
    space_size_mm: tuple[float, float]
    """Printed box, (along the route, across it)."""
    places: tuple[Place, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    crossings: tuple[tuple[str, str], ...] = ()
    passengers_in_bag: Mapping[str, int] = field(default_factory=dict)
    """Germany: how many passengers of each colour exist."""
    unverified: tuple[str, ...] = ()
    bonuses: Bonuses = BASE_BONUSES
    tie_breaks: tuple[str, ...] = BASE_TIE_BREAKS
    score_track: int = 100
    """Fields of the score track around the board."""
    fewest_tickets: int = 0
    """Tickets that a player keeps at least of those dealt first; 0 where that is not known."""
    stations: int = 0
    """Stations of one player (an edition's own rule); 0 where the game has none."""
    hand_bonuses: tuple[str, ...] = ()
    """Names of bonuses that the players give by hand, because no map shows them."""
    edition_of: str | None = None
    """The board that this one is made of, where its file says only what differs."""
    prints: tuple[OtherPrint, ...] = ()
    """Prints other than the one that the routes' own spaces describe."""

    @property
    def name(self) -> Message | str:
        """What the game is called, in the language of the sentence."""
        return game_name(self.id, self.title)

    @cached_property
    def rules(self) -> Rules:
        """The board's figures that do not depend on its map."""
        return Rules(
            most_players=self.players[1],
            bonuses=self.bonuses,
            tie_breaks=self.tie_breaks,
            score_track=self.score_track,
            pieces=self.wagons_per_player,
            doubles_open_from=self.doubles_open_from,
            stations=self.stations,
            fewest_tickets=self.fewest_tickets,
        )

    @cached_property
    def route_by_id(self) -> Mapping[str, Route]:
        return MappingProxyType({route.id: route for route in self.routes})

    @cached_property
    def spaces_of(self) -> Mapping[str, slice]:
        """Where each route's spaces stand in a flat list of all the board's spaces.

        Such a list has the routes in board order and the spaces of each in route order.
        """
        ends = accumulate(route.length for route in self.routes)
        return MappingProxyType(
            {r.id: slice(end - r.length, end) for r, end in zip(self.routes, ends, strict=True)}
        )

    @cached_property
    def place_by_id(self) -> Mapping[str, Place]:
        return MappingProxyType({place.id: place for place in self.places})

    @cached_property
    def ticket_by_id(self) -> Mapping[str, Ticket]:
        return MappingProxyType({ticket.id: ticket for ticket in self.tickets})

    @cached_property
    def parallel_groups(self) -> Mapping[str, tuple[Route, ...]]:
        """Routes that share both ends, by group name, in the order of the file."""
        groups: dict[str, list[Route]] = {}
        for route in self.routes:
            if route.parallel_group is not None:
                groups.setdefault(route.parallel_group, []).append(route)
        return MappingProxyType({name: tuple(routes) for name, routes in groups.items()})

    @cached_property
    def track_lines(self) -> frozenset[str]:
        """Lines that are built with a track piece before anybody claims them (rulebook 002)."""
        return frozenset(route.id for route in self.routes if route.colour == "track-bed")

    @cached_property
    def as_printed(self) -> tuple["Board", ...]:
        """This board, then one for each other print of it, with the spaces of that print."""
        return (self, *(self._in_print(other) for other in self.prints))

    def _in_print(self, other: OtherPrint) -> "Board":
        routes = (replace(route, spaces=other.spaces[route.id]) for route in self.routes)
        return replace(self, routes=tuple(routes), prints=())

    @cached_property
    def space_count(self) -> int:
        return sum(route.length for route in self.routes)

    def counts(self) -> dict[str, int]:
        """How many cities, countries, routes, spaces and tickets the board has."""
        countries = sum(place.is_country for place in self.places)
        return {
            "cities": len(self.places) - countries,
            "countries": countries,
            "routes": len(self.routes),
            "spaces": self.space_count,
            "tickets": len(self.tickets),
        }


def terminal(board: Board, route: Route, end: str) -> str:
    """Node of a route's end: the city itself, or a terminal of its own in a country.

    Lines into a country never meet there (Germany and France, rulebook 001 and 002).

    >>> germany = load_board("germany")
    >>> terminal(germany, germany.route_by_id["frankreich--freiburg"], "frankreich")
    'frankreich:frankreich--freiburg'
    >>> terminal(germany, germany.route_by_id["frankreich--freiburg"], "freiburg")
    'freiburg'
    """
    return f"{end}:{route.id}" if board.place_by_id[end].is_country else end


@cache
def load_board(board_id: str) -> Board:
    """The board of that id that ships with the program.

    Raises UnknownBoardError if there is none.

    >>> load_board("usa").route_by_id["denver--omaha"].length
    4
    """
    if board_id not in BOARDS_WITH_DATA:
        raise UnknownBoardError(
            "scoring.unknown.board", board=repr(board_id), known=", ".join(BOARDS_WITH_DATA)
        )
    return board_from_json(shipped_document(board_id))


def board_from_json(data: Any, bases: Bases = shipped_document) -> Board:
    """Build a board from its JSON document, which may be an edition of another board.

    `bases` finds the document of that other board. Raises BoardDataError with every problem found.

    >>> try:
    ...     board_from_json({"format": 99})
    ... except BoardDataError as error:
    ...     print(len(error.problems))
    1
    """
    problems = document_problems(data, bases)
    if problems:
        raise BoardDataError(problems)
    return _parse(whole_document(data, bases))


def _parse(data: Any) -> Board:
    low, high = data["players"]
    along_mm, across_mm = data.get("space_size_mm", TRAIN_SPACE_MM)
    return Board(
        id=data["id"],
        title=data["title"],
        edition=data.get("edition", ""),
        version=int(data["version"]),
        frame=_parse_frame(data.get("frame", UNMEASURED)),
        players=(int(low), int(high)),
        player_colours=tuple(data["player_colours"]),
        wagons_per_player=int(data["wagons_per_player"]),
        doubles_open_from=_parse_doubles_open_from(data),
        route_points=MappingProxyType({int(k): int(v) for k, v in data["route_points"].items()}),
        space_size_mm=(float(along_mm), float(across_mm)),
        places=tuple(
            Place(p["id"], p["name"], p.get("kind", "city"), p.get("x"), p.get("y"))
            for p in data["places"]
        ),
        routes=tuple(_parse_route(route) for route in data["routes"]),
        tickets=tuple(
            Ticket(t["id"], (t["from"], t["to"]), int(t["points"]), t.get("deck", ""))
            for t in data["tickets"]
        ),
        crossings=tuple((first, second) for first, second in data.get("crossings", ())),
        passengers_in_bag=MappingProxyType(dict(data.get("passengers_in_bag", {}))),
        unverified=tuple(data.get("unverified", ())),
        bonuses=_parse_bonuses(data),
        tie_breaks=_parse_tie_breaks(data),
        score_track=int(data.get("score_track", 100)),
        fewest_tickets=int(data.get("fewest_tickets", 0)),
        stations=int(data.get("stations", 0)),
        hand_bonuses=tuple(data.get("hand_bonuses", ())),
        edition_of=data.get("edition_of"),
        prints=tuple(_parse_print(entry) for entry in data.get("prints", ())),
    )


def _parse_frame(data: Any) -> BoardFrame:
    width_mm, height_mm = data["size_mm"]
    return BoardFrame(data["reference"], (float(width_mm), float(height_mm)))


def _parse_doubles_open_from(data: Any) -> int:
    """In a board called paris two lines are open to three players already (rulebook 004)."""
    if "doubles_open_from" not in data:
        return PARIS.doubles_open_from if data["id"] == "paris" else BASE_DOUBLES_OPEN_FROM
    return int(data["doubles_open_from"])


def _parse_bonuses(data: Any) -> Bonuses:
    """A file that names none gets the base game's, one called paris its flags."""
    if "bonuses" not in data:
        base = PARIS_BONUSES if data["id"] == "paris" else BASE_BONUSES
        return replace(base, station=_station_points(data))
    bonuses = data["bonuses"]
    most, second = bonuses.get("passengers", (0, 0))
    return Bonuses(
        longest_path=int(bonuses.get("longest-path", 0)),
        globetrotter=int(bonuses.get("globetrotter", 0)),
        passengers=(int(most), int(second)),
        flag=int(bonuses.get("flag", 0)),
        station=_station_points(data),
    )


def _station_points(data: Any) -> int:
    """Where there are stations, an unbuilt one gives 4 points unless the file says otherwise."""
    each = data.get("bonuses", {}).get("station", STATION_POINTS)
    return int(each) if data.get("stations") else 0


def _parse_tie_breaks(data: Any) -> tuple[str, ...]:
    if "tie_breaks" not in data:
        return PARIS.tie_breaks if data["id"] == "paris" else BASE_TIE_BREAKS
    return tuple(data["tie_breaks"])


def _parse_route(data: Any) -> Route:
    return Route(
        id=data["id"],
        ends=(data["from"], data["to"]),
        length=int(data["length"]),
        colour=data["colour"],
        parallel_group=data.get("parallel_group"),
        ferry=int(data.get("ferry", 0)),
        spaces=tuple(_parse_space(space) for space in data.get("spaces", ())),
        tunnel=bool(data.get("tunnel", False)),
    )


def _parse_print(data: Any) -> OtherPrint:
    spaces = {
        route: tuple(_parse_space(space) for space in line)
        for route, line in data["spaces"].items()
    }
    return OtherPrint(data["name"], MappingProxyType(spaces))


def _parse_space(data: Any) -> Space:
    x, y, angle_deg = data
    return Space(float(x), float(y), float(angle_deg))
