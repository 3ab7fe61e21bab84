"""Waits for what another thread or another program does, on a machine that may be busy."""

import time
from collections.abc import Callable

LOOK_S = 0.02


def until(
    is_so: Callable[[], bool], what: object = "it never happened", limit_s: float = 60.0
) -> None:
    """Return once it is so; fails with `what` after `limit_s` seconds."""
    end_s = time.monotonic() + limit_s
    while not is_so():
        assert time.monotonic() < end_s, what
        time.sleep(LOOK_S)
