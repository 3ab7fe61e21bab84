"""The box's button for a copy of the table: one press, a sign on the lamps, a sentence."""

import logging
import threading
from collections.abc import Callable

from companion.table.later import Later
from hardware.console.console import Lamp
from scoring.language import Message, SpokenError

SIGN_S = 4.0
"""How long the lamps say how it ended."""

SAID_S = 60.0
"""How long the panel says it."""

log = logging.getLogger(__name__)


class CopyButton:
    """Saves a copy at a press, on a thread of its own; a press meanwhile does nothing more.

    `save` writes the copy and returns what is to be said; it raises SpokenError with what is in the
    way. `changed` is called when `sign` or `said` has changed.
    """

    def __init__(
        self, save: Callable[[], Message] | None, changed: Callable[[], None], later: Later
    ) -> None:
        self._save = save
        self._changed = changed
        self._later = later
        self._busy = threading.Lock()
        self._count = 0
        self.sign: Lamp | None = None
        """What all lamps show: pulsing while it is saved, then lit; blinking where it failed."""
        self.said: Message | None = None

    def press(self) -> None:
        """Begin a copy, unless one is under way."""
        if self._save is None or not self._busy.acquire(blocking=False):
            return
        self._count += 1
        self._show(Lamp.PULSE, None)
        work = threading.Thread(target=self._work, args=(self._save,), name="copy", daemon=True)
        try:
            work.start()
        except RuntimeError as error:  # the system gives no more threads
            self._ended(Message("companion.copy.unreadable", reason=error), Lamp.BLINK)

    def _work(self, save: Callable[[], Message]) -> None:
        try:
            said, sign = save(), Lamp.ON
        except SpokenError as error:
            said, sign = error.message, Lamp.BLINK
        except Exception as error:  # whoever pressed has to hear that there is no copy
            log.exception("The copy failed.")
            said, sign = Message("companion.copy.unreadable", reason=error), Lamp.BLINK
        self._ended(said, sign)

    def _ended(self, said: Message, sign: Lamp) -> None:
        number = self._count
        self._busy.release()
        self._show(sign, said)
        self._later.call(SIGN_S, lambda: self._forget(number, said))
        self._later.call(SAID_S, lambda: self._forget(number, None))

    def _forget(self, number: int, said: Message | None) -> None:
        """The signs are over, unless another copy was begun since."""
        if number == self._count:
            self._show(None, said)

    def _show(self, sign: Lamp | None, said: Message | None) -> None:
        self.sign, self.said = sign, said
        self._changed()
