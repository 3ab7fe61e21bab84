"""What happens at the table some time from now, unless the program has ended by then."""

import threading
from collections.abc import Callable


def later(delay_s: float, then: Callable[[], None]) -> None:
    """Call `then` after a delay, on a thread of its own; at once where the system gives none."""
    timer = threading.Timer(delay_s, then)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:
        then()
