"""The log on disk: events are appended to one SQLite file, one transaction each, never changed.

Every row is sealed (`rows`) and lies in a second copy too (`copy`). Each start compares the
two. A damaged log is moved aside whole, never deleted; what can still be read starts a new one.
"""

import errno
import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Self

from companion.log.copy import CopyRead, LogCopy, line_of, read_copy
from companion.log.file import (
    NoFolderError,
    StoreError,
    connect,
    disk_error,
    insert,
    is_full,
    is_refusal,
    read_log,
    read_rows,
    write_on,
)
from companion.log.paths import beside, bytes_of, copy_of, readable_bytes_of
from companion.log.rescue import Rescue, finish, keep_version, renew_copy, replace_log, set_aside
from companion.log.rows import Row, chain_anew, is_chain, seal_row
from companion.log.salvage import Salvage, gaps, salvage, unsealed_rows
from companion.log.twin import twin_of
from companion.session.event_json import event_from_json, event_to_json
from companion.session.events import Event, EventError, UnknownEventError
from scoring.language import Message

REQUEST_ID = "request_id"
"""Beside an event's fields: the name of the request that led to it. Older programs pass it over."""

LOG_NAME = "evening.sqlite3"
"""The log's file in a table's data folder."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A row that is no event for this program: of a newer one's (`is_newer`), or damaged."""

    number: int
    is_newer: bool


