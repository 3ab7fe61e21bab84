"""What the club's pages need of the club: its people, games that count, and tournaments.

What it answers is told in `web.hub.club_state`.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from web.hub.club_state import (
    AlikeGame,
    BoardLine,
    GameLine,
    OpenSeat,
    PaperGame,
    Person,
    PersonPage,
    RatingLine,
    SeasonLine,
    StandingLine,
    TournamentLine,
    TournamentView,
)


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

    def part(self, id: int, gone: int) -> None:
        """Somebody who was joined into this player has again what was theirs."""
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

    def keep_counting(self, table_id: str, evening: str, seen: str) -> None:
        """Let the points that count go on counting, whatever the game's table tells now."""
        ...

    def left_out(self) -> Sequence[GameLine]:
        """Finished games that count for nobody, the newest first."""
        ...

    def gone(self) -> Sequence[GameLine]:
        """Finished games that counted until their tables deleted them or took them back, the newest
        first."""
        ...

    def leave_out(self, table_id: str, evening: str, seen: str | None = None) -> None:
        """Let a finished game count for nobody, also one that counted. `seen` is the mark of the
        result that was shown."""
        ...

    def take_in(self, table_id: str, evening: str) -> None:
        """Let a game that was left out wait again to be confirmed."""
        ...

    def paper_games(self) -> Sequence[PaperGame]:
        """Games that the organiser typed, of no tournament, the newest first."""
        ...

    def add_paper_game(
        self,
        board: str,
        day: date,
        points: Sequence[tuple[str, int]],
        others: Collection[int] = (),
        instead: int | None = None,
    ) -> None:
        """Let a game count that no table told: names with points; equal points share a place. A
        name that is nobody's is a new person's, unless the game is refused.

        Raises CountsAlreadyError where a game that counts may be this one: `others` are such that
        are not, `instead` is one that is, and counts no more."""
        ...

    def alike_games(self, ids: Collection[int]) -> Sequence[AlikeGame]:
        """Games that count, by their ids; those that count no more are left out."""
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

    def enter_result(
        self,
        id: int,
        round: int,
        table: str,
        points: Mapping[int, int],
        seen: str | None = None,
        others: Collection[int] = (),
        instead: int | None = None,
    ) -> None:
        """A table's result by hand: points by person; equal points share a place. `seen` is the
        mark of the table's result as it was shown, `others` and `instead` as for a game on
        paper."""
        ...
