"""Uploads on their way: few at once, and none that only trickles keeps the others waiting."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition

from web.addresses import THIS_MACHINE
from web.errors import BusyError

ARRIVES = "panel.arrives"
"""In a request's environment: its `Upload`. A server may offer it; without it none is ended."""

MOST_ARRIVING = 4
"""Uploads on their way at once; while they arrive they lie in files, not in the memory."""

PATIENCE_S = 15.0
"""How long an upload waits for a place, or one that has arrived for the one before it."""

GRACE_S = 5.0
"""An upload may take so long to get going."""

LEAST_BYTES_S = 30_000.0
"""What is slower makes room for the next one: a photo of 3 MB takes two minutes so."""

LOOK_S = 0.2
"""How often somebody who waits looks at how fast the others come."""


@dataclass(eq=False)
class Upload:
    """A request that brings a file: whose it is, how many bytes have come, and how to end it."""

    machine: object
    received: Callable[[], int] = lambda: 0
    hang_up: Callable[[], None] | None = None
    since_s: float = field(default_factory=time.monotonic)

    def rate(self) -> float:
        """Bytes a second since it has its place."""
        return self.received() / max(0.001, time.monotonic() - self.since_s)


class Arrivals:
    """The places of uploads on their way, in the order of asking."""

    def __init__(
        self,
        most: int = MOST_ARRIVING,
        patience_s: float = PATIENCE_S,
        grace_s: float = GRACE_S,
    ) -> None:
        self._most = most
        self._patience_s = patience_s
        self._grace_s = grace_s
        self._news = Condition()
        self._here: list[Upload] = []
        self._waiting: list[Upload] = []

    @contextmanager
    def place(self, upload: Upload) -> Iterator[None]:
        """While it is received. Raises BusyError where no place comes free in time."""
        self._take(upload)
        try:
            yield
        finally:
            with self._news:
                if upload in self._here:
                    self._here.remove(upload)
                self._news.notify_all()

    def _take(self, upload: Upload) -> None:
        ends_s = time.monotonic() + self._patience_s
        with self._news:
            is_own = upload.machine in THIS_MACHINE
            if not is_own and any(one.machine == upload.machine for one in self._waiting):
                raise BusyError("web.error.busy")  # a machine waits once
            self._waiting.append(upload)
            try:
                while not (self._waiting[0] is upload and self._has_room()):
                    left_s = ends_s - time.monotonic()
                    if left_s <= 0:
                        raise BusyError("web.error.busy")
                    self._news.wait(min(left_s, LOOK_S))
            finally:
                self._waiting.remove(upload)
                self._news.notify_all()
            upload.since_s = time.monotonic()
            self._here.append(upload)

    def _has_room(self) -> bool:
        """Whether there is a place, made free if need be."""
        if len(self._here) < self._most:
            return True
        last = self._one_to_end()
        if last is None or last.hang_up is None:
            return False
        self._here.remove(last)
        last.hang_up()
        return True

    def _one_to_end(self) -> Upload | None:
        """The slowest of a machine that holds several places, else the slowest that trickles."""
        held = Counter(one.machine for one in self._here if one.machine not in THIS_MACHINE)
        most = max(held.values(), default=0)
        crowd = [one for one in self._here if most > 1 and held[one.machine] == most]
        late_s = time.monotonic() - self._grace_s
        trickling = [
            one for one in self._here if one.since_s < late_s and one.rate() < LEAST_BYTES_S
        ]
        return min(crowd or trickling, key=Upload.rate, default=None)
