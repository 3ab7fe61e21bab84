"""Takes a name out of all that tables have told; the chains of their logs stay whole."""

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from psycopg.types.json import Jsonb

from companion.hub.database import Connection
from companion.relay.wire import Link
from web.hub.deleted_name import NOBODY, is_nobody
from web.names import one_spelling

NAMING = ["started", "player-renamed", "player-added"]
"""Kinds of events that say who plays; all others name a player by colour."""

COUNTS = ("name", "colour", "total", "rank", "tickets_completed", "longest_path")
"""What the club reads of each player's result."""


def key_of(name: str) -> str:
    """What a name is compared by: one name is one person, however it is written."""
    return one_spelling(" ".join(name.split()))


def forget_names(connection: Connection, keys: set[str]) -> None:
    """Take names, given by their keys, out of finished games and of all that tables said.

    A game that goes on counts for the others who play it. An event's place in its chain and its
    commitment stay, so the rest can still be checked.
    """
    connection.execute("LOCK TABLE openings IN SHARE ROW EXCLUSIVE MODE")  # nothing comes meanwhile
    _remember(connection, keys)
    rows = connection.execute("SELECT table_id, evening, game, result FROM evenings").fetchall()
    for row in rows:
        # Of those who went before an older program kept more.
        if not any(key_of(one) in keys or is_nobody(one) for one in _names_in(row["game"])):
            continue
        game, result = _game_without(row["game"], keys), _result_without(row["result"], keys)
        connection.execute(
            "UPDATE evenings SET game = %s, result = %s WHERE table_id = %s AND evening = %s",
            [Jsonb(game), Jsonb(result), row["table_id"], row["evening"]],
        )
    connection.execute("SELECT set_config('companion.forget', 'on', true)")
    for game in _games_told(connection):
        _forget_told(connection, game, keys)
    _forget_set_aside(connection, keys)
    _forget_counted(connection, keys)


def forget_joined(connection: Connection, id: int, keys: set[str]) -> None:
    """Delete what would bring back a player who was joined into this one, or has one of the
    names."""
    rows = connection.execute("SELECT gone, kept, name FROM joined").fetchall()
    gone = {row["gone"] for row in rows if row["kept"] == id or key_of(row["name"]) in keys}
    while more := {row["gone"] for row in rows if row["kept"] in gone} - gone:
        gone |= more
    connection.execute("DELETE FROM joined WHERE gone = ANY(%s)", [list(gone)])


def forget_late(connection: Connection, told: Iterable[tuple[str, Link]]) -> None:
    """Take names out of tables' events, just written, of games that began before the name was
    deleted: they go on, a table was out of reach, or its log is told once more."""
    naming = [
        (table, one.chain, said.data)
        for table, one in told
        if (said := one.content) is not None and said.kind in NAMING
    ]
    if not naming:
        return
    gone = connection.execute(
        "SELECT salt, mark, extract(epoch FROM deleted_at)::float8 AS at_s FROM forgotten"
    ).fetchall()
    deleted_s = {row["mark"]: row["at_s"] for row in gone}
    late = {
        (table, chain, key): deleted_s[mark]
        for table, chain, data in naming
        for key in (map(key_of, _names_in(_document(data))) if gone else ())
        if (mark := _mark(gone[0]["salt"], key)) in deleted_s
    }
    if late:
        connection.execute("SELECT set_config('companion.forget', 'on', true)")
    for (table, chain, key), until_s in late.items():
        for game in _games_told(connection, (table, chain)):
            if game[0]["at_s"] < until_s:
                _forget_told(connection, game, {key}, _word_of_late(game, key))


def _word_of_late(game: Sequence[Mapping[str, Any]], key: str) -> str | None:
    """The word that stands in a game's start for a name of a later event, where that is plain: a
    name that goes to another seat changes places with it."""
    start = set(_names_in(_document(game[0]["data"])))
    words = [name for name in start if is_nobody(name)]
    return words[0] if len(words) == 1 and key not in map(key_of, start) else None


def _remember(connection: Connection, keys: set[str]) -> None:
    """Keep marks of names; all have one secret number."""
    first = connection.execute("SELECT salt FROM forgotten LIMIT 1").fetchone()
    salt = secrets.token_hex(16) if first is None else first["salt"]
    for key in keys:
        connection.execute(
            "INSERT INTO forgotten (mark, salt) VALUES (%s, %s)"
            " ON CONFLICT (mark) DO UPDATE SET deleted_at = now()",
            [_mark(salt, key), salt],
        )


