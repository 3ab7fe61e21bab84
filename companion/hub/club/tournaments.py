"""Tournament evenings in the database; what a tournament is stands in `companion.club`."""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, LiteralString

from companion.club.results import PlayedGame, check_game
from companion.club.seating import RoomTable, Seating, check_tables
from companion.club.tournament import Round, Tournament, arrive, draw_next, leave, seat
from companion.errors import RefusalError
from companion.hub.club.alike import ask_about_round, lock_told, take_place_of
from companion.hub.club.counted import (
    check_points,
    insert_game,
    insert_seats,
    remove_from,
    results_of,
    seats_by_hand,
)
from companion.hub.club.people import LONGEST_TITLE, member_of, title_of
from companion.hub.club.player_keys import id_of, player_key
from companion.hub.database import Connection, Database, rows_by
from web.errors import NotFoundError
from web.hub.club_state import mark_of

MOST_MINUTES = 600


UNTOUCHED = """SELECT id FROM tournaments AS t WHERE name = %s AND minutes = %s
    AND NOT EXISTS (SELECT FROM tournament_tables WHERE tournament = t.id)
    AND NOT EXISTS (SELECT FROM entrants WHERE tournament = t.id)"""
"""A tournament of this name and time without tables and people: no round was ever drawn there."""


class Tournaments:
    """Reads and changes tournament evenings, one transaction a call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """`id`, `name`, `created_at`, `rounds` and `people` of each, the newest first."""
        with self._database.transaction() as connection:
            return connection.execute(
                """SELECT id, name, created_at,
                (SELECT count(*) FROM rounds WHERE tournament = id) AS rounds,
                (SELECT count(*) FROM entrants WHERE tournament = id) AS people
                FROM tournaments ORDER BY id DESC"""
            ).fetchall()

    def under_way(self) -> Sequence[int]:
        """Tournaments in which a timer was started within a day, the newest last."""
        with self._database.transaction() as connection:
            rows = connection.execute(
                "SELECT DISTINCT tournament FROM rounds WHERE began_at > now() - interval '1 day'"
                " ORDER BY tournament"
            )
            return [row["tournament"] for row in rows]

    def one(self, id: int) -> tuple[str, Tournament]:
        """Name and state of a tournament. Raises NotFoundError."""
        with self._database.transaction() as connection:
            return _loaded(connection, id)

    def add(self, name: str, minutes: int) -> int:
        """A new tournament; one of this name that nobody has touched yet is the same one, as where
        the button was tapped twice. Raises RefusalError for no name or no time."""
        name = title_of(name, LONGEST_TITLE)
        if not 1 <= minutes <= MOST_MINUTES:
            raise RefusalError("companion.club.minutes", most=str(MOST_MINUTES))
        with self._database.transaction() as connection:
            connection.execute("LOCK TABLE tournaments IN SHARE ROW EXCLUSIVE MODE")
            row = connection.execute(UNTOUCHED, [name, minutes]).fetchone()
            if row is None:
                row = connection.execute(
                    "INSERT INTO tournaments (name, minutes, lot) VALUES (%s, %s, %s) RETURNING id",
                    [name, minutes, secrets.randbelow(2**31)],
                ).fetchone()
        assert row is not None
        return int(row["id"])

    def remove(self, id: int) -> None:
        """A tournament less. Raises RefusalError where a table has its result."""
        with self._database.transaction() as connection:
            if _locked(connection, id).results:
                raise RefusalError("companion.club.tournament-played")
            connection.execute(  # games that their tables deleted
                """UPDATE games SET tournament = NULL, round = NULL, table_name = NULL
                WHERE tournament = %s""",
                [id],
            )
            connection.execute("DELETE FROM rounds WHERE tournament = %s", [id])
            connection.execute("DELETE FROM entrants WHERE tournament = %s", [id])
            connection.execute("DELETE FROM tournament_tables WHERE tournament = %s", [id])
            connection.execute("DELETE FROM tournaments WHERE id = %s", [id])

    def add_table(self, id: int, table: RoomTable) -> None:
        """One more table. Raises RefusalError where another one has its name."""
        with self._database.transaction() as connection:
            tables = _locked(connection, id).tables
            check_tables([*tables, table])
            connection.execute(
                """INSERT INTO tournament_tables (tournament, position, name, board, places)
                VALUES (%s, (SELECT coalesce(max(position), 0) + 1 FROM tournament_tables
                    WHERE tournament = %s), %s, %s, %s)""",
                [id, id, table.name, table.board, table.places],
            )

    def remove_table(self, id: int, name: str) -> None:
        """A table less; rounds that were drawn stay as they are."""
        with self._database.transaction() as connection:
            _locked(connection, id)
            connection.execute(
                "DELETE FROM tournament_tables WHERE tournament = %s AND name = %s", [id, name]
            )

    def arrive(self, id: int, player: int) -> None:
        """Somebody comes, or comes back."""
        with self._database.transaction() as connection:
            arrive(_locked(connection, id), player_key(member_of(connection, player).id))
            connection.execute(
                """INSERT INTO entrants (tournament, player) VALUES (%s, %s)
                ON CONFLICT (tournament, player) DO UPDATE SET is_here = true""",
                [id, player],
            )

    def leave(self, id: int, player: int) -> None:
        """Somebody goes."""
        with self._database.transaction() as connection:
            leave(_locked(connection, id), player_key(player))
            connection.execute(
                "UPDATE entrants SET is_here = false WHERE tournament = %s AND player = %s",
                [id, player],
            )

    def seat(self, id: int, player: int, table: str, places: Callable[[str], int]) -> None:
        """Somebody sits down at a table of the last round; `places` tells how many a board lets
        play. Raises NotFoundError, RefusalError."""
        with self._database.transaction() as connection:
            tournament = _locked(connection, id)
            number = len(tournament.rounds)
            _seating(tournament, number, table)
            for one in seat(tournament, player_key(player), table, places):
                connection.execute(
                    "UPDATE seatings SET players = %s"
                    " WHERE (tournament, round, table_name) = (%s, %s, %s)",
                    [[id_of(each) for each in one.players], id, number, one.table],
                )

    def draw(self, id: int, drawn: Callable[[Tournament], Tournament] = draw_next) -> None:
        """Draw the next round, or the last one anew where it has not begun."""
        with self._database.transaction() as connection:
            after = drawn(_locked(connection, id))
            number = len(after.rounds)
            connection.execute(  # games that their tables deleted
                """UPDATE games SET tournament = NULL, round = NULL, table_name = NULL
                WHERE tournament = %s AND round = %s""",
                [id, number],
            )
            connection.execute(
                "DELETE FROM rounds WHERE tournament = %s AND number = %s", [id, number]
            )
            _insert_round(connection, id, number, after.rounds[-1])

    def begin_round(self, id: int) -> None:
        """Start the timer of the last round; a timer that runs is left alone.

        Raises RefusalError where no round was drawn.
        """
        with self._database.transaction() as connection:
            number = len(_locked(connection, id).rounds)
            if not number:
                raise RefusalError("companion.club.no-round")
            connection.execute(
                """UPDATE rounds SET began_at = now()
                WHERE tournament = %s AND number = %s AND began_at IS NULL""",
                [id, number],
            )

    def stop_round(self, id: int) -> None:
        """Take the last round's start back. Raises RefusalError where a table has its result."""
        with self._database.transaction() as connection:
            tournament = _locked(connection, id)
            number = len(tournament.rounds)
            if number and len(tournament.open_tables) < len(tournament.rounds[-1].seatings):
                raise RefusalError("companion.club.round-played")
            connection.execute(
                "UPDATE rounds SET began_at = NULL WHERE tournament = %s AND number = %s",
                [id, number],
            )

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
        """A result by hand, in place of the one before; equal points share a place. Who left in
        the course of the game needs no points, and then has not played it.

        A game that a table told stays that table's, so its evening does not count once more; with
        the very points that count already nothing changes, neither who won a tie by tickets. Raises
        RefusalError where somebody's points are missing, or are of somebody who does not sit there,
        and where the table has another result than the one with the mark `seen`. `others`,
        `instead` and what is asked about the table's first result are as for a game on paper.
        """
        with self._database.transaction() as connection:
            lock_told(connection, instead)
            tournament = _locked(connection, id)
            seating = _seating(tournament, round, table)
            counted = tournament.results.get((round, table))
            counting = _points_of(counted)
            if counting and points == counting:
                return
            if seen not in (None, mark_of(sorted(counting.items()))):
                raise RefusalError("companion.club.result-meanwhile", name=table)
            drawn = list(map(id_of, seating.players))
            in_order = dict.fromkeys((*counting, *drawn))  # the table's, by which its names go
            ids = [one for one in in_order if one in points and one in drawn]
            lacking = tournament.here.intersection(seating.players) - {player_key(i) for i in ids}
            if lacking or len(ids) < len(points):
                raise RefusalError("companion.club.points-missing", name=table)
            check_points(list(points.values()))
            typed = {one: points[one] for one in ids}
            seats = seats_by_hand(typed, () if counted is None else counted.seats)
            board = seating.board if counted is None else counted.board
            place = (id, round, table)
            if counted is None:
                ask_about_round(connection, board, place, typed, others)
                take_place_of(connection, instead)
            before = remove_from(connection, place)
            ended_at, evening, told = datetime.now(UTC), None, None
            if before is not None and not before["is_deleted"]:
                ended_at, told = before["ended_at"], before["told"]
                is_by_hand = before["evening"] is None
                evening = None if is_by_hand else (before["table_id"], before["evening"])
            check_game(PlayedGame("", board, ended_at.timestamp(), tuple(seats)))
            game = insert_game(connection, board, ended_at, evening, place, told)
            insert_seats(connection, game, ids, seats)


