"""A log's files once more, in memory: what would be written to a disk can be tried on them."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.log.paths import beside, bytes_of, copy_of, draft_of

MEMORY = "/dev/shm"
"""Linux keeps in memory what lies there: a log can be looked at although its disk is full."""


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """An empty folder, gone when the block ends; on disk where there is none in memory."""
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="companion-log-", dir=memory) as folder:
        yield Path(folder)


@contextmanager
def twin_of(path: Path) -> Iterator[Path]:
    """The log with all that belongs to it, in another folder. Raises OSError."""
    with folder_in_memory() as folder:
        for part in (path, beside(path, "-wal"), copy_of(path), draft_of(path)):
            content = bytes_of(part)
            if content:
                (folder / part.name).write_bytes(content)
        yield folder / path.name
