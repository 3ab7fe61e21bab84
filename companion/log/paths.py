"""Where the files of a log lie, and what is in them."""

import errno
from pathlib import Path

LEFTOVERS = ("-wal", "-journal", "-shm")
"""What SQLite keeps beside a file that was not closed."""


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
