"""Which hands lie open just now: short-lived keys, each known to the one page that shows a hand."""

import secrets
import time
from collections.abc import Callable
from threading import Lock

OPEN_S = 120.0
"""A hand that nobody has touched for so long is closed; the page itself hides it sooner."""

MOST_OPEN = 64
"""More keys than that are never in use; the oldest go first."""


class OpenHands:
    """Gives out keys. A key opens one hand in one page; loading the page anew takes a new key.

    So neither a browser's history nor an address that was seen opens a hand. `clock` tells
    seconds. Every method may be called from several threads at once.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._until: dict[tuple[str, str], float] = {}

    def open(self, colour: str) -> str:
        """A new key for the hand of this colour."""
        key = secrets.token_urlsafe(16)
        with self._lock:
            self._until[colour, key] = self._clock() + OPEN_S
            while len(self._until) > MOST_OPEN:
                del self._until[next(iter(self._until))]
        return key

    def exchange(self, colour: str, key: str) -> str | None:
        """A new key for a key that is spent by this; None where it opens nothing (any more)."""
        with self._lock:
            until = self._until.pop((colour, key), 0.0)
        return self.open(colour) if self._clock() < until else None

    def is_open(self, colour: str, key: str) -> bool:
        """Whether a key opens this hand; asking keeps it open."""
        with self._lock:
            if self._clock() >= self._until.pop((colour, key), 0.0):
                return False
            self._until[colour, key] = self._clock() + OPEN_S
            return True
