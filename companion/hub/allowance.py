"""How much each table may tell, so that one that floods the room takes nothing from the others."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

MOST_TABLES = 1_000
"""Tables whose allowance is kept; the one that used its own longest ago makes room."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So much `at_once`, and then so much `a_second`."""

    at_once: float
    a_second: float


class Allowance:
    """What is left to each table; for any thread."""

    def __init__(self, rate: Rate, now_s: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._now_s = now_s
        self._lock = Lock()
        self._left: dict[str, tuple[float, float]] = {}
        """What was left, and when."""

    def covers(self, table: str, amount: float = 1.0) -> bool:
        """Whether a table may tell so much now; then it has that much less."""
        with self._lock:
            now_s = self._now_s()
            left, at_s = self._left.pop(table, (self._rate.at_once, now_s))
            left = min(self._rate.at_once, left + (now_s - at_s) * self._rate.a_second)
            is_covered = amount <= left
            self._left[table] = (left - amount if is_covered else left, now_s)
            if len(self._left) > MOST_TABLES:
                del self._left[next(iter(self._left))]
            return is_covered
