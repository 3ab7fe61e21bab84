"""What can happen at a table: the events of the log.

A camera's reading is a proposal (`ReadingProposed`); every other event is something that a
person did. A player is named by colour, which stays when the name changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from companion.errors import CompanionError
from scoring.language import Message

PHASES: tuple[str, ...] = ("start", "look", "doubts", "tickets", "sheet")
"""Where a tally stands, in order: the panel's words."""


class EventError(CompanionError, ValueError):
    """A document is no event that this program knows."""


class UnknownEventError(EventError):
    """The kind of an event is not known here: a newer program may have written it."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at the table."""

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the camera says of one route.

    `alternatives` lists (owner, probability), the likeliest first; owner None is nobody.
    """

    owner: str | None
    confidence: float
    review: bool
    alternatives: tuple[tuple[str | None, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to know about a reading as a whole."""

    code: str
    message: Message
    routes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Started:
    """A new game on a board, with or without a camera; the players in seat order."""

    board: str
    players: tuple[Player, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    camera: bool = True


@dataclass(frozen=True, slots=True)
class PutAway:
    """The game is put away: nothing is being played."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Pages and box moved to another phase of the tally (one of PHASES but the first, the last)."""

    phase: str


@dataclass(frozen=True, slots=True)
class ReadingProposed:
    """The camera's word on some routes; `whole` if a person had it look at all of them anew."""

    routes: Mapping[str, Proposal]
    whole: bool = True
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class RouteConfirmed:
    """A person says that the camera's word on a route is right."""

    route: str


@dataclass(frozen=True, slots=True)
class RouteCorrected:
    """A person says who owns a route (None: nobody), whatever the camera says."""

    route: str
    owner: str | None


@dataclass(frozen=True, slots=True)
class TicketsSet:
    """All tickets of a player at once, as `GAME.json` writes them."""

    colour: str
    tickets: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TicketAdded:
    colour: str
    ticket: Any


@dataclass(frozen=True, slots=True)
class TicketRemoved:
    """The first ticket that equals this one is taken out again."""

    colour: str
    ticket: Any


@dataclass(frozen=True, slots=True)
class PassengersSet:
    """Germany: passengers a player holds, colour to count."""

    colour: str
    passengers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TypedSet:
    """Any other figure that a player types; `name` is its key in `GAME.json`."""

    colour: str
    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class SettingsSet:
    """The table's choices where the rulebook is silent, all at once."""

    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    colour: str
    name: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The sheet stands."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """The sheet is open for corrections again."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The last thing a person did is taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The last thing taken back is done again."""


Event = (
    Started
    | PutAway
    | Shown
    | ReadingProposed
    | RouteConfirmed
    | RouteCorrected
    | TicketsSet
    | TicketAdded
    | TicketRemoved
    | PassengersSet
    | TypedSet
    | SettingsSet
    | PlayerRenamed
    | Finished
    | Reopened
    | Undone
    | Redone
)

TYPED_NAMES: tuple[str, ...] = (
    "flags",
    "route_lengths",
    "cards",
    "first_pass",
    "completed",
    "failed",
    "marker",
)
"""Keys of a player in `GAME.json` that are typed by hand, beside tickets and passengers."""

_KIND_OF: Mapping[type, str] = MappingProxyType(
    {
        Started: "started",
        PutAway: "put-away",
        Shown: "shown",
        ReadingProposed: "reading-proposed",
        RouteConfirmed: "route-confirmed",
        RouteCorrected: "route-corrected",
        TicketsSet: "tickets-set",
        TicketAdded: "ticket-added",
        TicketRemoved: "ticket-removed",
        PassengersSet: "passengers-set",
        TypedSet: "typed-set",
        SettingsSet: "settings-set",
        PlayerRenamed: "player-renamed",
        Finished: "finished",
        Reopened: "reopened",
        Undone: "undone",
        Redone: "redone",
    }
)


def kind_of(event: Event) -> str:
    """The event's word in the log."""
    return _KIND_OF[type(event)]
