"""Games that count, with their seats: read, entered and taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from companion.club.results import PlayedGame, Seat
from companion.errors import RefusalError
from companion.hub.club.player_keys import player_key
from companion.hub.database import Connection, Database, rows_by

COUNTED_NOW = """SELECT coalesce(md5(string_agg(g.id || ' ' || s.player, ','
        ORDER BY g.id, s.position)), '') AS mark
    FROM games g JOIN game_seats s ON s.game = g.id
    LEFT JOIN evenings e ON (e.table_id, e.evening) = (g.table_id, g.evening)
    WHERE e.is_deleted IS NOT TRUE"""
"""Another mark where other games count, or for others: nothing else of a game is ever changed, it
is entered anew."""

MOST_POINTS = 2000


class CountedGames:
    """Reads every game that counts, once while they are the same."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: tuple[str, Sequence[PlayedGame]] | None = None

    def all(self) -> Sequence[PlayedGame]:
        """Every game that counts, by its end; the same object while they are the same."""
        with self._database.transaction() as connection:
            row = connection.execute(COUNTED_NOW).fetchone()
            mark = "" if row is None else str(row["mark"])
            known = self._known
            if known is None or known[0] != mark:
                self._known = known = (mark, counted(connection))
            return known[1]


def counted(connection: Connection) -> tuple[PlayedGame, ...]:
    """Every game that counts, by its end. One of an evening that its table deleted does not."""
    return tuple(game for _, game in _games(connection, None))


def results_of(connection: Connection, tournament: int) -> dict[tuple[int, str], PlayedGame]:
    """The games of a tournament that count, by round and table."""
    return {(row["round"], row["table_name"]): game for row, game in _games(connection, tournament)}


def check_points(points: Sequence[int]) -> None:
    """Raise RefusalError for points that no game has."""
    if any(abs(one) > MOST_POINTS for one in points):
        raise RefusalError("companion.club.points", most=str(MOST_POINTS))


def seats_by_hand(points: Mapping[int, int], before: Sequence[Seat] = ()) -> list[Seat]:
    """Seats of people with their points; equal points share a place.

    Whose points are as they were `before` keep what the sheet says of them, and those who had equal
    points keep the order in which it had them.
    """
    typed = {player_key(one): own for one, own in points.items()}
    kept = {one.player: one for one in before if typed.get(one.player) == one.points}

    def is_ahead(other: str, one: str) -> bool:
        if typed[other] != typed[one]:
            return typed[other] > typed[one]
        level = [each for each, own in typed.items() if own == typed[one]]
        return kept.keys() >= set(level) and kept[other].rank < kept[one].rank

    return [
        replace(kept.get(one, Seat(one, own, 1)), rank=1 + sum(is_ahead(o, one) for o in typed))
        for one, own in typed.items()
    ]


def insert_game(
    connection: Connection,
    board: str,
    ended_at: datetime,
    evening: tuple[str, str] | None,
    place: tuple[int, int, str] | None,
    told: Sequence[str] | None,
) -> int:
    """A game that counts: of a table's evening, of a place in a tournament, or both.

    `told` are the names at its seats as the table told them.
    """
    row = connection.execute(
        """INSERT INTO games
        (board, ended_at, table_id, evening, tournament, round, table_name, told)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s) RETURNING id""",
        [board, ended_at, *(evening or (None, None)), *(place or (None, None, None)), told],
    ).fetchone()
    assert row is not None
    return int(row["id"])


def insert_seats(
    connection: Connection, game: int, ids: Sequence[int], seats: Sequence[Seat]
) -> None:
    """The seats of a game, in the players' order."""
    for position, (player, seat) in enumerate(zip(ids, seats, strict=True)):
        connection.execute(
            """INSERT INTO game_seats
            (game, player, position, points, rank, tickets_completed, longest_path)
            VALUES (%s, %s, %s, %s, %s, %s, %s)""",
            [
                game,
                player,
                position,
                seat.points,
                seat.rank,
                seat.tickets_completed,
                seat.longest_path,
            ],
        )


def remove_from(connection: Connection, place: tuple[int, int, str]) -> Mapping[str, Any] | None:
    """Take the game off a place in a tournament; returns its row, None where there is none.

    `is_deleted` says whether its table deleted it; None for a result by hand.
    """
    row = connection.execute(
        """SELECT g.*, e.is_deleted FROM games g
        LEFT JOIN evenings e ON (e.table_id, e.evening) = (g.table_id, g.evening)
        WHERE (g.tournament, g.round, g.table_name) = (%s, %s, %s)""",
        place,
    ).fetchone()
    if row is not None:
        connection.execute("DELETE FROM games WHERE id = %s", [row["id"]])
    return row


def _games(
    connection: Connection, tournament: int | None
) -> list[tuple[Mapping[str, Any], PlayedGame]]:
    """Games that count, of all or of one tournament, each with its first row."""
    rows = connection.execute(
        """SELECT g.id, g.board, g.ended_at, g.round, g.table_name, s.player, s.points, s.rank,
            s.tickets_completed, s.longest_path
        FROM games g JOIN game_seats s ON s.game = g.id
        LEFT JOIN evenings e ON (e.table_id, e.evening) = (g.table_id, g.evening)
        WHERE (%s::bigint IS NULL OR g.tournament = %s) AND e.is_deleted IS NOT TRUE
        ORDER BY g.ended_at, g.id, s.position""",
        [tournament, tournament],
    ).fetchall()
    return [(seats[0], _game(seats)) for seats in rows_by("id", rows).values()]


def _game(seats: Sequence[Mapping[str, Any]]) -> PlayedGame:
    return PlayedGame(
        str(seats[0]["id"]),
        seats[0]["board"],
        seats[0]["ended_at"].timestamp(),
        tuple(
            Seat(
                player_key(one["player"]),
                one["points"],
                one["rank"],
                one["tickets_completed"],
                one["longest_path"],
            )
            for one in seats
        ),
    )
