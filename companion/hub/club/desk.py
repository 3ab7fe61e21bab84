"""The club as its pages know it; implements `web.hub.club_port.ClubPort`."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, time
from typing import Any

from companion.club.ratings import Rating, rate
from companion.club.records import Best, by_board, by_player
from companion.club.results import PlayedGame, check_seats
from companion.club.seating import MOST, RoomTable
from companion.club.standings import Season, standings
from companion.errors import RefusalError
from companion.hub.club.export import export
from companion.hub.club.games import Games, id_of, is_key, player_key
from companion.hub.club.joining import join_people
from companion.hub.club.paper import PaperGames
from companion.hub.club.people import LONGEST_NAME, People, everybody, title_of
from companion.hub.club.seasons import Seasons
from companion.hub.club.tournaments import Tournaments
from companion.hub.club.views import (
    Names,
    counted_games,
    rounds_under_way,
    standing_lines,
    tournament_view,
)
from companion.hub.database import Database
from companion.hub.table_names import names_beside
from scoring.board.board import Board
from web.errors import NotFoundError
from web.hub import club_port as port
from web.hub.club_port import NOBODY
from web.hub.ports import RoomPort
from web.names import one_spelling
from web.ports import ActionRefusedError
from web.table_state import ClubRound

MOST_GAMES = 20
"""Games that a person's page lists."""


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
        self._games = Games(database)
        self._paper_games = PaperGames(database)
        self._seasons = Seasons(database)
        self._tournaments = Tournaments(database)
        self._ratings: tuple[Sequence[PlayedGame], Sequence[Rating]] = ((), ())
        """Games and what they say of the players."""

    # People

    def people(self) -> Sequence[port.Person]:
        """Everybody who was not forgotten, by name."""
        return self._people.all()

    def person_named(self, name: str) -> port.Person | None:
        """Whose name this is, None where it is nobody's."""
        return self._people.named(name)

    def person(self, id: int) -> port.PersonPage:
        """Everything about one person."""
        person, secret, aliases = self._people.one(id)
        rating = next((line for line in self.ratings() if line.person.id == id), None)
        records = tuple(
            port.PlayerLine(
                one.board,
                one.games,
                one.wins,
                one.mean_points,
                one.best_points,
                one.longest_path,
            )
            for one in by_player(self._games.counted(), player_key(id))
        )
        own = [
            game
            for game in self._games.counted()
            if player_key(id) in [seat.player for seat in game.seats]
        ]
        games = counted_games(own[: -MOST_GAMES - 1 : -1], self._names())
        return port.PersonPage(person, secret, aliases, rating, records, games)

    def person_by_secret(self, secret: str) -> port.Person:
        """The owner of a personal link."""
        return self._people.by_secret(secret)

    def secrets(self, ids: Collection[int]) -> Mapping[int, str]:
        """The secrets of these people's links."""
        return self._people.secrets(ids)

    def add_person(self, name: str) -> port.Person:
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

    def export(self, id: int) -> Mapping[str, Any]:
        """All data of one person."""
        with self._database.transaction() as connection:
            return export(connection, id)

    def open_seats(self) -> Sequence[port.OpenSeat]:
        """Seats of the games in play; one of a finished game, or of a table that was switched off
        on another evening, would count for the next one."""
        now_s = datetime.now().timestamp()
        seats = [
            port.OpenSeat(table.id, table.name, str(one["name"]), str(one["colour"]), None)
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

    def results(self) -> Sequence[port.GameLine]:
        """Finished games of the tables, the newest first; tables of one name are numbered."""
        return self._named(self._games.finished())

    def _named(self, games: Sequence[port.GameLine]) -> Sequence[port.GameLine]:
        here = {table.id: table.name for table in self._room.tables()}
        names = names_beside(here, {one.table_id: one.table for one in games})
        return [replace(one, table=names[one.table_id]) for one in games]

    def waiting(self) -> int:
        """How many of them nobody has confirmed as they are now."""
        return self._games.waiting()

    def result(self, table_id: str, evening: str) -> port.GameLine:
        """One finished game."""
        return self._games.one(table_id, evening)

    def confirm(
        self, table_id: str, evening: str, people: Sequence[int | None], seen: str | None = None
    ) -> None:
        """Let a game count."""
        with self._refusing():
            self._games.confirm(table_id, evening, people, seen)
        self.tell_tables()

    def left_out(self) -> Sequence[port.GameLine]:
        """Finished games that count for nobody, the newest first."""
        return self._named(self._games.left_out())

    def leave_out(self, table_id: str, evening: str) -> None:
        """Let a game count for nobody."""
        self._games.leave_out(table_id, evening)
        self.tell_tables()

    def take_in(self, table_id: str, evening: str) -> None:
        """Let such a game wait again to be confirmed."""
        self._games.take_in(table_id, evening)

    def paper_games(self) -> Sequence[port.PaperGame]:
        """Games that the organiser typed."""
        return self._paper_games.all()

    def add_paper_game(self, board: str, day: date, points: Sequence[tuple[str, int]]) -> None:
        """Let a game count that no table told; one of an earlier day ended at noon."""
        if board not in self._boards:
            raise NotFoundError("web.club.error.board")
        now = datetime.now().astimezone()
        ended = now if day == now.date() else datetime.combine(day, time(12)).astimezone()
        with self._refusing():
            check_seats(len(points), self._places(board))
            self._paper_games.add(board, ended, points)

    def remove_paper_game(self, id: int) -> None:
        """Take such a game back."""
        self._paper_games.remove(id)

    def ratings(self) -> Sequence[port.RatingLine]:
        """The table of ratings; whoever was forgotten is left out."""
        names = self._names()
        rated = [(names[id_of(one.player)], one) for one in self._rated()]
        present = [(person, one) for person, one in rated if person.name is not None]
        return [
            port.RatingLine(person, place, one.mean, one.margin, one.games)
            for place, (person, one) in enumerate(present, 1)
        ]

    def _rated(self) -> Sequence[Rating]:
        """Worked out once for the same games."""
        games = self._games.counted()
        known, ratings = self._ratings
        if known is not games:
            ratings = rate(games)
            self._ratings = (games, ratings)
        return ratings

    def boards(self) -> Sequence[port.BoardLine]:
        """Averages and bests."""
        names = self._names()

        def best(one: Best) -> tuple[port.Person, int]:
            return names[id_of(one.player)], one.value

        return [
            port.BoardLine(
                one.board,
                one.games,
                one.mean_points,
                best(one.highest),
                None if one.longest_path is None else best(one.longest_path),
            )
            for one in by_board(self._games.counted())
        ]

    def seasons(self) -> Sequence[port.SeasonLine]:
        """Every season, the newest first."""
        return self._seasons.all()

    def add_season(self, name: str, first: date, last: date) -> int:
        """Begin a season."""
        with self._refusing():
            return self._seasons.add(name, first, last)

    def remove_season(self, id: int) -> None:
        """A season less; its games stay."""
        self._seasons.remove(id)

    def standings(self, season: int) -> tuple[port.SeasonLine, Sequence[port.StandingLine]]:
        """A season and its table."""
        line = next((one for one in self.seasons() if one.id == season), None)
        if line is None:
            raise NotFoundError("web.club.error.season")
        span = Season(line.name, line.first, line.last)
        games = span.games(self._games.counted())
        return line, standing_lines(standings(games), self._names())

    # Tournaments

    def boards_here(self) -> Sequence[tuple[str, str]]:
        """Boards that a table may have, as (id, title)."""
        return [(one.id, one.title) for one in self._boards.values()]

    def tournaments(self) -> Sequence[port.TournamentLine]:
        """Every tournament, the newest first."""
        return [
            port.TournamentLine(
                row["id"], row["name"], row["created_at"].timestamp(), row["rounds"], row["people"]
            )
            for row in self._tournaments.rows()
        ]

    def tournament(self, id: int) -> port.TournamentView:
        """One tournament evening."""
        name, tournament = self._tournaments.one(id)
        return tournament_view(id, name, tournament, self._names())

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

    def enter_result(self, id: int, round: int, table: str, points: Mapping[int, int]) -> None:
        """A table's result by hand."""
        with self._refusing():
            self._tournaments.enter_result(id, round, table, points)
        self.tell_tables()

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

    def _names(self) -> Names:
        with self._database.transaction() as connection:
            return everybody(connection)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Refusals as the pages tell them, with people's names for their keys."""
        try:
            yield
        except RefusalError as error:
            values = dict(error.message.values)
            named = str(values.get("name", ""))
            if is_key(named):
                person = self._names().get(id_of(named))
                values["name"] = (person and person.name) or NOBODY
            raise ActionRefusedError(error.key, **values) from error
