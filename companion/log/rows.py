"""One row of the log: what happened when, sealed by a checksum that includes the row before it."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

FIRST = "0" * 32
"""Stands for the row before the first."""

LATEST_S = 253_370_764_800.0
"""The year 9999, the last that a calendar here knows, in seconds since 1970."""


def is_date(at_s: float) -> bool:
    """Whether a moment, in seconds since 1970, has a day that can be told. NaN has none."""
    return 0.0 <= at_s <= LATEST_S


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it lies on disk. `at` is in seconds since 1970, `data` the event's JSON text.

    `seal` is the checksum of everything else; `before` is the seal of the row before. A row can
    therefore be checked by itself, and that none is missing before it can be checked as well.
    """

    number: int
    at: float
    kind: str
    data: str
    before: str
    seal: str

    @property
    def moment_s(self) -> float:
        """When it was written. A file from elsewhere may say any number; one that is no date
        counts as none, 1970: it would break every page that shows it.
        """
        return self.at if is_date(self.at) else 0.0

    @property
    def is_whole(self) -> bool:
        """Whether nothing in the row has changed since it was written."""
        return self.seal == _checksum(self.number, self.at, self.kind, self.data, self.before)


def seal_row(before: Row | None, at: float, kind: str, data: str) -> Row:
    """The row that follows `before` (None: the first row of a log)."""
    number, seal = (before.number + 1, before.seal) if before else (1, FIRST)
    return Row(number, at, kind, data, seal, _checksum(number, at, kind, data, seal))


def chain_anew(rows: Iterable[Row]) -> list[Row]:
    """The same entries numbered from 1 without gaps, each sealed anew."""
    chained: list[Row] = []
    for row in rows:
        before = chained[-1] if chained else None
        chained.append(seal_row(before, row.at, row.kind, row.data))
    return chained


def is_chain(rows: Iterable[Row]) -> bool:
    """Whether these are rows from the first on, each whole and none missing between them."""
    before: Row | None = None
    for row in rows:
        number, seal = (before.number + 1, before.seal) if before else (1, FIRST)
        if (row.number, row.before) != (number, seal) or not row.is_whole:
            return False
        before = row
    return True


def _checksum(number: int, at: float, kind: str, data: str, before: str) -> str:
    """The first half of SHA-256: 128 bits are plenty against damage. Takes any damaged type."""
    words = json.dumps([before, number, at, kind, data], separators=(",", ":"), default=str)
    return hashlib.sha256(words.encode()).hexdigest()[:32]
