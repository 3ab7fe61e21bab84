"""A PIN that cannot be guessed: wrong guesses make the next ones wait."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest
from itertools import pairwise
from math import ceil
from threading import Lock

DIGITS = 6

OWN_DIGITS = range(6, 13)
"""How many digits a PIN of somebody's own may have: the form takes no more."""

FREE_GUESSES = 5
"""Wrong guesses of one machine before it has to wait: people mistype."""

FIRST_WAIT_S, LONGEST_WAIT_S = 30.0, 3600.0
"""The wait doubles with every further wrong guess."""

GUESSES_OF_ALL = 20
"""Wrong guesses of all machines together before everybody waits: one may have many addresses."""

REFILL_S = 60.0
"""After so long one more is allowed: at most 620 guesses in ten hours, 1 in 1,600 to be right, and
1 in 800 where somebody's own PIN of six digits counts too."""

MOST_MACHINES = 512


@dataclass(slots=True)
class _Machine:
    """What one machine has guessed wrong, and until when it waits."""

    wrong: int = 0
    until_s: float = 0.0


class PinLock:
    """Holds the PIN, which is another one after each right guess. `clock` tells seconds.

    `own` is one that counts too, and stays: it is never shown.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, own: str | None = None) -> None:
        self.pin = _new_pin()
        self._own = own
        self._clock = clock
        self._lock = Lock()
        self._machines: dict[str, _Machine] = {}
        self._left = float(GUESSES_OF_ALL)
        self._counted_s = clock()

    def wait_s(self, machine: str) -> int:
        """How long this machine has to wait before its next guess, in whole seconds."""
        with self._lock:
            return self._wait_s(machine)

    def guess(self, given: str, machine: str) -> bool:
        """Whether this is the PIN. False as well where the machine has to wait."""
        with self._lock:
            if self._wait_s(machine):
                return False
            if compare_digest(given.encode(), self.pin.encode()):
                self._machines.pop(machine, None)
                self.pin = _new_pin()
                return True
            if self._own is not None and compare_digest(given.encode(), self._own.encode()):
                self._machines.pop(machine, None)
                return True
            self._note_wrong(machine)
            return False

    def renew(self) -> None:
        """Another PIN: whoever knew this one does not any more."""
        with self._lock:
            self.pin = _new_pin()

    def _wait_s(self, machine: str) -> int:
        now_s = self._clock()
        filled = self._left + (now_s - self._counted_s) / REFILL_S
        self._left, self._counted_s = min(float(GUESSES_OF_ALL), filled), now_s
        own_s = self._machines.get(machine, _Machine()).until_s - now_s
        all_s = (1 - self._left) * REFILL_S
        return max(0, ceil(own_s), ceil(all_s))

    def _note_wrong(self, machine: str) -> None:
        self._left -= 1
        known = self._machines.pop(machine, _Machine())
        known.wrong += 1
        if known.wrong >= FREE_GUESSES:
            doubled = FIRST_WAIT_S * 2 ** min(known.wrong - FREE_GUESSES, 10)
            known.until_s = self._clock() + min(doubled, LONGEST_WAIT_S)
        self._machines[machine] = known
        if len(self._machines) > MOST_MACHINES:
            del self._machines[next(iter(self._machines))]


def own_pin(words: str) -> str | None:
    """A PIN of somebody's own, which may stand in groups; None where it is none, or is guessed
    first: one figure alone, or a row of them.

    >>> own_pin("482 913"), own_pin("1234"), own_pin("000000"), own_pin("87654321")
    ('482913', None, None, None)
    """
    pin = "".join(words.split())
    if not (pin.isascii() and pin.isdigit() and len(pin) in OWN_DIGITS):
        return None
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    return None if steps in ({0}, {1}, {-1}) else pin


def _new_pin() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
