"""What the box shows a person, and since when: whose press means which question."""

import threading
import time
from collections.abc import Callable

from companion.session.state import State
from companion.table import box
from companion.table.box import BoxCursor

WAIT_SIGN_S = 1.0
"""How long the lamps say that a press came while the camera looks."""


class BoxFace:
    """Keeps what CONFIRM would be about and since when it shows; in seconds of `time.monotonic`."""

    def __init__(self) -> None:
        self._subject: tuple[object, ...] = ()
        self._since_s = 0.0
        self._wait_sign_s = float("-inf")

    def note(self, state: State, cursor: BoxCursor) -> None:
        """This shows now."""
        subject = box.subject(state, box.settle(state, cursor))
        if subject != self._subject:
            self._subject, self._since_s = subject, time.monotonic()

    def move(self, state: State, cursor: BoxCursor) -> None:
        """Somebody moved the offer on the box: who does that knows it before it shows."""
        self._subject = box.subject(state, box.settle(state, cursor))

    def showed(self, made_s: float) -> bool:
        """Whether what shows now showed already when a press was made."""
        return made_s >= self._since_s

    @property
    def says_wait(self) -> bool:
        """Whether the lamps say that a press has to wait."""
        return time.monotonic() - self._wait_sign_s < WAIT_SIGN_S

    def say_wait(self, over: Callable[[], None]) -> None:
        """Begin to say so; `over` is called when it ends."""
        self._wait_sign_s = time.monotonic()
        timer = threading.Timer(WAIT_SIGN_S, over)
        timer.daemon = True
        timer.start()
