"""The hub's PostgreSQL database: connections, and a schema brought up to date by migrations."""

import logging
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool, PoolTimeout
from yoyo import read_migrations
from yoyo.backends.base import get_backend_class
from yoyo.connections import DatabaseURI

from companion.errors import UnusableInputError, UsageError
from web.errors import WebError

MIGRATIONS = Path(__file__).parent / "migrations"

MIGRATION_TABLE = "migrations"

MIGRATION_LOCK = 84_867
"""The number of the lock that whoever brings the schema up to date holds."""

WAIT_S = 30
"""So long a hub waits for another one that brings the schema up to date."""

USUAL_ADDRESS = "postgresql:///companion"
"""A database of this name on this machine, as the user who runs the hub."""

CONNECT_S = 5
"""As long one waits for the server to answer."""

ASK_WHY_S = 2
"""The same where it has not answered before: whoever asked waits already."""

ANSWER_S = 30.0
"""And as long for what it is asked: a server that stands still, or a network that swallows all,
ends no connection, and would hold every thread of the hub."""

LOOK_S = 0.1
"""So often one that waits for an answer looks whether it is to stop."""

MOST_CONNECTIONS = 8

RECONNECT_S = 3.0
"""After so long the pool gives a connection up; whoever asks next begins anew. The pauses of one
attempt double, so that a long one would not see for a minute that the server is back."""

REFUSED = (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.InsufficientPrivilege)
"""What the server says to one who may only read: a user without rights, or a stand-in's copy."""

# The receiver tells once that the database is gone; the pool would at every attempt.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)

WHICH = """
SELECT oid::bigint AS database, system_identifier AS server
FROM pg_database, pg_control_system() WHERE datname = current_database()
"""
"""One that was made anew, or put in the place of another, has another number."""


class Connection(psycopg.Connection[DictRow]):
    """A connection that knows which database it goes to."""

    goes_to: tuple[int, int] | None = None
    answer_s = ANSWER_S
    """As long an answer is waited for now."""

    def wait(
        self, gen: Any, interval: float = LOOK_S, timeout: float | None = None
    ) -> Any:  # as psycopg has it
        """Wait for the server's next answer; one that gives none is gone."""
        try:
            return super().wait(gen, interval, self.answer_s if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.pgconn.finish()  # nothing more is to be waited for
            raise


def rows_by(key: str, rows: Iterable[Mapping[str, Any]]) -> dict[Any, list[Mapping[str, Any]]]:
    """Rows with one value of a column together, in their order."""
    found: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row[key], []).append(row)
    return found


class DatabaseGoneError(UnusableInputError, WebError):
    """The database does not answer now: it ends a command, or is a page of its own.

    The reason names the server and its user, so only the organiser reads it.
    """

    status = 503
    public_key: str | None = "companion.hub.database-away"


class DatabaseBusyError(DatabaseGoneError):
    """Two changes at the same moment wait for each other, and this one was given up."""

    public_key = None


class Database:
    """Connections to the hub's database; for any thread.

    `open` brings the schema up to date. Rows come as dicts.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.generation = 0
        """Grows when the database has turned out to be another one, or was emptied."""
        self._here = threading.local()
        self._which: tuple[int, int] | None = None
        self._following = threading.Lock()
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            address,
            connection_class=Connection,
            configure=_recognise,
            kwargs={"row_factory": dict_row, "connect_timeout": CONNECT_S},
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=CONNECT_S,
            check=_check,
            reconnect_timeout=RECONNECT_S,
            open=False,
        )

    @classmethod
    def open(cls, address: str) -> Self:
        """Migrate and connect. Raises UsageError and UnusableInputError."""
        migrate(address)
        database = cls(address)
        database._pool.open()
        return database

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection for one transaction, committed at the end, rolled back by an exception.

        A database that was put in the place of the one before gets its tables first. Raises
        DatabaseGoneError where the server cannot be reached, goes away meanwhile, has no room left
        on its disk, or lets the hub read only; where the database cannot be used, or was emptied;
        DatabaseBusyError where two changes were in each other's way. Within a `snapshot` it is
        that one's.
        """
        reading = getattr(self._here, "reading", None)
        if reading is not None:
            yield reading
            return
        generation = self.generation
        try:
            with self._pool.connection() as connection:
                self._follow(connection)
                yield connection
        except psycopg.errors.UndefinedTable as error:
            with self._following:  # of several threads the first one makes them
                if generation == self.generation and not self._make_tables():
                    raise
            raise DatabaseGoneError("companion.hub.database-emptied") from error
        except psycopg.errors.DeadlockDetected as error:
            raise DatabaseBusyError("companion.hub.database-busy") from error
        except PoolTimeout as error:
            raise _gone(self._why_not(error)) from error
        except (psycopg.OperationalError, psycopg.InterfaceError, *REFUSED) as error:
            raise _gone(error) from error

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that this thread reads meanwhile is of one moment, whatever others change."""
        if getattr(self._here, "reading", None) is not None:
            yield
            return
        with self.transaction() as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            self._here.reading = connection
            try:
                yield
            finally:
                self._here.reading = None

    def _follow(self, connection: Connection) -> None:
        """See that the database of a connection has the hub's tables."""
        with self._following:
            if self._which is not None and self._which != connection.goes_to:
                self._make_tables()
                self.generation += 1  # also where none was missing, as in a copy
            self._which = connection.goes_to

    def _why_not(self, error: PoolTimeout) -> psycopg.Error:
        """The server's own reason, where it has one: the pool tells only how long it waited."""
        try:
            psycopg.connect(self.address, connect_timeout=ASK_WHY_S).close()
        except psycopg.OperationalError as told:
            return told
        return error

    def _make_tables(self) -> bool:
        """Make those that are missing while the hub runs; returns whether there were any."""
        try:
            is_new = migrate(self.address)
        except UnusableInputError as error:
            raise DatabaseGoneError(error.key, **error.message.values) from error
        self.generation += is_new
        return is_new

    def keep_shut_out(self, table: str, shut: bool) -> None:
        """Keep whether nothing is taken from a table; raises DatabaseGoneError."""
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO tables (id, name, is_shut_out) VALUES (%s, %s, %s)"
                " ON CONFLICT (id) DO UPDATE SET is_shut_out = excluded.is_shut_out",
                (table, table, shut),
            )

    def close(self) -> None:
        """Let go of every connection."""
        self._pool.close()


