"""Has photos of a hand read by a process of its own: it takes much memory, and then none."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from companion.errors import RefusalError
from companion.table.hand_photos.documents import (
    PhotoSeen,
    map_names_from_json,
    new_cards_from_json,
    photo_from_json,
)
from scoring.language import Message
from vision.tickets.deck import Deck
from vision.tickets.map_names import PrintedName
from vision.tickets.networks import are_installed
from web.studio_port import CardToTeach

T = TypeVar("T")

PHOTO_S = 30.0
"""A photo takes 2 s, on a busy Raspberry Pi perhaps ten times that; the start gets as long."""

TURN_S = 10.0
"""After so long no further photo of a hand is begun before others had their turn."""

MAP_S = 300.0
"""A whole map takes 13 s; nobody waits for it."""

READY_S = 90.0
"""So long a process that was started ahead waits for photos."""

GIVEN_BACK = str(2**22)
"""Bytes from which the C library gives memory back as soon as it is free: a reading then takes
270 MB at its peak instead of 380."""

CHILD = (sys.executable, "-m", "companion.table.hand_photos.child")


class HandReader(Protocol):
    """Reads photos of a hand. Its methods may be called from several threads at once."""

    @property
    def is_installed(self) -> bool:
        """Whether what it needs is here."""
        ...

    def prepare(self) -> None:
        """Photos may come soon: they are read sooner after this."""
        ...

    def read(self, photos: Sequence[bytes], deck: Deck, first: int) -> list[PhotoSeen]:
        """What each photo shows, the first of which has the number `first`.

        Of photos that take long not all are read, but one at least: others wait. Raises
        RefusalError where that fails as a whole.
        """
        ...

    def close(self) -> None:
        """End what still waits for photos."""
        ...


class ProcessReader:
    """A `HandReader` with a new process for each reading; it ends with its answer.

    `child` is its command; only tests pass one.
    """

    def __init__(
        self,
        child: Sequence[str] = CHILD,
        photo_s: float = PHOTO_S,
        ready_s: float = READY_S,
        turn_s: float = TURN_S,
    ) -> None:
        self._child = child
        self._photo_s = photo_s
        self._ready_s = ready_s
        self._turn_s = turn_s
        self._is_installed = False
        self._lock = threading.Lock()
        self._ready: subprocess.Popen[bytes] | None = None
        self._timer: threading.Timer | None = None

    @property
    def is_installed(self) -> bool:
        self._is_installed = self._is_installed or are_installed()  # asked for with every state
        return self._is_installed

    @property
    def waiting(self) -> subprocess.Popen[bytes] | None:
        """The process that was started ahead."""
        return self._ready

    def prepare(self) -> None:
        """Start the next process, which loads its networks while somebody takes the photo."""
        with self._lock:
            if self._ready is not None:
                return
            timer = threading.Timer(self._ready_s, self.close)
            timer.daemon = True
            try:
                timer.start()
                self._ready = self._start()
            except (OSError, RuntimeError):  # no thread or no process: whoever sends it is told
                timer.cancel()
                return
            self._timer = timer

    def close(self) -> None:
        """End the process that waits."""
        process = self._taken()
        if process is not None:
            _end(process)

    def read(self, photos: Sequence[bytes], deck: Deck, first: int) -> list[PhotoSeen]:
        head = {"deck": deck.to_json(), "first": first, "turn_s": self._turn_s}
        limit_s = 2 * self._photo_s + self._turn_s
        seen = self._answers(photos, head, photo_from_json, limit_s)
        if not seen:
            raise RefusalError("companion.hand.fault")
        return seen

    def read_new(
        self, photos: Sequence[bytes], known: Sequence[str]
    ) -> tuple[list[CardToTeach], list[Message]]:
        """The cards of a deck that nobody has taught, and what is wrong with any of the photos.

        `known` are the names of places. Raises RefusalError where the reading fails as a whole.
        """
        if not self.is_installed:
            raise RefusalError("vision.tickets.no-networks")
        limit_s = self._photo_s * (len(photos) + 1)
        seen = self._answers(photos, {"known": list(known)}, new_cards_from_json, limit_s)
        cards = [card for found, _ in seen for card in found]
        return cards, [trouble for _, trouble in seen if trouble is not None]

    def read_map(self, board: bytes) -> list[PrintedName]:
        """The names that are printed on a straightened board, a JPEG file.

        Raises RefusalError where the reading fails.
        """
        (names,) = self._answers([board], {"map": True}, map_names_from_json, 2 * MAP_S)
        return names

    def _answers(
        self,
        photos: Sequence[bytes],
        head: Mapping[str, Any],
        understood: Callable[[Any], T],
        limit_s: float,
    ) -> list[T]:
        try:
            process = self._taken() or self._start()
        except OSError as error:  # no memory or no file left for another process
            raise RefusalError("companion.hand.fault") from error
        whole = {**head, "sizes": [len(photo) for photo in photos]}
        asked = b"".join([json.dumps(whole).encode("ascii"), b"\n", *photos])
        try:
            said, _ = process.communicate(asked, timeout=limit_s)
            return [understood(one) for one in json.loads(said)]
        except subprocess.TimeoutExpired as error:
            raise RefusalError("companion.hand.too-long") from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RefusalError("companion.hand.fault") from error
        finally:
            _end(process)

    def _taken(self) -> subprocess.Popen[bytes] | None:
        """The process that was started ahead, if it still waits."""
        with self._lock:
            process, self._ready = self._ready, None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        if process is not None and process.poll() is not None:
            _end(process)
            return None
        return process

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._child,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                **os.environ,
                "MALLOC_MMAP_THRESHOLD_": GIVEN_BACK,
                "MALLOC_TRIM_THRESHOLD_": GIVEN_BACK,
            },
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
