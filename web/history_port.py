"""What the panel needs to show old evenings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.board.board import Board
from scoring.game.game import Game
from scoring.sheet.sheet import Sheet
from web.days import CLOCK_SET_S


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """How one player came out of an evening."""

    name: str
    colour: str
    total: int
    rank: int
    tickets_completed: int
    longest_path: int | None
    """In wagons; None where the game has no map."""


@dataclass(frozen=True, slots=True)
class EveningSummary:
    """One evening in the list; `players` in seat order, times in seconds since 1970."""

    id: str
    board: str
    began_s: float
    ended_s: float
    players: tuple[PlayerResult, ...]
    winners: tuple[str, ...]
    is_deleted: bool = False
    is_current: bool = False
    """Whether it is the game that still lies on the table."""
    dated_s: float | None = None
    """When it began by the clock that was put right later, or, where that is not known, when the
    clock was first right; None where it began so, or never was."""

    @property
    def day_s(self) -> float:
        """The moment by which the evening is dated."""
        return self.began_s if self.dated_s is None else self.dated_s

    @property
    def clock_began_s(self) -> float:
        """The beginning by the clock that was right at the end, as far as that is known."""
        return self.began_s if self.began_s < CLOCK_SET_S else self.day_s

    @property
    def in_order(self) -> tuple[PlayerResult, ...]:
        """The players, the best first."""
        return tuple(sorted(self.players, key=lambda player: player.rank))


@dataclass(frozen=True, slots=True)
class OldEvening:
    """An evening opened again: its summary, and its game scored anew."""

    summary: EveningSummary
    board: Board
    game: Game
    sheet: Sheet

    @property
    def scores_otherwise(self) -> bool:
        """Whether the program now gives other points than on that evening."""
        then = [(player.name, player.total) for player in self.summary.players]
        return then != [(player.name, player.total) for player in self.sheet.players]


class HistoryPort(Protocol):
    """The old evenings of a table. Every method may be called from several threads at once."""

    def evenings(self) -> Sequence[EveningSummary]:
        """Every finished evening, the newest first, with those in the bin."""
        ...

    def evening(self, id: str) -> OldEvening | None:
        """One evening with its sheet; None where there is none, or its board is another one now."""
        ...

    def joined_names(self) -> Sequence[tuple[str, str]]:
        """Names that are one person with another, each with the name that stands for both."""
        ...

    def named_today(self, names: Sequence[str]) -> Sequence[str]:
        """The players of one game, as they were typed, by the names that stand for them today."""
        ...

    def have_met(self, one: str, other: str) -> bool:
        """Whether two names have played in one game, the one in play or one in the bin too."""
        ...

    def picture(self, id: str, language: str) -> bytes | None:
        """The result as a PNG picture, None where there is no such evening."""
        ...