def _check(connection: Connection) -> None:
    """Raise OperationalError where the server does not answer any more."""
    connection.answer_s = CONNECT_S
    ConnectionPool.check_connection(connection)
    connection.answer_s = ANSWER_S


def _recognise(connection: Connection) -> None:
    row = connection.execute(WHICH).fetchone()
    connection.goes_to = None if row is None else (row["server"], row["database"])
    connection.rollback()


def migrate(address: str) -> bool:
    """Bring the schema up to date; returns whether anything was missing.

    Raises UsageError for an address that is none, UnusableInputError where the server cannot be
    reached, where the hub's user may make no tables or where a newer program has been at the
    database.
    """
    try:
        options: dict[str, Any] = dict(conninfo_to_dict(address))
    except psycopg.ProgrammingError:
        # The library's own words repeat the address, and with it the password.
        raise UsageError("companion.hub.database-address") from None
    options.setdefault("connect_timeout", CONNECT_S)
    uri = DatabaseURI("postgresql", None, None, None, None, options.pop("dbname", None), options)
    try:
        backend = get_backend_class("postgresql+psycopg")(uri, MIGRATION_TABLE)
        with closing(backend.connection):
            return _apply(backend)
    except psycopg.ProgrammingError as error:
        _require_right_to_make_tables(address)
        if isinstance(error, REFUSED):
            raise _gone(error) from error
        raise
    except (psycopg.OperationalError, *REFUSED) as error:
        raise _gone(error) from error


def _require_right_to_make_tables(address: str) -> None:
    """Raise UnusableInputError without it: only a database's owner has it, as PostgreSQL makes it.

    yoyo passes over the refusal and stumbles over the missing table.
    """
    with psycopg.connect(address, connect_timeout=CONNECT_S) as connection:
        may_make = "has_schema_privilege(current_schema(), 'CREATE')"
        asked = f"SELECT current_database(), current_user, coalesce({may_make}, false)"
        database, user, is_allowed = connection.execute(asked.encode()).fetchone() or ("", "", True)
    if not is_allowed:
        raise UnusableInputError("companion.hub.database-owner", database=database, user=user)


def _gone(error: psycopg.Error) -> DatabaseGoneError:
    """What is in the way; of a server that answers starting it does not help."""
    is_full, is_refused = (isinstance(error, one) for one in (psycopg.errors.DiskFull, REFUSED))
    key = "full" if is_full else "read-only" if is_refused else "gone"
    return DatabaseGoneError(f"companion.hub.database-{key}", reason=_one_line(error))


def _apply(backend: Any) -> bool:
    """Returns whether anything was missing.

    One program at a time: of two that begin, the second waits, for `WAIT_S` at most.

    PostgreSQL frees this lock when the connection ends. yoyo's own is a row, which a program that
    was killed leaves behind; then no program ever begins again.
    """
    backend.execute(f"SET lock_timeout = '{WAIT_S}s'")
    backend.execute(f"SELECT pg_advisory_lock({MIGRATION_LOCK})")
    backend.init_database()
    backend.break_lock()
    backend.ensure_internal_schema_updated()
    with backend.lock():
        ours = read_migrations(str(MIGRATIONS))
        done = {row[0] for row in backend.execute(f"SELECT migration_id FROM {MIGRATION_TABLE}")}
        if newer := sorted(done - {migration.id for migration in ours}):
            raise UnusableInputError("companion.hub.database-newer", found=newer[-1])
        missing = backend.to_apply(ours)
        for migration in missing:
            # yoyo notes what is done in a transaction of its own: killed between the two, the hub
            # would make its tables twice, and never begin again.
            with backend.transaction():
                migration.process_steps(backend, "apply")
                backend.log_migration(migration, "apply")
                backend.mark_one(migration, log=False)
        return bool(missing)


def _one_line(error: Exception) -> str:
    """The first line of an error, which says what; PostgreSQL's further lines guess why."""
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__
