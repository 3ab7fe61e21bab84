"""What commands write: never over what they read, and told in one sentence where it cannot be."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import TextIO

from companion.errors import CommandError, UnusableInputError, UsageError
from companion.log.file import NoFolderError, StoreError
from companion.whole_file import write_whole


def refuse_to_overwrite(out: Path, *read: str | None) -> None:
    """Raise UsageError where the file to be written is one of those that are read."""
    for name in (name for name in read if name is not None):
        with suppress(OSError):  # one of the two is not there
            if out.samefile(name):
                raise UsageError("companion.error.own-input", path=out)


def as_command_error(error: StoreError) -> CommandError:
    """What a log that cannot be used ends a command with."""
    if isinstance(error, NoFolderError):
        return UsageError.saying(error)
    return UnusableInputError.saying(error)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Where something is written there: raises UsageError if the disk or a right refuses it."""
    try:
        yield
    except OSError as error:
        raise UsageError("companion.error.cannot-write", path=path, reason=error) from error


def write_output(path: Path, data: bytes) -> None:
    """Write a file that was asked for; one of that name stays whole where the disk is full.

    What is no ordinary file, a pipe or a link for instance, is written to as it is. Raises
    UsageError as `writing` does.
    """
    with writing(path):
        if _is_written_to_as_it_is(path):
            path.write_bytes(data)
        else:
            write_whole(path, data, lasting=False)


def require_writable(path: Path) -> None:
    """Raise UsageError where no file can be written there, before the work for it is done."""
    with writing(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not _is_written_to_as_it_is(path):
            with TemporaryFile(dir=path.parent):
                pass


def _is_written_to_as_it_is(path: Path) -> bool:
    return path.is_symlink() or (path.exists() and not path.is_file())


def print_utf8() -> None:
    """Print in UTF-8 from now on, as JSON is written, whatever letters the terminal has."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def tell(words: str, stream: TextIO) -> None:
    """Print while the program goes on, whether or not somebody still reads it.

    The terminal may be closed and the disk under the output full; neither may stop what happened.
    """
    with suppress(OSError):
        print(words, file=stream, flush=True)