def _mark(salt: str, key: str) -> str:
    """What stays of a name: it can be known again, not read."""
    return hashlib.sha256(f"{salt}|{key}".encode("utf-8", "backslashreplace")).hexdigest()


def _games_told(
    connection: Connection, chain: tuple[str, str] | None = None
) -> Sequence[Sequence[Mapping[str, Any]]]:
    """The events of each game that say who plays it: its start, and what follows it; of all
    tables, or of one table's `chain`."""
    rows = connection.execute(
        """SELECT e.table_id, e.chain, e.event_id, e.at_s, o.kind, o.data FROM events e
        JOIN openings o USING (table_id, event_id)
        WHERE o.kind = ANY(%s) AND (%s::text IS NULL OR (e.table_id, e.chain) = (%s, %s))
        ORDER BY e.table_id, e.chain, e.number""",
        [NAMING, chain and chain[0], *(chain or (None, None))],
    ).fetchall()
    games: dict[tuple[str, str, int], list[Mapping[str, Any]]] = {}
    starts = 0
    for row in rows:
        starts += row["kind"] == NAMING[0]
        games.setdefault((row["table_id"], row["chain"], starts), []).append(row)
    return list(games.values())


def _forget_told(
    connection: Connection,
    game: Sequence[Mapping[str, Any]],
    keys: set[str],
    word: str | None = None,
) -> None:
    """Let the events of a game say another word for the names; one that is none of ours goes.

    Where no word is given it is no other player's: a game in which two have one name can't be
    scored.
    """
    names = {name for row in game for name in _names_in(_document(row["data"]))}
    word = word or next(word for n in count(1) if (word := NOBODY * n) not in names)
    for row in game:
        if not _says(row["data"], keys):
            continue
        place, without = [row["table_id"], row["event_id"]], _without(row["data"], keys, word)
        connection.execute("DELETE FROM openings WHERE (table_id, event_id) = (%s, %s)", place)
        if without is not None:  # by the nonce the name could be guessed from the commitment
            connection.execute(
                "INSERT INTO openings (table_id, event_id, kind, data, nonce)"
                " VALUES (%s, %s, %s, %s, '')",
                [*place, row["kind"], without],
            )


def _forget_set_aside(connection: Connection, keys: set[str]) -> None:
    rows = connection.execute("SELECT id, payload FROM set_aside").fetchall()
    named = [row["id"] for row in rows if _holds(row["payload"], keys)]
    connection.execute("DELETE FROM set_aside WHERE id = ANY(%s)", [named])


def _forget_counted(connection: Connection, keys: set[str]) -> None:
    """Take the names out of what games were confirmed, and seats taken, by."""
    for row in connection.execute("SELECT id, told FROM games WHERE told IS NOT NULL").fetchall():
        told = [NOBODY if key_of(name) in keys else name for name in row["told"]]
        if told != row["told"]:
            connection.execute("UPDATE games SET told = %s WHERE id = %s", [told, row["id"]])
    taken = connection.execute("SELECT DISTINCT told FROM sittings WHERE told IS NOT NULL")
    gone = [row["told"] for row in taken.fetchall() if key_of(row["told"]) in keys]
    connection.execute("UPDATE sittings SET told = NULL WHERE told = ANY(%s)", [gone])


def _document(data: str) -> Any:
    """What an event says; None where it is none of ours."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _says(data: str, keys: set[str]) -> bool:
    """Whether an event says one of the names."""
    document = _document(data)
    if document is None:
        return _holds(data, keys)
    return not keys.isdisjoint(map(key_of, _names_in(document)))


def _without(data: str, keys: set[str], word: str) -> str | None:
    """What an event says with another word for the names; None where it is none of ours."""

    def put(one: dict[str, Any]) -> dict[str, Any]:
        is_told = isinstance(one.get("name"), str) and key_of(one["name"]) in keys
        return one | {"name": word} if is_told else one

    try:
        return json.dumps(json.loads(data, object_hook=put))
    except (ValueError, RecursionError):
        return None


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
