"""What the hub lets in of what tables tell, each within what a table may; for any thread."""

import queue
from collections.abc import Callable
from contextlib import suppress

from companion.hub.allowance import Allowance, Rate
from companion.hub.intake import Aside, aside_of
from companion.hub.room import Room
from companion.hub.waiting import Waiting
from companion.relay.wire import Link, WireError, link_from_json
from scoring.language import Message

MESSAGES = Rate(10_000, 20.0)
"""Messages of a table: a season's at once. What is more stays in the table's log until later."""

BYTES = Rate(20_000_000, 10_000.0)

CHAINS = Rate(20, 0.02)
"""Logs that a table may begin anew."""

ASIDE = Rate(20, 0.2)
"""Messages of a table that are set aside; of more only the table's card tells."""

MOST_ASIDE = 1_000
"""Of all tables together."""

MOST_ASIDE_AT_ONCE = 20
"""Messages that are set aside before the next batch is taken: a flood keeps no table waiting."""

NO_MESSAGE = Message("companion.relay.no-message")
TOO_MUCH = Message("companion.hub.too-much")


class Inbox:
    """Messages that wait for the database, and those that are to be set aside there."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._waiting = Waiting()
        self._aside: queue.Queue[Aside] = queue.Queue(MOST_ASIDE)
        self._messages, self._bytes = Allowance(MESSAGES), Allowance(BYTES)
        self._chains, self._asides = Allowance(CHAINS), Allowance(ASIDE)

    def put(self, table: str, payload: bytes) -> None:
        """Let a message wait for the database; one that finds no place its table sends again."""
        if not self._waiting.has_place(table):
            return
        if not (self._messages.covers(table) and self._bytes.covers(table, len(payload))):
            self._room.hear_aside(table, TOO_MUCH)
            return
        try:
            link = link_from_json(payload)
        except WireError as error:
            self.refuse(table, payload, error.message)
            return
        if link.place == 1 and not self._chains.covers(table):
            self._room.hear_aside(table, TOO_MUCH)
        else:
            self._waiting.put(table, link)

    def refuse(self, table: str, payload: bytes, reason: Message) -> None:
        """Tell of a message that cannot be read, and let it be set aside."""
        self._room.hear_aside(table, reason)
        if self._asides.covers(table):
            self._keep(aside_of(table, payload, reason))

    def put_aside(self, one: Aside) -> None:
        """The same of a message as it is kept."""
        self._room.hear_aside(one.table, one.reason)
        if self._asides.covers(one.table):
            self._keep(one)

    def _keep(self, one: Aside) -> None:
        with suppress(queue.Full):  # somebody floods: the first thousand tell enough
            self._aside.put_nowait(one)

    def take(self, most: int, timeout_s: float) -> list[tuple[str, Link]]:
        """What waits, as `Waiting.take`."""
        return self._waiting.take(most, timeout_s)

    @property
    def has_aside(self) -> bool:
        """Whether something is to be set aside."""
        return not self._aside.empty()

    def set_aside(self, keep: Callable[[Aside], object]) -> None:
        """Give `keep` some of what is to be set aside; what it raises leaves that one here."""
        for _ in range(min(self._aside.qsize(), MOST_ASIDE_AT_ONCE)):
            keep(self._aside.queue[0])
            self._aside.get_nowait()
