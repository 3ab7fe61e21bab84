"""Captures what a decoding library says of a damaged file, which it writes to stderr only."""

import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import Lock
from typing import IO, TypeVar

Result = TypeVar("Result")

STDERR = 2

LIBRARIES = (b"Corrupt JPEG data", b"Premature end of JPEG", b"Invalid SOS", b"libpng", b"[ WARN")
"""How the lines of image libraries begin, and nobody else's."""

_only_one = Lock()


def capture_stderr(call: Callable[[], Result]) -> tuple[Result, bytes]:
    """What a call returns, and what C code wrote to stderr meanwhile.

    Lines of anything but an image library (from another thread) are passed on to stderr. Raises
    what the call raises.
    """
    with _only_one, ExitStack() as stack:
        try:
            kept = os.dup(STDERR)
            stack.callback(os.close, kept)
            said = stack.enter_context(_open_scratch())
        except OSError:  # no more files; or stderr is closed: nothing can be written, or captured
            return call(), b""
        os.dup2(said.fileno(), STDERR)
        try:
            result = call()
        finally:
            os.dup2(kept, STDERR)
            said.seek(0)
            words = said.read()
            _pass_on(words)
        return result, words


def _open_scratch() -> IO[bytes]:
    """A file in memory where the system has such: a full disk keeps no photo from being read."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("companion-stderr"), "w+b")
    return tempfile.TemporaryFile()


def _pass_on(words: bytes) -> None:
    others = [line for line in words.splitlines(keepends=True) if not line.startswith(LIBRARIES)]
    if others:
        with suppress(OSError):  # a full disk, say
            os.write(STDERR, b"".join(others))
