"""A room without a broker and a database, for the tests of its pages."""

import time
from collections.abc import Sequence

from scoring.board.board import Board, load_board
from scoring.game.mapless import mapless_games
from scoring.language import MessageJson
from web.hub.ports import Evidence, RoomTable


class FakeRoom:
    """Implements `web.hub.ports.RoomPort`; holds what a test puts in."""

    def __init__(self, tables: Sequence[RoomTable] = ()) -> None:
        self.known = {table.id: table for table in tables}
        self.evidences: dict[str, Evidence] = {}
        self.said: list[MessageJson] = []
        self.version = 1
        self.shut: list[tuple[str, bool]] = []

    def tables(self) -> Sequence[RoomTable]:
        return sorted(self.known.values(), key=lambda table: table.name)

    def table(self, table_id: str) -> RoomTable | None:
        return self.known.get(table_id)

    def board(self, board_id: str) -> Board | None:
        if board_id in ("usa", "germany"):
            return load_board(board_id)
        return next((game for game in mapless_games() if game.id == board_id), None)

    def evidence(self, table_id: str) -> Evidence | None:
        return self.evidences.get(table_id)

    def troubles(self) -> Sequence[MessageJson]:
        return self.said

    def wait(self, version: int, timeout_s: float) -> int:
        """Looks now and then; a page that is never closed must not keep the processor busy."""
        until_s = time.monotonic() + timeout_s
        while self.version == version and time.monotonic() < until_s:
            time.sleep(0.01)
        return self.version

    def shut_out(self, table_id: str, shut: bool) -> None:
        self.shut.append((table_id, shut))
