"""What can happen at a table: the events of the log.

A camera's reading is a proposal (`ReadingProposed`); every other event is something that a
person did. A player is named by colour, which stays when the name changes.

An event class is the one place that knows its word in the log, the panel's action behind it and
its fields; `event_json` reads and writes it by these, `board_check` checks it against the board,
and `companion.table.actions` offers it to the panel.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, get_args

from companion.errors import CompanionError
from companion.session.event_fields import (
    BoardId,
    CameraUsed,
    FieldType,
    PassengerCounts,
    Phase,
    PlayerColour,
    Probability,
    ReadableMessage,
    RouteId,
    RouteOwner,
    Settings,
    Ticket,
    document,
    read_as,
    text,
    whole_number,
)
from scoring.language import Message


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
    confidence: Probability
    review: bool
    alternatives: tuple[tuple[str | None, Probability], ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to know about a reading as a whole."""

    code: str
    message: ReadableMessage
    routes: tuple[str, ...] = ()


def _notice(value: object) -> Notice:
    """A notice of the log; earlier versions wrote its sentence in English."""
    known = document(value)
    if "text" in known:
        message = Message("companion.notice.plain", text=text(known["text"]))
        known = {**known, "message": message.to_json()}
    return read_as(Notice, known)


ReadNotice = Annotated[Notice, FieldType("notice", _notice)]
Players = Annotated[tuple[Player, ...], FieldType("players", sent_as="players")]
Tickets = Annotated[tuple[Ticket, ...], FieldType("tickets", sent_as="tickets")]
ProposedRoutes = Annotated[Mapping[RouteId, Proposal], FieldType("routes")]


class EventBase:
    """What is known of every kind of event, beside its fields."""

    __slots__ = ()

    kind: ClassVar[str]
    """Its word in the log, which never changes."""
    action: ClassVar[str]
    """What the panel calls the action behind it."""
    is_offered: ClassVar[bool] = True
    """Whether the panel may send it as an action; the others come about in another way."""
    turns_page: ClassVar[bool] = False
    """Whether it leads to another phase, whose page one then wants to see."""
    can_contradict: ClassVar[bool] = False
    """Whether it can make a game contradict itself, so that the sheet must be tried first."""


@dataclass(frozen=True, slots=True)
class Started(EventBase):
    """A new game on a board, with or without a camera; the players in seat order."""

    kind: ClassVar[str] = "started"
    action: ClassVar[str] = "start"
    turns_page: ClassVar[bool] = True

    board: BoardId
    players: Players
    settings: Settings = field(default_factory=dict)
    camera: CameraUsed = True


@dataclass(frozen=True, slots=True)
class PutAway(EventBase):
    """The game is put away: nothing is being played."""

    kind: ClassVar[str] = "put-away"
    action: ClassVar[str] = "new-game"
    turns_page: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Shown(EventBase):
    """Pages and box moved to another phase of the tally (one of PHASES but the first, the last)."""

    kind: ClassVar[str] = "shown"
    action: ClassVar[str] = "show"
    turns_page: ClassVar[bool] = True

    phase: Phase


@dataclass(frozen=True, slots=True)
class ReadingProposed(EventBase):
    """The camera's word on some routes; `whole` if a person had it look at all of them anew."""

    kind: ClassVar[str] = "reading-proposed"
    action: ClassVar[str] = "scan"
    is_offered: ClassVar[bool] = False

    routes: ProposedRoutes
    whole: bool = True
    notices: tuple[ReadNotice, ...] = ()


@dataclass(frozen=True, slots=True)
class RouteConfirmed(EventBase):
    """A person says that the camera's word on a route is right."""

    kind: ClassVar[str] = "route-confirmed"
    action: ClassVar[str] = "confirm-route"

    route: RouteId


@dataclass(frozen=True, slots=True)
class RouteCorrected(EventBase):
    """A person says who owns a route (None: nobody), whatever the camera says."""

    kind: ClassVar[str] = "route-corrected"
    action: ClassVar[str] = "correct-route"

    route: RouteId
    owner: RouteOwner


@dataclass(frozen=True, slots=True)
class TicketsSet(EventBase):
    """All tickets of a player at once, as `GAME.json` writes them."""

    kind: ClassVar[str] = "tickets-set"
    action: ClassVar[str] = "set-tickets"
    can_contradict: ClassVar[bool] = True

    colour: PlayerColour
    tickets: Tickets


@dataclass(frozen=True, slots=True)
class TicketAdded(EventBase):
    kind: ClassVar[str] = "ticket-added"
    action: ClassVar[str] = "add-ticket"
    can_contradict: ClassVar[bool] = True

    colour: PlayerColour
    ticket: Ticket


@dataclass(frozen=True, slots=True)
class TicketRemoved(EventBase):
    """The first ticket that equals this one is taken out again."""

    kind: ClassVar[str] = "ticket-removed"
    action: ClassVar[str] = "remove-ticket"

    colour: PlayerColour
    ticket: Ticket


@dataclass(frozen=True, slots=True)
class PassengersSet(EventBase):
    """Germany: passengers a player holds, colour to count."""

    kind: ClassVar[str] = "passengers-set"
    action: ClassVar[str] = "set-passengers"
    can_contradict: ClassVar[bool] = True

    colour: PlayerColour
    passengers: PassengerCounts


@dataclass(frozen=True, slots=True)
class TypedSet(EventBase):
    """Any other figure that a player types; `name` is its key in `GAME.json`."""

    kind: ClassVar[str] = "typed-set"
    action: ClassVar[str] = "set-flags"
    is_offered: ClassVar[bool] = False
    can_contradict: ClassVar[bool] = True

    colour: PlayerColour
    name: str
    value: Any

    def __post_init__(self) -> None:
        """Raises FieldError where the figure is one that the panel counts with and no number."""
        if self.name in COUNTED_NAMES:
            whole_number(self.value)


@dataclass(frozen=True, slots=True)
class SettingsSet(EventBase):
    """The table's choices where the rulebook is silent, all at once."""

    kind: ClassVar[str] = "settings-set"
    action: ClassVar[str] = "set-settings"
    is_offered: ClassVar[bool] = False
    can_contradict: ClassVar[bool] = True

    settings: Settings


@dataclass(frozen=True, slots=True)
class PlayerRenamed(EventBase):
    kind: ClassVar[str] = "player-renamed"
    action: ClassVar[str] = "rename-player"
    is_offered: ClassVar[bool] = False

    colour: PlayerColour
    name: str


@dataclass(frozen=True, slots=True)
class Finished(EventBase):
    """The sheet stands."""

    kind: ClassVar[str] = "finished"
    action: ClassVar[str] = "finish"
    turns_page: ClassVar[bool] = True
    can_contradict: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Reopened(EventBase):
    """The sheet is open for corrections again."""

    kind: ClassVar[str] = "reopened"
    action: ClassVar[str] = "reopen"
    turns_page: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Undone(EventBase):
    """The last thing a person did is taken back."""

    kind: ClassVar[str] = "undone"
    action: ClassVar[str] = "undo"
    is_offered: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Redone(EventBase):
    """The last thing taken back is done again."""

    kind: ClassVar[str] = "redone"
    action: ClassVar[str] = "redo"
    is_offered: ClassVar[bool] = False


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

EVENTS: tuple[type[Event], ...] = get_args(Event)
"""Every kind of event."""

EVENT_OF_KIND: Mapping[str, type[Event]] = MappingProxyType({one.kind: one for one in EVENTS})

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

COUNTED_NAMES: tuple[str, ...] = ("flags",)
"""Those of TYPED_NAMES that are a whole number, which the panel asks for (`set-flags`)."""
