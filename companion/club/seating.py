"""Who sits where in a round, and how many tables a round needs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from companion.errors import RefusalError

FEWEST, BEST, MOST = 3, 4, 5
"""Players at a table of a tournament: at least, preferred, at most."""


@dataclass(frozen=True, slots=True)
class RoomTable:
    """A table of the room with its board; `places` is how many the board lets play."""

    name: str
    board: str
    places: int = MOST


@dataclass(frozen=True, slots=True)
class Seating:
    """The players of one table in one round."""

    table: str
    board: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """How often two have met and how often each has played a board."""

    met: Counter[frozenset[str]]
    played: Counter[tuple[str, str]]

    @classmethod
    def of(cls, seatings: Iterable[Seating]) -> "Past":
        """The past of these seatings."""
        past = cls(Counter(), Counter())
        for seating in seatings:
            past.met.update(frozenset(pair) for pair in combinations(seating.players, 2))
            past.played.update((player, seating.board) for player in seating.players)
        return past

    def repeats(self, seatings: Iterable[Seating]) -> int:
        """How many pairs of these seatings have met before."""
        return sum(
            self.met[frozenset(pair)] > 0
            for seating in seatings
            for pair in combinations(seating.players, 2)
        )


def check_tables(tables: Sequence[RoomTable]) -> None:
    """Raise RefusalError if two tables have one name: seat cards could not tell them apart."""
    names = [table.name.strip().casefold() for table in tables]
    twice = next((one for one in tables if names.count(one.name.strip().casefold()) > 1), None)
    if twice is not None:
        raise RefusalError("companion.club.table-twice", name=twice.name)


def table_sizes(players: int, tables: Sequence[RoomTable]) -> tuple[int, ...]:
    """Players at each of the first tables: as near to four as can be, no table far from another.

    >>> room = [RoomTable(name, "usa") for name in "ABCD"]
    >>> [table_sizes(players, room) for players in (5, 6, 11)]
    [(5,), (3, 3), (4, 4, 3)]

    Raises RefusalError if there are too few players, too few tables, or no way to seat all.
    """
    if players < FEWEST:
        raise RefusalError("companion.club.too-few", n=players, fewest=str(FEWEST))
    places = [min(table.places, MOST) for table in tables]
    if sum(places) < players:
        raise RefusalError("companion.club.no-room", n=players, places=str(sum(places)))
    fitting = [
        count
        for count in range(1, len(places) + 1)
        if FEWEST * count <= players <= sum(places[:count])
    ]
    if not fitting:
        raise RefusalError("companion.club.no-sizes", n=players, places=str(sum(places)))
    count = min(fitting, key=lambda count: abs(players / count - BEST))
    return _filled(players, places[:count])


def _filled(players: int, places: Sequence[int]) -> tuple[int, ...]:
    sizes = [FEWEST] * len(places)
    for _ in range(players - sum(sizes)):
        open_tables = [table for table, size in enumerate(sizes) if size < places[table]]
        sizes[min(open_tables, key=lambda table: sizes[table])] += 1
    return tuple(sizes)
