"""Replays a table's events with the table's own reducer: its finished games and their sheets."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from psycopg.types.json import Jsonb

from companion.hub.database import Connection, Database
from companion.hub.room import CLOCK_S
from companion.log.replay import replay
from companion.log.rows import Row
from companion.log.store import Unusable, entry_of
from companion.session.events import Event
from companion.table.history.chronicle import Chronicle, KeptEvening
from scoring.board.board import Board
from scoring.errors import ScoringError
from scoring.sheet.sheet import score
from web.days import CLOCK_SET_S
from web.hub.deleted_name import is_nobody
from web.hub.ports import Evidence

_ROWS = """
SELECT DISTINCT ON (row.number) row.number, row.at_s, said.kind, said.data
FROM events AS row
LEFT JOIN (
    SELECT opened.number, opened.commitment, content.kind, content.data
    FROM events AS opened JOIN openings AS content USING (table_id, event_id)
    WHERE opened.table_id = %(table)s AND opened.chain = %(chain)s
) AS said ON said.number = row.number AND said.commitment = row.commitment
WHERE row.table_id = %(table)s AND row.chain = %(chain)s
ORDER BY row.number, row.place
"""
"""Each row of the log once; what it says where it was opened and fits its commitment."""

_HAS_ENDED = "%(ended)s::timestamptz BETWEEN %(set)s AND now()"
"""Whether a game's end, as its table tells it, can be true."""

LEAST_GAME_S = 600.0
"""A game that was typed in less time may have been told all at once."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a chain leads to; `lying` is the finished game that still lies on the table.

    `nameless` are those in the game on the table whose names were deleted, by colour: what stands
    for the name. `dropped` are games that had a result and were left without one.
    """

    evenings: tuple[KeptEvening, ...]
    deleted: frozenset[str]
    lying: Evidence | None
    nameless: Mapping[str, str] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()


def replayed(database: Database, table: str, chain: str, boards: Mapping[str, Board]) -> Replayed:
    """Replay a table's chain; raises DatabaseGoneError."""
    with database.transaction() as connection:
        rows = connection.execute(_ROWS, {"table": table, "chain": chain}).fetchall()
    return replayed_rows(rows, boards)


def replayed_rows(rows: Sequence[Mapping[str, Any]], boards: Mapping[str, Board]) -> Replayed:
    """What rows of a table's log lead to; one whose `kind` is None is kept back."""
    entries: list[tuple[float, Event | Unusable]] = []
    is_whole = True
    for row in rows:
        if row["kind"] is None:
            is_whole = False
            continue
        if row["kind"] == "started":
            is_whole = True
        sealed = Row(row["number"], row["at_s"], row["kind"], row["data"], "", "")
        entries.append((row["at_s"], entry_of(sealed)))
    chronicle = Chronicle(boards)
    state, _ = replay(entries, boards, chronicle.follow)
    evenings = tuple(chronicle.evenings(state))
    current = chronicle.id_of(state)
    kept = next((one for one in evenings if one.id == current), None)
    lying = None if kept is None else _evidence(kept, boards, is_whole)
    nameless = {one.colour: one.name for one in state.facts.players if is_nobody(one.name)}
    dropped = chronicle.dropped(state)
    return Replayed(evenings, state.deleted_evenings, lying, nameless, dropped)


def _evidence(kept: KeptEvening, boards: Mapping[str, Board], is_whole: bool) -> Evidence | None:
    board = boards[kept.board]
    try:
        game = kept.played_on(board)
        return Evidence(board, game, score(game), is_whole)
    except ScoringError:
        return None


def keep_evenings(
    database: Database,
    table: str,
    found: Replayed,
    boards: Mapping[str, Board],
    kept_before: Mapping[str, bytes],
) -> dict[str, bytes]:
    """Write the finished games that can be scored; a corrected one takes its own place, and one
    that was taken back counts as deleted.

    Returns a mark of each by its id; those whose marks are in `kept_before` are left alone. Raises
    DatabaseGoneError.
    """
    marks = {kept.id: _mark(kept, kept.id in found.deleted) for kept in found.evenings}
    with database.transaction() as connection:
        for kept in found.evenings:
            if kept_before.get(kept.id) == marks[kept.id]:
                continue
            try:
                sheet = score(kept.played_on(boards[kept.board]))
            except ScoringError:
                continue
            told = [one.message.to_json() for one in sheet.objections]
            result = {**sheet.to_json(), "objections": told}
            _keep(connection, table, kept, result, kept.id in found.deleted)
        connection.execute(
            "UPDATE evenings SET is_deleted = true"
            " WHERE table_id = %s AND evening = ANY(%s) AND NOT is_deleted",
            [table, list(found.dropped)],
        )
    return marks


def _mark(kept: KeptEvening, is_deleted: bool) -> bytes:
    """Another one where anything of a game is another."""
    return hashlib.sha256(repr((kept, is_deleted)).encode("utf-8", "backslashreplace")).digest()


def _keep(
    connection: Connection, table: str, kept: KeptEvening, result: object, is_deleted: bool
) -> None:
    """A game has ended when it is told: an end that is still to come, or of a clock that was never
    set, is the moment at which it was told first. Nobody could sit down there before it was over,
    and the game belonged to no season. So is any end of a clock that is known to be wrong."""
    ended_s = kept.ended_s + _clock_behind_s(connection, table, kept)
    began, ended = (datetime.fromtimestamp(at_s, UTC) for at_s in (kept.day_s, ended_s))
    connection.execute(
        "INSERT INTO evenings"
        " (table_id, evening, board, began_at, ended_at, game, result, is_deleted)"
        " VALUES (%(table)s, %(id)s, %(board)s, %(began)s,"
        f" CASE WHEN {_HAS_ENDED} THEN %(ended)s ELSE now() END,"
        " %(game)s, %(result)s, %(is_deleted)s)"
        " ON CONFLICT (table_id, evening) DO UPDATE SET board = excluded.board,"
        " began_at = excluded.began_at, game = excluded.game, result = excluded.result,"
        f" ended_at = CASE WHEN {_HAS_ENDED} THEN %(ended)s"
        " ELSE least(evenings.ended_at, now()) END,"
        " is_deleted = excluded.is_deleted",
        {
            "table": table,
            "id": kept.id,
            "board": kept.board,
            "began": began,
            "ended": ended,
            "set": datetime.fromtimestamp(CLOCK_SET_S, UTC),
            "game": Jsonb(kept.game),
            "result": Jsonb(result),
            "is_deleted": is_deleted,
        },
    )


def _clock_behind_s(connection: Connection, table: str, kept: KeptEvening) -> float:
    """By how much the clock of a table was behind the hub's during a game that it told as it was
    played: beginning and end came as far apart as they were. Else 0: what comes later than it was,
    for want of a network, comes at once and says nothing of the clock."""
    if kept.ended_s - kept.began_s < LEAST_GAME_S:
        return 0.0
    rows = connection.execute(
        "SELECT extract(epoch FROM min(received_at))::double precision - at_s AS behind_s"
        " FROM events WHERE table_id = %s AND at_s IN (%s, %s) GROUP BY at_s",
        [table, kept.began_s, kept.ended_s],
    ).fetchall()
    behind_s = [float(row["behind_s"]) for row in rows]
    if len(behind_s) < 2 or max(behind_s) - min(behind_s) > CLOCK_S:
        return 0.0
    return max(behind_s, key=abs) if min(map(abs, behind_s)) > CLOCK_S else 0.0
