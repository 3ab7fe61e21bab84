"""Whether the clock of the box was set: one without a battery starts where it was switched off."""

import time
from collections.abc import Callable

LEAST_S = 60
"""A clock in a network is put right by less all the time; no day is another one by that."""


class ClockJumps:
    """Compares the clock `now` with one that nobody sets."""

    def __init__(self, now: Callable[[], float], steady: Callable[[], float]) -> None:
        self._now, self._steady = now, steady
        self._apart_s = now() - steady()

    def take_s(self) -> int:
        """By how many seconds the clock was set since it was asked last; 0 where it was not."""
        apart_s = self._now() - self._steady()
        jumped_s = round(apart_s - self._apart_s)
        if abs(jumped_s) < LEAST_S:
            return 0
        self._apart_s = apart_s
        return jumped_s


def since_start() -> Callable[[], float] | None:
    """The seconds since the machine was started, those in which it slept too; None where the system
    does not tell them."""
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return None if boot_time is None else lambda: time.clock_gettime(boot_time)
