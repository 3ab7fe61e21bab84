"""A system that gives no more threads."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


@contextmanager
def no_more_threads(*names: str) -> Iterator[None]:
    """No thread can be started meanwhile; with names given none of those."""
    start = threading.Thread.start

    def refuse(thread: threading.Thread) -> None:
        if not names or thread.name in names:
            raise RuntimeError("can't start new thread")
        start(thread)

    with patch.object(threading.Thread, "start", refuse):
        yield
