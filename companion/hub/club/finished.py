"""Finished games as tables told them, who sat there, and which wait to be confirmed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from companion.club.results import FEWEST, MOST
from companion.hub.club.people import everybody
from companion.hub.club.who_sat import players_at, players_counted, sittings_of
from companion.hub.database import Connection, Database, rows_by
from scoring.language import Message
from scoring.language.pieces import GAMES_WITH_BUSES
from web.errors import NotFoundError
from web.hub.club_state import GameLine, Person, SeatLine
from web.names import one_line

TOLD = """SELECT e.table_id, e.evening, t.name AS table_name, e.board, e.began_at, e.ended_at,
    e.result, lag(e.ended_at) OVER (PARTITION BY e.table_id ORDER BY e.ended_at) AS ended_before,
    g.id AS game, g.told, g.kept_beside, g.tournament IS NOT NULL AS is_of_tournament,
    counted.table_name AS counted_as,
    EXISTS (SELECT FROM left_out o WHERE (o.table_id, o.evening) = (e.table_id, e.evening))
        AS is_left_out
    FROM evenings e JOIN tables t ON t.id = e.table_id
    LEFT JOIN games g ON g.table_id = e.table_id AND g.evening = e.evening
    LEFT JOIN (SELECT began_at, evenings.board, min(name) AS table_name
        FROM games JOIN evenings USING (table_id, evening) JOIN tables ON tables.id = table_id
        WHERE NOT is_deleted GROUP BY began_at, evenings.board
    ) AS counted ON g.id IS NULL AND (counted.began_at, counted.board) = (e.began_at, e.board)"""
"""`counted_as` names the table as whose game a game counts already that waits: a log that was put
into another box is told once more, as that table's. No two games begin in one microsecond."""

FINISHED = f"{TOLD} WHERE NOT e.is_deleted"

SEATS = """(SELECT jsonb_agg(jsonb_build_object('name', seat -> 'name', 'colour', seat -> 'colour',
        'total', seat -> 'total', 'rank', seat -> 'rank',
        'tickets_completed', seat -> 'tickets_completed',
        'longest_path', seat -> 'longest_path' -> 'length') ORDER BY place)
    FROM jsonb_array_elements(result -> 'players') WITH ORDINALITY AS players (seat, place)
    ) AS seats"""
"""What counts of a result: its evidence is twenty times as long, and no page of a list shows it."""

OF_GAME = f"""table_id, evening, table_name, board, began_at, ended_at, ended_before, game, told,
    kept_beside, is_of_tournament, counted_as, is_left_out, {SEATS}, result -> 'game' AS played,
    result -> 'objections' AS objections"""

MOST_OF_TABLE = 50
"""Finished games of a table that are listed, of those that count and of those that wait."""

MOST_LISTED = 400

COUNTS_HERE = f"""counted_as IS NULL AND NOT is_left_out
    AND jsonb_array_length(result -> 'players') BETWEEN {FEWEST} AND {MOST}"""
"""Which finished games may count: nobody could confirm one of six players, and it would wait."""

MOST_LEFT_OUT = 20

LEFT_OUT = f"""SELECT {OF_GAME} FROM ({FINISHED}) AS finished WHERE is_left_out
    ORDER BY ended_at DESC LIMIT {MOST_LEFT_OUT}"""

GONE = f"""SELECT {OF_GAME} FROM ({TOLD} WHERE e.is_deleted AND g.id IS NOT NULL) AS gone
    ORDER BY ended_at DESC LIMIT {MOST_LEFT_OUT}"""
"""Confirmed games that their tables have deleted or taken back since."""

NEWEST = f"""SELECT {OF_GAME} FROM (SELECT finished.*, row_number() OVER (
        PARTITION BY table_id, game IS NULL ORDER BY ended_at DESC) AS turn
    FROM ({FINISHED}) AS finished WHERE {COUNTS_HERE}) AS numbered
    WHERE turn <= {MOST_OF_TABLE} ORDER BY ended_at DESC LIMIT {MOST_LISTED}"""
"""No table fills the list alone, whatever it tells of its games' times."""

