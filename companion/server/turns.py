"""Turns at being worked on: a machine that asks a lot waits for itself, not the others for it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from web.addresses import THIS_MACHINE

AT_ONCE = 2
"""Requests of one machine that are worked on at once; its others wait. A tablet asks for one page
at a time, and for some pictures with it."""

CROWD = 8
"""More requests than a browser sends at once: who has as many here does not wait for answers."""

CROWD_PAUSE_S = 0.1
"""Before each request of a crowd: the processor is free for the others meanwhile."""

MOST_OF_OWN = 1_000
"""As good as no limit: the server has one of its own."""


class Turn:
    """One request's turn, which ends with the request."""

    def __init__(self, places: threading.Semaphore, is_in_crowd: bool) -> None:
        self._places = places
        self._is_in_crowd = is_in_crowd
        self._is_mine = False

    def take(self) -> None:
        """Wait until the machine has a place."""
        self._places.acquire()
        self._is_mine = True
        if self._is_in_crowd:
            time.sleep(CROWD_PAUSE_S)

    def end(self) -> None:
        """Let the machine's next request begin, where this one had a place."""
        if self._is_mine:
            self._places.release()


class Turns:
    """The places of every machine that has a request here."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._lock = threading.Lock()
        self._places: dict[object, tuple[threading.Semaphore, int]] = {}

    def _new_places(self, machine: object) -> threading.Semaphore:
        return threading.Semaphore(MOST_OF_OWN if machine in THIS_MACHINE else self._at_once)

    @contextmanager
    def of(self, machine: object) -> Iterator[Turn]:
        """A turn for one request of a machine."""
        with self._lock:
            places, users = self._places.get(machine, (self._new_places(machine), 0))
            self._places[machine] = (places, users + 1)
        turn = Turn(places, users >= CROWD and machine not in THIS_MACHINE)
        try:
            yield turn
        finally:
            turn.end()
            with self._lock:
                places, users = self._places.pop(machine)
                if users > 1:
                    self._places[machine] = (places, users - 1)
