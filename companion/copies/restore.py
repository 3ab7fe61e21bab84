"""A copy becomes a new box's table: it is kept in the data folder, and taken when the program
starts, before the log is opened."""

import errno
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO

from companion.copies.desk import DATE
from companion.copies.sticks import Stick, find_sticks, key_of, open_folder
from companion.errors import UnusableInputError
from companion.log.file import StoreError
from companion.log.table_file import (
    MOST_BYTES,
    log_rows,
    name_as_text,
    open_pack,
    refuse_another_table,
    unpack_table,
)
from companion.whole_file import FULL, OWNER_ONLY, clear_drafts, sync_folder, writing_whole
from scoring.language import Message
from web.days import CLOCK_SET_S
from web.errors import ActionRefusedError, BusyError
from web.restore_port import FoundCopy

WAITING = "restore.zip"
"""The copy that becomes the table at the next start."""

COMING = "restore.new.zip"
"""One that was not looked through yet."""

TRIED = "restore.again.zip"
"""One that a start broke off with: it is tried once more, and no third time, for a copy that takes
more memory than the box has would break off every start."""

COPIES = "companion-*.zip"

NAME = re.compile(r"companion-(?P<table>.+)-(?P<at>\d{4}-\d\d-\d\d-\d{4})(?:-\d+)?\.zip")

MOST_SHOWN = 12
"""The newest copies are looked for; a stick may hold one of every evening."""


@dataclass(frozen=True, slots=True)
class _Source:
    """A copy's file by its name, the way to open it, and the stick on which it lies, if any."""

    name: str
    stick: str | None
    open: Callable[[], AbstractContextManager[IO[bytes]]]


class RestoreDesk:
    """Takes a copy for the table of a data folder; may be used from several threads.

    `is_new` tells whether nothing was played there yet, `start_anew` has the program started once
    more, soon after it returns. `trouble` says why this start did not take the copy that waited.
    """

    def __init__(
        self,
        data: Path,
        is_new: Callable[[], bool],
        start_anew: Callable[[], None],
        find: Callable[[], Sequence[Stick]] = find_sticks,
        trouble: Message | None = None,
    ) -> None:
        self._data = data
        self._is_new = is_new
        self._start_anew = start_anew
        self._find = find
        self.trouble = trouble
        self.is_under_way = False
        """Whether the program is about to start anew with a copy."""
        self._busy = threading.Lock()

    def in_the_way(self) -> Message | None:
        """Why this box takes no copy; None where nothing was played on it yet."""
        return None if self._is_new() else Message("companion.restore.not-new")

    def found(self) -> Sequence[FoundCopy]:
        """The copies that are plugged in, the newest first."""
        found = [copy for _, _, copy in self._copies()]
        found.sort(key=lambda one: (one.at or datetime.min, one.file), reverse=True)
        return found[:MOST_SHOWN]

    def restore(self, key: str) -> None:
        """Keep a copy and start anew with it; a tap behind the one that did so changes nothing.

        Raises ActionRefusedError with what is in the way, and BusyError; nothing is kept then.
        """

        def plugged_in() -> _Source:
            stick, name = self._called(key)
            return _Source(name, stick.name, partial(_on_stick, stick, name))

        self._restore(plugged_in)

    def restore_sent(self, name: str, file: IO[bytes]) -> None:
        """The same with a copy that a device has sent, from its beginning."""
        self._restore(lambda: _Source(name, None, lambda: nullcontext(file)))

    def _restore(self, find: Callable[[], _Source]) -> None:
        if not self._busy.acquire(blocking=False):
            raise BusyError("companion.restore.busy")
        try:
            if self.is_under_way:
                return
            self._require_new()
            self._keep(find())
            self.is_under_way = True
        finally:
            self._busy.release()
        self._start_anew()

    def _require_new(self) -> None:
        if self.in_the_way() is not None:
            raise ActionRefusedError("companion.restore.not-new")

    def _called(self, key: str) -> tuple[Stick, str]:
        for stick, name, copy in self._copies():
            if copy.key == key:
                return stick, name
        raise ActionRefusedError("companion.restore.gone")

    def _copies(self) -> Iterator[tuple[Stick, str, FoundCopy]]:
        for stick in self._find():
            with suppress(OSError), open_folder(stick) as folder:
                for path in folder.glob(COPIES):
                    if path.is_file() and not path.is_symlink():
                        yield stick, path.name, _found(stick, path.name)

    def _keep(self, source: _Source) -> None:
        coming = self._data / COMING
        try:
            _fetch(source, coming)
            with open_pack(coming) as pack:
                refuse_another_table(self._data, pack)
            self._require_new()  # a game may have begun while the copy was read
            coming.replace(self._data / WAITING)
            sync_folder(self._data)
        except (OSError, StoreError) as error:
            if isinstance(error, OSError) and error.errno in FULL:
                raise ActionRefusedError("companion.restore.full") from error
            if isinstance(error, OSError) and error.errno == errno.EROFS:
                raise ActionRefusedError("companion.store.read-only") from error
            if source.stick is None:
                raise ActionRefusedError("companion.restore.not-taken", reason=error) from error
            raise ActionRefusedError("companion.restore.unreadable", name=source.stick) from error
        except UnusableInputError as error:
            is_there = error.key == "companion.error.table-there"
            key = "companion.restore.not-new" if is_there else "companion.restore.no-copy"
            raise ActionRefusedError(key, file=name_as_text(source.name)) from error
        finally:
            with suppress(OSError):
                coming.unlink(missing_ok=True)


