"""Photos come in one after another: together they would fill the memory of a small box."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

from web.errors import BusyError

MOST_ARRIVING = 4
"""Uploads on their way at once; while they arrive they lie in files, not in the memory."""

PATIENCE_S = 15.0
"""How long an upload that has arrived waits for the one before it."""


class Uploads:
    """The turns of uploads. Raises BusyError where there are too many at once."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._arriving = BoundedSemaphore(MOST_ARRIVING)
        self._reading = Lock()
        self._patience_s = patience_s

    @contextmanager
    def arriving(self) -> Iterator[None]:
        """While the request is received."""
        if not self._arriving.acquire(blocking=False):
            raise BusyError("web.error.busy")
        try:
            yield
        finally:
            self._arriving.release()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """While the photos are in the memory: one upload at a time."""
        if not self._reading.acquire(timeout=self._patience_s):
            raise BusyError("web.error.busy")
        try:
            yield
        finally:
            self._reading.release()
