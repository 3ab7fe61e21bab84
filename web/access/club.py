"""A club's table: the host pairs by a PIN, players sit down by one-time links, others watch."""

import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from types import MappingProxyType
from typing import Self

from flask import request

from web.access.devices import Devices
from web.access.pin import PinLock
from web.access.roles import Role
from web.access.visitors import Visitor
from web.days import EVENING_S
from web.errors import NotFoundError, TooManyGuessesError, WrongPinError
from web.names import one_spelling, recoloured
from web.ports import GameInPlay

MOST_HOSTS = 8
"""Devices that are the host at a time; the one that paired first goes. The host's page says so."""

HOST = ""
"""Stands for the host's place where a seat's colour stands."""

NONE_MOVED: Mapping[str, str] = MappingProxyType({})

SAVE_AGAIN_S = 30.0
"""How long after a failed save it is tried again: room on the disk is made by hand."""


@dataclass(frozen=True, slots=True)
class LetIn:
    """Who has been let in, by the names of their devices; `seats` by colour.

    The seats are those of the game that began at `game_ms`, in which `players` sat, by colour.
    """

    hosts: Sequence[str] = ()
    seats: Mapping[str, str] = ()  # type: ignore[assignment]
    players: Mapping[str, str] = ()  # type: ignore[assignment]
    game_ms: int | None = None
    began_s: float | None = None
    """As `GameInPlay` has it; not kept for the next start."""

    def __post_init__(self) -> None:
        """Own containers of all."""
        object.__setattr__(self, "hosts", tuple(self.hosts))
        object.__setattr__(self, "seats", dict(self.seats))
        object.__setattr__(self, "players", dict(self.players))

    def sits_on(self, colour: str, game: GameInPlay) -> bool:
        """Whether a seat goes over to a game: that one still, or the next, to the same player.

        A seat of which no game is known goes over to none, and nobody sits where nobody plays.
        """
        player = _names(game).get(colour)
        if player is None or self.game_ms is None or game.began_ms is None:
            return False
        if self.game_ms == game.began_ms:
            return True
        return self._later_s(game) < EVENING_S and self.players.get(colour) == player

    def _later_s(self, game: GameInPlay) -> float:
        """How much later another game began; the clock of a box may be set between the two."""
        if self.began_s is not None and game.began_s is not None:
            return abs(game.began_s - self.began_s)
        return abs((game.began_ms or 0) - (self.game_ms or 0)) / 1000

    def at(self, game: GameInPlay) -> Self:
        """Those who are let in to a game.

        Who was renamed in the course of it, or got another colour, keeps the seat.
        """
        moved = self.moved(game)
        seats = {moved.get(one, one): held for one, held in self.seats.items()}
        seats = {one: held for one, held in seats.items() if self.sits_on(one, game)}
        players, game_ms, began_s = _names(game), game.began_ms, game.began_s
        return replace(self, seats=seats, players=players, game_ms=game_ms, began_s=began_s)

    def moved(self, game: GameInPlay) -> Mapping[str, str]:
        """Colours that were changed in the course of a game, and what is played instead."""
        same = self.game_ms is not None and self.game_ms == game.began_ms
        return recoloured(self.players, _names(game)) if same else {}


def _names(game: GameInPlay) -> dict[str, str]:
    return {player["colour"]: one_spelling(player["name"]) for player in game.players}


