"""Files that are written whole or not at all, and are still there after a power cut."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

EVERYBODY = 0o666
OWNER_ONLY = 0o600

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The system's words for a disk without room."""

DRAFT = ".draft"
"""Ending of a file that has not taken its place."""

UNWRITABLE = (*FULL, errno.EROFS)
"""And for one that takes nothing now, but gives what it holds: a failing card can only be read."""


def write_whole(path: Path, data: bytes, *, mode: int = EVERYBODY, lasting: bool = True) -> None:
    """Write a file, or leave the one that is there as it was. Raises OSError."""
    with writing_whole(path, mode=mode, lasting=lasting) as file:
        file.write(data)


@contextmanager
def writing_whole(
    path: Path, *, mode: int = EVERYBODY, lasting: bool = True
) -> Iterator[IO[bytes]]:
    """The same for what is written piece by piece: it takes its place when the block ends well.

    `lasting`: wait until the disk has it. What can be made anew at any time needs no waiting.
    Raises OSError.
    """
    draft = path.with_name(f"{path.name}{DRAFT}")
    with suppress(FileNotFoundError):
        draft.unlink()
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        draft.replace(path)
        if lasting:
            sync_folder(path.parent)
    finally:
        with suppress(OSError):  # the disk may be gone
            draft.unlink(missing_ok=True)


def clear_drafts(folder: Path, names: str) -> None:
    """Delete what a power cut left of files whose names, a glob, never come again.

    Raises OSError.
    """
    for draft in folder.glob(names + DRAFT):
        draft.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make new names in a folder survive a power cut. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
