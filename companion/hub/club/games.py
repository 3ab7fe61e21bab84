"""Finished games: what tables told, who sat where, and which of them count."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from companion.club.results import PlayedGame, Seat, check_game
from companion.errors import RefusalError
from companion.hub.club.forgetting import key_of
from companion.hub.club.people import add_person, everybody, person_of
from companion.hub.database import Connection, Database
from web.errors import NotFoundError
from web.hub.club_port import GameLine, Person, SeatLine

FINISHED = """SELECT e.table_id, e.evening, t.name AS table_name, e.board, e.began_at, e.ended_at,
    e.result, lag(e.ended_at) OVER (PARTITION BY e.table_id ORDER BY e.ended_at) AS ended_before,
    g.id AS game FROM evenings e JOIN tables t ON t.id = e.table_id
    LEFT JOIN games g ON g.table_id = e.table_id AND g.evening = e.evening
    WHERE NOT e.is_deleted"""


def player_key(id: int) -> str:
    """A person as the pure rooms name them; no table's name looks like it."""
    return f"player {id}"


def id_of(key: str) -> int:
    """The person of a key."""
    return int(key.removeprefix("player "))


class Games:
    """Reads and confirms games, one transaction a call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def counted(self) -> list[PlayedGame]:
        """Every game that counts, by its end."""
        with self._database.transaction() as connection:
            return list(counted(connection).values())

    def finished(self) -> Sequence[GameLine]:
        """Every finished game of the tables, the newest first."""
        with self._database.transaction() as connection:
            lines = [_line(connection, row) for row in connection.execute(FINISHED).fetchall()]
        return sorted(lines, key=lambda line: -line.ended_s)

    def one(self, table_id: str, evening: str) -> GameLine:
        """One finished game. Raises NotFoundError."""
        with self._database.transaction() as connection:
            return _line(connection, _row(connection, table_id, evening))

    def confirm(self, table_id: str, evening: str, people: Sequence[int | None]) -> None:
        """Let a game count, or count with other people.

        None is a new person of the name that the table knows. Raises RefusalError for somebody
        who sits twice, and for more or fewer people than seats.
        """
        with self._database.transaction() as connection:
            row = _row(connection, table_id, evening)
            players: Sequence[Mapping[str, Any]] = row["result"]["players"]
            if len(people) != len(players):
                raise RefusalError("companion.club.seats-unknown")
            ids = [
                add_person(connection, seat["name"]).id if one is None else one
                for seat, one in zip(players, people, strict=True)
            ]
            names = [person_of(connection, one).name for one in ids]
            seats = [_seat(str(name), seat) for name, seat in zip(names, players, strict=True)]
            check_game(PlayedGame("", row["board"], 0.0, tuple(seats)))
            connection.execute(
                "DELETE FROM games WHERE table_id = %s AND evening = %s", [table_id, evening]
            )
            place = _place_in_tournament(connection, ids, row["ended_at"])
            game = insert_game(
                connection, row["board"], row["ended_at"], (table_id, evening), place
            )
            insert_seats(connection, game, ids, seats)


def counted(connection: Connection, tournament: int | None = None) -> dict[Any, PlayedGame]:
    """Games that count, of all or of one tournament, by (round, table) or by their own number."""
    rows = connection.execute(
        """SELECT g.id, g.board, g.ended_at, g.round, g.table_name, s.player, s.points, s.rank,
            s.tickets_completed, s.longest_path
        FROM games g JOIN game_seats s ON s.game = g.id
        WHERE %s::bigint IS NULL OR g.tournament = %s ORDER BY g.ended_at, g.id, s.position""",
        [tournament, tournament],
    ).fetchall()
    games: dict[Any, PlayedGame] = {}
    for row in rows:
        key = row["id"] if tournament is None else (row["round"], row["table_name"])
        seat = Seat(
            player_key(row["player"]),
            row["points"],
            row["rank"],
            row["tickets_completed"],
            row["longest_path"],
        )
        before = games[key].seats if key in games else ()
        ended_s = row["ended_at"].timestamp()
        games[key] = PlayedGame(str(row["id"]), row["board"], ended_s, (*before, seat))
    return games


def insert_game(
    connection: Connection,
    board: str,
    ended_at: datetime,
    evening: tuple[str, str] | None,
    place: tuple[int, int, str] | None,
) -> int:
    """A game that counts: of a table's evening, of a place in a tournament, or both."""
    row = connection.execute(
        """INSERT INTO games (board, ended_at, table_id, evening, tournament, round, table_name)
        VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING id""",
        [board, ended_at, *(evening or (None, None)), *(place or (None, None, None))],
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


def _seat(name: str, seat: Mapping[str, Any]) -> Seat:
    path = seat.get("longest_path")
    return Seat(
        name,
        int(seat["total"]),
        int(seat["rank"]),
        int(seat.get("tickets_completed") or 0),
        None if not path else int(path["length"]),
    )


def _row(connection: Connection, table_id: str, evening: str) -> Mapping[str, Any]:
    row = connection.execute(
        f"SELECT * FROM ({FINISHED}) AS finished WHERE table_id = %s AND evening = %s",
        [table_id, evening],
    ).fetchone()
    if row is None:
        raise NotFoundError("web.club.error.game")
    return row


def _line(connection: Connection, row: Mapping[str, Any]) -> GameLine:
    players: Sequence[Mapping[str, Any]] = row["result"]["players"]
    people = _people_at(connection, row, players)
    seats = tuple(
        SeatLine(one["name"], one.get("colour") or "grey", one["total"], one["rank"], person)
        for one, person in zip(players, people, strict=True)
    )
    return GameLine(
        table_id=row["table_id"],
        evening=row["evening"],
        table=row["table_name"],
        board=row["board"],
        ended_s=row["ended_at"].timestamp(),
        seats=seats,
        is_confirmed=row["game"] is not None,
    )


def _people_at(
    connection: Connection, row: Mapping[str, Any], players: Sequence[Mapping[str, Any]]
) -> list[Person | None]:
    """Who sat there: as confirmed, else who took the seat by their link, else whose name it is."""
    known = everybody(connection)
    if row["game"] is not None:
        seats = connection.execute(
            "SELECT player FROM game_seats WHERE game = %s ORDER BY position", [row["game"]]
        )
        return [known[seat["player"]] for seat in seats]
    taken = connection.execute(
        """SELECT colour, player FROM sittings
        WHERE table_id = %s AND since <= %s AND since > coalesce(%s::timestamptz, '-infinity')
        ORDER BY since""",
        [row["table_id"], row["ended_at"], row["ended_before"]],
    )
    by_colour = {one["colour"]: one["player"] for one in taken}
    aliases = connection.execute("SELECT key, player FROM aliases")
    by_name = {one["key"]: one["player"] for one in aliases}
    ids = [by_colour.get(one.get("colour")) or by_name.get(key_of(one["name"])) for one in players]
    return [None if id is None else known[id] for id in ids]


def _place_in_tournament(
    connection: Connection, ids: Sequence[int], ended_at: datetime
) -> tuple[int, int, str] | None:
    """The seating without a result that has exactly these people, the latest one."""
    row = connection.execute(
        """SELECT s.tournament, s.round, s.table_name FROM seatings s
        JOIN rounds r ON r.tournament = s.tournament AND r.number = s.round
        LEFT JOIN games g ON (g.tournament, g.round, g.table_name)
            = (s.tournament, s.round, s.table_name)
        WHERE s.players @> %s::bigint[] AND s.players <@ %s::bigint[] AND g.id IS NULL
            AND r.drawn_at <= %s
        ORDER BY s.tournament DESC, s.round DESC LIMIT 1""",
        [list(ids), list(ids), ended_at],
    ).fetchone()
    return None if row is None else (row["tournament"], row["round"], row["table_name"])


def now() -> datetime:
    """The present moment, as the database keeps it."""
    return datetime.now(UTC)
