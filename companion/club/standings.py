"""The table of standings of a season or a tournament.

Tables have three to five players, so a place is worth what it says about the others there: the
winner of a table gets 12 points, the last 0, and the others equal steps between. Who shares a place
shares its points.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from companion.club.results import PlayedGame, Seat

FULL = 12
"""What the winner gets; every step at a table of 2, 3, 4 or 5 is a whole number of points."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's line; ties in everything share a place."""

    player: str
    place: int
    games: int
    wins: int
    place_points: float
    points: int


@dataclass(frozen=True, slots=True)
class Season:
    """A named span of evenings, both days included."""

    name: str
    first: date
    last: date

    def games(self, games: Iterable[PlayedGame], zone: tzinfo | None = None) -> list[PlayedGame]:
        """The games that ended on a day of the season, by the clock of that day.

        Without a `zone` it is the machine's: its summer time holds for summer days only.
        """
        return [
            game
            for game in games
            if self.first <= datetime.fromtimestamp(game.ended_s, zone).date() <= self.last
        ]


def place_points(seats: Sequence[Seat], seat: Seat) -> float:
    """The points for one seat's place.

    >>> seats = [Seat("Ada", 90, 1), Seat("Ben", 80, 2), Seat("Cleo", 80, 2)]
    >>> [place_points(seats, seat) for seat in seats]
    [12.0, 3.0, 3.0]
    """
    left_behind = sum(other.rank > seat.rank for other in seats)
    level = sum(other.rank == seat.rank for other in seats) - 1
    return FULL * (left_behind + level / 2) / (len(seats) - 1)


@dataclass(slots=True)
class _Line:
    games: int = 0
    wins: int = 0
    place_points: float = 0.0
    points: int = 0
    tickets_completed: int = 0
    longest_path: int = 0

    def add(self, seats: Sequence[Seat], seat: Seat) -> None:
        self.games += 1
        self.wins += seat.rank == 1
        self.place_points += place_points(seats, seat)
        self.points += seat.points
        self.tickets_completed += seat.tickets_completed
        self.longest_path = max(self.longest_path, seat.longest_path or 0)

    @property
    def key(self) -> tuple[float, int, int, int, int]:
        """What decides, in order: place points, wins, then what the sheets say."""
        return (
            self.place_points,
            self.wins,
            self.points,
            self.tickets_completed,
            self.longest_path,
        )


def standings(games: Iterable[PlayedGame], players: Iterable[str] = ()) -> tuple[Standing, ...]:
    """The standings after these games, the best first; `players` stand in it without a game too."""
    lines = {player: _Line() for player in players}
    for game in games:
        for seat in game.seats:
            lines.setdefault(seat.player, _Line()).add(game.seats, seat)
    keys = [line.key for line in lines.values()]
    table = [
        Standing(
            player=player,
            place=1 + sum(other > line.key for other in keys),
            games=line.games,
            wins=line.wins,
            place_points=line.place_points,
            points=line.points,
        )
        for player, line in lines.items()
    ]
    return tuple(sorted(table, key=lambda one: (one.place, one.player)))
