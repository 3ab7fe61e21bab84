"""Hears what a decoding library says of a damaged file: it tells nobody but the error stream."""

import os
import tempfile
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

Result = TypeVar("Result")

STDERR = 2

LIBRARIES = (b"Corrupt JPEG data", b"Premature end of JPEG", b"Invalid SOS", b"libpng", b"[ WARN")
"""How the lines begin that image libraries write there, and nobody else does."""

_only_one = Lock()


def capture_stderr(call: Callable[[], Result]) -> tuple[Result, bytes]:
    """What a call returns, and what C code wrote to the error stream meanwhile, which stays quiet.

    Lines that are not of an image library (another thread's) go on to where they were meant to go.
    """
    with _only_one:
        try:
            kept = os.dup(STDERR)
        except OSError:  # the error stream is closed: nothing can be said, nor heard
            return call(), b""
        with tempfile.TemporaryFile() as said:
            os.dup2(said.fileno(), STDERR)
            try:
                result = call()
            finally:
                os.dup2(kept, STDERR)
                os.close(kept)
                said.seek(0)
                words = said.read()
                _pass_on(words)
            return result, words


def _pass_on(words: bytes) -> None:
    others = [line for line in words.splitlines(keepends=True) if not line.startswith(LIBRARIES)]
    if others:
        os.write(STDERR, b"".join(others))
