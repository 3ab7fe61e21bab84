"""What the hub's pages know of the room and its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from scoring.board.board import Board
from scoring.game.game import Game
from scoring.language import MessageJson
from scoring.sheet.sheet import Sheet
from web.days import EVENING_S


@dataclass(frozen=True, slots=True)
class RoomTable:
    """A table as it last told. `name` is no other table's.

    `state` is the public document that the table sent, empty before its first word.
    """

    id: str
    name: str
    state: Mapping[str, Any]
    is_online: bool
    version: int
    """The room's version at which this table changed last."""
    troubles: Sequence[MessageJson] = ()
    is_shut_out: bool = False
    left_s: float | None = None
    """When it went away, by the hub's clock; None where it is there, or was gone before."""

    def is_of_before(self, now_s: float) -> bool:
        """Whether it went away so long ago that its game is another evening's."""
        told_s = self.state.get("sent_at", now_s) if self.left_s is None else self.left_s
        return not self.is_online and bool(now_s - told_s > EVENING_S)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A finished game, replayed from the table's events with the table's own reducer."""

    board: Board
    game: Game
    sheet: Sheet
    is_whole: bool
    """Whether every event of the game is here and fits its chain."""


class RoomPort(Protocol):
    """The room. Every method may be called from several threads at once."""

    def tables(self) -> Sequence[RoomTable]:
        """Every table, by name."""
        ...

    def table(self, table_id: str) -> RoomTable | None:
        """One table, None where nobody knows it."""
        ...

    def board(self, board_id: str) -> Board | None:
        """A board, None where its file is not here."""
        ...

    def evidence(self, table_id: str) -> Evidence | None:
        """The finished game that lies on a table; None where there is none, or not yet."""
        ...

    def troubles(self) -> Sequence[MessageJson]:
        """What is wrong with the hub itself, or with the room as a whole."""
        ...

    def wait(self, version: int, timeout_s: float) -> int:
        """Sleep until the room's version is another one; returns the version."""
        ...

    def shut_out(self, table_id: str, shut: bool) -> None:
        """Take no more from a table, or take from it again. Raises WebError."""
        ...
