"""What happens at the table some time from now, unless the table is closed by then."""

import threading
from collections.abc import Callable

PATIENCE_S = 1.0
"""So long is waited for what has begun when the table is closed."""


class Later:
    """Calls what was asked for after a delay, on threads of its own, until it is closed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timers: set[threading.Timer] = set()
        self._is_closed = False

    def call(self, delay_s: float, then: Callable[[], None]) -> None:
        """Call `then` after a delay; at once where the system gives no thread."""

        def call_then() -> None:
            try:
                then()
            finally:
                self._forget(timer)

        timer = threading.Timer(delay_s, call_then)
        timer.daemon = True
        with self._lock:
            if self._is_closed:
                return
            self._timers.add(timer)
        try:
            timer.start()
        except RuntimeError:
            call_then()

    def close(self) -> None:
        """Call nothing any more; what is being called just now is waited for."""
        with self._lock:
            self._is_closed = True
            timers = list(self._timers)
        for timer in timers:
            timer.cancel()
        for timer in timers:
            if timer.is_alive() and timer is not threading.current_thread():
                timer.join(PATIENCE_S)

    def _forget(self, timer: threading.Timer) -> None:
        with self._lock:
            self._timers.discard(timer)
