"""How many pages may listen at a time, and who makes room for whom."""

from collections import Counter
from dataclasses import dataclass
from threading import Lock

MOST_LISTENERS = 160
"""At a table: 20 tablets, 100 spectators, and some to spare. A small box tells each of them."""

MOST_IN_ROOM = 4_000
"""At a club's hub, which is a larger machine."""

MANY_OF_ONE_MACHINE = 40
"""A machine that holds more makes room for the others where no slot is free."""


@dataclass(slots=True, eq=False)
class ListenerSlot:
    """A slot of one listener; `given_away` once another listener has it."""

    client: str
    """The browser's name; empty for programs and foreign pages, the strangers."""
    machine: str = ""
    """Its address in the network."""
    given_away: bool = False


class ListenerSlots:
    """All slots. Where none is free, one is given away: see `_to_give_away`."""

    def __init__(self, most: int = MOST_LISTENERS) -> None:
        self._most = most
        self._lock = Lock()
        self._taken: list[ListenerSlot] = []

    def take(self, client: str, machine: str = "") -> ListenerSlot | None:
        """A slot, None where none can be had."""
        slot = ListenerSlot(client, machine)
        with self._lock:
            if len(self._taken) >= self._most:
                old = self._to_give_away(slot)
                if old is None:
                    return None
                old.given_away = True
                self._taken.remove(old)
            self._taken.append(slot)
        return slot

    def leave(self, slot: ListenerSlot) -> None:
        """The slot is free again."""
        with self._lock:
            if not slot.given_away:
                self._taken.remove(slot)
                slot.given_away = True

    def _to_give_away(self, new: ListenerSlot) -> ListenerSlot | None:
        """The oldest of the same browser, else of the strangers, else of a greedy machine.

        A stranger displaces nobody.
        """
        if not new.client:
            return None
        alike = [one for one in self._taken if one.client == new.client]
        strangers = [one for one in self._taken if not one.client]
        return next(iter([*alike, *strangers, *self._greedy(new.machine)]), None)

    def _greedy(self, machine: str) -> list[ListenerSlot]:
        """The slots of the machine that holds most, if it holds many and is another one."""
        (busiest, count), *_ = Counter(one.machine for one in self._taken).most_common(1)
        if busiest == machine or count <= MANY_OF_ONE_MACHINE:
            return []
        return [one for one in self._taken if one.machine == busiest]
