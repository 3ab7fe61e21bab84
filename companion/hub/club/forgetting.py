"""Takes a name out of all that tables have told; the chains of their logs stay whole."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from companion.hub.database import Connection
from web.hub.club_port import NOBODY
from web.names import one_spelling

NAMING = ["started", "player-renamed"]
"""Kinds of events that say who plays; all others name a player by colour."""

COUNTS = ("name", "colour", "total", "rank", "tickets_completed", "longest_path")
"""What the club reads of each player's result."""

FORGOTTEN = "forgotten"
"""Kind of the event that began a game with a deleted person: what follows belongs to no other."""

OF_OTHER_EVENINGS = ["evening-deleted", "evening-restored"]
"""Kinds of events that hold no name and say something of an evening before."""


@dataclass(frozen=True, slots=True)
class _Game:
    """The events of one game in a table's chain: from its start to before the next one."""

    table: str
    chain: str
    first: int
    next: int | None


def key_of(name: str) -> str:
    """What a name is compared by: one name is one person, however it is written."""
    return one_spelling(" ".join(name.split()))


def forget_names(connection: Connection, keys: set[str]) -> None:
    """Take names, given by their keys, out of finished games and delete what tables said of them.

    An event's place in its chain and its commitment stay, so the rest can still be checked.
    """
    sought = keys | {NOBODY}  # of those who went before an older program kept more
    rows = connection.execute("SELECT table_id, evening, game, result FROM evenings").fetchall()
    for row in rows:
        if sought.isdisjoint(map(key_of, _names_in(row["game"]))):
            continue
        game, result = _game_without(row["game"], keys), _result_without(row["result"], keys)
        connection.execute(
            "UPDATE evenings SET game = %s, result = %s WHERE table_id = %s AND evening = %s",
            [Jsonb(game), Jsonb(result), row["table_id"], row["evening"]],
        )
    connection.execute("SELECT set_config('companion.forget', 'on', true)")
    for told in _games_of(connection, keys):
        connection.execute(
            """DELETE FROM openings o USING events e
            WHERE (e.table_id, e.event_id) = (o.table_id, o.event_id) AND e.table_id = %s
                AND e.chain = %s AND e.number >= %s AND e.number < coalesce(%s, 2147483647)
                AND o.kind <> ALL(%s)""",
            [told.table, told.chain, told.first, told.next, OF_OTHER_EVENINGS],
        )
        connection.execute(
            """INSERT INTO openings (table_id, event_id, kind, data, nonce)
            SELECT table_id, event_id, %s, '{}', '' FROM events
            WHERE table_id = %s AND chain = %s AND number = %s ORDER BY place LIMIT 1""",
            [FORGOTTEN, told.table, told.chain, told.first],
        )
    _forget_set_aside(connection, keys)


def _games_of(connection: Connection, keys: set[str]) -> Sequence[_Game]:
    """Every game in which one of the names was said."""
    rows = connection.execute(
        """SELECT e.table_id, e.chain, e.number, o.kind, o.data FROM events e
        JOIN openings o USING (table_id, event_id)
        WHERE o.kind = ANY(%s) ORDER BY e.table_id, e.chain, e.number""",
        [[*NAMING, FORGOTTEN]],
    ).fetchall()
    starts: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        if row["kind"] in (NAMING[0], FORGOTTEN):
            starts.setdefault((row["table_id"], row["chain"]), []).append(row["number"])
    found: dict[_Game, None] = {}
    for row in rows:
        if not _says(row["data"], keys):
            continue
        own, number = starts.get((row["table_id"], row["chain"]), []), row["number"]
        first = max((start for start in own if start <= number), default=number)
        after = min((start for start in own if start > number), default=None)
        found[_Game(row["table_id"], row["chain"], first, after)] = None
    return list(found)


def _forget_set_aside(connection: Connection, keys: set[str]) -> None:
    rows = connection.execute("SELECT id, payload FROM set_aside").fetchall()
    named = [row["id"] for row in rows if _holds(row["payload"], keys)]
    connection.execute("DELETE FROM set_aside WHERE id = ANY(%s)", [named])


def _says(data: str, keys: set[str]) -> bool:
    """Whether an event says one of the names."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):  # no event of ours
        return _holds(data, keys)
    return not keys.isdisjoint(map(key_of, _names_in(document)))


def _holds(text: str, keys: set[str]) -> bool:
    words = one_spelling(text)
    return any(key in words or _escaped(key) in text for key in keys)


def _escaped(key: str) -> str:
    """A name's letters beyond ASCII as JSON within JSON writes them."""
    return json.dumps(json.dumps(key)[1:-1])[1:-1]


def _names_in(document: Any) -> Iterator[str]:
    """Every text that stands under `name`."""
    waiting = [document]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, dict):
            if isinstance(one.get("name"), str):
                yield one["name"]
            waiting.extend(one.values())


def _game_without(document: Any, keys: set[str]) -> Any:
    """A game with another word for the names of its players."""
    if not isinstance(document, dict):
        return document
    return document | {"players": _players_without(document, keys)}


def _result_without(document: Any, keys: set[str]) -> Any:
    """What counts of a result: its evidence and remarks say names in many places."""
    if not isinstance(document, dict):
        return document
    players = _players_without(document, keys)
    return {"players": [{part: one[part] for part in COUNTS if part in one} for one in players]}


def _players_without(document: dict[str, Any], keys: set[str]) -> list[dict[str, Any]]:
    return [
        one | {"name": NOBODY} if key_of(one["name"]) in keys else one
        for one in document.get("players", ())
    ]
