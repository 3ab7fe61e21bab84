"""Games that are played on the panel without a map: everything is typed as counts or cards.

Such a game stands where a board stands, with nothing printed on it, so that seats, hands and the
sheet work as with any other.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.board.board import TRAIN_SPACE_MM, Board, BoardFrame, Place, Ticket
from scoring.board.names import place_name
from scoring.game.colours import COLOURS
from scoring.game.game import CardSet
from scoring.game.rules import (
    ANY_MAP,
    ANY_MAP_ID,
    BIG_CITIES,
    CARD_GAME,
    CARD_GAME_ID,
    PARIS,
    PARIS_BY_COUNTS_ID,
    PARIS_ROUTE_POINTS,
    USUAL_ROUTE_POINTS,
    Rules,
)

SEAT_COLOURS: tuple[str, ...] = ("blue", "red", "green", "yellow", "black")
"""Signs of the seats where a game has no wagons."""


@dataclass(frozen=True)
class MaplessGame(Board):
    """A game without a map; `game` is its name in `GAME.json`."""

    game: str = ""
    asks: tuple[str, ...] = ()
    """What each player types beside tickets, by its key in `GAME.json`."""
    longest_route: int = 0
    """Rows of the table of points that the players may fill; 0 where there is none."""
    card_set: CardSet | None = None
    """The Card Game's tickets and big-city cards, where the table wrote them down."""

    @property
    def has_cards(self) -> bool:
        """Whether tickets are completed with cards (the Card Game)."""
        return "cards" in self.asks


def mapless_games(card_set: CardSet | None = None) -> tuple[MaplessGame, ...]:
    """Every game that can be played without a map.

    >>> [game.game for game in mapless_games()]
    ['paris', 'card-game', 'any-map']
    """
    return paris_by_counts(), card_game(card_set), any_map()


def paris_by_counts() -> MaplessGame:
    """Paris from the lines' lengths, the flags, and tickets as value and done or not.

    >>> paris_by_counts().asks
    ('route_lengths', 'flags')
    """
    bare = _without_map(PARIS_BY_COUNTS_ID, "Ticket to Ride Paris, by counts", "paris", PARIS)
    return replace(
        bare,
        asks=("route_lengths", "flags"),
        longest_route=6,
        route_points=PARIS_ROUTE_POINTS,
    )


def any_map() -> MaplessGame:
    """A map that nobody has taught: routes by length, stations, typed tickets, bonuses by name.

    >>> any_map().asks
    ('route_lengths', 'stations', 'bonuses')
    """
    bare = _without_map(ANY_MAP_ID, "Any map, by counts", ANY_MAP_ID, ANY_MAP)
    return replace(
        bare,
        asks=("route_lengths", "stations", "bonuses"),
        longest_route=max(USUAL_ROUTE_POINTS),
        route_points=USUAL_ROUTE_POINTS,
    )


def card_game(card_set: CardSet | None = None) -> MaplessGame:
    """The Card Game, with the tickets of a taught set or without any.

    >>> card_game().has_cards
    True
    """
    title = "Ticket to Ride The Card Game" if card_set is None else card_set.title
    bare = _without_map(CARD_GAME_ID, title, CARD_GAME_ID, CARD_GAME)
    tickets = _tickets(card_set)
    return replace(
        bare,
        player_colours=SEAT_COLOURS,
        asks=("cards",),
        tickets=tickets,
        places=_places(tickets),
        card_set=card_set,
    )


def _tickets(card_set: CardSet | None) -> tuple[Ticket, ...]:
    held = () if card_set is None else card_set.tickets
    return tuple(Ticket(t.id, t.places, t.points, "") for t in held if t.id and t.places)


def _places(tickets: Iterable[Ticket]) -> tuple[Place, ...]:
    named = dict.fromkeys((*BIG_CITIES, *(place for one in tickets for place in one.places)))
    return tuple(Place(name, place_name(None, name), "city") for name in named)


def _without_map(name: str, title: str, game: str, rules: Rules) -> MaplessGame:
    return MaplessGame(
        id=name,
        title=title,
        edition="",
        version=1,
        frame=BoardFrame("outer", (1.0, 1.0)),
        players=(2, rules.most_players),
        player_colours=COLOURS,
        wagons_per_player=rules.pieces or 0,
        doubles_open_from=rules.doubles_open_from,
        route_points={},
        space_size_mm=TRAIN_SPACE_MM,
        places=(),
        routes=(),
        tickets=(),
        bonuses=rules.bonuses,
        tie_breaks=rules.tie_breaks,
        score_track=rules.score_track,
        game=game,
    )
