"""Which hands lie open just now: short-lived keys, each known to the one page that shows a hand."""

import secrets
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import count
from threading import Lock

from web.names import recoloured
from web.ports import GameInPlay, HandSeen

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


NO_GAME = GameInPlay((), None, (), {})


class OpenHands:
    """Gives out keys. A key opens one hand in one page; loading the page anew takes a new key.

    So neither a browser's history nor an address that was seen opens a hand. What photos of a hand
    have shown waits for whoever opens it next, until it is entered or forgotten: a page that is
    loaded anew, in another language, or after a look at the board loses nothing. A hand belongs to
    a player of a game: whose colour is changed takes it along, and whoever gets the colour then has
    another one. `clock` tells seconds, `game` the game in play. Every method may be called from
    several threads at once.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        game: Callable[[], GameInPlay] = lambda: NO_GAME,
    ) -> None:
        self._clock = clock
        self._game = game
        self._lock = Lock()
        self._new_hand = count()
        self._hands: dict[tuple[object, str], int] = {}
        """By the game and the colour that its player has now."""
        self._names: tuple[object, Mapping[str, str]] = (None, {})
        """The game that was looked at last, and who played in it, by colour."""
        self._open: dict[tuple[int, str], _Open] = {}
        self._found: dict[int, _Open] = {}

    def open(self, colour: str) -> str:
        """A new key for the hand of this colour, with what photos of it have shown."""
        with self._lock:
            hand = self._hand(colour)
            return self._new(hand, self._seen(self._found.get(hand)), OPEN_S)

    def hand(self, colour: str) -> int:
        """Which hand it is, for `keep`."""
        with self._lock:
            return self._hand(colour)

    def keep(self, hand: int, seen: HandSeen) -> tuple[str, str] | None:
        """A new key for a hand of which photos were read; what they have shown waits for it.

        Also tells its player's colour, which may be another one by now. None where the hand was
        shut meanwhile: the seat may be another player's.
        """
        with self._lock:
            game = self._follow()
            places = (place for place, known in self._hands.items() if known == hand)
            of, colour = next(places, (None, ""))
            if of != game or not colour:
                return None
            if seen.cards:
                self._found[hand] = _Open(self._clock() + FOUND_S, seen)
            return colour, self._new(hand, seen, FOUND_S)

    def found(self, colour: str) -> HandSeen | None:
        """The cards in photos of this hand that nobody has entered or forgotten yet."""
        with self._lock:
            return self._seen(self._found.get(self._hand(colour)))

    def found_in(self, hand: int) -> HandSeen | None:
        """The same by the hand, whose player may have another colour by now."""
        with self._lock:
            return self._seen(self._found.get(hand))

    def forget(self, colour: str, shown: HandSeen | None = None) -> None:
        """What photos of this hand have shown waits no longer.

        With `shown` only where that is all of it: another device may have sent a photo since.
        """
        with self._lock:
            hand = self._hand(colour)
            found = self._seen(self._found.get(hand))
            if shown is None or found is None or all(one in shown.cards for one in found.cards):
                self._found.pop(hand, None)

    def shut(self, colours: Collection[str]) -> None:
        """No key opens these hands any more; what photos of them have shown is forgotten."""
        with self._lock:
            for colour in colours:
                self._found.pop(self._hand(colour), None)
                self._hands[self._names[0], colour] = next(self._new_hand)

    def exchange(self, colour: str, key: str) -> str | None:
        """A new key for a key that is spent by this; None where it opens nothing (any more)."""
        with self._lock:
            hand = self._hand(colour)
            spent = self._open.pop((hand, key), None)
            if spent is None or spent.until <= self._clock():
                return None
            return self._new(hand, spent.seen, OPEN_S)

    def is_open(self, colour: str, key: str) -> bool:
        """Whether a key opens this hand; asking keeps it open."""
        with self._lock:
            hand = self._hand(colour)
            one = self._open.pop((hand, key), None)
            if one is None or one.until <= self._clock():
                return False
            self._open[hand, key] = _Open(self._clock() + OPEN_S, one.seen)
            return True

    def seen(self, colour: str, key: str) -> HandSeen | None:
        """What photos of this hand have shown to the page with this key; None where it opens
        nothing."""
        with self._lock:
            return self._seen(self._open.get((self._hand(colour), key)))

    def follow(self) -> None:
        """Look who plays in which colour now: to be called after each change of that."""
        with self._lock:
            self._follow()

    def _follow(self) -> object:
        """The game in play, once hands have followed their players to other colours."""
        in_play = self._game()
        game, names = in_play.began_ms, {one["colour"]: one["name"] for one in in_play.players}
        of, before = self._names
        self._names = game, names
        if of == game and before.keys() != names.keys():
            moved = recoloured(before, names)
            for colour in before.keys() - names.keys():
                hand = self._hands.pop((game, colour), None)
                if hand is not None and colour in moved:
                    self._hands[game, moved[colour]] = hand
        return game

    def _hand(self, colour: str) -> int:
        """A new hand where its player has none yet."""
        game = self._follow()
        if (game, colour) not in self._hands:
            self._hands[game, colour] = next(self._new_hand)
        return self._hands[game, colour]

    def _new(self, hand: int, seen: HandSeen | None, for_s: float) -> str:
        key = secrets.token_urlsafe(16)
        now = self._clock()
        self._open = {name: one for name, one in self._open.items() if now < one.until}
        self._found = {name: one for name, one in self._found.items() if now < one.until}
        self._open[hand, key] = _Open(now + for_s, seen)
        of_hand = [name for name in self._open if name[0] == hand]
        for name in of_hand[:-MOST_OPEN]:
            del self._open[name]
        return key

    def _seen(self, one: _Open | None) -> HandSeen | None:
        return None if one is None or one.until <= self._clock() else one.seen
