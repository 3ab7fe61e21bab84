"""Takes the tables' messages into the database: each once, each in its place of its chain."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from psycopg.types.json import Jsonb

from companion.hub.database import Connection, Database
from companion.relay.wire import FIRST, Have, Link, Topics
from scoring.language import Message

LONGEST_KEPT = 10_000
"""Characters of a message that is set aside."""

MOST_ASIDE = 1_000
"""Messages of a table that stay set aside: the newest."""

TURNS = frozenset(
    {"finished", "reopened", "undone", "redone", "evening-deleted", "evening-restored", "put-away"}
)
"""Kinds of events after which a table's finished games may be others."""


@dataclass(slots=True)
class Taken:
    """What came of a batch: how far the hub now has each table's chain, what was set aside, and
    the tables whose finished games are to be worked out anew."""

    have: dict[str, Have] = field(default_factory=dict)
    aside: dict[str, Message] = field(default_factory=dict)
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

    def take(self, batch: Sequence[tuple[str, Link]], names: dict[str, str]) -> Taken:
        """Write messages of tables; `names` are the tables' names for people."""
        taken, heads = Taken(), dict(self._heads)
        self._heads = {}  # looked up anew after a failure
        with self._database.transaction() as connection:
            for table, link in batch:
                self._take_one(connection, heads, taken, table, link, names.get(table, table))
        self._heads = heads
        return taken

    def set_aside(self, table: str, payload: bytes, reason: Message) -> bool:
        """Keep a message that cannot be taken, with the reason; returns False where it is kept."""
        with self._database.transaction() as connection:
            return _set_aside(connection, table, payload.decode("utf-8", "replace"), reason)

    def have(self) -> dict[str, Have]:
        """How far the database has the newest chain of each table."""
        query = (
            "SELECT DISTINCT ON (table_id) table_id, chain, place, event_id FROM events"
            " ORDER BY table_id, received_at DESC, place DESC"
        )
        with self._database.transaction() as connection:
            rows = connection.execute(query).fetchall()
        return {
            row["table_id"]: Have(row["chain"], row["place"], id=row["event_id"]) for row in rows
        }

    def _take_one(
        self,
        connection: Connection,
        heads: dict[tuple[str, str], _Head],
        taken: Taken,
        table: str,
        link: Link,
        name: str,
    ) -> None:
        key = (table, link.chain)
        if key not in heads:
            heads[key] = _head(connection, table, link.chain)
        head = heads[key]
        if link.place <= head.place:
            if not _is_known(connection, table, link):
                self._refuse(connection, taken, table, link)
        elif link.place == head.place + 1:
            if link.before != head.id:
                self._refuse(connection, taken, table, link)
            else:
                _write(connection, table, link, name)
                heads[key] = _Head(link.place, link.id, max(link.number, head.number))
                if _turns(link, head):
                    taken.turned.add(table)
        taken.have[table] = Have(link.chain, heads[key].place, id=heads[key].id)

    def _refuse(self, connection: Connection, taken: Taken, table: str, link: Link) -> None:
        reason = Message("companion.relay.out-of-chain", number=link.number)
        taken.aside[table] = reason
        _set_aside(connection, table, f"{link.chain} {link.place} {link.id}", reason)


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


def _write(connection: Connection, table: str, link: Link, name: str) -> None:
    if link.place == 1:
        connection.execute(
            "INSERT INTO tables (id, name) VALUES (%s, %s)"
            " ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            (table, name),
        )
        connection.execute(
            "INSERT INTO chains (table_id, chain) VALUES (%s, %s)", (table, link.chain)
        )
    connection.execute(
        "INSERT INTO events"
        " (table_id, event_id, chain, place, number, at_s, before_id, commitment)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        (
            table,
            link.id,
            link.chain,
            link.place,
            link.number,
            link.at_s,
            link.before,
            link.commitment,
        ),
    )
    if link.content is not None:
        said = link.content
        connection.execute(
            "INSERT INTO openings (table_id, event_id, kind, data, nonce)"
            " VALUES (%s, %s, %s, %s, %s)",
            (table, link.id, said.kind, said.data, said.nonce),
        )


def _set_aside(connection: Connection, table: str, payload: str, reason: Message) -> bool:
    """Keep it once, however often it is sent; returns whether it is new."""
    values = {
        "table": table,
        "topic": Topics(table).event,
        "payload": payload.replace("\0", "\N{REPLACEMENT CHARACTER}")[:LONGEST_KEPT],
        "reason": Jsonb(reason.to_json()),
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
