"""Who sends a request: their role, the seat they hold, and whose hand they may see."""

from dataclasses import dataclass
from secrets import token_bytes
from typing import Protocol

from web.access.devices import Devices
from web.access.roles import Need, Role


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request.

    `seat` is the colour whose hand is theirs, `taken` the colours that others hold on a device of
    their own.
    """

    role: Role
    seat: str | None = None
    taken: frozenset[str] = frozenset()

    @property
    def is_host(self) -> bool:
        """Whether the table is theirs to lead."""
        return self.role is Role.HOST

    @property
    def takes_part(self) -> bool:
        """Whether they do more than watch: a player, or the host."""
        return self.role >= Role.PLAYER

    def meets(self, need: Need) -> bool:
        """Whether the role suffices; whose hand it is, `may_see_hand` tells."""
        return self.role >= need.role

    def may_see_hand(self, colour: str) -> bool:
        """Whether a hand is theirs, or nobody's on another device and they are the host."""
        own = self.takes_part and self.seat == colour
        return own or (self.is_host and colour not in self.taken)


class Access(Protocol):
    """Tells who sends the present request; asked when it comes, and once it is received."""

    @property
    def devices(self) -> Devices:
        """Names of browsers."""
        ...

    @property
    def is_club(self) -> bool:
        """Whether visitors have different roles."""
        ...

    def visitor(self) -> Visitor:
        """The sender of the present request."""
        ...


class HomeTable:
    """A table at home: whoever is in the network may do everything."""

    is_club = False

    def __init__(self, devices: Devices | None = None) -> None:
        self.devices = Devices(token_bytes(32)) if devices is None else devices

    def visitor(self) -> Visitor:
        """Everybody is the host."""
        return Visitor(Role.HOST)