class EventStore:
    """The log of one data folder. Not safe for several threads at once: the table has the lock.

    Raises StoreError where the log cannot be used. `rescue` tells whether a damaged log was set
    aside when this one was opened, `copy_renewed` whether the second copy was damaged or gone.

    `may_wait`: on a full disk, and on one that can only be read, as a failing card, the log is only
    read (`why_it_waits`), and nothing can be added. Every `append` tries again to open it; then it
    goes on as if it had been open all the time.
    """

    def __init__(
        self, path: Path, now: Callable[[], float] = time.time, *, may_wait: bool = False
    ) -> None:
        self.path = path
        self.rescue: Rescue | None = None
        self.copy_renewed = False
        self._now = now
        self._lock = claim(path, may_only_read=may_wait)
        self._opened: _Opened | None = None
        try:
            rows = self._open_or_look(may_wait)
        except (OSError, sqlite3.Error) as error:
            self._lock.close()
            raise _cannot_open(path, error) from error
        self._read_at_start: list[Row] | None = rows
        self._last = rows[-1] if rows else None
        self.request_ids = {name for row in rows if (name := _request_id(row))}

    @property
    def why_it_waits(self) -> Message | None:
        """What is to be said where the log could not be opened for writing yet."""
        if self._opened is not None:
            return None
        return Message(f"companion.store.{'no-room' if self._lock.writable() else 'read-only'}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def append(self, event: Event, request_id: str = "") -> int:
        """Write the event for good and return its number (the first is 1).

        With `request_id` the request behind it is known again, also after a restart.

        Raises StoreError where the disk refuses and EventError for what could not be read back;
        nothing is written then.
        """
        document = event_to_json(event) | ({REQUEST_ID: request_id} if request_id else {})
        data = json.dumps(document, separators=(",", ":"))
        event_from_json(event.kind, json.loads(data))
        row = seal_row(self._last, float(self._now()), event.kind, data)
        try:
            self._insert(self._opened or self._open_at_last(), row)
        except StoreError:
            raise
        except (OSError, sqlite3.Error) as error:
            if self.why_it_waits is not None and self._may_wait_after(error):
                raise StoreError.saying(self.why_it_waits) from error
            name = self.path.name
            reason = disk_error(self.path, error)
            raise StoreError("companion.store.cannot-write", path=name, reason=reason) from error
        self._last, self._read_at_start = row, None
        if request_id:
            self.request_ids.add(request_id)
        return row.number

    @property
    def last_at_s(self) -> float:
        """When the last event was written, in seconds since 1970; 0 in an empty log."""
        return self._last.moment_s if self._last is not None else 0.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever written."""
        return self._last is None

    def dated_entries(self) -> list[tuple[float, Event | Unusable]]:
        """Every entry with its time in seconds since 1970, the oldest first."""
        rows = self._read_at_start  # they have been read and checked
        if self._opened is not None:
            self._read_at_start = None
            rows = rows or list(read_rows(self._opened.connection))
        return [(row.moment_s, entry_of(row)) for row in rows or ()]

    def entries(self) -> list[Event | Unusable]:
        """Every entry, the oldest first; those that are no event in their place."""
        return [entry for _, entry in self.dated_entries()]

    def events(self) -> list[Event]:
        """Every event, the oldest first."""
        return [entry for entry in self.entries() if not isinstance(entry, Unusable)]

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go of it."""
        if self._opened is not None:
            self._opened.close()
        self._lock.close()

    def _open_or_look(self, may_wait: bool) -> list[Row]:
        """The rows of the log, which is open then; only looked at where it cannot be written.

        Of a damaged log what can be saved is shown where nothing can be written at all. On a full
        disk it is not looked at: room has to be made before it can be saved.
        """
        try:
            return self._open()
        except (OSError, sqlite3.Error) as error:
            if not may_wait or not self._may_wait_after(error):
                raise
            with twin_of(self.path) as twin, EventStore(twin) as there:
                if there.rescue is not None:
                    if self._lock.writable():
                        raise
                    self.rescue = replace(there.rescue, kept_at=self.path)
                return list(there._read_at_start or ())

    def _may_wait_after(self, error: Exception) -> bool:
        if isinstance(error, StoreError):
            return False
        return not self._lock.writable() or is_full(self.path, error)

    def _open(self) -> list[Row]:
        rows = self._settle()
        connection = connect(self.path)
        try:
            place = _place_of(self.path)
            self._opened = _Opened(connection, LogCopy(copy_of(self.path)), place)
        except OSError:
            connection.close()
            raise
        return rows

    def _open_at_last(self) -> "_Opened":
        """Open the log that waited for room. Raises OSError, sqlite3.Error."""
        rows = self._open()
        assert self._opened is not None
        if (rows[-1] if rows else None) != self._last:
            self._opened.close()
            self._opened = None
            raise StoreError("companion.store.changed", path=self.path.name)
        return self._opened

    def _insert(self, opened: "_Opened", row: Row) -> None:
        """Into both files; a file that was moved or deleted takes rows that no start finds."""
        if _place_of(self.path) != opened.place:
            raise StoreError("companion.store.moved", path=self.path.name)
        opened.copy.append(row)
        try:
            insert(opened.connection, [row])
        except BaseException:
            opened.copy.take_back()
            raise

    def _settle(self) -> list[Row]:
        """Bring log and second copy to the same rows, whatever the last stop has left.

        A file of which the disk gives only a part is damaged, as long as the other one has all of
        it: where both fail, the disk may do better another time.
        """
        path = self.path
        finish(path)
        main, is_read = readable_bytes_of(path)
        found = _Found(main, bytes_of(beside(path, "-wal")), readable_bytes_of(copy_of(path))[0])
        if found.wal and not found.main:
            return self._start_anew(found)  # SQLite would throw away what waits in there
        try:
            version, rows = read_log(path)
        except StoreError:
            raise
        except (OSError, sqlite3.DatabaseError) as error:
            is_refused = isinstance(error, OSError) or is_refusal(error)
            if is_refused and (is_read or not found.saved.is_all):
                raise
            return self._start_anew(found)
        if version == 1:
            return self._migrate(found, rows)
        return self._compare(found, rows)

    def _start_anew(self, found: "_Found") -> list[Row]:
        saved = found.saved
        self.rescue = set_aside(self.path, saved, found.wal)
        return chain_anew(saved.rows)

    def _migrate(self, found: "_Found", rows: Sequence[Row]) -> list[Row]:
        """Seal the rows of the first version; what SQLite no longer saw of them goes on too."""
        kept_at = keep_version(self.path, 1, found.main, found.wal)
        last = max((row.number for row in rows), default=0)
        unseen = [row for row in unsealed_rows(found.main, found.wal) if row.number > last]
        every = [*rows, *unseen]
        missing = gaps(every, max((row.number for row in every), default=0))
        if unseen or missing:
            self.rescue = Rescue(kept_at, len(every), missing)
        sealed = chain_anew(every)
        replace_log(self.path, sealed)
        renew_copy(self.path, bool(found.copy_bytes), sealed)
        return sealed

    def _compare(self, found: "_Found", rows: list[Row]) -> list[Row]:
        """The rows, with the one that a power cut left in the second copy alone.

        A copy that goes on for longer tells that the log lost its end, which is then damaged. One
        that holds the very same lines, as it should, need not be parsed.
        """
        if found.copy_bytes == _lines(rows):
            return rows
        copy, last = found.copy, rows[-1].number if rows else 0
        seals = {row.number: row.seal for row in rows}
        belongs = all(seals.get(row.number, row.seal) == row.seal for row in copy.rows)
        more = [row for row in copy.rows if row.number > last]
        if belongs and copy.highest > last:
            if [copy.highest] != [row.number for row in more] or not is_chain([*rows, *more]):
                return self._start_anew(found)
            write_on(self.path, more)
            rows = [*rows, *more]
        if found.copy_bytes != _lines(rows):
            self.copy_renewed = not (copy.is_sound and belongs and len(copy.rows) >= len(rows))
            renew_copy(self.path, self.copy_renewed, rows)
        return rows


@dataclass(frozen=True, slots=True)
class _Opened:
    """The two files of a log, open for writing."""

    connection: sqlite3.Connection
    copy: LogCopy
    place: tuple[int, int] | None
    """Where the log's file lies: its device and its number there."""

    def close(self) -> None:
        """Let go of both."""
        self.connection.close()
        self.copy.close()


@dataclass(frozen=True)
class _Found:
    """The files of a log as they were before anything touched them."""

    main: bytes
    wal: bytes
    copy_bytes: bytes

    @property
    def copy(self) -> CopyRead:
        return read_copy(self.copy_bytes)

    @property
    def saved(self) -> Salvage:
        return salvage(self.main, self.wal, self.copy)


def _place_of(path: Path) -> tuple[int, int] | None:
    """The device and the number of a file; None where there is none. Raises OSError."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def _lines(rows: Sequence[Row]) -> bytes:
    """The second copy as it should be."""
    return b"".join(map(line_of, rows))


def claim(path: Path, *, may_only_read: bool = False) -> IO[str]:
    """Lock this log against other programs; the lock ends with the process.

    `may_only_read`: on a disk that can only be read the lock is one that cannot be written. Raises
    StoreError where another program has the lock, or the folder cannot be used.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _open_lock(path.with_suffix(".lock"), may_only_read)
    except OSError as error:
        raise NoFolderError("companion.store.no-folder", path=path.parent, reason=error) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise StoreError("companion.store.in-use", path=path.parent) from error
    return lock


def _open_lock(path: Path, may_only_read: bool) -> IO[str]:
    """The lock's file; a pipe in its place is refused at once instead of waited for."""
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o666), "w")
    except OSError as error:
        if error.errno != errno.EROFS or not may_only_read:
            raise
        try:
            return path.open()
        except FileNotFoundError:  # a folder that never held a log: what it lacks is a right
            raise error from None


def _cannot_open(path: Path, error: Exception) -> StoreError:
    if isinstance(error, StoreError):
        return error
    return StoreError("companion.store.cannot-open", path=path, reason=disk_error(path, error))


def _request_id(row: Row) -> str:
    """The name of the request that led to a row, empty where it has none."""
    if REQUEST_ID not in row.data:
        return ""
    with suppress(ValueError, RecursionError):
        document = json.loads(row.data)
        name = document.get(REQUEST_ID) if isinstance(document, dict) else None
        return name if isinstance(name, str) else ""
    return ""


def entry_of(row: Row) -> Event | Unusable:
    """The event that a row holds, or that it is none for this program."""
    try:
        return event_from_json(row.kind, json.loads(row.data))
    except UnknownEventError:
        return Unusable(row.number, is_newer=True)
    except (EventError, ValueError, RecursionError):
        return Unusable(row.number, is_newer=False)
