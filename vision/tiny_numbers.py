"""Lets numbers too small to matter count as 0 while a network runs.

A processor takes a hundred times as long for a number under about 1e-38 (a subnormal of IEEE 754)
as for any other, and a text detector is full of them. Whether they count is a setting of each
thread, kept in the C library's floating-point environment (C17, 7.6), so it is put back at once.
"""

import ctypes
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

_ROOM_BYTES = 64
"""More than any C library's `fenv_t`."""

_FLUSH = {"x86_64": (28, 0x8040), "aarch64": (0, 1 << 24)}
"""Where in glibc's `fenv_t` the control word stands, and the bits that flush to 0: FTZ and DAZ of
MXCSR (Intel's manual, volume 1, 10.2.3), FZ of FPCR (Arm's manual)."""


@contextmanager
def tiny_numbers_are_zero() -> Iterator[None]:
    """In this thread, and until the end of the block; elsewhere than on glibc nothing changes."""
    library = _library()
    if library is None:
        yield
        return
    kept = (ctypes.c_ubyte * _ROOM_BYTES)()
    library.fegetenv(kept)
    flushing = (ctypes.c_ubyte * _ROOM_BYTES).from_buffer_copy(kept)
    at, bits = _FLUSH[platform.machine()]
    ctypes.c_uint32.from_buffer(flushing, at).value |= bits
    library.fesetenv(flushing)
    try:
        yield
    finally:
        library.fesetenv(kept)


@cache
def _library() -> ctypes.CDLL | None:
    """The C library's mathematics, None where its `fenv_t` isn't known."""
    if platform.machine() not in _FLUSH or platform.libc_ver()[0] != "glibc":
        return None
    try:
        return ctypes.CDLL("libm.so.6")
    except OSError:
        return None
