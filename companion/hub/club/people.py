"""The club's people: names, aliases, who sits where, and what deleting a person deletes."""

import secrets
from collections.abc import Collection, Mapping, Sequence

import psycopg

from companion.errors import RefusalError
from companion.hub.club.forgetting import forget_joined, forget_names, key_of
from companion.hub.database import Connection, Database
from web.errors import NotFoundError
from web.hub.club_state import Person
from web.hub.deleted_name import NOBODY, is_nobody
from web.names import has_ink, one_line

LONGEST_NAME = 40

LONGEST_TITLE = 60
"""Letters of the name of a season or a tournament."""


IN_PLAY = """s.since > coalesce((SELECT max(e.ended_at) FROM evenings e
    WHERE e.table_id = s.table_id AND NOT e.is_deleted), '-infinity')"""
"""Which sittings `s` are of the game that a table plays now: those after its last game's end."""


def is_called_as(told: str | None, name: str) -> bool:
    """Whether a seat has the name that was told when somebody took it; one that was deleted since
    is no other."""
    return told is None or is_nobody(name) or key_of(told) == key_of(name)


def person_of(connection: Connection, id: int) -> Person:
    """Raises NotFoundError where the club has nobody of that id."""
    row = connection.execute("SELECT id, name FROM players WHERE id = %s", [id]).fetchone()
    if row is None:
        raise NotFoundError("web.club.error.person")
    return Person(row["id"], row["name"])


def member_of(connection: Connection, id: int) -> Person:
    """As `person_of`; whoever was deleted meanwhile is nobody, and stays so: NotFoundError."""
    row = connection.execute(
        "SELECT id, name FROM players WHERE id = %s AND name IS NOT NULL FOR UPDATE", [id]
    ).fetchone()
    if row is None:
        raise NotFoundError("web.club.error.person")
    return Person(row["id"], row["name"])


def everybody(connection: Connection) -> dict[int, Person]:
    """Everybody by id, those forgotten among them."""
    rows = connection.execute("SELECT id, name FROM players ORDER BY id")
    return {row["id"]: Person(row["id"], row["name"]) for row in rows}


def add_person(connection: Connection, name: str) -> Person:
    """A new person. Raises RefusalError for a name that is taken, empty or too long."""
    name = _checked(name)
    row = connection.execute(
        "INSERT INTO players (name, secret) VALUES (%s, %s) RETURNING id",
        [name, _new_secret()],
    ).fetchone()
    assert row is not None
    add_alias(connection, row["id"], name)
    return Person(row["id"], name)


def _new_secret() -> str:
    return secrets.token_urlsafe(16)


def add_nobody(connection: Connection) -> Person:
    """Somebody without a name, for the seat of a person who was deleted before a result counted."""
    row = connection.execute("INSERT INTO players DEFAULT VALUES RETURNING id").fetchone()
    assert row is not None
    return Person(row["id"], None)


def add_alias(connection: Connection, id: int, name: str) -> None:
    """One more name of somebody. Raises RefusalError where it is somebody's already."""
    name = _checked(name)
    owner = owner_of(connection, name)
    if owner == id:
        return
    if owner is not None:
        raise RefusalError("companion.club.name-taken", name=name)
    try:
        connection.execute(
            "INSERT INTO aliases (key, spelling, player) VALUES (%s, %s, %s)",
            [key_of(name), name, id],
        )
    except psycopg.errors.UniqueViolation as error:  # somebody was quicker
        raise RefusalError("companion.club.name-taken", name=name) from error


def owner_of(connection: Connection, name: str) -> int | None:
    """Whose name this is, None where it is nobody's."""
    row = connection.execute("SELECT player FROM aliases WHERE key = %s", [key_of(name)]).fetchone()
    return None if row is None else int(row["player"])


def _checked(name: str) -> str:
    name = one_line(name)
    if not has_ink(name) or len(name) > LONGEST_NAME or is_nobody(name):
        raise RefusalError("companion.club.name", longest=str(LONGEST_NAME))
    return name


def title_of(words: str, longest: int) -> str:
    """The name of a thing on one line. Raises RefusalError for none, and for a long one."""
    title = one_line(words)
    if not has_ink(title):
        raise RefusalError("companion.club.no-name")
    if len(title) > longest:
        raise RefusalError("companion.club.name", longest=str(longest))
    return title