class Club:
    """Tells who sends a request; implements `web.access.visitors.Access`.

    `save` keeps who has been let in for the next start; where it raises OSError, it is called again
    later. `told` hears of every new PIN. `clock` tells seconds. `own_pin` lets in too, and stays.
    """

    is_club = True

    def __init__(
        self,
        devices: Devices,
        let_in: LetIn,
        save: Callable[[LetIn], None] = lambda let_in: None,
        told: Callable[[str], None] = lambda pin: None,
        clock: Callable[[], float] = time.monotonic,
        own_pin: str | None = None,
    ) -> None:
        self.devices = devices
        self.pin = PinLock(own=own_pin)
        self._clock = clock
        self._save_again_s: float | None = None
        """When to try once more what could not be saved; None where all is saved."""
        self._let_in = let_in
        self._save = save
        self._told = told
        self._lock = Lock()
        self.in_play: Callable[[], GameInPlay] | None = None
        """The game whose seats these are; the panel says where to ask."""
        self.seats_changed: Callable[[Collection[str]], None] = lambda colours: None
        """Hears, by colour, of each seat that another device holds now, or none at all."""
        self._links: dict[str, str] = {}
        """Place (a seat's colour, or HOST) by the secret of its one-time link."""

    def visitor(self) -> Visitor:
        """The sender of the present request; whoever was not let in watches."""
        self._follow()
        device = self.devices.known()
        with self._lock:
            if self._save_again_s is not None and self._clock() >= self._save_again_s:
                self._keep(self._let_in)
            hosts, seats = self._let_in.hosts, self._let_in.seats
        seat = next((colour for colour, one in seats.items() if device and one == device), None)
        taken = frozenset(colour for colour, one in seats.items() if one != device)
        if device and device in hosts:
            return Visitor(Role.HOST, seat, taken)
        return Visitor(Role.SPECTATOR if seat is None else Role.PLAYER, seat, taken)

    def pair(self, pin: str) -> None:
        """Make the sender the host. Raises WrongPinError and TooManyGuessesError."""
        machine = request.remote_addr or ""
        wait_s = self.pin.wait_s(machine)
        if wait_s:
            raise TooManyGuessesError("web.error.pin-wait", n=wait_s)
        if not self.pin.guess("".join(pin.split()), machine):
            raise WrongPinError("web.error.pin")
        self._host_is(self.devices.named())
        self._told(self.pin.pin)

    def link(self, place: str = HOST) -> str:
        """The secret of the one-time link to a place: the same until somebody has used it."""
        with self._lock:
            known = next((one for one, where in self._links.items() if where == place), None)
            if known is None:
                known = secrets.token_urlsafe(16)
                self._links[known] = place
            return known

    def place_of(self, link: str) -> str:
        """Where a link leads; raises NotFoundError where it was used or never was one."""
        with self._lock:
            if link not in self._links:
                raise NotFoundError("web.error.link")
            return self._links[link]

    def use(self, link: str) -> str:
        """Give the sender the link's place, which is returned; raises NotFoundError."""
        place = self.place_of(link)
        with self._lock:
            if self._links.pop(link, None) is None:
                raise NotFoundError("web.error.link")
        device = self.devices.named()
        if place == HOST:
            self._host_is(device)
        else:
            self._sits(device, place)
        return place

    def free(self, colour: str) -> None:
        """Nobody holds this seat on a device any more; its open link ends as well."""
        with self._lock:
            seats = {one: held for one, held in self._let_in.seats.items() if one != colour}
            self._links = {link: at for link, at in self._links.items() if at != colour}
            self._keep(replace(self._let_in, seats=seats))

    def leave(self) -> None:
        """The sender gives up every role."""
        device = self.devices.known()
        with self._lock:
            known = self._let_in
            seats = {colour: one for colour, one in known.seats.items() if one != device}
            hosts = [one for one in known.hosts if one != device]
            self._keep(replace(known, hosts=hosts, seats=seats))

    def is_taken(self, colour: str) -> bool:
        """Whether somebody holds the seat on a device of their own."""
        with self._lock:
            return colour in self._let_in.seats

    @property
    def most_hosts(self) -> int | None:
        """How many hosts there are at most, where one more would put out the first, else None."""
        with self._lock:
            return MOST_HOSTS if len(self._let_in.hosts) >= MOST_HOSTS else None

    @property
    def other_hosts(self) -> int:
        """How many devices besides the sender's are the host."""
        device = self.devices.known()
        with self._lock:
            return sum(one != device for one in self._let_in.hosts)

    def only_host(self) -> None:
        """The sender, who is the host, is the only one; what other hosts could read lets in nobody:
        the PIN, and the links of free seats."""
        device = self.devices.known()
        with self._lock:
            self._links = {link: at for link, at in self._links.items() if at == HOST}
            self._keep(replace(self._let_in, hosts=[device]))
        self.pin.renew()
        self._told(self.pin.pin)

    def save(self) -> None:
        """Keep who has been let in as it stands, so that a disk which refuses is known early."""
        with self._lock:
            self._keep(self._let_in)

    def _follow(self) -> None:
        """Free the seats, and end the links, of players who do not sit there any more."""
        with self._lock:
            game = None if self.in_play is None else self.in_play()
            if game is None or game.began_ms is None:
                return
            known = self._let_in
            after = known.at(game)
            if after != known:
                moved = known.moved(game)
                self._links = {link: moved.get(at, at) for link, at in self._links.items()}
                stay = {at for at in self._links.values() if at == HOST or known.sits_on(at, game)}
                self._links = {link: at for link, at in self._links.items() if at in stay}
                self._keep(after, moved)

    def _host_is(self, device: str) -> None:
        with self._lock:
            hosts = [one for one in self._let_in.hosts if one != device]
            self._keep(replace(self._let_in, hosts=[*hosts, device][-MOST_HOSTS:]))

    def _sits(self, device: str, colour: str) -> None:
        """On one seat only."""
        with self._lock:
            others = {one: held for one, held in self._let_in.seats.items() if held != device}
            self._keep(replace(self._let_in, seats=others | {colour: device}))

    def _keep(self, let_in: LetIn, moved: Mapping[str, str] = NONE_MOVED) -> None:
        """`moved` are colours that were changed, by the old one: their hands stay open."""
        before = {moved.get(one, one): held for one, held in self._let_in.seats.items()}
        after = let_in.seats
        changed = [one for one in {**before, **after} if before.get(one) != after.get(one)]
        self._let_in, self._save_again_s = let_in, None
        if changed:
            self.seats_changed(changed)
        try:
            self._save(let_in)
        except OSError:
            self._save_again_s = self._clock() + SAVE_AGAIN_S
