"""A tournament evening: who is here, which rounds were drawn, what came out of their tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.club.draw import draw_round
from companion.club.results import PlayedGame, check_seats
from companion.club.seating import RoomTable, Seating
from companion.club.standings import Standing, standings
from companion.errors import RefusalError


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round. `began_s` is when its timer was started, None before."""

    seatings: tuple[Seating, ...]
    repeats: int = 0
    is_best: bool = True
    began_s: float | None = None

    def ends_s(self, minutes: int) -> float | None:
        """When its time is up, None where the timer does not run."""
        return None if self.began_s is None else self.began_s + 60 * minutes


@dataclass(frozen=True, slots=True)
class Tournament:
    """`entrants` are all who ever came, in the order of their arrival; `here` those still here.

    `results` has the games by number of the round (from 1) and name of the table.
    """

    tables: tuple[RoomTable, ...]
    entrants: tuple[str, ...] = ()
    here: frozenset[str] = frozenset()
    rounds: tuple[Round, ...] = ()
    results: Mapping[tuple[int, str], PlayedGame] = field(default_factory=dict)
    minutes: int = 90
    lot: int = 0

    @property
    def playing(self) -> tuple[str, ...]:
        """Those who are here, in the order of their arrival."""
        return tuple(one for one in self.entrants if one in self.here)

    @property
    def open_tables(self) -> tuple[str, ...]:
        """Tables of the last round that have no result yet."""
        number = len(self.rounds)
        return tuple(
            seating.table
            for seating in (self.rounds[-1].seatings if self.rounds else ())
            if (number, seating.table) not in self.results
        )

    @property
    def can_redraw(self) -> bool:
        """Whether the last round has not begun: no timer, no result."""
        return (
            bool(self.rounds)
            and self.rounds[-1].began_s is None
            and len(self.open_tables) == len(self.rounds[-1].seatings)
        )

    @property
    def played(self) -> tuple[Seating, ...]:
        """All seatings; with the board that was played, where that was another than was drawn."""
        return tuple(
            replace(one, board=self.results[number, one.table].board)
            if (number, one.table) in self.results
            else one
            for number, drawn in enumerate(self.rounds, 1)
            for one in drawn.seatings
        )

    def standings(self) -> tuple[Standing, ...]:
        """The standings now; whoever left keeps what they have."""
        return standings(self.results.values(), self.entrants)


def arrive(tournament: Tournament, player: str) -> Tournament:
    """Somebody comes, or comes back; they play from the next draw. Raises RefusalError if here."""
    if player in tournament.here:
        raise RefusalError("companion.club.entered-twice", name=player)
    entrants = tournament.entrants
    return replace(
        tournament,
        entrants=entrants if player in entrants else (*entrants, player),
        here=tournament.here | {player},
    )


def leave(tournament: Tournament, player: str) -> Tournament:
    """Somebody goes; the next draw is without them. Raises RefusalError if they are not here."""
    if player not in tournament.here:
        raise RefusalError("companion.club.not-here", name=player)
    return replace(tournament, here=tournament.here - {player})


def seat(
    tournament: Tournament, player: str, table: str, places: Callable[[str], int]
) -> tuple[Seating, ...]:
    """The seatings of the last round that are others once somebody who is here sits down at this
    table of it: they came late, or sat down elsewhere than was drawn.

    `places` tells how many a board lets play. Raises RefusalError for somebody who is not here,
    for a table that has its result, and where a table would have too few or too many.
    """
    if player not in tournament.here:
        raise RefusalError("companion.club.not-here", name=player)
    changed = []
    for one in tournament.rounds[-1].seatings:
        others = tuple(each for each in one.players if each != player)
        if (one.table == table) != (player in one.players):
            players = (*others, player) if one.table == table else others
            changed.append(replace(one, players=players))
    if any(one.table not in tournament.open_tables for one in changed):
        raise RefusalError("companion.club.round-played")
    for one in changed:
        check_seats(len(one.players), places(one.board))
    return tuple(changed)


def draw_next(tournament: Tournament) -> Tournament:
    """Draw the next round; a round that has not begun is drawn anew.

    Raises RefusalError where a table still plays, or those here cannot be seated.
    """
    rounds: Sequence[Round] = tournament.rounds
    if tournament.can_redraw:
        rounds = rounds[:-1]
    elif tournament.open_tables:
        raise RefusalError("companion.club.table-plays", name=tournament.open_tables[0])
    drawn = draw_round(
        tournament.playing,
        tournament.tables,
        replace(tournament, rounds=tuple(rounds)).played,
        lot=tournament.lot + len(rounds),
    )
    return replace(
        tournament, rounds=(*rounds, Round(drawn.seatings, drawn.repeats, drawn.is_best))
    )
