"""Where the files of a log lie, and what is in them."""

import errno
import os
from contextlib import suppress
from pathlib import Path

LEFTOVERS = ("-wal", "-journal", "-shm")
"""What SQLite keeps beside a file that was not closed."""

BLOCK_BYTES = 4096
"""What a disk gives or refuses at a time."""


def copy_of(path: Path) -> Path:
    """Where the second copy of a log lies."""
    return path.with_suffix(".copy.jsonl")


def bytes_of(path: Path) -> bytes:
    """A file's content, nothing if there is no such file.

    Raises OSError, also for a pipe or a device of that name: whoever opens one may wait for ever.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "this is no ordinary file", str(path))
    return path.read_bytes() if path.is_file() else b""


def readable_bytes_of(path: Path) -> tuple[bytes, bool]:
    """A file's content, zeros for what a failing disk does not give, and whether it gave all.

    Raises OSError as `bytes_of`, but for such a disk.
    """
    try:
        return bytes_of(path), True
    except OSError as error:
        if error.errno != errno.EIO:
            raise
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        blocks = [_block_of(file.fileno(), at) for at in range(0, size, BLOCK_BYTES)]
    return b"".join(blocks)[:size], False


def _block_of(handle: int, at: int) -> bytes:
    """A block of an open file, filled with zeros."""
    with suppress(OSError):
        return os.pread(handle, BLOCK_BYTES, at).ljust(BLOCK_BYTES, b"\0")
    return bytes(BLOCK_BYTES)


def beside(path: Path, ending: str) -> Path:
    """The file whose name goes on after this one's."""
    return path.with_name(path.name + ending)


def draft_of(path: Path) -> Path:
    """Where a log is written before it takes its place."""
    return beside(path, ".draft")


def free_name(path: Path, word: str = "") -> Path:
    """A name beside a file that is not taken yet."""
    stem, _, ending = path.name.partition(".")
    stem, number = (f"{stem}.{word}" if word else stem), 1
    while (name := path.with_name(f"{stem}-{number}.{ending}")).exists():
        number += 1
    return name
