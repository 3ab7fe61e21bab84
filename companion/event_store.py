"""The log on disk: events are appended to one SQLite file, one transaction each, never changed.

A damaged log is moved aside whole, never deleted; what can still be read of it starts a new one.
"""

import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from companion.errors import CompanionError
from companion.events import Event, EventError, event_from_json, event_to_json, kind_of
from scoring.language import SpokenError

SCHEMA = 1
"""Version of the file's tables, kept in SQLite's `user_version`."""

APPLICATION_ID = 0x54545243
"""Marks the file as ours ("TTRC"), kept in SQLite's `application_id`."""

_TABLES = """
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER events_remain BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""


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
    """The log cannot be used: another program has it, it is newer, or the disk refuses."""


@dataclass(frozen=True, slots=True)
class Rescue:
    """A damaged log was set aside at `kept_at`; `events` of it could be read and go on."""

    kept_at: Path
    events: int


class EventStore:
    """The log of one data folder. Not safe for several threads at once: the table has the lock.

    Raises StoreError where the log cannot be used. `rescue` tells whether a damaged log was set
    aside when this one was opened.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.rescue: Rescue | None = None
        self._now = now
        self._lock = _claim(path)
        try:
            self._connection = self._open()
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def append(self, event: Event) -> int:
        """Write the event for good and return its number (the first is 1)."""
        data = json.dumps(event_to_json(event), ensure_ascii=False, separators=(",", ":"))
        try:
            with self._connection:
                cursor = self._connection.execute(
                    "INSERT INTO events (at, kind, data) VALUES (?, ?, ?)",
                    (self._now(), kind_of(event), data),
                )
        except sqlite3.Error as error:
            raise StoreError(
                "companion.store.cannot-write", path=self.path, reason=error
            ) from error
        return int(cursor.lastrowid or 0)

    def events(self) -> list[Event]:
        """Every event, the oldest first."""
        return list(_read_events(self._connection))

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go of it."""
        self._connection.close()
        self._lock.close()

    def _open(self) -> sqlite3.Connection:
        _finish_rescue(self.path)
        try:
            return _open_checked(self.path)
        except (sqlite3.DatabaseError, EventError) as error:
            if _is_refusal(error):
                raise StoreError(
                    "companion.store.cannot-open", path=self.path, reason=error
                ) from error
            self.rescue = _set_aside(self.path, self._now)
            return _open_checked(self.path)


def _claim(path: Path) -> IO[str]:
    """Keep other programs off this log while this one runs; the lock dies with the process."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _open_lock(path.with_suffix(".lock"))
    except OSError as error:
        raise StoreError("companion.store.no-folder", path=path.parent, reason=error) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise StoreError("companion.store.in-use", path=path.parent) from error
    return lock


def _open_lock(path: Path) -> IO[str]:
    """The lock's file; a pipe in its place is refused at once instead of waited for."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o666), "w")


def _open_checked(path: Path) -> sqlite3.Connection:
    """A log whose every event can be read; raises sqlite3.DatabaseError, EventError, StoreError."""
    connection = sqlite3.connect(path, check_same_thread=False)
    try:
        _prepare(connection, path)
        for _ in _read_events(connection):
            pass
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        raise StoreError("companion.store.newer", path=path, found=version, known=SCHEMA)
    if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError("the file is damaged")
    connection.execute("PRAGMA journal_mode = WAL")
    # FULL makes every commit reach the disk: on a Pi the plug is the switch.
    connection.execute("PRAGMA synchronous = FULL")
    if version == 0:
        connection.executescript(
            f"BEGIN; {_TABLES} PRAGMA application_id = {APPLICATION_ID}; "
            f"PRAGMA user_version = {SCHEMA}; COMMIT;"
        )


def _read_events(connection: sqlite3.Connection) -> Iterator[Event]:
    for number, kind, data in connection.execute(
        "SELECT number, kind, data FROM events ORDER BY number"
    ):
        yield event_from_json(kind, _document(number, data))


def _document(number: int, data: Any) -> Any:
    try:
        return json.loads(data)
    except (ValueError, TypeError) as error:
        raise EventError(f"event {number} of the log is damaged: {error}") from error


def _is_refusal(error: Exception) -> bool:
    """Whether the system would not let us, which says nothing against the file itself."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _REFUSALS


def _set_aside(path: Path, now: Callable[[], float]) -> Rescue:
    """Move the damaged log out of the way and start a new one with what could be read of it.

    The new one is complete on disk before the damaged one moves, so that a power cut at any
    moment leaves both (`_finish_rescue` ends the job).
    """
    kept_at = _free_name(path)
    events = _readable_events(path)
    _write_anew(_draft(path), events, now())
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(kept_at.with_name(kept_at.name + suffix))
    _finish_rescue(path)
    return Rescue(kept_at, len(events))


def _finish_rescue(path: Path) -> None:
    """Give the draft of a rescue its name, once the damaged log has left it."""
    if not path.exists() and _draft(path).exists():
        _draft(path).rename(path)


def _draft(path: Path) -> Path:
    return path.with_name(path.name + ".draft")


def _free_name(path: Path) -> Path:
    number = 1
    while (name := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    return name


def _readable_events(path: Path) -> list[Event]:
    """The events up to the first one that cannot be read, from a copy opened for reading only."""
    events: list[Event] = []
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            events.extend(_until_damage(connection))
    except sqlite3.DatabaseError:
        pass
    return events


def _until_damage(connection: sqlite3.Connection) -> Iterator[Event]:
    try:
        yield from _read_events(connection)
    except (sqlite3.DatabaseError, EventError):
        return


def _write_anew(draft: Path, events: Sequence[Event], at: float) -> None:
    draft.unlink(missing_ok=True)
    with closing(_open_checked(draft)) as connection, connection:
        connection.executemany(
            "INSERT INTO events (at, kind, data) VALUES (?, ?, ?)",
            [(at, kind_of(event), json.dumps(event_to_json(event))) for event in events],
        )
