"""Ends the program and starts it once more, as a copy that was put on the box asks for."""

import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

LEAVE_S = 0.5
"""The answer to whoever asked is on its way by then."""


class NewStart:
    """Asked for while the panel is served, made once everything is closed."""

    def __init__(self) -> None:
        self._is_asked = False
        self._stop: Callable[[], None] = lambda: None
        self._more: Sequence[str] = ()

    def stop_by(self, stop: Callable[[], None], more: Sequence[str] = ()) -> None:
        """What ends the panel, from any thread but its own; the options that the start after it
        needs beside those of this one."""
        self._stop, self._more = stop, more

    def ask(self) -> None:
        """Have the program started once more, soon after this returns."""
        self._is_asked = True
        later = threading.Timer(LEAVE_S, self._stop)
        later.daemon = True
        later.start()

    def forget(self) -> None:
        """Somebody stops the program: it stays ended."""
        self._is_asked = False

    def make(self) -> None:
        """Become the same program anew, where that was asked for: this does not return then.

        Whoever is told that the program stops, as systemd by a service, starts it again itself.
        """
        if not self._is_asked or "NOTIFY_SOCKET" in os.environ:
            return
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:], *self._more])
