"""What the club's pages know: people, results, ratings, seasons and tournament evenings."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any, Protocol

NOBODY = "–"
"""Stands where the name of a deleted person stood, twice for the next one in a game; nobody else
is called so."""


def is_nobody(name: str) -> bool:
    """Whether this stands where the name of a deleted person stood."""
    return name != "" and not name.strip(NOBODY)


def mark_of(result: Iterable[tuple[str, int]]) -> str:
    """What is compared of a result, given as names and points by seat."""
    return sha256(repr(list(result)).encode("utf-8", "backslashreplace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the club; `name` is None after they asked to be forgotten."""

    id: int
    name: str | None


@dataclass(frozen=True, slots=True)
class RatingLine:
    """A place in the table of ratings: the strength lies within `mean` ± `margin` with 95 %."""

    person: Person
    place: int
    mean: float
    margin: float
    games: int


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A place in a table of standings."""

    person: Person
    place: int
    games: int
    wins: int
    place_points: float
    points: int


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """What somebody did on one board; None stands for all of them."""

    board: str | None
    games: int
    wins: int
    mean_points: float
    best_points: int
    longest_path: int | None


@dataclass(frozen=True, slots=True)
class BoardLine:
    """What was played on one board: the highest result and the longest path with their players."""

    board: str
    games: int
    mean_points: float
    highest: tuple[Person, int]
    longest_path: tuple[Person, int] | None


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat of a finished game; `person` is None where nobody knows who `name` is."""

    name: str
    colour: str
    points: int
    rank: int
    person: Person | None

    @property
    def is_deleted(self) -> bool:
        """Whether somebody sat here who was deleted before the result counted."""
        return self.person is None and is_nobody(self.name)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A finished game of a table; it counts once it is confirmed."""

    table_id: str
    evening: str
    table: str
    board: str
    ended_s: float
    seats: tuple[SeatLine, ...]
    is_confirmed: bool
    counting: tuple[tuple[Person, int], ...] = ()
    """Who counts with which points instead, by seat, where its table now tells something else."""

    @property
    def mark(self) -> str:
        """Another one where names or points are others: a form says by it what somebody saw."""
        return mark_of((one.name, one.points) for one in self.seats)

    @property
    def strangers(self) -> tuple[str, ...]:
        """The names of those whom the club does not know yet: none of them is deleted."""
        return tuple(one.name for one in self.seats if one.person is None and not one.is_deleted)


@dataclass(frozen=True, slots=True)
class PaperGame:
    """A game that the organiser typed, of no table here and no tournament; `lines` are
    (person, points, rank), the best first."""

    id: int
    board: str
    ended_s: float
    lines: tuple[tuple[Person, int, int], ...]


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A named span of evenings, both days included."""

    id: int
    name: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game that counts; `lines` are (person, points, rank), the best first."""

    board: str
    ended_s: float
    lines: tuple[tuple[Person, int, int], ...]


@dataclass(frozen=True, slots=True)
class PersonPage:
    """Everything that the club says about one person; `secret` is of their own link, `games` are
    the newest, the newest first."""

    person: Person
    secret: str | None
    aliases: tuple[str, ...]
    rating: RatingLine | None
    records: tuple[PlayerLine, ...]
    games: tuple[CountedGame, ...]


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat of the game that is being played at a table; `taken_by` is a person's id."""

    table_id: str
    table: str
    name: str
    colour: str
    taken_by: int | None = None


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """A table of the room."""

    name: str
    board: str


@dataclass(frozen=True, slots=True)
class TableResult:
    """What came out of a table of a round: (person, points, rank), the best first."""

    lines: tuple[tuple[Person, int, int], ...]


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table of a round."""

    name: str
    board: str
    people: tuple[Person, ...]
    result: TableResult | None


@dataclass(frozen=True, slots=True)
class RoundView:
    """A drawn round. `repeats` are pairs that had met before."""

    number: int
    tables: tuple[RoundTable, ...]
    repeats: int
    is_best: bool
    began_s: float | None
    ends_s: float | None


@dataclass(frozen=True, slots=True)
class TournamentLine:
    """A tournament in the list."""

    id: int
    name: str
    created_s: float
    rounds: int
    people: int


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament evening as it stands."""

    id: int
    name: str
    minutes: int
    tables: tuple[TournamentTable, ...]
    entrants: tuple[tuple[Person, bool], ...]
    """Everybody who ever came, and whether they are here now."""
    rounds: tuple[RoundView, ...]
    standings: tuple[StandingLine, ...]
    open_tables: tuple[str, ...]
    can_redraw: bool


