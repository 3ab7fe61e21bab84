"""The club as its pages know it; implements `web.hub.club_port.ClubPort`."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, time
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from companion.club.results import check_seats
from companion.club.seating import MOST, RoomTable
from companion.errors import RefusalError
from companion.hub.club.alike import alike_games
from companion.hub.club.confirming import confirm, keep_counting, leave_out, take_in
from companion.hub.club.export import export
from companion.hub.club.figures import Figures
from companion.hub.club.finished import FinishedGames
from companion.hub.club.joining import join_people, joined_with, part_people
from companion.hub.club.paper import PaperGames
from companion.hub.club.people import LONGEST_NAME, People, title_of
from companion.hub.club.player_keys import id_of, is_key
from companion.hub.club.seasons import Seasons
from companion.hub.club.tournaments import Tournaments
from companion.hub.club.views import rounds_under_way, tournament_view
from companion.hub.database import Database
from companion.hub.table_names import names_beside
from scoring.board.board import Board
from web.errors import ActionRefusedError, NotFoundError
from web.hub import club_state as club
from web.hub.deleted_name import NOBODY
from web.hub.ports import RoomPort
from web.names import one_spelling
from web.table_state import ClubRound

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


def _of_one_moment(
    read: Callable[Concatenate["ClubDesk", Asked], Answer],
) -> Callable[Concatenate["ClubDesk", Asked], Answer]:
    """What is read at several places fits together, whatever is changed meanwhile."""

    @wraps(read)
    def at_one_moment(desk: "ClubDesk", /, *asked: Asked.args, **more: Asked.kwargs) -> Answer:
        with desk._database.snapshot():
            return read(desk, *asked, **more)

    return at_one_moment


class ClubDesk:
    """The club of one hub. `boards` are those that its tables may play, by id.

    `tell_round` tells a table, by its id, the round that is played at it, or None. `forgotten` is
    called when a name has gone out of what the tables told.
    """

    def __init__(
        self,
        database: Database,
        room: RoomPort,
        boards: Mapping[str, Board],
        tell_round: Callable[[str, ClubRound | None], None] = lambda table, club_round: None,
        forgotten: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._room = room
        self._boards = boards
        self._tell_round = tell_round
        self._telling = threading.Lock()
        self._forgotten = forgotten
        self._people = People(database)
        self._finished = FinishedGames(database)
        self._figures = Figures(database, self._people)
        self._paper_games = PaperGames(database)
        self._seasons = Seasons(database)
        self._tournaments = Tournaments(database)

    # People

    def people(self) -> Sequence[club.Person]:
        """Everybody who was not forgotten, by name."""
        return self._people.all()

    def person_named(self, name: str) -> club.Person | None:
        """Whose name this is, None where it is nobody's."""
        return self._people.named(name)

    @_of_one_moment
    def person(self, id: int) -> club.PersonPage:
        """Everything about one person."""
        person, secret, aliases = self._people.one(id)
        with self._database.transaction() as connection:
            joined = joined_with(connection, id)
        return club.PersonPage(
            person,
            secret,
            aliases,
            self._figures.rating_of(id),
            self._figures.records_of(id),
            self._figures.games_of(id),
            tuple(joined),
        )

    def person_by_secret(self, secret: str) -> club.Person:
        """The owner of a personal link."""
        return self._people.by_secret(secret)

    def secrets(self, ids: Collection[int]) -> Mapping[int, str]:
        """The secrets of these people's links."""
        return self._people.secrets(ids)

    def add_person(self, name: str) -> club.Person:
        """Take somebody into the club."""
        with self._refusing():
            return self._people.add(name)

    def rename(self, id: int, name: str) -> None:
        """Another name; the old one stays an alias."""
        with self._refusing():
            self._people.rename(id, name)

    def join(self, id: int, into: int) -> None:
        """Two players are one person: what the first one has is the other's."""
        with self._refusing(), self._database.transaction() as connection:
            join_people(connection, id, into)

    def part(self, id: int, gone: int) -> None:
        """The two are two people again."""
        with self._refusing(), self._database.transaction() as connection:
            part_people(connection, id, gone)

    def renew_link(self, id: int) -> None:
        """Another personal link in the place of the one before."""
        self._people.renew_link(id)

    def add_alias(self, id: int, name: str) -> None:
        """One more name."""
        with self._refusing():
            self._people.add_alias(id, name)

    def remove_alias(self, id: int, name: str) -> None:
        """One name less."""
        with self._refusing():
            self._people.remove_alias(id, name)

    def forget(self, id: int) -> None:
        """Delete what tells who somebody is."""
        self._people.forget(id)
        self._forgotten()

    @_of_one_moment
    def export(self, id: int) -> Mapping[str, Any]:
        """All data of one person."""
        with self._database.transaction() as connection:
            return export(connection, id)

    @_of_one_moment
    def open_seats(self) -> Sequence[club.OpenSeat]:
        """Seats of the games in play; one of a finished game, or of a table that was switched off
        on another evening, would count for the next one."""
        now_s = datetime.now().timestamp()
        seats = [
            club.OpenSeat(table.id, table.name, str(one["name"]), str(one["colour"]), None)
            for table in self._room.tables()
            if table.state.get("phase") != "sheet" and not table.is_of_before(now_s)
            for one in table.state.get("players", ())
        ]
        taken = self._people.seats_taken({(s.table_id, s.colour): s.name for s in seats})
        return [replace(one, taken_by=taken.get((one.table_id, one.colour))) for one in seats]

    def sit(self, id: int, table_id: str, colour: str) -> None:
        """Somebody says where they sit."""
        names = {(one.table_id, one.colour): one.name for one in self.open_seats()}
        if (table_id, colour) not in names:
            raise NotFoundError("web.club.error.table")
        with self._refusing():
            self._people.sit(id, table_id, colour, names[table_id, colour])

    # Results, ratings, seasons

    @_of_one_moment
    def results(self) -> Sequence[club.GameLine]:
        """Finished games of the tables, the newest first; tables of one name are numbered."""
        return self._named(self._finished.newest())

    def _named(self, games: Sequence[club.GameLine]) -> Sequence[club.GameLine]:
        here = {table.id: table.name for table in self._room.tables()}
        names = names_beside(here, {one.table_id: one.table for one in games})
        return [replace(one, table=names[one.table_id]) for one in games]

    @_of_one_moment
    def waiting(self) -> int:
        """How many of them nobody has confirmed as they are now."""
        return self._finished.waiting()

    @_of_one_moment
    def result(self, table_id: str, evening: str) -> club.GameLine:
        """One finished game."""
        return self._finished.one(table_id, evening)

    def confirm(
        self, table_id: str, evening: str, people: Sequence[int | None], seen: str | None = None
    ) -> None:
        """Let a game count."""
        with self._refusing(), self._database.transaction() as connection:
            confirm(connection, table_id, evening, people, seen)
        self.tell_tables()

    def keep_counting(self, table_id: str, evening: str, seen: str) -> None:
        """Let the points that count go on counting."""
        with self._refusing(), self._database.transaction() as connection:
            keep_counting(connection, table_id, evening, seen)

    @_of_one_moment
    def left_out(self) -> Sequence[club.GameLine]:
        """Finished games that count for nobody, the newest first."""
        return self._named(self._finished.left_out())

    @_of_one_moment
    def gone(self) -> Sequence[club.GameLine]:
        """Games that counted until their tables deleted or took them back, the newest first."""
        return self._named(self._finished.gone())

    def leave_out(self, table_id: str, evening: str, seen: str | None = None) -> None:
        """Let a game count for nobody."""
        with self._refusing(), self._database.transaction() as connection:
            leave_out(connection, table_id, evening, seen)
        self.tell_tables()

    def take_in(self, table_id: str, evening: str) -> None:
        """Let such a game wait again to be confirmed."""
        with self._database.transaction() as connection:
            take_in(connection, table_id, evening)

    @_of_one_moment
    def paper_games(self) -> Sequence[club.PaperGame]:
        """Games that the organiser typed."""
        return self._paper_games.all()

    def add_paper_game(
        self,
        board: str,
        day: date,
        points: Sequence[tuple[str, int]],
        others: Collection[int] = (),
        instead: int | None = None,
    ) -> None:
        """Let a game count that no table told; one of an earlier day ended at noon."""
        if board not in self._boards:
            raise NotFoundError("web.club.error.board")
        now = datetime.now().astimezone()
        ended = now if day == now.date() else datetime.combine(day, time(12)).astimezone()
        with self._refusing():
            check_seats(len(points), self._places(board))
            self._paper_games.add(board, ended, points, others, instead)

    @_of_one_moment
    def alike_games(self, ids: Collection[int]) -> Sequence[club.AlikeGame]:
        """These games, as far as they still count."""
        with self._database.transaction() as connection:
            return alike_games(connection, ids)

    def remove_paper_game(self, id: int) -> None:
        """Take such a game back."""
        self._paper_games.remove(id)

    @_of_one_moment
    def ratings(self) -> Sequence[club.RatingLine]:
        """The table of ratings; whoever was forgotten is left out."""
        return self._figures.ratings()

    @_of_one_moment
    def boards(self) -> Sequence[club.BoardLine]:
        """Averages and bests."""
        return self._figures.boards()

    def seasons(self) -> Sequence[club.SeasonLine]:
        """Every season, the newest first."""
        return self._seasons.all()

    def add_season(self, name: str, first: date, last: date) -> int:
        """Begin a season."""
        with self._refusing():
            return self._seasons.add(name, first, last)

    def remove_season(self, id: int) -> None:
        """A season less; its games stay."""
        self._seasons.remove(id)

    @_of_one_moment
    def standings(self, season: int) -> tuple[club.SeasonLine, Sequence[club.StandingLine]]:
        """A season and its table."""
        line = next((one for one in self.seasons() if one.id == season), None)
        if line is None:
            raise NotFoundError("web.club.error.season")
        return line, self._figures.standings(line)

    # Tournaments

    def boards_here(self) -> Sequence[tuple[str, str]]:
        """Boards that a table may have, as (id, title)."""
        return [(one.id, one.title) for one in self._boards.values()]

    def tournaments(self) -> Sequence[club.TournamentLine]:
        """Every tournament, the newest first."""
        return [
            club.TournamentLine(
                row["id"], row["name"], row["created_at"].timestamp(), row["rounds"], row["people"]
            )
            for row in self._tournaments.rows()
        ]

    @_of_one_moment
    def tournament(self, id: int) -> club.TournamentView:
        """One tournament evening."""
        name, tournament = self._tournaments.one(id)
        return tournament_view(id, name, tournament, self._people.by_id())

    def add_tournament(self, name: str, minutes: int) -> int:
        """Begin a tournament."""
        with self._refusing():
            return self._tournaments.add(name, minutes)

    def remove_tournament(self, id: int) -> None:
        """A tournament less, in which nothing was played."""
        with self._refusing():
            self._tournaments.remove(id)
        self.tell_tables()

    def add_table(self, id: int, name: str, board: str) -> None:
        """One more table; its board says how many it lets play."""
        if board not in self._boards:
            raise NotFoundError("web.club.error.board")
        with self._refusing():
            table = RoomTable(title_of(name, LONGEST_NAME), board, self._places(board))
            self._tournaments.add_table(id, table)

    def _places(self, board: str) -> int:
        """How many a board lets play at a table of a club; all where the hub knows it no more."""
        return min(MOST, self._boards[board].players[1]) if board in self._boards else MOST

    def remove_table(self, id: int, name: str) -> None:
        """A table less."""
        self._tournaments.remove_table(id, name)

    def arrive(self, id: int, person: int) -> None:
        """Somebody comes, or comes back."""
        with self._refusing():
            self._tournaments.arrive(id, person)

    def leave(self, id: int, person: int) -> None:
        """Somebody goes."""
        with self._refusing():
            self._tournaments.leave(id, person)

    def seat(self, id: int, person: int, table: str) -> None:
        """Somebody sits down at a table of the last round."""
        with self._refusing():
            self._tournaments.seat(id, person, table, self._places)

    def draw(self, id: int) -> None:
        """Draw a round."""
        with self._refusing():
            self._tournaments.draw(id)
        self.tell_tables()

    def begin_round(self, id: int) -> None:
        """Start the timer, which every table of the round hears of."""
        with self._refusing():
            self._tournaments.begin_round(id)
        self.tell_tables()

    def stop_round(self, id: int) -> None:
        """Take the timer's start back."""
        with self._refusing():
            self._tournaments.stop_round(id)
        self.tell_tables()

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
        """A table's result by hand."""
        with self._refusing():
            self._tournaments.enter_result(id, round, table, points, seen, others, instead)
        self.tell_tables()

    @_of_one_moment
    def tell_tables(self) -> None:
        """Tell each table its round, from the timer's start until the table has its result.

        Several tournaments may be played at once; at a table of one name the newest counts.
        """
        with self._telling:  # what was read earlier is told earlier
            playing: dict[str, ClubRound] = {}
            for id in self._tournaments.under_way():
                playing |= rounds_under_way(self.tournament(id))
            for table in self._room.tables():
                self._tell_round(table.id, playing.get(one_spelling(table.name)))

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Refusals as the pages tell them, with people's names for their keys."""
        try:
            yield
        except RefusalError as error:
            values = dict(error.message.values)
            named = str(values.get("name", ""))
            if is_key(named):
                person = self._people.by_id().get(id_of(named))
                values["name"] = (person and person.name) or NOBODY
            raise ActionRefusedError(error.key, **values) from error
