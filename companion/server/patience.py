"""How long a client may keep its request waiting; what the program itself needs does not count."""

import io
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from web.sent.arrivals import LEAST_BYTES_S

CLIENT_S = 120.0
"""A client may keep the program waiting for so long in all, besides what its bytes take."""

PIECE_BYTES = 65_536
"""As much is read or written at once: what a refused upload still sends must not fill the memory,
and a large answer over a slow network gets along piece by piece."""


class Patience:
    """What a client has taken of its time: six photos over a slow network are no fault of it.

    Sending and taking the answer have a `Patience` each: who sent too slowly can still be told.
    """

    def __init__(self) -> None:
        self._waited_s = 0.0
        self._moved_bytes = 0

    @property
    def is_over(self) -> bool:
        """Whether the client took longer than its bytes take over a slow network."""
        return self._waited_s > CLIENT_S + self._moved_bytes / LEAST_BYTES_S

    def moved(self, count: int) -> None:
        """So many bytes came or went."""
        self._moved_bytes += count

    @contextmanager
    def waits(self) -> Iterator[None]:
        """While the program waits for the client."""
        began_s = time.monotonic()
        try:
            yield
        finally:
            self._waited_s += time.monotonic() - began_s


class PatientWriter(io.BufferedIOBase):
    """Writes an answer in pieces: the limit of silence holds for each, not for all together."""

    def __init__(self, target: io.BufferedIOBase) -> None:
        self._target = target
        self._patience = Patience()

    def write(self, data: Any) -> int:
        """Send all of it; raises TimeoutError where the client takes it too slowly."""
        view = memoryview(data)
        for start in range(0, len(view), PIECE_BYTES):
            if self._patience.is_over:
                raise TimeoutError("the client takes its answer too slowly")
            piece = view[start : start + PIECE_BYTES]
            with self._patience.waits():
                self._target.write(piece)
            self._patience.moved(len(piece))
        return len(view)

    def close(self) -> None:
        """Let the connection go; nothing is held back."""
        self._target.close()
        super().close()
