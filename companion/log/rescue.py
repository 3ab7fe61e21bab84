"""Saves what can be read of a damaged log and starts a new one with it; the damaged one is kept."""

import errno
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from companion.log.copy import CopyRead, write_copy
from companion.log.pages import Record, find_records
from companion.log.rows import FIRST, Row, chain_anew
from companion.whole_file import sync_folder, write_whole

LEFTOVERS = ("-wal", "-journal", "-shm")
"""What SQLite keeps beside a file that was not closed."""

WriteLog = Callable[[Path, Sequence[Row]], None]
"""Writes a whole log to a path, replacing what is there."""

Span = tuple[int, int]
"""First and last number of entries that follow each other."""


@dataclass(frozen=True, slots=True)
class Salvage:
    """What could be read of a damaged log, in order of number; `missing` as far as it is known.

    `knows_end` tells whether the end of the log is known, so that nothing after it can be missing.
    """

    rows: tuple[Row, ...]
    missing: tuple[Span, ...]
    knows_end: bool


@dataclass(frozen=True, slots=True)
class Rescue:
    """A damaged log was set aside at `kept_at`; `events` entries of it go on in a new one.

    `missing` are the numbers of those that could not be read, as far as they are known; after the
    last known one others may be missing too unless `knows_end`.
    """

    kept_at: Path
    events: int
    missing: tuple[Span, ...] = ()
    knows_end: bool = False


def copy_of(path: Path) -> Path:
    """Where the second copy of a log lies."""
    return path.with_suffix(".copy.jsonl")


def bytes_of(path: Path) -> bytes:
    """A file's content, nothing if there is no such file.

    Raises OSError, also for a pipe or a device of that name: whoever opens one may wait for ever.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "this is no ordinary file", str(path))
    return path.read_bytes() if path.is_file() else b""


def salvage(main: bytes, wal: bytes, copy: CopyRead) -> Salvage:
    """Gather what is readable in a database file, its write-ahead log and the second copy.

    A row counts only with its checksum. Without a single such row the file is taken for one of
    the first version, which had none: whatever looks like an entry then counts.
    """
    records = list(find_records(main, wal))
    found = [row for row in map(_sealed, records) if row is not None]
    rows = _one_each([*copy.rows, *found])
    if not rows:
        rows = unsealed_rows(main, wal)
    last = max([0, copy.highest, *(row.number for row in rows)])
    return Salvage(tuple(rows), gaps(rows, last), copy.knows_end)


def unsealed_rows(main: bytes, wal: bytes) -> list[Row]:
    """Whatever looks like an entry of a log of the first version, in order of number."""
    rows = (_unsealed(record) for record in find_records(main, wal))
    return _one_each(row for row in rows if row is not None)


def gaps(rows: Sequence[Row], last: int) -> tuple[Span, ...]:
    """The numbers from 1 to `last` that no row has."""
    numbers = [0, *(row.number for row in rows), last + 1]
    pairs = pairwise(numbers)
    return tuple((one + 1, next_one - 1) for one, next_one in pairs if next_one - one > 1)


def set_aside(path: Path, saved: Salvage, wal: bytes, write: WriteLog) -> Rescue:
    """Move the damaged files out of the way and start a new log with what was saved.

    The new one is complete on disk before the damaged one moves, so that a power cut at any
    moment leaves both (`finish` ends the job). `wal` is the write-ahead log as it was found.
    Raises OSError.
    """
    kept_at = free_name(path, "damaged")
    rows = chain_anew(saved.rows)
    write(draft_of(path), rows)
    for suffix in LEFTOVERS:
        _move(beside(path, suffix), beside(kept_at, suffix))
    if wal:
        write_whole(beside(kept_at, "-wal"), wal)
    _move(path, kept_at)
    finish(path)
    _move(copy_of(path), copy_of(kept_at))
    write_copy(copy_of(path), rows)
    return Rescue(kept_at, len(rows), saved.missing, saved.knows_end)


def keep_version(path: Path, version: int, main: bytes, wal: bytes) -> Path:
    """Write a copy of a log as it was found, before it takes a newer form. Raises OSError."""
    kept_at = free_name(path, f"version-{version}")
    write_whole(kept_at, main)
    if wal:
        write_whole(beside(kept_at, "-wal"), wal)
    return kept_at


def replace_log(path: Path, rows: Sequence[Row], write: WriteLog) -> None:
    """Put a log with these rows in the place of the present one, at once or not at all."""
    write(draft_of(path), rows)
    for suffix in LEFTOVERS:
        beside(path, suffix).unlink(missing_ok=True)
    draft_of(path).replace(path)
    sync_folder(path.parent)


def renew_copy(path: Path, keep: bool, rows: Sequence[Row]) -> None:
    """Write the second copy anew; the present one is kept under another name if asked for."""
    present = copy_of(path)
    if keep:
        _move(present, free_name(present, "damaged"))
    write_copy(present, rows)


def finish(path: Path) -> None:
    """Give the draft of a rescue its name, once the damaged log has left it."""
    if not path.exists() and draft_of(path).exists():
        draft_of(path).rename(path)
        sync_folder(path.parent)


def beside(path: Path, ending: str) -> Path:
    """The file whose name goes on after this one's."""
    return path.with_name(path.name + ending)


def draft_of(path: Path) -> Path:
    """Where a log is written before it takes its place."""
    return beside(path, ".draft")


def free_name(path: Path, word: str = "") -> Path:
    """A name beside a file that is not taken yet."""
    stem, _, ending = path.name.partition(".")
    stem, number = (f"{stem}.{word}" if word else stem), 1
    while (name := path.with_name(f"{stem}-{number}.{ending}")).exists():
        number += 1
    return name


def _move(part: Path, to: Path) -> None:
    if part.exists():
        part.rename(to)


def _one_each(rows: Iterable[Row]) -> list[Row]:
    """One row a number, in order; of several the one that continues the row before it."""
    by_number: dict[int, list[Row]] = {}
    for row in rows:
        by_number.setdefault(row.number, []).append(row)
    chosen: list[Row] = []
    for number in sorted(by_number):
        before = chosen[-1].seal if chosen else FIRST
        fitting = [row for row in by_number[number] if row.before == before]
        chosen.append((fitting or by_number[number])[0])
    return chosen


def _sealed(record: Record) -> Row | None:
    """The row of a record with a checksum that is right."""
    match record.values:
        case (None, int() | float() as at, *texts) if len(texts) == 4:
            words = [str(text, "utf-8", "replace") for text in texts if isinstance(text, bytes)]
            row = Row(record.number, float(at), *words) if len(words) == 4 else _NO_ROW
            return row if row.is_whole else None
    return None


_NO_ROW = Row(0, 0.0, "", "", "", "")
"""Is not whole."""


def _unsealed(record: Record) -> Row | None:
    """The row of a record of the first version, if its data is a JSON document."""
    match record.values:
        case (None, int() | float() as at, bytes() as kind, bytes() as data):
            with suppress(ValueError, RecursionError):
                json.loads(data)
                return Row(record.number, float(at), kind.decode(), data.decode(), "", "")
    return None
