"""The box at the table: what its buttons point at, what its lamps show, and since when."""

import time
from collections.abc import Callable, Sequence

from companion.session.events import Event
from companion.session.state import State
from companion.table import box
from companion.table.box import BoxCursor, PressOutcome, Scan, ScoreFirstPass
from companion.table.later import Later
from hardware.console.console import Button, Console, Gesture, Lamp

WAIT_SIGN_S = 1.0
"""How long the lamps say that a press came while the camera looks."""

SAVED_SIGN_S = 0.25
"""How long the status lamp is dark after something was saved: the wink can be seen from afar."""

CLAIM_SIGN_S = 6.0
"""How long a lamp says whose claim was seen: long enough to look up from the wagons."""

SEATS = 5
"""Lamps that a box has at most."""


class BoxFace:
    """Keeps the box's cursor, what CONFIRM would be about and since when that shows.

    Times are in seconds of `time.monotonic`. Not safe for several threads: the table has the lock.
    """

    def __init__(self, console: Console, later: Later) -> None:
        self.cursor = BoxCursor()
        self._console = console
        self._later = later
        self._subject: tuple[object, ...] = ()
        self._since_s = 0.0
        self._wait_sign_s = float("-inf")
        self._saved_sign_s = float("-inf")
        self._claim_signs_s: dict[str, float] = {}
        self._power: Gesture | None = None
        self.copy: Lamp | None = None
        """What all lamps say of a copy of the table, None while there is nothing to say."""

    def follow(self, before: State, after: State, asked: Sequence[str]) -> None:
        """An event came; `asked` are the questions now open."""
        self.cursor = box.follow(before, after, self.cursor, asked)

    def say_claims(self, before: State, after: State, over: Callable[[], None]) -> None:
        """Let the lamps of those who got a route shine; `over` is called when that ends."""
        claims = box.claims(before, after)
        self._claim_signs_s |= dict.fromkeys(claims, time.monotonic())
        if claims:
            self._later.call(CLAIM_SIGN_S, over)

    def show(self, state: State, *, looking: bool, winners: Sequence[str], status: Lamp) -> None:
        """Light the lamps for a state, and note what they now ask."""
        lamps, sign = self._signs(state, looking, winners, status)
        self._console.show(lamps, sign, state.facts.colours)
        subject = box.subject(state, box.settle(state, self.cursor))
        if subject != self._subject:
            self._subject, self._since_s = subject, time.monotonic()

    def _signs(
        self, state: State, looking: bool, winners: Sequence[str], status: Lamp
    ) -> tuple[tuple[Lamp, ...], Lamp]:
        if self._power is Gesture.HOLD:
            return (Lamp.BLINK,) * SEATS, Lamp.BLINK
        if self._power is Gesture.POWER_OFF:
            return (), Lamp.PULSE
        if self.copy is not None:
            return (self.copy,) * SEATS, self.copy
        is_winking = _is_fresh(self._saved_sign_s, SAVED_SIGN_S)
        lamps = box.lamps(state, self.cursor, looking, winners, self.says_wait, self.claimed)
        return lamps, Lamp.OFF if is_winking else status

    def outcome(self, state: State, button: Button, empty: Sequence[str]) -> PressOutcome:
        """What a press leads to; `empty` are the colours whose hands hold no ticket yet."""
        return box.press(state, self.cursor, button, empty)

    def press(
        self,
        state: State,
        outcome: PressOutcome,
        fulfil: Callable[[Event | Scan | ScoreFirstPass], None],
    ) -> bool:
        """Do what a press leads to; says whether only the cursor moved.

        Where `fulfil` raises, the cursor stays where it was.
        """
        before, self.cursor = self.cursor, outcome.cursor
        if outcome.command is None:
            # Who moves the offer on the box knows it before it shows.
            self._subject = box.subject(state, box.settle(state, self.cursor))
            return True
        try:
            fulfil(outcome.command)
        except BaseException:
            self.cursor = before
            raise
        return False

    def showed(self, made_s: float) -> bool:
        """Whether what shows now showed already when a press was made."""
        return made_s >= self._since_s

    @property
    def claimed(self) -> tuple[str, ...]:
        """The colours whose lamps say that a claim of theirs was seen."""
        signs = self._claim_signs_s.items()
        return tuple(colour for colour, at_s in signs if _is_fresh(at_s, CLAIM_SIGN_S))

    @property
    def says_wait(self) -> bool:
        """Whether the lamps say that a press has to wait."""
        return _is_fresh(self._wait_sign_s, WAIT_SIGN_S)

    def say_wait(self, over: Callable[[], None]) -> None:
        """Begin to say so; `over` is called when it ends."""
        self._wait_sign_s = time.monotonic()
        self._later.call(WAIT_SIGN_S, over)

    def say_saved(self, over: Callable[[], None]) -> None:
        """Let the status lamp wink; `over` is called when it ends."""
        self._saved_sign_s = time.monotonic()
        self._later.call(SAVED_SIGN_S, over)

    def say_power(self, gesture: Gesture) -> None:
        """Say what holding the outer two leads to: all lamps blink, then only the status lamp."""
        self._power = gesture


def _is_fresh(sign_s: float, lasts_s: float) -> bool:
    return time.monotonic() - sign_s < lasts_s
