"""The chain of messages that a log makes."""

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.log.file import read_rows
from companion.log.rows import FIRST
from companion.relay.position import Position
from companion.relay.telling import Teller
from companion.relay.wire import Link

MOST_UNDER_WAY = 200
"""Messages sent and not yet confirmed by the hub."""


class LogChain:
    """The messages that the log makes; those that the hub has are made anew where it asks."""

    def __init__(self, log_path: Path, position: Position) -> None:
        self._log_path = log_path
        self._start = position
        self._teller = self._new_teller()
        self._read = 0
        self._waiting: list[Link] = []
        self._rows: list[tuple[int, str]] = [(0, FIRST)]
        """Number and seal of the row last read at each place."""
        self._ids = [""]
        """Id of the message at each place."""

    @property
    def length(self) -> int:
        """The place of the last message."""
        return len(self._rows) - 1

    def has(self, place: int, id: str) -> bool:
        """Whether the chain comes so far, with this message there; an empty id is not compared."""
        if place > self.length:
            return False
        return place <= 0 or not id or self._ids[place] == id

    def row_of(self, place: int) -> tuple[int, str]:
        """Number and seal of the row that a place tells; of the start for 0."""
        return self._rows[place]

    def read(self) -> bool:
        """Take in new rows; False where the log is not the one that was told before."""
        number, seal = self._rows[-1]
        with closing(_connect(self._log_path)) as connection:
            if number and not _holds(connection, number, seal):
                return False
            for row in list(read_rows(connection, number)):
                for link in self._teller.tell(row):
                    self._rows.append((row.number, row.seal))
                    self._ids.append(link.id)
                    self._waiting.append(link)
        start = self._start
        if start.place and (
            self.length < start.place or self._rows[start.place] != (start.number, start.seal)
        ):
            return False
        del self._waiting[: max(0, len(self._waiting) - 2 * MOST_UNDER_WAY)]
        return True

    def links(self, after: int, last: int) -> list[Link]:
        """The messages from behind place `after` to `last`."""
        if self._waiting and self._waiting[0].place <= after + 1:
            return [link for link in self._waiting if after < link.place <= last]
        teller, found = self._new_teller(), []
        with closing(_connect(self._log_path)) as connection:
            for row in read_rows(connection):
                found += [link for link in teller.tell(row) if after < link.place <= last]
                if found and found[-1].place >= last:
                    break
        return found

    def _new_teller(self) -> Teller:
        return Teller(self._start.chain, bytes.fromhex(self._start.key))


def _connect(log_path: Path) -> sqlite3.Connection:
    """The log, to be read only."""
    address = log_path.absolute().as_uri()  # a folder may be called “Table #1”
    return sqlite3.connect(f"{address}?mode=ro", uri=True, timeout=5.0)


def _holds(connection: sqlite3.Connection, number: int, seal: str) -> bool:
    found = connection.execute("SELECT seal FROM events WHERE number = ?", (number,)).fetchone()
    return found is not None and found[0] == seal
