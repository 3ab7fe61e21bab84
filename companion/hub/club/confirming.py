"""Lets a finished game count, with the people who sat there, or count for nobody."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from companion.club.results import PlayedGame, Seat, check_game
from companion.errors import RefusalError
from companion.hub.club.counted import check_points, insert_game, insert_seats, remove_from
from companion.hub.club.finished import line_of, row_of, shown
from companion.hub.club.people import add_nobody, add_person, owner_of, person_of
from companion.hub.club.player_keys import player_key
from companion.hub.database import Connection
from companion.hub.room import CLOCK_S
from web.hub.club_state import Person, mark_of
from web.hub.deleted_name import NOBODY, is_nobody

SAME_GAME = """(began_at, board) = (SELECT began_at, board FROM evenings
    WHERE table_id = %s AND evening = %s)"""
"""The evenings of one game, whichever tables tell it."""

OFF_THE_GAMES = f"""DELETE FROM games WHERE (table_id, evening) IN
    (SELECT table_id, evening FROM evenings WHERE {SAME_GAME})"""
"""Another table's too: it deleted the game, and may restore it."""

DELETED = """ARRAY(SELECT p.id FROM players p WHERE p.name IS NULL
    AND p.id = ANY(s.players) AND p.id <> ALL(%(ids)s::bigint[]))"""
"""Who was deleted of those at a seating."""

TOGETHER = f"""players @> %(ids)s::bigint[] AND NOT EXISTS (SELECT FROM entrants e
    WHERE e.tournament = s.tournament AND e.is_here
    AND e.player = ANY(s.players) AND e.player <> ALL(%(ids)s::bigint[]))
    AND cardinality({DELETED}) >= %(nameless)s"""
"""Seatings that have these people, and nobody else but who has left."""

LATEST_SEATING = f"""SELECT s.tournament, s.round, s.table_name, g.id AS game, g.ended_at,
    e.is_deleted, {DELETED} AS deleted
    FROM seatings s JOIN rounds r ON r.tournament = s.tournament AND r.number = s.round
    LEFT JOIN games g ON (g.tournament, g.round, g.table_name)
        = (s.tournament, s.round, s.table_name)
    LEFT JOIN evenings e ON (e.table_id, e.evening) = (g.table_id, g.evening)
    WHERE {TOGETHER} AND r.drawn_at <= %(ended_at)s
    ORDER BY s.tournament DESC, s.round DESC LIMIT 1"""
"""The last of them before the game's end, with the game that counts for it."""


def confirm(
    connection: Connection,
    table_id: str,
    evening: str,
    people: Sequence[int | None],
    seen: str | None = None,
) -> None:
    """Let a game count, or count with other people.

    `seen` is the mark of the result that somebody saw: where its table has corrected it since, or
    somebody has confirmed it with other people or kept what counts, it is refused.

    None is a new person of the name that the table knows; at the seat of a deleted person it is
    that one where the game is a tournament's, else somebody without a name. Raises NotFoundError
    for a game that no table told, RefusalError for somebody who sits twice, for more or fewer
    people than seats, for points beyond any game's, for a game that counts as another table's, and
    for one that was left out.
    """
    lock_game(connection, table_id, evening)
    row = row_of(connection, table_id, evening)
    players: Sequence[Mapping[str, Any]] = row["seats"]
    counting = _counting(connection, row["game"])
    if seen == _mark(players) and counting and _are(connection, players, people, counting):
        return  # somebody else was quicker, or the button was tapped twice
    is_older = seen not in (None, line_of(connection, table_id, evening).mark)
    _refuse(row, people, is_older=is_older)
    known = _known(connection, players, people)
    connection.execute(OFF_THE_GAMES, [table_id, evening])
    place, deleted = _place_in_tournament(connection, known, row) or (None, [])
    nameless = iter(deleted)
    ids = [
        next(nameless, None) or add_nobody(connection).id if one is None else one for one in known
    ]
    seats = [_seat(player_key(i), seat) for i, seat in zip(ids, players, strict=True)]
    check_game(PlayedGame("", row["board"], 0.0, tuple(seats)))
    check_points([seat.points for seat in seats])
    if place is not None:  # a result by hand of the same game
        remove_from(connection, place)
    told = [seat["name"] for seat in players]
    game = insert_game(connection, row["board"], row["ended_at"], (table_id, evening), place, told)
    insert_seats(connection, game, ids, seats)


def leave_out(connection: Connection, table_id: str, evening: str, seen: str | None = None) -> None:
    """Let a game count for nobody, whichever tables tell it.

    Raises NotFoundError, and RefusalError for one that counts otherwise than with the mark `seen`:
    somebody else has confirmed it meanwhile.
    """
    lock_game(connection, table_id, evening)
    line = line_of(connection, table_id, evening)
    if line.is_confirmed and seen not in (None, line.mark):
        raise RefusalError("companion.club.corrected")
    connection.execute(OFF_THE_GAMES, [table_id, evening])
    connection.execute(
        "INSERT INTO left_out SELECT table_id, evening FROM evenings"
        f" WHERE {SAME_GAME} ON CONFLICT DO NOTHING",
        [table_id, evening],
    )


