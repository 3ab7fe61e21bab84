"""Takes the tables' messages into the database: each once, each in its place of its chain."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import LiteralString

from psycopg.types.json import Jsonb

from companion.hub.club.forgetting import forget_late
from companion.hub.database import Connection, Database
from companion.relay.wire import FIRST, Content, Have, Link, Topics
from scoring.language import Message
from web.hub.deleted_name import NOBODY

LONGEST_KEPT = 10_000
"""Characters of a message that is set aside."""

MOST_ASIDE = 1_000
"""Messages of a table that stay set aside: the newest."""

MOST_HEADS = 2_000
"""Chains whose last message is remembered; of others the database is asked."""

TURNS = frozenset(
    {
        "started",
        "finished",
        "reopened",
        "player-renamed",
        "player-added",
        "player-removed",
        "colour-changed",
        "undone",
        "redone",
        "evening-deleted",
        "evening-restored",
        "clock-set",
        "put-away",
    }
)
"""Kinds of events after which a table's finished games, or who plays there, may be others."""

OF_THE_TABLE = frozenset({"names-joined", "names-parted"})
"""Kinds of events that say which names of a table's own evenings are one person: the club knows its
people itself, and keeps no name out of these."""

NO_NAMES = json.dumps({"alias": NOBODY, "person": NOBODY})

_NEWEST = """
SELECT DISTINCT ON (one.table_id) one.table_id, one.chain, last.place, last.event_id
FROM chains AS one CROSS JOIN LATERAL (
    SELECT place, event_id, received_at FROM events
    WHERE table_id = one.table_id AND chain = one.chain ORDER BY place DESC LIMIT 1
) AS last
ORDER BY one.table_id, last.received_at DESC, last.place DESC
"""
"""The last message of the chain that each table told last; reads no other message."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A message that was not taken, shortened, and the reason."""

    table: str
    payload: str
    reason: Message


@dataclass(slots=True)
class Taken:
    """What came of a batch: how far the hub now has each table's chain, what is to be set aside,
    and the tables whose finished games are to be worked out anew."""

    have: dict[str, Have] = field(default_factory=dict)
    aside: list[Aside] = field(default_factory=list)
    turned: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Head:
    place: int
    id: str
    number: int
    """The last row of the log that was told."""


class Intake:
    """Writes batches of messages. Not for several threads at once.

    Raises DatabaseGoneError where the database is away; nothing of the batch is written then, and
    it can be given again.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._heads: dict[tuple[str, str], _Head] = {}
        self._generation = database.generation

    def take(self, batch: Sequence[tuple[str, Link]], names: dict[str, str]) -> Taken:
        """Write messages of tables; `names` are the tables' names for people."""
        taken, heads = Taken(), dict(self._heads)
        self._heads = {}  # looked up anew after a failure
        with self._database.transaction() as connection:
            if self._generation != self._database.generation:  # it is another one
                self._generation, heads = self._database.generation, {}
            new: dict[tuple[str, str], Link] = {}
            for table, link in batch:
                self._take_one(connection, heads, taken, new, table, link)
            _write(connection, new, names)
            forget_late(connection, [(table, link) for (table, _), link in new.items()])
        while len(heads) > MOST_HEADS:
            del heads[next(iter(heads))]
        self._heads = heads
        return taken

    def set_aside(self, one: Aside) -> bool:
        """Keep a message that cannot be taken, with the reason; returns False where it is kept."""
        with self._database.transaction() as connection:
            return _set_aside(connection, one)

    def have(self) -> dict[str, Have]:
        """How far the database has the newest chain of each table."""
        with self._database.transaction() as connection:
            rows = connection.execute(_NEWEST).fetchall()
        return {
            row["table_id"]: Have(row["chain"], row["place"], id=row["event_id"]) for row in rows
        }

    def _take_one(
        self,
        connection: Connection,
        heads: dict[tuple[str, str], _Head],
        taken: Taken,
        new: dict[tuple[str, str], Link],
        table: str,
        link: Link,
    ) -> None:
        """Add a message to the `new` ones, by table and id, where it is one."""
        key = (table, link.chain)
        if key not in heads:
            heads[key] = _head(connection, table, link.chain)
        head = heads[key]
        if link.place == head.place + 1 and link.before == head.id:
            new[table, link.id] = link
            heads[key] = _Head(link.place, link.id, max(link.number, head.number))
            if _turns(link, head):
                taken.turned.add(table)
        elif link.place <= head.place + 1:
            is_known = (table, link.id) in new or _is_known(connection, table, link)
            if not is_known:
                taken.aside.append(_out_of_chain(table, link))
        taken.have[table] = Have(link.chain, heads[key].place, id=heads[key].id)


