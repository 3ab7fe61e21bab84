"""Finished games: what tables told, who sat where, and which of them count."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from companion.club.results import FEWEST, MOST, PlayedGame, Seat, check_game
from companion.errors import RefusalError
from companion.hub.club.people import (
    add_nobody,
    add_person,
    everybody,
    person_of,
)
from companion.hub.club.who_sat import players_at, players_counted, sittings_of
from companion.hub.database import Connection, Database
from web.errors import NotFoundError
from web.hub.club_port import NOBODY, GameLine, Person, SeatLine, is_nobody, mark_of
from web.names import one_line

FINISHED = """SELECT e.table_id, e.evening, t.name AS table_name, e.board, e.began_at, e.ended_at,
    e.result, lag(e.ended_at) OVER (PARTITION BY e.table_id ORDER BY e.ended_at) AS ended_before,
    g.id AS game, g.told, counted.table_name AS counted_as,
    EXISTS (SELECT FROM left_out o WHERE (o.table_id, o.evening) = (e.table_id, e.evening))
        AS is_left_out
    FROM evenings e JOIN tables t ON t.id = e.table_id
    LEFT JOIN games g ON g.table_id = e.table_id AND g.evening = e.evening
    LEFT JOIN (SELECT began_at, evenings.board, min(name) AS table_name
        FROM games JOIN evenings USING (table_id, evening) JOIN tables ON tables.id = table_id
        WHERE NOT is_deleted GROUP BY began_at, evenings.board
    ) AS counted ON g.id IS NULL AND (counted.began_at, counted.board) = (e.began_at, e.board)
    WHERE NOT e.is_deleted"""
"""`counted_as` names the table as whose game a game counts already that waits: a log that was put
into another box is told once more, as that table's. No two games begin in one microsecond."""

SEATS = """(SELECT jsonb_agg(jsonb_build_object('name', seat -> 'name', 'colour', seat -> 'colour',
        'total', seat -> 'total', 'rank', seat -> 'rank',
        'tickets_completed', seat -> 'tickets_completed',
        'longest_path', seat -> 'longest_path' -> 'length') ORDER BY place)
    FROM jsonb_array_elements(result -> 'players') WITH ORDINALITY AS players (seat, place)
    ) AS seats"""
"""What counts of a result: its evidence is twenty times as long, and no page of a list shows it."""

OF_GAME = f"""table_id, evening, table_name, board, began_at, ended_at, ended_before, game, told,
    counted_as, is_left_out, {SEATS}"""

MOST_OF_TABLE = 50
"""Finished games of a table that are listed, of those that count and of those that wait."""

MOST_LISTED = 400

COUNTS_HERE = f"""counted_as IS NULL AND NOT is_left_out
    AND jsonb_array_length(result -> 'players') BETWEEN {FEWEST} AND {MOST}"""
"""Which finished games may count: nobody could confirm one of six players, and it would wait."""

MOST_LEFT_OUT = 20

LEFT_OUT = f"""SELECT {OF_GAME} FROM ({FINISHED}) AS finished WHERE is_left_out
    ORDER BY ended_at DESC LIMIT {MOST_LEFT_OUT}"""

NEWEST = f"""SELECT {OF_GAME} FROM (SELECT finished.*, row_number() OVER (
        PARTITION BY table_id, game IS NULL ORDER BY ended_at DESC) AS turn
    FROM ({FINISHED}) AS finished WHERE {COUNTS_HERE}) AS numbered
    WHERE turn <= {MOST_OF_TABLE} ORDER BY ended_at DESC LIMIT {MOST_LISTED}"""
"""No table fills the list alone, whatever it tells of its games' times."""

WAITING = f"""SELECT count(*) AS waiting FROM ({FINISHED}) AS finished
    WHERE game IS NULL AND {COUNTS_HERE}"""

SAME_GAME = """(began_at, board) = (SELECT began_at, board FROM evenings
    WHERE table_id = %s AND evening = %s)"""
"""The evenings of one game, whichever tables tell it."""

OFF_THE_GAMES = f"""DELETE FROM games WHERE (table_id, evening) IN
    (SELECT table_id, evening FROM evenings WHERE {SAME_GAME})"""
"""Another table's too: it deleted the game, and may restore it."""

COUNTED_NOW = """SELECT coalesce(md5(string_agg(g.id || ' ' || s.player, ','
        ORDER BY g.id, s.position)), '') AS mark
    FROM games g JOIN game_seats s ON s.game = g.id
    LEFT JOIN evenings e ON (e.table_id, e.evening) = (g.table_id, g.evening)
    WHERE e.is_deleted IS NOT TRUE"""
