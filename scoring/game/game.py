"""A finished game as the players state it: who holds which routes, tickets and tokens."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from scoring.board.board import Board, Ticket
from scoring.errors import AssumptionError
from scoring.game.colours import colour_named
from scoring.game.rules import ANY_MAP_ID, PARIS_ROUTE_POINTS, USUAL_ROUTE_POINTS, Rules, Settings
from scoring.language import Message
from scoring.language.foreign import shown

TYPED_TABLES: tuple[str, ...] = ("paris", ANY_MAP_ID)
"""Games whose table of points the players may type."""


@dataclass(frozen=True, slots=True)
class CardSet:
    """The Card Game's tickets and big-city cards, as a table that owns the game wrote them."""

    title: str
    tickets: tuple["HeldTicket", ...]
    big_cities: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class HeldTicket:
    """A ticket in somebody's hand, named from the set or typed."""

    points: int
    places: tuple[str, str] | None = None
    """None where only its value was typed."""
    id: str | None = None
    """Its id in the set; None for a typed ticket."""
    stated: bool | None = None
    """Completed or not, as the players say; None: worked out from the routes."""
    recipe: Mapping[str, int] | None = None
    """Card Game: train cards that complete it, by colour."""


@dataclass(frozen=True, slots=True)
class Player:
    """One player's pieces; what a game does not have stays empty."""

    name: str
    colour: str | None = None
    routes: tuple[str, ...] = ()
    route_lengths: Mapping[int, int] | None = None
    """Without a map: number of routes by length, instead of `routes`."""
    tickets: tuple[HeldTicket, ...] = ()
    first_pass: tuple[HeldTicket, ...] = ()
    """Card Game with four players: completed when the deck ran out the first time."""
    passengers: Mapping[str, int] = field(default_factory=dict)
    flags: int = 0
    cards: Mapping[str, int] = field(default_factory=dict)
    """Card Game: the On-the-Track pile, by colour."""
    stations: tuple[str, ...] = ()
    """Cities where the player's stations stand, on a map that has them."""
    stations_left: int | None = None
    """Stations that were never built; None where the game has none or nobody said."""
    borrowed: Mapping[str, str] = field(default_factory=dict)
    """Station city to the other player's route that it lends, decided when the game is scored."""
    bonuses: Mapping[str, int] = field(default_factory=dict)
    """Points that the table gives by hand, by the bonus's name."""
    marker: int | None = None
    """Where the player's wooden marker stands on the score track before tickets and bonuses."""
    wagons_counted: int | None = None
    """Pieces left as somebody counted them; None where nobody did."""

    @property
    def ticket_routes(self) -> tuple[str, ...]:
        """Routes that complete the player's tickets: their own and those that stations lend."""
        return (*self.routes, *self.borrowed.values())


@dataclass(frozen=True)
class Game:
    """Everything that scoring needs; `scoring.documents.game` builds it from a parsed document."""

    id: str
    rules: Rules
    settings: Settings
    players: tuple[Player, ...]
    board: Board | None = None
    """None for the Card Game and for a map that nobody has taught."""
    assumed: Mapping[str, int | None] = field(default_factory=dict)
    """Routes whose owner was assumed for the sake of argument: the player's index, or nobody."""
    track_pieces: tuple[str, ...] = ()
    """France: lines that were built with a track piece; once one is claimed, the piece is gone."""
    unanswered: tuple[str, ...] = ()
    """Routes about which a question was open when the game was finished."""

    @cached_property
    def owner_by_route(self) -> Mapping[str, int]:
        """Index of the player who holds a route, for every route that is held."""
        return MappingProxyType(
            {route: index for index, player in enumerate(self.players) for route in player.routes}
        )

    def is_built(self, route: str) -> bool:
        """Whether a route is claimed, or a track piece lies on it."""
        return route in self.owner_by_route or route in self.track_pieces

    @property
    def route_points(self) -> Mapping[int, int]:
        """Points by length: the board's; in Paris and by counts the setting, else the offer."""
        if self.id in TYPED_TABLES and self.settings.route_points is not None:
            return self.settings.route_points
        offered = USUAL_ROUTE_POINTS if self.id == ANY_MAP_ID else PARIS_ROUTE_POINTS
        return offered if self.board is None else self.board.route_points

    @property
    def tie_breaks(self) -> tuple[str, ...]:
        """Rules that break a tie, in order."""
        own = self.settings.tie_breaks
        return self.rules.tie_breaks if own is None else own

    @property
    def score_track(self) -> int:
        """Fields of the score track."""
        return self.settings.score_track or self.rules.score_track

    @property
    def fewest_tickets(self) -> int:
        """Tickets that every player must hold; 0 where nobody is asked."""
        own = self.settings.fewest_tickets
        return self.rules.fewest_tickets if own is None else own

    def with_owner(self, route: str, owner: int | None) -> "Game":
        """The same game with one route given to a player by index, or to nobody."""
        rest = [tuple(one for one in player.routes if one != route) for player in self.players]
        given = [(route,) if index == owner else () for index in range(len(self.players))]
        return self.with_routes(tuple(a + b for a, b in zip(rest, given, strict=True)))

    def without(self, routes: Collection[str]) -> "Game":
        """The same game with these routes in nobody's hands."""
        return self.with_routes(
            tuple(tuple(r for r in player.routes if r not in routes) for player in self.players)
        )

    def with_routes(self, routes: tuple[tuple[str, ...], ...]) -> "Game":
        """The same game with other routes in the players' hands, one tuple a player."""
        players = tuple(
            replace(player, routes=held) for player, held in zip(self.players, routes, strict=True)
        )
        return replace(self, players=players)


def held(ticket: Ticket) -> HeldTicket:
    """A ticket of a board's set in somebody's hand.

    >>> held(Ticket("las-vegas--miami", ("las-vegas", "miami"), 21, "1910")).points
    21
    """
    return HeldTicket(ticket.points, ticket.places, ticket.id)


def owner_index(owner: str, players: Sequence[Player]) -> int:
    """Index of the player of that name or colour, which may be named in any language.

    Raises AssumptionError where nobody plays so.

    >>> owner_index("Rosso", [Player("Ada", "blue"), Player("Bruno", "red")])
    1
    """
    colour = colour_named(owner)
    for meant in ((owner,), (colour,)):
        for index, player in enumerate(players):
            if player.name in meant or player.colour in meant:
                return index
    known = [p.name if p.colour is None else Message(f"scoring.colour.{p.colour}") for p in players]
    raise AssumptionError("scoring.assumed.no-owner", owner=shown(owner), known=known)
