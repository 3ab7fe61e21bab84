"""Photos are read one reading at a time; the hands take turns at it, each with one upload."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition

from web.errors import BusyError

MOST_OF_HAND = 2
"""Uploads of one hand that wait; they lie on the disk."""


@dataclass(eq=False)
class _Upload:
    """Photos of a hand, by its number."""

    hand: int


class HandQueues:
    """Uploads of one hand go one after another, so that each joins what those before have shown.

    For any thread.
    """

    def __init__(self) -> None:
        self._news = Condition()
        self._uploads: list[_Upload] = []

    @contextmanager
    def of(self, hand: int, patience_s: float) -> Iterator[None]:
        """While one is read. Raises BusyError where those before it last too long, or too many of
        the same hand wait already."""
        mine = _Upload(hand)
        with self._news:
            if len(self._of_hand(hand)) > MOST_OF_HAND:
                raise BusyError("web.error.busy")
            self._uploads.append(mine)
        try:
            with self._news:
                if not self._news.wait_for(lambda: self._of_hand(hand)[0] is mine, patience_s):
                    raise BusyError("web.error.busy")
            yield
        finally:
            with self._news:
                self._uploads.remove(mine)
                self._news.notify_all()

    def _of_hand(self, hand: int) -> list[_Upload]:
        return [one for one in self._uploads if one.hand == hand]


@dataclass(eq=False)
class _Reading:
    """What is read, or waits for it: photos of a hand, by its colour, or others ("")."""

    whose: str


class ReadingTurns:
    """Next is whoever was read longest ago, then who came first. For any thread."""

    def __init__(self) -> None:
        self._news = Condition()
        self._waiting: list[_Reading] = []
        self._present: _Reading | None = None
        self._readings = 0
        self._last: dict[str, int] = {}
        """The number of the last reading of each."""

    @contextmanager
    def of(self, whose: str, patience_s: float) -> Iterator[None]:
        """While it is read. Raises BusyError where its turn does not come in time."""
        mine = _Reading(whose)
        with self._news:
            self._waiting.append(mine)
            is_next = self._news.wait_for(lambda: self._next() is mine, patience_s)
            self._waiting.remove(mine)
            if not is_next:
                raise BusyError("web.error.busy")
            self._readings += 1
            self._present, self._last[whose] = mine, self._readings
        try:
            yield
        finally:
            with self._news:
                self._present = None
                self._news.notify_all()

    def others_go_first(self, whose: str) -> bool:
        """Whether photos of a hand wait while others are read."""
        with self._news:
            others_turn = self._present is not None and self._present.whose != whose
            return others_turn and any(one.whose == whose for one in self._waiting)

    def _next(self) -> _Reading | None:
        if self._present is not None:
            return None
        return min(self._waiting, key=lambda one: self._last.get(one.whose, 0), default=None)
