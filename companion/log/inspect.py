"""What a log's files hold and what is wrong with them, found without writing a byte."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from companion.log.copy import CopyRead, read_copy
from companion.log.file import StoreError, read_log
from companion.log.paths import beside, bytes_of, copy_of, readable_bytes_of
from companion.log.rows import Row
from companion.log.salvage import Span, salvage
from companion.log.twin import folder_in_memory


@dataclass(frozen=True, slots=True)
class LogReport:
    """What lies in the files of one log.

    `is_sound` tells whether a start would take the log as it is, and its second copy holds the
    same. `is_sealed` is False for a log of the first version, whose rows have no checksums.
    """

    path: Path
    rows: tuple[Row, ...]
    missing: tuple[Span, ...]
    is_sealed: bool
    is_sound: bool
    knows_end: bool


def inspect_log(path: Path) -> LogReport:
    """Read the database file, its write-ahead log and its second copy. Raises OSError, StoreError.

    Of a file on a failing disk what can be read counts.

    Nothing is opened for writing, so a log in use and a damaged one may be looked at.
    """
    main, wal = readable_bytes_of(path)[0], bytes_of(beside(path, "-wal"))
    copy = read_copy(readable_bytes_of(copy_of(path))[0])
    both = salvage(main, wal, copy)
    is_sealed = all(row.seal for row in both.rows)
    taken = _rows_at_a_start(main, wal, path)
    return LogReport(
        path=path,
        rows=both.rows,
        missing=both.missing,
        is_sealed=is_sealed,
        is_sound=taken is not None and (not is_sealed or _same(taken, copy)),
        knows_end=both.knows_end,
    )


def _rows_at_a_start(main: bytes, wal: bytes, path: Path) -> tuple[Row, ...] | None:
    """What a start would find without a rescue, None where it would need one.

    Tried on copies, since SQLite tidies what it opens. Raises StoreError where a newer program
    wrote it.
    """
    if not main:
        return None
    with folder_in_memory() as folder:
        twin = folder / path.name
        twin.write_bytes(main)
        if wal:
            beside(twin, "-wal").write_bytes(wal)
        try:
            return tuple(read_log(twin)[1])
        except StoreError as error:  # of the log that was asked for, not of the copy
            raise StoreError(error.key, **{**error.message.values, "path": path}) from error
        except sqlite3.DatabaseError:
            return None


def _same(own: tuple[Row, ...], copy: CopyRead) -> bool:
    """Whether both files hold the same rows; a copy one row ahead is what a power cut leaves."""
    more = len(copy.rows) - len(own)
    return copy.is_sound and more in (0, 1) and copy.rows[: len(own)] == own