class ClubPort(Protocol):
    """The club. Every method may be called from several threads at once.

    What makes no sense raises ActionRefusedError; an unknown id raises NotFoundError.
    """

    def people(self) -> Sequence[Person]:
        """Everybody in the club, by name."""
        ...

    def person_named(self, name: str) -> Person | None:
        """Whose name this is, by any of their names; None where it is nobody's."""
        ...

    def person(self, id: int) -> PersonPage:
        """Everything about one person."""
        ...

    def person_by_secret(self, secret: str) -> Person:
        """The owner of a personal link."""
        ...

    def secrets(self, ids: Collection[int]) -> Mapping[int, str]:
        """The secrets of these people's links; whoever was forgotten has none."""
        ...

    def add_person(self, name: str) -> Person:
        """Take somebody into the club."""
        ...

    def rename(self, id: int, name: str) -> None:
        """Give somebody another name; the old one stays an alias."""
        ...

    def join(self, id: int, into: int) -> None:
        """Two players are one person: what the first one has is the other's, and the first one is
        nobody any more."""
        ...

    def renew_link(self, id: int) -> None:
        """Another personal link; the one before opens nothing any more."""
        ...

    def add_alias(self, id: int, name: str) -> None:
        """One more name by which tables know somebody."""
        ...

    def remove_alias(self, id: int, name: str) -> None:
        """One name less; nobody's present name."""
        ...

    def forget(self, id: int) -> None:
        """Delete what tells who somebody is; results of others stay, without the name."""
        ...

    def export(self, id: int) -> Mapping[str, Any]:
        """All data of one person as plain JSON data."""
        ...

    def open_seats(self) -> Sequence[OpenSeat]:
        """Seats of the games that lie on the tables now."""
        ...

    def sit(self, id: int, table_id: str, colour: str) -> None:
        """Somebody says where they sit in the present game."""
        ...

    def results(self) -> Sequence[GameLine]:
        """Finished games of the tables, the newest first."""
        ...

    def waiting(self) -> int:
        """How many of them nobody has confirmed as they are now."""
        ...

    def result(self, table_id: str, evening: str) -> GameLine:
        """One finished game."""
        ...

    def confirm(
        self, table_id: str, evening: str, people: Sequence[int | None], seen: str | None = None
    ) -> None:
        """Let a game count, with these people at its seats; None takes a new person's name. `seen`
        is the mark of the result that was shown."""
        ...

    def left_out(self) -> Sequence[GameLine]:
        """Finished games that count for nobody, the newest first."""
        ...

    def leave_out(self, table_id: str, evening: str) -> None:
        """Let a finished game count for nobody, also one that counted."""
        ...

    def take_in(self, table_id: str, evening: str) -> None:
        """Let a game that was left out wait again to be confirmed."""
        ...

    def paper_games(self) -> Sequence[PaperGame]:
        """Games that the organiser typed, of no tournament, the newest first."""
        ...

    def add_paper_game(self, board: str, day: date, points: Sequence[tuple[str, int]]) -> None:
        """Let a game count that no table told: names with points; equal points share a place. A
        name that is nobody's is a new person's, unless the game is refused."""
        ...

    def remove_paper_game(self, id: int) -> None:
        """Take such a game back."""
        ...

    def ratings(self) -> Sequence[RatingLine]:
        """The table of ratings, the best first."""
        ...

    def boards(self) -> Sequence[BoardLine]:
        """Averages and bests, the most played board first."""
        ...

    def seasons(self) -> Sequence[SeasonLine]:
        """Every season, the newest first."""
        ...

    def add_season(self, name: str, first: date, last: date) -> int:
        """Begin a season; returns its id."""
        ...

    def remove_season(self, id: int) -> None:
        """A season less; its games stay."""
        ...

    def standings(self, season: int) -> tuple[SeasonLine, Sequence[StandingLine]]:
        """A season and its table."""
        ...

    def boards_here(self) -> Sequence[tuple[str, str]]:
        """Boards that a table may have, as (id, title)."""
        ...

    def tournaments(self) -> Sequence[TournamentLine]:
        """Every tournament, the newest first."""
        ...

    def tournament(self, id: int) -> TournamentView:
        """One tournament evening."""
        ...

    def add_tournament(self, name: str, minutes: int) -> int:
        """Begin a tournament; returns its id."""
        ...

    def remove_tournament(self, id: int) -> None:
        """A tournament less, in which no table has a result."""
        ...

    def add_table(self, id: int, name: str, board: str) -> None:
        """One more table in the room."""
        ...

    def remove_table(self, id: int, name: str) -> None:
        """A table less, from the next draw."""
        ...

    def arrive(self, id: int, person: int) -> None:
        """Somebody comes, or comes back."""
        ...

    def leave(self, id: int, person: int) -> None:
        """Somebody goes."""
        ...

    def seat(self, id: int, person: int, table: str) -> None:
        """Somebody who is here sits down at a table of the last round that has no result yet."""
        ...

    def draw(self, id: int) -> None:
        """Draw the next round, or the last one anew where it has not begun."""
        ...

    def begin_round(self, id: int) -> None:
        """Start the timer of the last round."""
        ...

    def stop_round(self, id: int) -> None:
        """Take the start of the last round's timer back, as long as no table has a result."""
        ...

    def enter_result(self, id: int, round: int, table: str, points: Mapping[int, int]) -> None:
        """A table's result by hand: points by person; equal points share a place."""
        ...
