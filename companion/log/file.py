"""The log's SQLite file: opened, read and checked as a whole, written as a whole."""

import errno
import math
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from companion.errors import CompanionError
from companion.log.copy import write_copy
from companion.log.paths import LEFTOVERS, beside, copy_of
from companion.log.rows import Row, is_chain
from companion.whole_file import FULL, sync_folder
from scoring.language import SpokenError

SCHEMA = 2
"""Version of the file's tables, kept in SQLite's `user_version`. Version 1 had no checksums."""

APPLICATION_ID = 0x54545243
"""Marks the file as ours ("TTRC"), kept in SQLite's `application_id`."""

WAL_PAGES = 32
"""Pages in the write-ahead log after which they go into the file: it stays under 150 kB or so."""

ROOM_TO_OPEN_BYTES = 200_000
"""SQLite's files beside a log take less when it is opened."""

_MOST_VERSIONS = 1000
"""A higher version is no newer program but a damaged header."""

_TABLES = """
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    before TEXT NOT NULL,
    seal TEXT NOT NULL
);
CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER events_remain BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""

_INSERT = "INSERT INTO events (number, at, kind, data, before, seal) VALUES (?, ?, ?, ?, ?, ?)"

_REFUSALS = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
"""SQLite's primary error codes that are no sign of damage."""


class StoreError(SpokenError, CompanionError, OSError):
    """The log cannot be used: another program has it open, it is newer, or the disk refuses."""


class NoFolderError(StoreError):
    """The data folder cannot be used: what is in it was not even read."""


def connect(path: Path) -> sqlite3.Connection:
    """An open log; its tables are made where there are none. Raises sqlite3.Error."""
    connection = sqlite3.connect(path, check_same_thread=False)
    try:
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
        # FULL makes every commit reach the disk: on a Pi the plug is the switch.
        connection.execute("PRAGMA synchronous = FULL")
        if _version(connection) == 0:
            connection.executescript(
                f"BEGIN; {_TABLES} PRAGMA application_id = {APPLICATION_ID}; "
                f"PRAGMA user_version = {SCHEMA}; COMMIT;"
            )
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def read_log(path: Path) -> tuple[int, list[Row]]:
    """Version and rows of a log, all in order; a damaged one raises sqlite3.DatabaseError."""
    try:
        return _read_log(path)
    except UnicodeDecodeError as error:  # SQLite names the damaged thing, as it reads it
        raise sqlite3.DatabaseError("the file is damaged") from error


def _read_log(path: Path) -> tuple[int, list[Row]]:
    _check_header(path)
    with closing(connect(path)) as connection:
        version = _version(connection)
        _check_version(path, version)
        if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("the file is damaged")
        if version == 1:
            return version, list(_first_version(connection))
        rows = list(read_rows(connection))
    if version != SCHEMA or not is_chain(rows):
        raise sqlite3.DatabaseError("rows are damaged or missing")
    return version, rows


def _check_header(path: Path) -> None:
    """SQLite would take a damaged format number for a file that must not be written."""
    with suppress(FileNotFoundError), path.open("rb") as file:
        header = file.read(100)
        if header and (header[:16] != b"SQLite format 3\0" or set(header[18:20]) - {1, 2}):
            raise sqlite3.DatabaseError("the header is damaged")
        _check_version(path, int.from_bytes(header[60:64], "big"))


def _check_version(path: Path, version: int) -> None:
    """A log of a newer program is left as it is."""
    if SCHEMA < version < _MOST_VERSIONS:
        raise StoreError("companion.store.newer", path=path, found=version, known=SCHEMA)


def read_rows(connection: sqlite3.Connection, after: float = -math.inf) -> Iterator[Row]:
    """The rows of an open log in order: all, or those behind a number."""
    for columns in connection.execute(
        "SELECT number, at, kind, data, before, seal FROM events WHERE number > ? ORDER BY number",
        (after,),
    ):
        yield Row(*columns)


def _first_version(connection: sqlite3.Connection) -> Iterator[Row]:
    """Rows of a log of version 1, not sealed yet."""
    for number, at, kind, data in connection.execute(
        "SELECT number, CAST(at AS REAL), CAST(kind AS TEXT), CAST(data AS TEXT) FROM events "
        "ORDER BY number"
    ):
        yield Row(number, at, kind, data, "", "")


def _columns(row: Row) -> tuple[int | float | str, ...]:
    return row.number, row.at, row.kind, row.data, row.before, row.seal


def is_refusal(error: Exception) -> bool:
    """Whether the system refused, which is no sign that the file is damaged."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _REFUSALS


def is_full(path: Path, error: Exception) -> bool:
    """Whether there is no room; SQLite also calls that a fault of the disk."""
    if isinstance(error, StoreError):
        return False
    if getattr(error, "errno", None) in FULL:
        return True
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return True
    if not is_refusal(error):
        return False
    try:
        return shutil.disk_usage(path.parent).free < ROOM_TO_OPEN_BYTES
    except OSError:
        return False  # the disk is gone


def disk_error(path: Path, error: Exception) -> OSError:
    """What is told of an error at a log: a full disk is called that, and not broken."""
    if is_full(path, error):
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return error if isinstance(error, OSError) else OSError(str(error))


def insert(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Add rows in one transaction; raises sqlite3.Error and adds none where that fails."""
    with connection:
        connection.executemany(_INSERT, [_columns(row) for row in rows])


def write_on(path: Path, rows: Sequence[Row]) -> None:
    """Add rows to a log that is not open."""
    with closing(connect(path)) as connection:
        insert(connection, rows)


def write_log(path: Path, rows: Sequence[Row]) -> None:
    """A whole log, in the place of any other that is there; raises sqlite3.Error, OSError."""
    remove_log(path)
    write_on(path, rows)


def write_first_log(path: Path, rows: Sequence[Row]) -> None:
    """A log and its second copy where none is, both or neither. Raises OSError."""
    draft = beside(path, ".new")
    try:
        write_log(draft, rows)
        write_copy(copy_of(path), rows)
        draft.replace(path)
        sync_folder(path.parent)
    except BaseException as error:
        told = disk_error(path, error) if isinstance(error, sqlite3.Error) else None
        for part in (draft, copy_of(path)):
            with suppress(OSError):
                remove_log(part)
        if told is not None:
            raise told from error
        raise


def remove_log(path: Path) -> None:
    """A log's file, with what SQLite keeps beside it."""
    for part in (path, *(beside(path, ending) for ending in LEFTOVERS)):
        part.unlink(missing_ok=True)
