"""What the tables have told and nobody has taken yet; for any thread."""

import time
from collections import deque
from collections.abc import Callable
from threading import Condition

from companion.relay.wire import Link

MOST_WAITING = 20_000
"""Messages that wait for the database; more are dropped, for the tables send them again."""

MOST_OF_ONE = 250
"""So many of one table: it has no more than 200 under way."""

STATE_PAUSE_S = 0.05
"""Least time between two states of a table that are looked at; a table sends ten a second."""


class Waiting:
    """Messages of the chains, in each table's order; the tables take turns."""

    def __init__(self) -> None:
        self._has_some = Condition()
        self._of: dict[str, deque[Link]] = {}
        self._count = 0

    def has_place(self, table: str) -> bool:
        """Whether one more message of a table may wait."""
        with self._has_some:
            return self._count < MOST_WAITING and len(self._of.get(table, ())) < MOST_OF_ONE

    def put(self, table: str, link: Link) -> None:
        """Let a message wait."""
        with self._has_some:
            self._of.setdefault(table, deque()).append(link)
            self._count += 1
            self._has_some.notify()

    def take(self, most: int, timeout_s: float) -> list[tuple[str, Link]]:
        """What waits, or what comes next, as many of each table; empty after a while."""
        with self._has_some:
            self._has_some.wait_for(lambda: self._count, timeout_s)
            batch: list[tuple[str, Link]] = []
            while self._count and len(batch) < most:
                for table in list(self._of):
                    links = self._of.pop(table)
                    batch.append((table, links.popleft()))
                    self._count -= 1
                    if links:
                        self._of[table] = links  # behind the others
                    if len(batch) == most:
                        break
            return batch


class LatestStates:
    """Each table's last state, which replaces one that nobody has looked at yet."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._has_some = Condition()
        self._now_s = now_s
        self._waiting: dict[str, bytes] = {}
        self._taken_s: dict[str, float] = {}

    def put(self, table: str, payload: bytes) -> None:
        """A table told its state."""
        with self._has_some:
            self._waiting[table] = payload
            self._has_some.notify()

    def take(self, timeout_s: float) -> dict[str, bytes]:
        """The states that may be looked at now; empty after a while."""
        with self._has_some:
            if not self._waiting:
                self._has_some.wait(timeout_s)
            now_s = self._now_s()
            due = {
                table: payload
                for table, payload in self._waiting.items()
                if now_s - self._taken_s.get(table, 0.0) >= STATE_PAUSE_S
            }
            if self._waiting and not due:
                self._has_some.wait(STATE_PAUSE_S)
            for table in due:
                del self._waiting[table]
                self._taken_s[table] = now_s
            return due