def _points_of(game: PlayedGame | None) -> dict[int, int]:
    """The points of a game by person; none where none counts."""
    return {} if game is None else {id_of(seat.player): seat.points for seat in game.seats}


def _locked(connection: Connection, id: int) -> Tournament:
    """The tournament, which nobody else changes until this transaction ends."""
    return _loaded(connection, id, " FOR UPDATE")[1]


def _loaded(connection: Connection, id: int, lock: LiteralString = "") -> tuple[str, Tournament]:
    """Name and state. Raises NotFoundError."""
    head = connection.execute(
        f"SELECT name, minutes, lot FROM tournaments WHERE id = %s{lock}", [id]
    ).fetchone()
    if head is None:
        raise NotFoundError("web.club.error.tournament")
    tables = connection.execute(
        "SELECT name, board, places FROM tournament_tables WHERE tournament = %s ORDER BY position",
        [id],
    )
    entrants = connection.execute(
        "SELECT player, is_here FROM entrants WHERE tournament = %s ORDER BY position", [id]
    ).fetchall()
    return head["name"], Tournament(
        tables=tuple(RoomTable(row["name"], row["board"], row["places"]) for row in tables),
        entrants=tuple(player_key(row["player"]) for row in entrants),
        here=frozenset(player_key(row["player"]) for row in entrants if row["is_here"]),
        rounds=_rounds(connection, id),
        results=results_of(connection, id),
        minutes=head["minutes"],
        lot=head["lot"],
    )


