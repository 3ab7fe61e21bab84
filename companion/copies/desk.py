"""Writes copies of the table, one at a time, and says in one sentence what was in the way."""

import errno
import glob
import io
import os
import tempfile
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from companion.copies.sticks import Stick, find_sticks, open_folder
from companion.log.file import StoreError
from companion.log.paths import free_name
from companion.log.replay import beginning_of_the_last_game
from companion.log.rows import Row, seal_row
from companion.log.store import entry_of
from companion.log.table_file import log_rows, lost_files, pack_table, write_pack
from companion.session.events import EVENT_OF_KIND, HANDS, Copied, Event
from companion.session.forgetting import leads_to_unfinished
from companion.session.state import State
from companion.whole_file import FULL, clear_drafts
from scoring.language import Message
from web.copy_port import CopyPlace, CopySaved, PackedTable
from web.errors import ActionRefusedError, BusyError

PROTECTED = (errno.EROFS, errno.EACCES, errno.EPERM)

COPIED_BYTES = 1_000
"""A copy's own note in the log makes it longer by less."""

ONLY_READ = Message("companion.store.read-only")

NO_FIELDS = "{}"

DATE, DATE_GLOB = "%Y-%m-%d-%H%M", "????-??-??-????"
"""In the name of a copy."""

IN_MEMORY_BYTES = 4_000_000
"""A copy for a device lies in a file from this size on."""


class CopiedEvening(Protocol):
    """The state that the log leads to; it changes only by `record`, under the lock."""

    lock: threading.Condition
    state: State

    @property
    def no_room(self) -> Message | None:
        """Why nothing can be written to the log since the start, None where it can be."""
        ...

    def record(self, event: Event) -> None:
        """Write the event to the log. Raises ActionRefusedError."""
        ...


