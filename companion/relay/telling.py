"""Which rows of the log are told at once, and which only at the reveal; pure."""

import hmac
from collections.abc import Iterator

from companion.errors import RefusalError
from companion.log.replay import LostSteps
from companion.log.rows import Row
from companion.log.store import Unusable, entry_of
from companion.relay.wire import Link, link_row
from companion.session.events import HANDS, Event, Redone, Undone
from companion.session.reducer import NOTHING_YET, advance
from companion.session.state import State


class Teller:
    """Turns the rows of a log into the messages of a chain, each row in its turn.

    The same rows and key always give the same messages: nothing of them has to be kept. So no row
    is held against a board, which may have been taught anew since: it fitted when it was written.
    """

    def __init__(self, chain: str, key: bytes) -> None:
        self._chain = chain
        self._key = key
        self._state = NOTHING_YET
        self._lost = LostSteps()
        self._last: Link | None = None
        self._kept_back: dict[int, list[Row]] = {}
        """Rows that wait for the reveal, by the number of their game."""

    def tell(self, row: Row) -> Iterator[Link]:
        """The row's message; behind the row that ends a game, its hands."""
        is_open = self._advance(row)
        now = self._state.facts
        if not is_open:
            self._kept_back.setdefault(now.number, []).append(row)
        yield self._link(row, is_open=is_open)
        if now.phase == "sheet":
            for kept in self._kept_back.pop(now.number, []):
                yield self._link(kept, is_open=True)

    def _link(self, row: Row, *, is_open: bool) -> Link:
        nonce = hmac.digest(self._key, f"{row.number}|{row.seal}".encode(), "sha256").hex()[:32]
        self._last = link_row(self._chain, self._last, row, nonce, is_open=is_open)
        return self._last

    def _advance(self, row: Row) -> bool:
        """Fold the row into the state; returns whether it may be told at once.

        What this program cannot read may be a hand.
        """
        before, event = self._state, entry_of(row)
        if isinstance(event, Unusable):
            self._lost.lose(event)
            return False
        if self._lost.are_undone_by(event):
            return False
        try:
            self._state = advance(before, event)
        except RefusalError:
            self._lost.lose(event)
            return not isinstance(event, HANDS)
        self._lost.forget()
        return not says_of_a_hand(before, event)


def says_of_a_hand(before: State, event: Event) -> bool:
    """Whether an event, or what it takes back or does again, says something of a hand."""
    if isinstance(event, Undone):
        return bool(before.past) and isinstance(before.past[-1].left_by, HANDS)
    if isinstance(event, Redone):
        return bool(before.future) and isinstance(before.future[-1].left_by, HANDS)
    return isinstance(event, HANDS)