"""Another mark where other games count, or for others: nothing else of a game is ever changed, it
is entered anew."""

MOST_POINTS = 2000

LONGEST_SHOWN = 60
"""Letters of a name that a table told."""

CLOCK_S = 120
"""A table's clock may be so far off the hub's."""


KEY = "player\x1f"
"""How a person's key begins; no name that a person types has its control sign."""


def player_key(id: int) -> str:
    """A person as the pure rooms name them."""
    return f"{KEY}{id}"


def is_key(name: str) -> bool:
    """Whether this is a person's key, not a name."""
    return name.startswith(KEY)


def id_of(key: str) -> int:
    """The person of a key."""
    return int(key.removeprefix(KEY))


class Games:
    """Reads and confirms games, one transaction a call."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counted: tuple[str, Sequence[PlayedGame]] | None = None

    def counted(self) -> Sequence[PlayedGame]:
        """Every game that counts, by its end; the same object while they are the same."""
        with self._database.transaction() as connection:
            row = connection.execute(COUNTED_NOW).fetchone()
            mark = "" if row is None else str(row["mark"])
            if self._counted is None or self._counted[0] != mark:
                self._counted = (mark, tuple(counted(connection).values()))
            return self._counted[1]

    def finished(self) -> Sequence[GameLine]:
        """The newest finished games of the tables, the newest first."""
        with self._database.transaction() as connection:
            return _lines(connection, connection.execute(NEWEST).fetchall())

    def waiting(self) -> int:
        """How many of them nobody has confirmed as they are now."""
        with self._database.transaction() as connection:
            row = connection.execute(WAITING).fetchone()
        new = 0 if row is None else int(row["waiting"])
        return new + sum(bool(one.counting) for one in self.finished())

    def one(self, table_id: str, evening: str) -> GameLine:
        """One finished game. Raises NotFoundError."""
        with self._database.transaction() as connection:
            (line,) = _lines(connection, [_row(connection, table_id, evening)])
            return line

    def left_out(self) -> Sequence[GameLine]:
        """The newest games that were left out, the newest first."""
        with self._database.transaction() as connection:
            return _lines(connection, connection.execute(LEFT_OUT).fetchall())

    def leave_out(self, table_id: str, evening: str) -> None:
        """Let a game count for nobody, whichever tables tell it. Raises NotFoundError."""
        with self._database.transaction() as connection:
            _lock(connection, table_id, evening)
            _row(connection, table_id, evening)
            connection.execute(OFF_THE_GAMES, [table_id, evening])
            connection.execute(
                "INSERT INTO left_out SELECT table_id, evening FROM evenings"
                f" WHERE {SAME_GAME} ON CONFLICT DO NOTHING",
                [table_id, evening],
            )

    def take_in(self, table_id: str, evening: str) -> None:
        """Let a game that was left out wait again to be confirmed."""
        with self._database.transaction() as connection:
            connection.execute(
                "DELETE FROM left_out WHERE (table_id, evening) IN"
                f" (SELECT table_id, evening FROM evenings WHERE {SAME_GAME})",
                [table_id, evening],
            )

    def confirm(
        self, table_id: str, evening: str, people: Sequence[int | None], seen: str | None = None
    ) -> None:
        """Let a game count, or count with other people.

        `seen` is the mark of the result that somebody saw: where its table has corrected it since,
        it is refused.

        None is a new person of the name that the table knows; at the seat of a deleted person it is
        that one where the game is a tournament's, else somebody without a name. Raises RefusalError
        for somebody who sits twice, for more or fewer people than seats, for points beyond any
        game's, for a game that counts as another table's, and for one that was left out.
        """
        with self._database.transaction() as connection:
            _lock(connection, table_id, evening)
            row = _row(connection, table_id, evening)
            if row["counted_as"] is not None:
                raise RefusalError("companion.club.counted-as", table=row["counted_as"])
            if row["is_left_out"]:
                raise RefusalError("companion.club.left-out")
            players: Sequence[Mapping[str, Any]] = row["seats"]
            if seen not in (
                None,
                mark_of((_shown(seat["name"]), seat["total"]) for seat in players),
            ):
                raise RefusalError("companion.club.corrected")
            if len(people) != len(players):
                raise RefusalError("companion.club.seats-unknown")
            known = [
                add_person(connection, seat["name"]).id
                if one is None and not is_nobody(seat["name"])
                else one
                for seat, one in zip(players, people, strict=True)
            ]
            connection.execute(  # none of them becomes another one until this transaction ends
                "SELECT 1 FROM players WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE",
                [[one for one in known if one is not None]],
            )
            _refuse_twice([person_of(connection, one) for one in known if one is not None])
            connection.execute(OFF_THE_GAMES, [table_id, evening])
            place, deleted = _place_in_tournament(connection, known, row) or (None, [])
            nameless = iter(deleted)
            ids = [
                next(nameless, None) or add_nobody(connection).id if one is None else one
                for one in known
            ]
            seats = [_seat(player_key(i), seat) for i, seat in zip(ids, players, strict=True)]
            check_game(PlayedGame("", row["board"], 0.0, tuple(seats)))
            check_points([seat.points for seat in seats])
            if place is not None:  # a result by hand of the same game
                remove_from(connection, place)
            told = [seat["name"] for seat in players]
            game = insert_game(
                connection, row["board"], row["ended_at"], (table_id, evening), place, told
            )
            insert_seats(connection, game, ids, seats)


def counted(connection: Connection, tournament: int | None = None) -> dict[Any, PlayedGame]:
    """Games that count, of all or of one tournament, by (round, table) or by their own number.

    A game of an evening that its table deleted does not count.
    """
    rows = connection.execute(
        """SELECT g.id, g.board, g.ended_at, g.round, g.table_name, s.player, s.points, s.rank,
            s.tickets_completed, s.longest_path
        FROM games g JOIN game_seats s ON s.game = g.id
        LEFT JOIN evenings e ON (e.table_id, e.evening) = (g.table_id, g.evening)
        WHERE (%s::bigint IS NULL OR g.tournament = %s) AND e.is_deleted IS NOT TRUE
        ORDER BY g.ended_at, g.id, s.position""",
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


def check_points(points: Sequence[int]) -> None:
    """Raise RefusalError for points that no game has."""
    if any(abs(one) > MOST_POINTS for one in points):
        raise RefusalError("companion.club.points", most=str(MOST_POINTS))


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


def seats_by_hand(points: Mapping[int, int]) -> list[Seat]:
    """Seats of people with their points; equal points share a place."""
    return [
        Seat(player_key(one), own, 1 + sum(other > own for other in points.values()))
        for one, own in points.items()
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


def _refuse_twice(people: Sequence[Person]) -> None:
    """Raise RefusalError for one person at two seats; those forgotten all lack a name."""
    twice = next((one for one in people if people.count(one) > 1), None)
    if twice is not None:
        raise RefusalError("companion.club.seated-twice", name=twice.name or NOBODY)


def _seat(key: str, seat: Mapping[str, Any]) -> Seat:
    path = seat["longest_path"]
    return Seat(
        key,
        int(seat["total"]),
        int(seat["rank"]),
        int(seat["tickets_completed"] or 0),
        None if path is None else int(path),
    )


def _lock(connection: Connection, table_id: str, evening: str) -> None:
    """Nobody else confirms or leaves out a game until this transaction ends."""
    connection.execute(
        f"SELECT 1 FROM evenings WHERE {SAME_GAME} ORDER BY table_id FOR NO KEY UPDATE",
        [table_id, evening],
    )


def _row(connection: Connection, table_id: str, evening: str) -> Mapping[str, Any]:
    row = connection.execute(
        f"SELECT {OF_GAME} FROM ({FINISHED}) AS finished WHERE table_id = %s AND evening = %s",
        [table_id, evening],
    ).fetchone()
    if row is None:
        raise NotFoundError("web.club.error.game")
    return row


def _lines(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> list[GameLine]:
    """Finished games with whom the club knows of those who sat there."""
    known = everybody(connection)
    aliases = connection.execute("SELECT key, player FROM aliases")
    by_name = {one["key"]: one["player"] for one in aliases}
    counting = _counting(connection, [row["game"] for row in rows if row["game"] is not None])
    waiting = [row for row in rows if row["game"] is None]
    sittings = sittings_of(connection, {row["table_id"] for row in waiting})
    lines = []
    for row in rows:
        players: Sequence[Mapping[str, Any]] = row["seats"]
        counts = [(one["player"], one["points"]) for one in counting.get(row["game"], ())]
        if row["game"] is None:
            ids = players_at(row, sittings, by_name)
        else:
            ids = players_counted(row, [id for id, _ in counts], by_name)
        now = [(id, one["total"]) for id, one in zip(ids, players, strict=True)]
        seats = tuple(
            SeatLine(
                _shown(one["name"]),
                one["colour"] or "grey",
                one["total"],
                one["rank"],
                None if id is None else known[id],
            )
            for one, id in zip(players, ids, strict=True)
        )
        line = GameLine(
            table_id=row["table_id"],
            evening=row["evening"],
            table=row["table_name"],
            board=row["board"],
            ended_s=row["ended_at"].timestamp(),
            seats=seats,
            is_confirmed=row["game"] is not None,
            counting=() if counts == now else tuple((known[id], points) for id, points in counts),
        )
        lines.append(line)
    return lines


def _shown(name: str) -> str:
    """A name as a page can show it: one that no table of ours lets anybody type may be endless."""
    return one_line(name)[:LONGEST_SHOWN]


def _counting(connection: Connection, games: Sequence[int]) -> dict[int, list[Mapping[str, Any]]]:
    """Player and points of the seats that count, by game, in the order of the seats."""
    rows = connection.execute(
        "SELECT game, player, points FROM game_seats WHERE game = ANY(%s) ORDER BY game, position",
        [list(games)],
    )
    found: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["game"], []).append(row)
    return found


def _place_in_tournament(
    connection: Connection, people: Sequence[int | None], evening: Mapping[str, Any]
) -> tuple[tuple[int, int, str], Sequence[int]] | None:
    """The latest seating before the game's end that has these people, if it is free, and nobody
    else but who has left; and those of it who were deleted, one of them for each None at least.

    It is where no game counts for it, and where a result by hand does that was entered after the
    game's beginning: that is the same game.
    """
    deleted = """ARRAY(SELECT p.id FROM players p WHERE p.name IS NULL
        AND p.id = ANY(s.players) AND p.id <> ALL(%(ids)s::bigint[]))"""
    together = f"""players @> %(ids)s::bigint[] AND NOT EXISTS (SELECT FROM entrants e
        WHERE e.tournament = s.tournament AND e.is_here
        AND e.player = ANY(s.players) AND e.player <> ALL(%(ids)s::bigint[]))
        AND cardinality({deleted}) >= %(nameless)s"""
    values = {
        "ids": [one for one in people if one is not None],
        "nameless": people.count(None),
        "ended_at": evening["ended_at"],
    }
    connection.execute(  # nobody enters a result there until this transaction ends
        f"""SELECT id FROM tournaments
        WHERE id IN (SELECT tournament FROM seatings s WHERE {together}) ORDER BY id FOR UPDATE""",
        values,
    )
    row = connection.execute(
        f"""SELECT s.tournament, s.round, s.table_name, g.id AS game, g.ended_at, e.is_deleted,
            {deleted} AS deleted
        FROM seatings s JOIN rounds r ON r.tournament = s.tournament AND r.number = s.round
        LEFT JOIN games g ON (g.tournament, g.round, g.table_name)
            = (s.tournament, s.round, s.table_name)
        LEFT JOIN evenings e ON (e.table_id, e.evening) = (g.table_id, g.evening)
        WHERE {together} AND r.drawn_at <= %(ended_at)s
        ORDER BY s.tournament DESC, s.round DESC LIMIT 1""",
        values,
    ).fetchone()
    if row is None:
        return None
    if row["game"] is not None and not row["is_deleted"]:
        is_by_hand = row["is_deleted"] is None
        until = row["ended_at"] + timedelta(seconds=CLOCK_S)
        if not is_by_hand or _began_at(connection, evening) > until:
            return None
    return (row["tournament"], row["round"], row["table_name"]), row["deleted"]


def _began_at(connection: Connection, evening: Mapping[str, Any]) -> datetime:
    """When a game began: when the hub heard of that, where it ended later, whatever the table's
    clock says."""
    row = connection.execute(
        """SELECT min(received_at) AS heard_at FROM events
        WHERE table_id = %(table_id)s AND abs(at_s - extract(epoch FROM %(began_at)s)) < 0.001""",
        {name: evening[name] for name in ("table_id", "began_at")},
    ).fetchone()
    heard_at: datetime | None = None if row is None else row["heard_at"]
    told_at: datetime = evening["began_at"]
    return told_at if heard_at is None or heard_at > evening["ended_at"] else heard_at


def now() -> datetime:
    """The present moment, as the database keeps it."""
    return datetime.now(UTC)
