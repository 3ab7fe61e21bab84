"""The second copy of the log: a text file with one line a row, written and synced before the first.

Where one of the two files is damaged, the other one still holds every row.
"""

import contextlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from companion.log.rows import Row
from companion.whole_file import write_whole


@dataclass(frozen=True, slots=True)
class CopyRead:
    """What a second copy holds.

    `rows` are the whole ones in order of number, `highest` the number of the last row that once
    stood in it. `is_sound` is False where a line is damaged, other than a last one without an end:
    that is what a power cut while writing leaves. With such a line, and without a file, `knows_end`
    is False: rows after `highest` may have been lost.
    """

    rows: tuple[Row, ...] = ()
    is_sound: bool = True
    knows_end: bool = False
    highest: int = 0


class LogCopy:
    """The second copy of an open log; every row is on disk when `append` returns."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        self._end = os.lseek(self._file, 0, os.SEEK_END)
        self._last_bytes = 0

    def append(self, row: Row) -> None:
        """Write the row; raises OSError and leaves the file as it was where that cannot be done."""
        line = line_of(row)
        self._last_bytes = 0
        try:
            _write_all(self._file, line, self._end)
            os.fdatasync(self._file)
        except OSError:
            self._cut(self._end)
            raise
        self._end += len(line)
        self._last_bytes = len(line)

    def take_back(self) -> None:
        """Remove the row just written: it could not be written to the log itself."""
        self._end -= self._last_bytes
        self._last_bytes = 0
        self._cut(self._end)

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _cut(self, end: int) -> None:
        """Where even that fails, the next row is written over what is left."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, end)


def line_of(row: Row) -> bytes:
    """The row as a line of JSON."""
    fields = [row.number, row.at, row.kind, row.data, row.before, row.seal]
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def read_copy(content: bytes) -> CopyRead:
    """The rows of a second copy, from the file's content."""
    *lines, rest = content.split(b"\n")
    read = [_row_of(line) for line in lines]
    highest = 0
    for row in read:
        highest = highest + 1 if row is None else max(highest, row.number)
    rows = {row.number: row for row in (*read, _row_of(rest)) if row is not None}
    ordered = tuple(rows[number] for number in sorted(rows))
    return CopyRead(ordered, None not in read, bool(lines) and not rest, max([highest, *rows]))


def write_copy(path: Path, rows: Iterable[Row]) -> None:
    """Write a second copy anew; it takes its place at once or not at all. Raises OSError."""
    write_whole(path, b"".join(line_of(row) for row in rows))


def _row_of(line: bytes) -> Row | None:
    """The row of a line, None if it is damaged."""
    try:
        number, at, kind, data, before, seal = json.loads(line)
        row = Row(number, at, kind, data, before, seal)
        return row if type(number) is int and row.is_whole else None
    except (ValueError, TypeError, RecursionError):
        return None


def _write_all(file: int, data: bytes, at: int) -> None:
    while data:
        written = os.pwrite(file, data, at)
        data, at = data[written:], at + written
