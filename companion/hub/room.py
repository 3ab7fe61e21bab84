"""The room as the hub knows it: every table's last word, and a version that grows with each."""

import threading
from collections.abc import Mapping, Sequence

from companion.hub.database import Database
from scoring.board.board import Board
from scoring.language import MessageJson
from web.hub.ports import Evidence, RoomTable


class Room:
    """Implements `web.hub.ports.RoomPort`."""

    def __init__(self, database: Database, boards: Mapping[str, Board] = {}) -> None:
        self._database = database
        self._boards = dict(boards)
        self._changed = threading.Condition()
        self._version = 0
        self._tables: dict[str, RoomTable] = {}

    def tables(self) -> Sequence[RoomTable]:
        """Every table, by name."""
        with self._changed:
            return sorted(self._tables.values(), key=lambda table: table.name)

    def table(self, table_id: str) -> RoomTable | None:
        """One table, None where nobody knows it."""
        with self._changed:
            return self._tables.get(table_id)

    def board(self, board_id: str) -> Board | None:
        """A board, None where its file is not here."""
        return self._boards.get(board_id)

    def evidence(self, table_id: str) -> Evidence | None:
        """The finished game that lies on a table."""
        return None

    def troubles(self) -> Sequence[MessageJson]:
        """What is wrong with the hub itself."""
        return ()

    def wait(self, version: int, timeout_s: float) -> int:
        """Sleep until the room's version is another one; returns the version."""
        with self._changed:
            self._changed.wait_for(lambda: self._version != version, timeout_s)
            return self._version

    def shut_out(self, table_id: str, shut: bool) -> None:
        """Take no more from a table, or take from it again."""
