"""What a game scores besides routes and tickets, and how its ties are broken.

Sources: the five rulebooks. Where one is silent the players decide (`Settings`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

TIE_BREAKS: tuple[str, ...] = ("tickets", "longest-path", "passengers", "bonus-cards")
"""Every rule that may decide between players with equal points."""

BIG_CITIES: tuple[str, ...] = (
    "seattle",
    "los-angeles",
    "chicago",
    "dallas",
    "new-york",
    "miami",
)
"""Cities of the Card Game that have a bonus card (rulebook 003)."""

TRAIN_COLOURS: tuple[str, ...] = (
    "pink",
    "purple",
    "blue",
    "orange",
    "white",
    "green",
    "yellow",
    "black",
    "red",
)
"""Words for the eight colours of train cards; pink and purple are two words for one card."""

PARIS_BY_COUNTS_ID = "paris-by-counts"
"""Paris without a map stands beside a Paris that the table taught, so it has a name of its own."""

CARD_GAME_ID = "card-game"

ANY_MAP_ID = "any-map"
"""The game of a map that nobody has taught: everything is typed as counts."""

GAMES_WITHOUT_A_MAP: tuple[str, ...] = (PARIS_BY_COUNTS_ID, CARD_GAME_ID, ANY_MAP_ID)
"""Ids of the games that are played by what is typed; no board may have one of them."""

BASE_DOUBLES_OPEN_FROM = 4
"""Players from which all lines of a double are open in the base game (rulebooks 000 to 002)."""

LOCOMOTIVE = "locomotive"

CARD_COLOURS: tuple[str, ...] = (*TRAIN_COLOURS, LOCOMOTIVE)
"""Kinds of train cards."""

DECK: Mapping[str, int] = MappingProxyType(
    {**dict.fromkeys(TRAIN_COLOURS, 10), LOCOMOTIVE: 16},
)
"""Cards of each kind in the Card Game (rulebook 003: 96 in all)."""

CARD_GAME_TICKETS = 46
"""Tickets in the Card Game (rulebook 003)."""


@dataclass(frozen=True, slots=True)
class Bonuses:
    """Points beyond routes and tickets; 0 where the game has no such bonus."""

    longest_path: int = 0
    globetrotter: int = 0
    passengers: tuple[int, int] = (0, 0)
    """For the most and for the second most passengers of one colour."""
    flag: int = 0
    """For each completed French flag (Paris, scored during play)."""
    station: int = 0
    """For each station that was never built (an edition's own rule)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The figures of one game that do not depend on its map."""

    most_players: int
    bonuses: Bonuses
    tie_breaks: tuple[str, ...]
    """Asked in this order; a tie left after the last one is shared."""
    score_track: int
    """Fields of the score track; a marker that passes the last one starts again. 0 without one."""
    pieces: int | None = None
    """Wagons (in Paris buses) of one player; None where there are none."""
    doubles_open_from: int = BASE_DOUBLES_OPEN_FROM
    """Number of players from which all lines of a double are open."""
    stations: int = 0
    """Stations of one player; 0 where the game has none."""
    fewest_tickets: int = 0
    """Tickets that a player keeps at least of those dealt first; 0 where that is not known."""


BIG_CITY_TIES: tuple[str, ...] = ("all", "none")
"""What may happen to a big city's card when several players tie for it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the players decide where the rulebook is silent, with the defaults."""

    longest_path_needs_a_route: bool = True
    """With no route anywhere nobody gets the longest path."""
    globetrotter_needs_a_ticket: bool = True
    """If nobody completed a ticket, nobody is the Globetrotter."""
    passengers_second_needs_one: bool = True
    """A player with none of a colour is never second in it."""
    big_city_tie: str = "all"
    """A tie for a big city's card: "all" tied score it, or "none" does."""
    big_cities: Mapping[str, int] = field(default_factory=dict)
    """Points of each big city's card, as printed on the table's own cards."""
    route_points: Mapping[int, int] | None = None
    """Paris: points by length as printed on the table's board; None: the board's or the offered."""
    tie_breaks: tuple[str, ...] | None = None
    """Which rules break a tie, in order; None: the game's own."""
    score_track: int | None = None
    """Fields of the score track; None: the game's own."""
    wagons_per_player: int | None = None
    """Any map by counts: wagons of one player; None: the base game's 45."""
    stations_per_player: int | None = None
    """Any map by counts: stations of one player; None: the usual 3."""
    station_points: int | None = None
    """Any map by counts: points of a station that was never built; None: the usual 4."""
    fewest_tickets: int | None = None
    """Tickets that every player must hold, 0 if nobody is asked; None: the game's own."""


LAST_ROUND_AT = 2
"""The last round begins when somebody has no more pieces left than these (rulebooks 000 to 002
and 004)."""

BASE_BONUSES = Bonuses(longest_path=10)
"""Of a board file that names none: the base game's (rulebook 000)."""

BASE_TIE_BREAKS: tuple[str, ...] = ("tickets", "longest-path")

PARIS_BONUSES = Bonuses(flag=4)

PARIS = Rules(
    most_players=4,
    bonuses=PARIS_BONUSES,
    tie_breaks=("tickets",),
    score_track=50,
    pieces=15,
    doubles_open_from=3,
)
"""Paris where no map has been taught (rulebook 004)."""

PARIS_TICKETS = 20
"""Tickets in Paris (rulebook 004)."""

PARIS_ROUTE_POINTS: Mapping[int, int] = MappingProxyType({1: 1, 2: 2, 3: 4})
"""Offered until the players type their board's own table, which is not public."""

ANY_MAP = Rules(
    most_players=10,
    bonuses=Bonuses(station=4),
    tie_breaks=("tickets",),
    score_track=100,
    pieces=45,
    stations=3,
)
"""A map that nobody has taught, scored by counts: the base game's figures until the settings
give others; as many players as there are colours."""

USUAL_ROUTE_POINTS: Mapping[int, int] = MappingProxyType(
    {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21, 9: 27}
)
"""Offered for a map that nobody has taught: the base game's table, with its usual longer rows."""

CARD_GAME = Rules(
    most_players=4,
    bonuses=Bonuses(),
    tie_breaks=("tickets", "bonus-cards"),
    score_track=0,
    fewest_tickets=1,
)
"""The Card Game (rulebook 003)."""
