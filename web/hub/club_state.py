"""The club's state as its pages read it: people, results, figures and tournament evenings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from scoring.language import Message
from scoring.language.pieces import with_buses
from web.errors import ActionRefusedError
from web.hub.deleted_name import is_nobody
from web.language import full_sentence, in_words


def mark_of(result: Iterable[tuple[object, int]], counting: Iterable[int] = ()) -> str:
    """What is compared of a result, given as names and points by seat, and of who counts there."""
    shown = repr([*result, *counting])
    return sha256(shown.encode("utf-8", "backslashreplace")).hexdigest()[:16]


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
    began_s: float
    ended_s: float
    seats: tuple[SeatLine, ...]
    is_confirmed: bool
    counting: tuple[tuple[Person, int], ...] = ()
    """Who counts with which points instead, by seat, where its table now tells something else."""
    is_kept: bool = False
    """Whether the organiser has said that those count, beside what its table tells now."""
    is_of_tournament: bool = False
    """Whether it counts for a table of a tournament's round."""
    objections: tuple[Message, ...] = ()
    """What stands against it, as its sheet tells it."""
    has_buses: bool = False

    @property
    def mark(self) -> str:
        """Another one where names, points or who counts are others, or those are kept: a form says
        by it what somebody saw."""
        counting = [person.id for person, _ in self.counting]
        if self.is_confirmed and not counting:
            counting = [one.person.id for one in self.seats if one.person is not None]
        kept = [0] if self.is_kept else []  # no person's
        return mark_of([(one.name, one.points) for one in self.seats], [*counting, *kept])

    @property
    def told_mark(self) -> str:
        """Another one where its table tells other points, or other people's."""
        told = [(None if one.person is None else one.person.id, one.points) for one in self.seats]
        return mark_of(told)

    @property
    def is_asked_about(self) -> bool:
        """Whether it counts, and the organiser is to say whose points do."""
        return bool(self.counting) and not self.is_kept

    @property
    def by_rank(self) -> tuple[tuple[int, SeatLine], ...]:
        """The seats with their numbers, the best first, as the sheet has them."""
        return tuple(sorted(enumerate(self.seats), key=lambda one: one[1].rank))

    def against_it(self, language: str) -> list[str]:
        """What stands against it, a sentence each."""
        told = [in_words(one, language) for one in self.objections]
        return [full_sentence(with_buses(one, language) if self.has_buses else one) for one in told]

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
class AlikeGame:
    """A game that counts and may be the one that the organiser types; `lines` are (person, points,
    rank), the best first. `told_by` are its table's id, its evening there and the table's name,
    `tournament` id and name of the one that it counts for."""

    id: int
    board: str
    ended_s: float
    lines: tuple[tuple[Person, int, int], ...]
    told_by: tuple[str, str, str] | None
    tournament: tuple[int, str] | None


class CountsAlreadyError(ActionRefusedError):
    """Games count already, by these ids, one of which may be the one that is typed."""

    def __init__(self, ids: Sequence[int]) -> None:
        super().__init__("web.club.error.counts-already")
        self.ids = tuple(ids)


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
class JoinedPlayer:
    """Somebody who was made one with another player; `since` are the games of both that came
    after it."""

    id: int
    name: str
    joined_s: float
    since: int


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
    joined: tuple[JoinedPlayer, ...] = ()


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

    @property
    def mark(self) -> str:
        """Another one where the result is another, or the first: a form says by it what somebody
        saw."""
        lines = () if self.result is None else self.result.lines
        return mark_of(sorted((person.id, points) for person, points, _ in lines))


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