@contextmanager
def _on_stick(stick: Stick, name: str) -> Iterator[IO[bytes]]:
    with open_folder(stick) as folder, (folder / name).open("rb") as file:
        yield file


def _fetch(source: _Source, coming: Path) -> None:
    """Raises OSError, and UnusableInputError for what is larger than any copy."""
    with source.open() as file:
        if file.seek(0, os.SEEK_END) > MOST_BYTES:
            raise UnusableInputError("companion.error.table-file", path=source.name)
        file.seek(0)
        with writing_whole(coming, mode=OWNER_ONLY) as own:  # it may hold passwords
            shutil.copyfileobj(file, own)


def take_waiting(data: Path) -> int | None:
    """Make the copy that waits in a data folder its table; the number of events, None without one.

    What a power cut broke off is done to its end. Raises UnusableInputError, StoreError and
    OSError; no copy waits then any more, and the table is what it was.
    """
    waiting, tried = data / WAITING, data / TRIED
    with suppress(OSError):
        (data / COMING).unlink(missing_ok=True)
        clear_drafts(data, COMING)
    try:
        if waiting.exists():
            return _take(waiting.replace(tried), data)
        if tried.exists():
            with tried.open("rb") as file:
                if not os.fstat(file.fileno()).st_size:
                    raise UnusableInputError("companion.restore.broke-off")
                tried.unlink()
                with suppress(OSError):
                    tried.touch()  # the next start tells of it
                return _take(Path(f"/proc/self/fd/{file.fileno()}"), data)
        return None
    finally:
        for path in (waiting, tried):
            with suppress(OSError):
                path.unlink(missing_ok=True)


def _take(copy: Path, data: Path) -> int:
    try:
        return unpack_table(copy, data)
    except UnusableInputError:
        with open_pack(copy) as pack:
            if not pack.rows or list(log_rows(data)) != list(pack.rows):
                raise
        return len(pack.rows)  # the power went between the last of its files and its own end


def _found(stick: Stick, name: str) -> FoundCopy:
    key = key_of(stick.key, name)
    shown, named = name_as_text(name), NAME.fullmatch(name)
    if named is None:
        return FoundCopy(key, stick.name, shown, "", None)
    table = name_as_text(named["table"])
    return FoundCopy(key, stick.name, shown, table, _moment(named["at"]))


def _moment(at: str) -> datetime | None:
    """When a copy was made, None where the clock was not set or it is no time."""
    with suppress(ValueError):
        moment = datetime.strptime(at, DATE)
        return moment if moment.timestamp() >= CLOCK_SET_S else None
    return None
