"""Which hands lie open just now: short-lived keys, each known to the one page that shows a hand."""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from threading import Lock

from web.ports import HandSeen

FOUND_S = 900.0
"""So long the cards found in a photo wait for their player."""

OPEN_S = 120.0
"""A hand that nobody has touched for so long is closed; the page itself hides it sooner."""

MOST_OPEN = 16
"""More keys of one hand than that are never in use; its oldest go first, never another hand's."""


@dataclass(slots=True)
class _Open:
    """One open hand: until when, and what photos of it have shown that nobody has entered yet."""

    until: float
    seen: HandSeen | None
    game: object


class OpenHands:
    """Gives out keys. A key opens one hand in one page; loading the page anew takes a new key.

    So neither a browser's history nor an address that was seen opens a hand. What photos of a hand
    have shown waits for whoever opens it next, until it is entered or forgotten: a page that is
    loaded anew, in another language, or after a look at the board loses nothing. `clock` tells
    seconds, `game` the game in play: in another one the same colour may be somebody else's, so no
    key outlives its game. Every method may be called from several threads at once.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        game: Callable[[], object] = lambda: None,
    ) -> None:
        self._clock = clock
        self._game = game
        self._lock = Lock()
        self._open: dict[tuple[str, str], _Open] = {}
        self._found: dict[str, _Open] = {}
        self._times_shut: Counter[str] = Counter()

    def open(self, colour: str) -> str:
        """A new key for the hand of this colour, with what photos of it have shown."""
        return self._new(colour, self.found(colour), OPEN_S)

    def times_shut(self, colour: str) -> int:
        """How often a hand was shut, for `keep`."""
        with self._lock:
            return self._times_shut[colour]

    def keep(self, colour: str, seen: HandSeen, times_shut: int) -> str:
        """A new key for a hand of which photos were read; what they have shown waits for it.

        Not where it was shut more often than `times_shut`, which was so when the photos came: the
        seat may be another player's now.
        """
        game = self._game()
        with self._lock:
            if self._times_shut[colour] != times_shut:
                seen = HandSeen(())
            if seen.cards:
                self._found[colour] = _Open(self._clock() + FOUND_S, seen, game)
        return self._new(colour, seen, FOUND_S)

    def found(self, colour: str) -> HandSeen | None:
        """The cards in photos of this hand that nobody has entered or forgotten yet."""
        with self._lock:
            one = self._found.get(colour)
        return one.seen if one is not None and self._opens(one, self._game()) else None

    def forget(self, colour: str) -> None:
        """What photos of this hand have shown waits no longer."""
        with self._lock:
            self._found.pop(colour, None)

    def _new(self, colour: str, seen: HandSeen | None, for_s: float) -> str:
        key = secrets.token_urlsafe(16)
        now, game = self._clock(), self._game()
        with self._lock:
            self._open = {name: one for name, one in self._open.items() if now < one.until}
            self._found = {name: one for name, one in self._found.items() if now < one.until}
            self._open[colour, key] = _Open(now + for_s, seen, game)
            of_hand = [name for name in self._open if name[0] == colour]
            for name in of_hand[:-MOST_OPEN]:
                del self._open[name]
        return key

    def shut(self, colours: Collection[str]) -> None:
        """No key opens these hands any more; what photos of them have shown is forgotten."""
        with self._lock:
            self._open = {name: one for name, one in self._open.items() if name[0] not in colours}
            self._found = {name: one for name, one in self._found.items() if name not in colours}
            self._times_shut.update(colours)

    def exchange(self, colour: str, key: str) -> str | None:
        """A new key for a key that is spent by this; None where it opens nothing (any more)."""
        with self._lock:
            spent = self._open.pop((colour, key), None)
        if spent is None or not self._opens(spent, self._game()):
            return None
        return self._new(colour, spent.seen, OPEN_S)

    def is_open(self, colour: str, key: str) -> bool:
        """Whether a key opens this hand; asking keeps it open."""
        game = self._game()
        with self._lock:
            one = self._open.pop((colour, key), None)
            if one is None or not self._opens(one, game):
                return False
            self._open[colour, key] = _Open(self._clock() + OPEN_S, one.seen, game)
            return True

    def seen(self, colour: str, key: str) -> HandSeen | None:
        """What photos of this hand have shown to the page with this key; None where it opens
        nothing."""
        with self._lock:
            one = self._open.get((colour, key))
        return one.seen if one is not None and self._opens(one, self._game()) else None

    def _opens(self, one: _Open, game: object) -> bool:
        return self._clock() < one.until and one.game == game