WAITING = f"""SELECT count(*) AS waiting FROM ({FINISHED}) AS finished
    WHERE game IS NULL AND {COUNTS_HERE}"""

LONGEST_SHOWN = 60
"""Letters of a name that a table told."""


class FinishedGames:
    """Reads them, one transaction a call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def newest(self) -> Sequence[GameLine]:
        """The newest finished games of the tables, the newest first."""
        with self._database.transaction() as connection:
            return _lines(connection, connection.execute(NEWEST).fetchall())

    def waiting(self) -> int:
        """How many of them nobody has confirmed as they are now."""
        with self._database.transaction() as connection:
            row = connection.execute(WAITING).fetchone()
        new = 0 if row is None else int(row["waiting"])
        return new + sum(one.is_asked_about for one in self.newest())

    def one(self, table_id: str, evening: str) -> GameLine:
        """One finished game. Raises NotFoundError."""
        with self._database.transaction() as connection:
            return line_of(connection, table_id, evening)

    def left_out(self) -> Sequence[GameLine]:
        """The newest games that were left out, the newest first."""
        with self._database.transaction() as connection:
            return _lines(connection, connection.execute(LEFT_OUT).fetchall())

    def gone(self) -> Sequence[GameLine]:
        """The newest games that counted until their tables deleted them or took them back."""
        with self._database.transaction() as connection:
            return _lines(connection, connection.execute(GONE).fetchall())


def line_of(connection: Connection, table_id: str, evening: str) -> GameLine:
    """A finished game as the pages show it. Raises NotFoundError."""
    (line,) = _lines(connection, [row_of(connection, table_id, evening)])
    return line


def row_of(connection: Connection, table_id: str, evening: str) -> Mapping[str, Any]:
    """A finished game as `OF_GAME` has it. Raises NotFoundError."""
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
        counts = [(one["player"], one["points"]) for one in counting.get(row["game"], ())]
        if row["game"] is None:
            ids = players_at(row, sittings, by_name)
        else:
            ids = players_counted(row, [id for id, _ in counts], by_name)
        lines.append(_line(row, ids, counts, known))
    return lines


def _line(
    row: Mapping[str, Any],
    ids: Sequence[int | None],
    counts: Sequence[tuple[int, int]],
    known: Mapping[int, Person],
) -> GameLine:
    """A finished game by its row; `ids` are the people at its seats, `counts` who counts there
    with which points."""
    players: Sequence[Mapping[str, Any]] = row["seats"]
    now = [(id, one["total"]) for id, one in zip(ids, players, strict=True)]
    line = GameLine(
        table_id=row["table_id"],
        evening=row["evening"],
        table=row["table_name"],
        board=row["board"],
        began_s=row["began_at"].timestamp(),
        ended_s=row["ended_at"].timestamp(),
        seats=tuple(
            SeatLine(
                shown(one["name"]),
                one["colour"] or "grey",
                one["total"],
                one["rank"],
                None if id is None else known[id],
            )
            for one, id in zip(players, ids, strict=True)
        ),
        is_confirmed=row["game"] is not None,
        is_of_tournament=row["is_of_tournament"],
        counting=() if counts == now else tuple((known[id], points) for id, points in counts),
        objections=tuple(_objections(row["objections"])),
        has_buses=row["played"] in GAMES_WITH_BUSES,
    )
    return replace(line, is_kept=row["kept_beside"] == line.told_mark)


def _objections(kept: object) -> Iterator[Message]:
    """What stands against a game, as far as this version can tell it; an earlier hub kept none."""
    for one in kept if isinstance(kept, list) else ():
        with suppress(ValueError):
            message = Message.from_json(one)
            if message.can_be_told():
                yield message


def shown(name: str) -> str:
    """A name as a page can show it: one that no table of ours lets anybody type may be endless."""
    return one_line(name)[:LONGEST_SHOWN]


def _counting(connection: Connection, games: Sequence[int]) -> dict[int, list[Mapping[str, Any]]]:
    """Player and points of the seats that count, by game, in the order of the seats."""
    rows = connection.execute(
        "SELECT game, player, points FROM game_seats WHERE game = ANY(%s) ORDER BY game, position",
        [list(games)],
    )
    return rows_by("game", rows)
