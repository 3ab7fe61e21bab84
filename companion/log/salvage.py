"""What can be read of a damaged log, from the bytes of its files; pure."""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from companion.log.copy import CopyRead
from companion.log.pages import Record, find_records
from companion.log.rows import FIRST, Row

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

    @property
    def is_all(self) -> bool:
        """Whether it is known that nothing is missing."""
        return self.knows_end and not self.missing


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
