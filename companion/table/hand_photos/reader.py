"""Has photos of a hand read by a process of its own: it takes much memory, and then none."""

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Protocol

from companion.errors import RefusalError
from companion.table.hand_photos.documents import PhotoSeen, photo_from_json
from vision.tickets.deck import Deck
from vision.tickets.networks import are_installed

PHOTO_S = 30.0
"""A photo takes 2 s, on a busy Raspberry Pi perhaps ten times that; the start gets as long."""

READY_S = 90.0
"""So long a process that was started ahead waits for photos."""

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

        Raises RefusalError where that fails as a whole.
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
        self, child: Sequence[str] = CHILD, photo_s: float = PHOTO_S, ready_s: float = READY_S
    ) -> None:
        self._child = child
        self._photo_s = photo_s
        self._ready_s = ready_s
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
            self._ready = self._start()
            self._timer = threading.Timer(self._ready_s, self.close)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """End the process that waits."""
        process = self._taken()
        if process is not None:
            _end(process)

    def read(self, photos: Sequence[bytes], deck: Deck, first: int) -> list[PhotoSeen]:
        process = self._taken() or self._start()
        head = {"deck": deck.to_json(), "first": first, "sizes": [len(photo) for photo in photos]}
        asked = b"".join([json.dumps(head).encode("ascii"), b"\n", *photos])
        try:
            said, _ = process.communicate(asked, timeout=self._photo_s * (len(photos) + 1))
            return [photo_from_json(one) for one in json.loads(said)]
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
            self._child, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
