"""A disk that is recorded: what the log wrote and synced, so that a power cut can be made anywhere.

SQLite runs on a VFS of our own (apsw), the second copy on our own `os`. Both write to real files
and note every write, cut and sync. `after_power_cut` makes the files as a disk may hold them after
a power cut: what was synced is there; of everything later any part may be missing, in any order,
torn within. New names of files count as durable.
"""

import errno
import os
import random
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import apsw

from companion.log import copy, file

SECTOR = 512
"""A disk writes a sector whole or not at all."""


@dataclass(frozen=True)
class Write:
    path: str
    at: int
    data: bytes


@dataclass(frozen=True)
class Cut:
    path: str
    size: int


@dataclass(frozen=True)
class Sync:
    path: str


@dataclass(frozen=True)
class Gone:
    path: str


@dataclass(frozen=True)
class Acknowledged:
    """So many events have been confirmed to the table."""

    events: int


Step = Write | Cut | Sync | Gone | Acknowledged


@dataclass
class Disk:
    """Everything that happened, in order; `full_after` steps the disk is full for `full_for`."""

    steps: list[Step] = field(default_factory=list)
    full_after: int | None = None
    full_for: int = 0
    tried: int = 0
    refused: str = ""
    """The file of the last write for which there was no room."""

    def note(self, step: Step) -> None:
        """Write it down; raises OSError while the disk is full."""
        if isinstance(step, Write):
            self.tried += 1
            start = self.full_after
            if start is not None and start < self.tried <= start + self.full_for:
                self.refused = step.path
                raise OSError(errno.ENOSPC, "No space left on device")
        self.steps.append(step)


def after_power_cut(steps: Sequence[Step], chance: random.Random) -> dict[str, bytes]:
    """The files' contents that a disk may hold when the power fails after these steps."""
    durable: dict[str, bytearray] = {}
    later: dict[str, list[Write | Cut]] = {}
    for step in steps:
        match step:
            case Write() | Cut():
                later.setdefault(step.path, []).append(step)
            case Sync(path):
                _apply(durable.setdefault(path, bytearray()), later.pop(path, []))
            case Gone(path):
                durable.pop(path, None)
                later.pop(path, None)
    for path, waiting in later.items():
        some = [torn for one in waiting if chance.random() < 0.6 for torn in _torn(one, chance)]
        chance.shuffle(some)
        _apply(durable.setdefault(path, bytearray()), some)
    return {path: bytes(content) for path, content in durable.items()}


def _torn(step: Write | Cut, chance: random.Random) -> list[Write | Cut]:
    """A write as the sectors of it that reached the disk."""
    if isinstance(step, Cut) or chance.random() < 0.5:
        return [step]
    pieces = [
        Write(step.path, step.at + start, step.data[start : start + SECTOR])
        for start in range(0, len(step.data), SECTOR)
    ]
    return [piece for piece in pieces if chance.random() < 0.6]


def _apply(content: bytearray, steps: Sequence[Write | Cut]) -> None:
    for step in steps:
        if isinstance(step, Cut):
            del content[step.size :]
            content.extend(bytes(step.size - len(content)))
        else:
            content.extend(bytes(max(0, step.at + len(step.data) - len(content))))
            content[step.at : step.at + len(step.data)] = step.data


class _Files(apsw.VFS):
    def __init__(self, name: str, disk: Disk) -> None:
        self._disk = disk
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802
        return _File(name, flags, self._disk)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802
        self._disk.note(Gone(name))
        super().xDelete(name, sync)


class _File(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], disk: Disk) -> None:
        self._disk = disk
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        try:
            self._disk.note(Write(self._path, offset, bytes(data)))
        except OSError:
            raise apsw.FullError from None
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._disk.note(Cut(self._path, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._disk.note(Sync(self._path))


class _Connection:
    """As much of `sqlite3.Connection` as the log uses, on apsw."""

    def __init__(self, path: Path, vfs: str, disk: Disk) -> None:
        self._disk = disk
        self._own = apsw.Connection(str(path), vfs=vfs)
        # A VFS in Python shares no memory; whoever has the file alone needs none for the WAL.
        self._own.execute("PRAGMA locking_mode = EXCLUSIVE")

    text_factory: Any = None

    def execute(self, words: str, values: Sequence[Any] = ()) -> Any:
        with _as_sqlite3():
            return self._own.execute(words, values)

    def executescript(self, words: str) -> None:
        self.execute(words)

    def executemany(self, words: str, rows: Sequence[Sequence[Any]]) -> None:
        with _as_sqlite3():
            self._own.executemany(words, rows)

    def close(self) -> None:
        """SQLite's own `close` keeps to itself that there was no room to tidy up."""
        with suppress(apsw.FullError):
            self._own.close()

    def __enter__(self) -> "_Connection":
        self.execute("BEGIN")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._disk.refused = ""
        try:
            self.execute("COMMIT" if error is None else "ROLLBACK")
        except sqlite3.Error:
            if error is None and not self._is_committed():
                if not self._own.getautocommit():
                    self._own.execute("ROLLBACK")
                raise

    def _is_committed(self) -> bool:
        """Whether only the pages' way from the write-ahead log into the file found no room.

        SQLite's own interface says nothing of that: the next commit tries again. apsw raises what
        our VFS raised, wherever that was.
        """
        return self._disk.refused != "" and not self._disk.refused.endswith("-wal")


@contextmanager
def _as_sqlite3() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        told = sqlite3.OperationalError(str(error))
        told.sqlite_errorcode = getattr(error, "extendedresult", 1)
        raise told from error


class _Os:
    """`os` for the second copy."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._paths: dict[int, str] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def open(self, path: Path, *more: Any) -> int:
        handle = os.open(path, *more)
        self._paths[handle] = str(path)
        return handle

    def pwrite(self, handle: int, data: bytes, at: int) -> int:
        self._disk.note(Write(self._paths[handle], at, bytes(data)))
        return os.pwrite(handle, data, at)

    def ftruncate(self, handle: int, size: int) -> None:
        self._disk.note(Cut(self._paths[handle], size))
        os.ftruncate(handle, size)

    def fdatasync(self, handle: int) -> None:
        os.fdatasync(handle)
        self._disk.note(Sync(self._paths[handle]))


@contextmanager
def recorded(disk: Disk) -> Iterator[None]:
    """While this lasts, the log lies on the disk."""
    name = f"torture-{id(disk)}"
    vfs = _Files(name, disk)
    before_sqlite, before_os = file.sqlite3, copy.os  # type: ignore[attr-defined]

    class Sqlite:
        """`sqlite3` with connections of ours."""

        def __getattr__(self, attribute: str) -> Any:
            return getattr(sqlite3, attribute)

        def connect(self, path: Path, **more: Any) -> _Connection:
            return _Connection(path, name, disk)

    file.sqlite3, copy.os = Sqlite(), _Os(disk)  # type: ignore[attr-defined, assignment]
    before_hook = sys.unraisablehook

    def quiet(told: Any) -> None:
        """A full disk is meant; SQLite tells it to the log."""
        if not isinstance(told.exc_value, apsw.FullError):
            before_hook(told)

    sys.unraisablehook = quiet
    try:
        yield
    finally:
        sys.unraisablehook = before_hook
        file.sqlite3, copy.os = before_sqlite, before_os  # type: ignore[attr-defined]
        del vfs
