"""Files that are written whole or not at all, and are still there after a power cut."""

import os
from contextlib import suppress
from pathlib import Path

EVERYBODY = 0o666
OWNER_ONLY = 0o600


def write_whole(path: Path, data: bytes, *, mode: int = EVERYBODY, lasting: bool = True) -> None:
    """Write a file, or leave the one that is there as it was.

    `lasting`: wait until the disk has it. What can be made anew at any time needs no waiting.
    Raises OSError.
    """
    draft = path.with_name(f"{path.name}.draft")
    with suppress(FileNotFoundError):
        draft.unlink()
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        draft.replace(path)
        if lasting:
            sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make new names in a folder survive a power cut. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