def _rounds(connection: Connection, id: int) -> tuple[Round, ...]:
    rows = connection.execute(
        "SELECT * FROM seatings WHERE tournament = %s ORDER BY round, position", [id]
    )
    seated = rows_by("round", rows)
    rounds = connection.execute("SELECT * FROM rounds WHERE tournament = %s ORDER BY number", [id])
    return tuple(
        Round(
            seatings=tuple(_seating_of(one) for one in seated.get(row["number"], ())),
            repeats=row["repeats"],
            is_best=row["is_best"],
            began_s=None if row["began_at"] is None else row["began_at"].timestamp(),
        )
        for row in rounds
    )


def _seating_of(row: Mapping[str, Any]) -> Seating:
    players = tuple(player_key(one) for one in row["players"])
    return Seating(row["table_name"], row["board"], players)


def _insert_round(connection: Connection, id: int, number: int, drawn: Round) -> None:
    connection.execute(
        "INSERT INTO rounds (tournament, number, repeats, is_best) VALUES (%s, %s, %s, %s)",
        [id, number, drawn.repeats, drawn.is_best],
    )
    for position, seating in enumerate(drawn.seatings):
        connection.execute(
            """INSERT INTO seatings (tournament, round, position, table_name, board, players)
            VALUES (%s, %s, %s, %s, %s, %s)""",
            [
                id,
                number,
                position,
                seating.table,
                seating.board,
                [id_of(player) for player in seating.players],
            ],
        )


def _seating(tournament: Tournament, round: int, table: str) -> Seating:
    seatings = tournament.rounds[round - 1].seatings if 0 < round <= len(tournament.rounds) else ()
    found = next((one for one in seatings if one.table == table), None)
    if found is None:
        raise NotFoundError("web.club.error.table")
    return found