class People:
    """Reads and changes people, one transaction a call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> Sequence[Person]:
        """Everybody who was not forgotten, by name."""
        people = self.by_id().values()
        return sorted((one for one in people if one.name), key=lambda one: key_of(one.name or ""))

    def by_id(self) -> dict[int, Person]:
        """Everybody by id, those forgotten among them."""
        with self._database.transaction() as connection:
            return everybody(connection)

    def one(self, id: int) -> tuple[Person, str | None, tuple[str, ...]]:
        """Somebody, the secret of their link, and the names that tables know them by."""
        with self._database.transaction() as connection:
            person = person_of(connection, id)
            row = connection.execute("SELECT secret FROM players WHERE id = %s", [id]).fetchone()
            rows = connection.execute(
                "SELECT spelling FROM aliases WHERE player = %s ORDER BY key", [id]
            )
            return person, row["secret"] if row else None, tuple(one["spelling"] for one in rows)

    def secrets(self, ids: Collection[int]) -> dict[int, str]:
        """The secrets of these people's links; whoever was forgotten has none."""
        with self._database.transaction() as connection:
            rows = connection.execute(
                "SELECT id, secret FROM players WHERE id = ANY(%s) AND secret IS NOT NULL",
                [list(ids)],
            )
            return {row["id"]: row["secret"] for row in rows}

    def named(self, name: str) -> Person | None:
        """Whose name this is, None where it is nobody's."""
        with self._database.transaction() as connection:
            owner = owner_of(connection, name)
            return None if owner is None else person_of(connection, owner)

    def by_secret(self, secret: str) -> Person:
        """Whose link this is. Raises NotFoundError."""
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT id, name FROM players WHERE secret = %s", [secret]
            ).fetchone()
        if row is None:
            raise NotFoundError("web.club.error.link")
        return Person(row["id"], row["name"])

    def add(self, name: str) -> Person:
        """A new person."""
        with self._database.transaction() as connection:
            return add_person(connection, name)

    def rename(self, id: int, name: str) -> None:
        """Another name; the old one stays an alias."""
        with self._database.transaction() as connection:
            member_of(connection, id)
            add_alias(connection, id, name)
            connection.execute("UPDATE players SET name = %s WHERE id = %s", [_checked(name), id])

    def renew_link(self, id: int) -> None:
        """Another link; the one before opens nothing any more."""
        with self._database.transaction() as connection:
            member_of(connection, id)
            connection.execute("UPDATE players SET secret = %s WHERE id = %s", [_new_secret(), id])

    def add_alias(self, id: int, name: str) -> None:
        """One more name."""
        with self._database.transaction() as connection:
            member_of(connection, id)
            add_alias(connection, id, name)

    def remove_alias(self, id: int, name: str) -> None:
        """One name less. Raises RefusalError for the present name, which stays."""
        with self._database.transaction() as connection:
            person = person_of(connection, id)
            if person.name is not None and key_of(person.name) == key_of(name):
                raise RefusalError("companion.club.own-name", name=person.name)
            connection.execute(
                "DELETE FROM aliases WHERE key = %s AND player = %s", [key_of(name), id]
            )

    def sit(self, id: int, table_id: str, colour: str, name: str) -> None:
        """Keep that somebody sits at a table with a colour, and at no other in play, there or
        elsewhere. `name` is what the table tells of the seat.

        Raises NotFoundError for an unknown table, RefusalError where somebody else took the seat.
        """
        with self._database.transaction() as connection:
            member_of(connection, id)
            table = connection.execute(  # nobody else sits down there until this transaction ends
                "SELECT 1 FROM tables WHERE id = %s FOR NO KEY UPDATE", [table_id]
            ).fetchone()
            if table is None:
                raise NotFoundError("web.club.error.table")
            this_evening = f"s.table_id = %s AND {IN_PLAY}"
            taken = connection.execute(
                f"""SELECT s.player, s.told FROM sittings s WHERE {this_evening} AND s.colour = %s
                AND s.player <> %s ORDER BY s.since DESC""",
                [table_id, colour, id],
            ).fetchone()
            if taken is not None:
                is_kept = is_called_as(taken["told"], name)
                if is_kept or owner_of(connection, name) == taken["player"]:
                    sitting = person_of(connection, taken["player"]).name or NOBODY
                    raise RefusalError("companion.club.seat-taken", name=sitting)
            connection.execute(f"DELETE FROM sittings s WHERE {IN_PLAY} AND s.player = %s", [id])
            connection.execute(
                "INSERT INTO sittings (table_id, colour, player, told) VALUES (%s, %s, %s, %s)",
                [table_id, colour, id, name],
            )

    def seats_taken(self, names: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], int]:
        """Who said that they sit at a table with a colour, by table and colour, this evening;
        `names` are those that the tables tell now."""
        with self._database.transaction() as connection:
            rows = connection.execute(
                f"""SELECT s.table_id, s.colour, s.player, s.told FROM sittings s WHERE {IN_PLAY}
                ORDER BY s.since"""
            ).fetchall()
            taken = {}
            for row in rows:
                seat = row["table_id"], row["colour"]
                name = names.get(seat, NOBODY)
                is_kept = is_called_as(row["told"], name)
                if is_kept or owner_of(connection, name) == row["player"]:
                    taken[seat] = row["player"]
            return taken

    def forget(self, id: int) -> None:
        """Delete name, aliases, link and seats taken, and the name in all that the tables told.

        The chain of the log stays whole, each event's place in it is kept. Points and places stay,
        those of a game that goes on as well.
        """
        with self._database.transaction() as connection:
            person_of(connection, id)
            connection.execute(  # first: whoever gives them a name meanwhile waits, and is refused
                "UPDATE players SET name = NULL, secret = NULL WHERE id = %s", [id]
            )
            rows = connection.execute("SELECT spelling FROM aliases WHERE player = %s", [id])
            names = {row["spelling"] for row in rows}
            connection.execute("DELETE FROM aliases WHERE player = %s", [id])
            connection.execute("DELETE FROM sittings WHERE player = %s", [id])
            connection.execute("UPDATE entrants SET is_here = false WHERE player = %s", [id])
            keys = {key_of(name) for name in names}
            forget_joined(connection, id, keys)
            forget_names(connection, keys)