def keep_counting(connection: Connection, table_id: str, evening: str, seen: str) -> None:
    """Let the points that count go on counting, whatever its table tells now.

    Raises NotFoundError, and RefusalError for one that is not as it was with the mark `seen`.
    """
    lock_game(connection, table_id, evening)
    line = line_of(connection, table_id, evening)
    if line.is_kept and seen == replace(line, is_kept=False).mark:
        return  # somebody else was quicker, or the button was tapped twice
    if seen != line.mark:
        raise RefusalError("companion.club.corrected")
    connection.execute(
        "UPDATE games SET kept_beside = %s WHERE (table_id, evening) = (%s, %s)",
        [line.told_mark, table_id, evening],
    )


def take_in(connection: Connection, table_id: str, evening: str) -> None:
    """Let a game that was left out wait again to be confirmed."""
    connection.execute(
        "DELETE FROM left_out WHERE (table_id, evening) IN"
        f" (SELECT table_id, evening FROM evenings WHERE {SAME_GAME})",
        [table_id, evening],
    )


def _mark(players: Sequence[Mapping[str, Any]]) -> str:
    """The mark of a game that counts for nobody yet."""
    return mark_of([(shown(seat["name"]), seat["total"]) for seat in players])


def _counting(connection: Connection, game: int | None) -> Sequence[int]:
    """Who counts at the seats of a game; nobody where none was confirmed."""
    rows = connection.execute(
        "SELECT player FROM game_seats WHERE game = %s ORDER BY position", [game]
    )
    return [row["player"] for row in rows]


def _are(
    connection: Connection,
    players: Sequence[Mapping[str, Any]],
    people: Sequence[int | None],
    counting: Sequence[int],
) -> bool:
    """Whether these people count at the seats already, those who were new then among them."""

    def is_new(name: str, id: int) -> bool:
        person = person_of(connection, id)
        return person.name is None if is_nobody(name) else owner_of(connection, name) == id

    return len(people) == len(counting) and all(
        is_new(seat["name"], id) if one is None else one == id
        for seat, one, id in zip(players, people, counting, strict=True)
    )


def _refuse(row: Mapping[str, Any], people: Sequence[int | None], *, is_older: bool) -> None:
    """Raise RefusalError for a game that cannot be confirmed, or of which an older one was seen."""
    if row["counted_as"] is not None:
        raise RefusalError("companion.club.counted-as", table=row["counted_as"])
    if row["is_left_out"]:
        raise RefusalError("companion.club.left-out")
    if is_older:
        raise RefusalError("companion.club.corrected")
    if len(people) != len(row["seats"]):
        raise RefusalError("companion.club.seats-unknown")


def _known(
    connection: Connection, players: Sequence[Mapping[str, Any]], people: Sequence[int | None]
) -> list[int | None]:
    """The people at the seats, new ones added; None at the seat of a deleted person. None of them
    becomes another one until this transaction ends."""
    known = [
        add_person(connection, seat["name"]).id
        if one is None and not is_nobody(seat["name"])
        else one
        for seat, one in zip(players, people, strict=True)
    ]
    connection.execute(
        "SELECT 1 FROM players WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE",
        [[one for one in known if one is not None]],
    )
    _refuse_twice([person_of(connection, one) for one in known if one is not None])
    return known


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


def lock_game(connection: Connection, table_id: str, evening: str) -> None:
    """Nobody else confirms or leaves out a game until this transaction ends."""
    connection.execute(
        f"SELECT 1 FROM evenings WHERE {SAME_GAME} ORDER BY table_id FOR NO KEY UPDATE",
        [table_id, evening],
    )


def _place_in_tournament(
    connection: Connection, people: Sequence[int | None], evening: Mapping[str, Any]
) -> tuple[tuple[int, int, str], Sequence[int]] | None:
    """The latest seating before the game's end that has these people, if it is free, and nobody
    else but who has left; and those of it who were deleted, one of them for each None at least.
    """
    values = {
        "ids": [one for one in people if one is not None],
        "nameless": people.count(None),
        "ended_at": evening["ended_at"],
    }
    connection.execute(  # nobody enters a result there until this transaction ends
        f"""SELECT id FROM tournaments
        WHERE id IN (SELECT tournament FROM seatings s WHERE {TOGETHER}) ORDER BY id FOR UPDATE""",
        values,
    )
    row = connection.execute(LATEST_SEATING, values).fetchone()
    if row is None or not _is_free(connection, row, evening):
        return None
    return (row["tournament"], row["round"], row["table_name"]), row["deleted"]


def _is_free(connection: Connection, row: Mapping[str, Any], evening: Mapping[str, Any]) -> bool:
    """Whether a seating, as LATEST_SEATING has it, waits for this game: where no game counts for
    it, and where a result by hand does that was entered after the game's beginning, which is the
    same game."""
    if row["game"] is None or row["is_deleted"]:
        return True
    is_by_hand = row["is_deleted"] is None
    until = row["ended_at"] + timedelta(seconds=CLOCK_S)
    return is_by_hand and _began_at(connection, evening) <= until


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