class CopyDesk:
    """Copies of the table in a data folder; may be used from several threads.

    `evening` gives the log's state, `table` is the table's name in the names of files.
    """

    def __init__(
        self,
        data: Path,
        evening: Callable[[], CopiedEvening],
        table: str,
        find: Callable[[], Sequence[Stick]] = find_sticks,
    ) -> None:
        self._data = data
        self._evening = evening
        self._table = table
        self._find = find
        self._busy = threading.Lock()

    def places(self) -> Sequence[CopyPlace]:
        """Where a copy can be written now."""
        return [
            CopyPlace(one.key, one.name, one.is_mounted, _free_bytes(one.folder))
            for one in self._find()
        ]

    def forgets(self) -> bool:
        """Whether undo leads back to an unfinished game, which it no longer does after a copy."""
        return leads_to_unfinished(self._evening().state)

    def save(self, key: str) -> CopySaved:
        """Write a copy to a place; it is on the device, and was read back, when this returns.

        Raises ActionRefusedError with what is in the way, and BusyError.
        """
        with self._alone():
            stick = next((one for one in self._find() if one.key == key), None)
            if stick is None:
                raise ActionRefusedError("companion.copy.no-stick")
            self._clear_away(stick)
            try:
                rows = self._rows(lambda rows: self._try_room(stick, rows))
                name, lost = self._write(stick, rows)
            except StoreError as error:
                raise _not_packed(error) from error
            except OSError as error:
                raise ActionRefusedError(_why(error, stick), name=stick.name) from error
            except zipfile.BadZipFile as error:
                raise ActionRefusedError("companion.copy.broken", name=stick.name) from error
            lacks = Message("companion.copy.left-out", files=", ".join(lost)) if lost else None
            return CopySaved(stick.name, name, len(rows), stick.is_mounted, lacks)

    def save_by_button(self) -> Message:
        """Write a copy where no choice is needed, and return the sentence that says so.

        On the one stick; without any, in the one folder that the configuration names. Raises what
        `save` does, and ActionRefusedError where there is none, or several.
        """
        found = list(self._find())
        sticks = [one for one in found if one.is_mounted] or found
        if len(sticks) != 1:
            raise ActionRefusedError("companion.copy.several" if sticks else "companion.copy.none")
        forgets = self.forgets()
        saved = self.save(sticks[0].key)
        key = "stick" if saved.is_stick else "folder"
        said = Message(f"companion.copy.saved-{key}", name=saved.place)
        if saved.left_out is not None:
            said = Message("companion.copy.lacking", saved=said, lacks=saved.left_out)
        return Message("companion.copy.forgotten", saved=said) if forgets else said

    def packed(self) -> PackedTable:
        """The copy itself, for the device that asks. Raises ActionRefusedError, BusyError."""
        with self._alone():
            if lost := self._lost():  # the device is only sent a file, which cannot say so
                raise ActionRefusedError("companion.copy.stick-instead", files=", ".join(lost))
            with ExitStack() as stack:
                file = stack.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES))

                def write(rows: Sequence[Row]) -> None:
                    file.seek(0)
                    file.truncate()
                    write_pack(self._data, file, rows, is_private=False)

                try:
                    write(self._rows(write))
                except StoreError as error:
                    raise _not_packed(error) from error
                except OSError as error:
                    raise _unreadable(error) from error
                file.seek(0)
                stack.pop_all()
            return PackedTable(self._file_name(), file)

    def _lost(self) -> Sequence[str]:
        """The files that the disk does not give. Raises ActionRefusedError."""
        try:
            return lost_files(self._data)
        except OSError as error:
            raise _unreadable(error) from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise BusyError("companion.copy.busy")
        try:
            yield
        finally:
            self._busy.release()

    def _clear_away(self, stick: Stick) -> None:
        """What a power cut left of this table's copies: it takes the room of the next one."""
        names = f"{glob.escape(self._beginning)}{DATE_GLOB}*.zip"
        with suppress(OSError), open_folder(stick) as folder:  # told where the copy is written
            clear_drafts(folder, names)

    def _rows(self, rehearse: Callable[[Sequence[Row]], None]) -> Sequence[Row]:
        """The log's rows; hands that the players still hide, or may hide again, are in no copy.

        Undo leads to no unfinished game from then on, in the copy as at the table: before a byte of
        it leaves the box, for whoever pulls the stick has read it. `rehearse` raises what would
        refuse the copy without one, so that such a copy costs no undo.
        """
        evening = self._evening()
        with evening.lock:
            rows = self._read_open()
            if not leads_to_unfinished(evening.state):
                return rows
        rehearse(rows)
        with evening.lock:
            rows = self._read_open()  # a hand may have been entered meanwhile
            if evening.no_room == ONLY_READ:  # no undo either, and the next card gets the copy
                return [*rows, seal_row(rows[-1], time.time(), Copied.kind, NO_FIELDS)]
            evening.record(Copied())
            return self._read()

    def _read_open(self) -> Sequence[Row]:
        """The rows of a log without a hand that is still secret."""
        rows = self._read()
        if self._evening().state.facts.phase not in ("start", "sheet") and _holds_hands(rows):
            raise ActionRefusedError("companion.copy.hands")
        return rows

    def _read(self) -> Sequence[Row]:
        try:
            return log_rows(self._data)
        except StoreError as error:
            raise ActionRefusedError.saying(error) from error
        except OSError as error:
            raise _unreadable(error) from error

    def _try_room(self, stick: Stick, rows: Sequence[Row]) -> None:
        """Take as much room as the copy needs, with zeros alone, and give it back.

        Raises OSError and StoreError, as `_write` would.
        """
        with open_folder(stick) as folder, tempfile.TemporaryFile(dir=folder) as trial:
            size = _Size()
            with io.BufferedWriter(size) as file:
                write_pack(self._data, file, rows, is_private=False)
            os.posix_fallocate(trial.fileno(), 0, size.bytes + COPIED_BYTES)

    def _write(self, stick: Stick, rows: Sequence[Row]) -> tuple[str, Sequence[str]]:
        """Write the copy and read it back; returns the file's name, and what it lacks.

        No other copy gives way: of two boxes of one name, or of two evenings of a box whose clock
        begins anew, one may be called the same.
        """
        with open_folder(stick) as folder:
            path = folder / self._file_name()
            if path.exists():
                path = free_name(path)
            lost = pack_table(self._data, path, rows, is_private=False)
            _read_back(path)
            return path.name, lost

    @property
    def _beginning(self) -> str:
        """With what the names of this table's copies begin."""
        return f"companion-{self._table}-"

    def _file_name(self) -> str:
        return f"{self._beginning}{time.strftime(DATE)}.zip"


class _Size(io.RawIOBase):
    """Only counts what is written."""

    def __init__(self) -> None:
        self.bytes = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self.bytes += len(data)
        return len(data)


def _holds_hands(rows: Sequence[Row]) -> bool:
    """Whether the log says something of a hand of the game in play.

    It began where it was first started: a start behind that may have been taken back.
    """
    begun = beginning_of_the_last_game([(row.at, entry_of(row)) for row in rows])
    kinds = [EVENT_OF_KIND.get(row.kind) for row in rows[begun:]]
    return any(kind is None or issubclass(kind, HANDS) for kind in kinds)


def _read_back(path: Path) -> None:
    """From the device itself, not from memory. Raises OSError, BadZipFile."""
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        try:
            with zipfile.ZipFile(file) as archive:
                damaged = archive.testzip()
        except (zlib.error, EOFError) as error:
            raise zipfile.BadZipFile from error
        if damaged is not None:
            raise zipfile.BadZipFile


def _not_packed(error: StoreError) -> ActionRefusedError:
    return ActionRefusedError("companion.copy.not-packed", reason=error)


def _unreadable(error: OSError) -> ActionRefusedError:
    return ActionRefusedError("companion.copy.unreadable", reason=error)


def _why(error: OSError, stick: Stick) -> str:
    if error.errno in FULL:
        return "companion.copy.full"
    if not stick.is_mounted:
        return "companion.copy.folder"
    if error.errno in PROTECTED:
        return "companion.copy.protected"
    return "companion.copy.pulled"


def _free_bytes(folder: Path) -> int | None:
    with suppress(OSError):
        room = os.statvfs(folder)
        return room.f_bavail * room.f_frsize
    return None