def aside_of(table: str, payload: bytes, reason: Message) -> Aside:
    """A payload that cannot be taken; what is too long of it is not kept."""
    text = payload[: 4 * LONGEST_KEPT].decode("utf-8", "replace")
    return Aside(table, text.replace("\0", "\N{REPLACEMENT CHARACTER}")[:LONGEST_KEPT], reason)


def which(link: Link) -> bytes:
    """Tells a message by its place."""
    return f"{link.chain} {link.place} {link.id}".encode()


def _out_of_chain(table: str, link: Link) -> Aside:
    reason = Message("companion.relay.out-of-chain", number=link.number)
    return aside_of(table, which(link), reason)


def _turns(link: Link, head: _Head) -> bool:
    """Whether finished games may be others: a turn of the game, or an earlier row is opened."""
    return link.content is not None and (link.content.kind in TURNS or link.number <= head.number)


def _head(connection: Connection, table: str, chain: str) -> _Head:
    row = connection.execute(
        "SELECT place, event_id, (SELECT max(number) FROM events"
        " WHERE table_id = %(table)s AND chain = %(chain)s) AS number"
        " FROM events WHERE table_id = %(table)s AND chain = %(chain)s"
        " ORDER BY place DESC LIMIT 1",
        {"table": table, "chain": chain},
    ).fetchone()
    return (
        _Head(0, FIRST, 0) if row is None else _Head(row["place"], row["event_id"], row["number"])
    )


def _is_known(connection: Connection, table: str, link: Link) -> bool:
    row = connection.execute(
        "SELECT 1 AS known FROM events WHERE table_id = %s AND event_id = %s", (table, link.id)
    ).fetchone()
    return row is not None


def _write(
    connection: Connection, new: Mapping[tuple[str, str], Link], names: Mapping[str, str]
) -> None:
    """Write all that is new, by table and id: a statement a kind of row, however many there are."""
    begun = [(table, link.chain) for (table, _), link in new.items() if link.place == 1]
    for table in dict.fromkeys(table for table, _ in begun):
        connection.execute(
            "INSERT INTO tables (id, name) VALUES (%s, %s)"
            " ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            (table, names.get(table, table)),
        )
    _insert(connection, "chains (table_id, chain)", "text[], text[]", begun)
    _insert(
        connection,
        "events (table_id, event_id, chain, place, number, at_s, before_id, commitment)",
        "text[], text[], text[], integer[], integer[], double precision[], text[], text[]",
        [
            (table, id, one.chain, one.place, one.number, one.at_s, one.before, one.commitment)
            for (table, id), one in new.items()
        ],
    )
    said = {place: _kept(one.content) for place, one in new.items() if one.content is not None}
    _insert(
        connection,
        "openings (table_id, event_id, kind, data, nonce)",
        "text[], text[], text[], text[], text[]",
        [(table, id, one.kind, one.data, one.nonce) for (table, id), one in said.items()],
    )


def _kept(content: Content) -> Content:
    """What is written of a message's content; the nonce would let a name be guessed."""
    return Content(content.kind, NO_NAMES, "") if content.kind in OF_THE_TABLE else content


def _insert(
    connection: Connection,
    into: LiteralString,
    types: LiteralString,
    rows: Sequence[tuple[object, ...]],
) -> None:
    """Insert rows, in their order, by one statement."""
    if rows:
        columns = ", ".join(f"%s::{one}" for one in types.split(", "))
        connection.execute(
            f"INSERT INTO {into} SELECT * FROM unnest({columns})",
            [list(column) for column in zip(*rows, strict=True)],
        )


def _set_aside(connection: Connection, one: Aside) -> bool:
    """Keep it once, however often it is sent; returns whether it is new."""
    values = {
        "table": one.table,
        "topic": Topics(one.table).event,
        "payload": one.payload,
        "reason": Jsonb(one.reason.to_json()),
        "most": MOST_ASIDE,
    }
    added = connection.execute(
        "INSERT INTO set_aside (table_id, topic, payload, reason)"
        " SELECT %(table)s, %(topic)s, %(payload)s, %(reason)s WHERE NOT EXISTS (SELECT FROM"
        " set_aside WHERE table_id = %(table)s AND payload = %(payload)s AND reason = %(reason)s)",
        values,
    )
    connection.execute(
        "DELETE FROM set_aside WHERE table_id = %(table)s AND id <= (SELECT id FROM set_aside"
        " WHERE table_id = %(table)s ORDER BY id DESC OFFSET %(most)s LIMIT 1)",
        values,
    )
    return added.rowcount > 0
