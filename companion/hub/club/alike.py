"""Games that count and may be the very one that the organiser types: then it is asked, not counted
twice and not left out unseen."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any

from companion.errors import RefusalError
from companion.hub.club.confirming import leave_out, lock_game
from companion.hub.club.people import everybody
from companion.hub.database import Connection, rows_by
from web.hub.club_state import AlikeGame, CountsAlreadyError
from web.hub.typed_already import SAME_S
from web.names import one_spelling

COUNTING = """SELECT g.id, g.board, g.ended_at, g.table_id, g.evening, t.name AS table_name,
    g.tournament, o.name AS tournament_name, s.player, s.points, s.rank
    FROM games g JOIN game_seats s ON s.game = g.id
    LEFT JOIN evenings e ON (e.table_id, e.evening) = (g.table_id, g.evening)
    LEFT JOIN tables t ON t.id = g.table_id
    LEFT JOIN tournaments o ON o.id = g.tournament
    WHERE e.is_deleted IS NOT TRUE"""

IN_ORDER = "ORDER BY g.ended_at, g.id, s.rank, s.position"


def ask_about_paper(
    connection: Connection,
    board: str,
    ended_at: datetime,
    points: Mapping[int, int],
    others: Collection[int],
) -> None:
    """Raise CountsAlreadyError for a game that no table told, with points by person, where one of
    its day may be the same; `others` are known to be none of them."""
    day = datetime.combine(ended_at.date(), time(), ended_at.tzinfo)
    first = min(day, ended_at - timedelta(seconds=SAME_S))
    last = max(day + timedelta(days=1), ended_at + timedelta(seconds=SAME_S))
    rows = connection.execute(
        f"{COUNTING} AND g.board = %s AND g.ended_at BETWEEN %s AND %s {IN_ORDER}",
        [board, first, last],
    ).fetchall()
    _ask([at for at in _by_game(rows) if _may_be(at, points)], others)


def ask_about_round(
    connection: Connection,
    board: str,
    place: tuple[int, int, str],
    points: Mapping[int, int],
    others: Collection[int],
) -> None:
    """The same for a table of a tournament's round: what was played since the draw and counts for
    no tournament."""
    tournament, round, table = place
    rows = connection.execute(
        f"""{COUNTING} AND g.board = %s AND g.tournament IS NULL AND g.ended_at >=
        (SELECT drawn_at FROM rounds WHERE (tournament, number) = (%s, %s)) {IN_ORDER}""",
        [board, tournament, round],
    ).fetchall()
    _ask([at for at in _by_game(rows) if _may_be(at, points) or _is_at(at, table)], others)


def alike_games(connection: Connection, ids: Collection[int]) -> list[AlikeGame]:
    """These games, as far as they still count."""
    known = everybody(connection)
    rows = connection.execute(f"{COUNTING} AND g.id = ANY(%s) {IN_ORDER}", [list(ids)]).fetchall()
    return [
        AlikeGame(
            id=at[0]["id"],
            board=at[0]["board"],
            ended_s=at[0]["ended_at"].timestamp(),
            lines=tuple((known[one["player"]], one["points"], one["rank"]) for one in at),
            told_by=None
            if at[0]["table_id"] is None
            else (at[0]["table_id"], at[0]["evening"], at[0]["table_name"]),
            tournament=None
            if at[0]["tournament"] is None
            else (at[0]["tournament"], at[0]["tournament_name"]),
        )
        for at in _by_game(rows)
    ]


def lock_told(connection: Connection, id: int | None) -> None:
    """Nobody else confirms the game, where a table told it, until this transaction ends; before
    anything else is locked, as those who confirm do."""
    row = _row(connection, id)
    if row is not None and row["table_id"] is not None:
        lock_game(connection, row["table_id"], row["evening"])


def take_place_of(connection: Connection, id: int | None) -> None:
    """Another game counts in the place of this one: a table's is left out, a typed one goes.

    Raises RefusalError where it counts no more, or for a tournament.
    """
    if id is None:
        return
    row = _row(connection, id)
    if row is None:
        raise RefusalError("companion.club.corrected")
    if row["table_id"] is None:
        connection.execute("DELETE FROM games WHERE id = %s", [id])
    else:
        leave_out(connection, row["table_id"], row["evening"])


def _row(connection: Connection, id: int | None) -> Mapping[str, Any] | None:
    return connection.execute(
        "SELECT table_id, evening FROM games WHERE id = %s AND tournament IS NULL", [id]
    ).fetchone()


def _by_game(rows: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    return list(rows_by("id", rows).values())


def _may_be(seats: Sequence[Mapping[str, Any]], points: Mapping[int, int]) -> bool:
    """Whether somebody of a table's game is in the other one too, all but one of a typed game,
    which nobody has given wrong names to confirm it, or the points are the same."""
    shared = points.keys() & {one["player"] for one in seats}
    is_told = seats[0]["table_id"] is not None
    return len(shared) >= (1 if is_told else len(points) - 1) or (
        sorted(one["points"] for one in seats) == sorted(points.values())
    )


def _is_at(seats: Sequence[Mapping[str, Any]], table: str) -> bool:
    return one_spelling(seats[0]["table_name"] or "") == one_spelling(table)


def _ask(found: Sequence[Sequence[Mapping[str, Any]]], others: Collection[int]) -> None:
    ids = [seats[0]["id"] for seats in found]
    if not set(ids) <= set(others):
        raise CountsAlreadyError(ids)
