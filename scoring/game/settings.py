"""Table settings: what a table agreed where the rulebook is silent."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """Defaults are those that the project offers; a game's file overrides them one by one."""

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
    fewest_tickets: int = 0
    """Tickets that every player must hold, as the table's rulebook says; 0: nobody is asked."""


BIG_CITY_TIES: tuple[str, ...] = ("all", "none")
