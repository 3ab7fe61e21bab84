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
    EveningId,
    FieldType,
    LineOwners,
    Markers,
    PassengerCounts,
    Phase,
    PlaceLines,
    PlayerColour,
    PlayerName,
    RouteId,
    RouteOwner,
    Settings,
    Ticket,
    TrackLine,
    Wagons,
)
from companion.session.json_values import (
    FieldError,
    boolean,
    boolean_or_none,
)
from companion.session.proposals import Notice as Notice
from companion.session.proposals import ProposedPlace as ProposedPlace
from companion.session.proposals import ProposedPlaces, ProposedRoutes, ReadNotice
from companion.session.proposals import RouteProposal as RouteProposal
from companion.session.typed_figures import TYPED


class EventError(CompanionError, ValueError):
    """A document is no event that this program knows."""


class UnknownEventError(EventError):
    """The kind of an event is not known here: a newer program may have written it."""


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """Who sits at the table."""

    name: str
    colour: str


HasMap = Annotated[bool, FieldType("has_map", boolean)]
Completed = Annotated[bool | None, FieldType("completed", boolean_or_none, sent_as="completed")]
HandsByColour = Annotated[Mapping[str, tuple[Any, ...]], FieldType("hands")]
PointsByName = Annotated[Mapping[str, int], FieldType("points")]
Piles = Annotated[Mapping[str, Mapping[str, int]], FieldType("piles")]
Players = Annotated[tuple[SeatedPlayer, ...], FieldType("players", sent_as="players")]
Tickets = Annotated[tuple[Ticket, ...], FieldType("tickets", sent_as="tickets")]


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
    is_for_players: ClassVar[bool] = False
    """Whether a club's players may do it, those with a `colour` for themselves; else the host."""

    def __init_subclass__(
        cls,
        kind: str = "",
        action: str = "",
        is_offered: bool = True,
        turns_page: bool = False,
        can_contradict: bool = False,
        is_for_players: bool = False,
    ) -> None:
        """Take these from the head of the class.

        A dataclass with slots is made a second time, without them: it then has them already.
        """
        if kind:
            cls.kind, cls.action, cls.is_offered = kind, action, is_offered
            cls.turns_page, cls.can_contradict = turns_page, can_contradict
            cls.is_for_players = is_for_players


@dataclass(frozen=True, slots=True)
class Started(EventBase, kind="started", action="start", turns_page=True, can_contradict=True):
    """A new game on a board, with or without a camera; the players in seat order."""

    board: BoardId
    players: Players
    settings: Settings = field(default_factory=dict)
    camera: CameraUsed = True
    has_map: HasMap = True
    """Without a map there is nothing to look at: the players' entries come at once."""


@dataclass(frozen=True, slots=True)
class PutAway(EventBase, kind="put-away", action="new-game", turns_page=True):
    """The game is put away: nothing is being played."""


@dataclass(frozen=True, slots=True)
class Shown(EventBase, kind="shown", action="show", turns_page=True):
    """Pages and box moved to another phase of the tally (one of PHASES but the first, the last)."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class ReadingProposed(EventBase, kind="reading-proposed", action="scan", is_offered=False):
    """The camera's reading of some routes; `whole` if a person had it look at all of them anew.

    `places` names the places of several lines, and those of one line with a reason for a question.
    A route in none of them is a place by itself; so is every route in older logs.
    """

    routes: ProposedRoutes
    whole: bool = True
    notices: tuple[ReadNotice, ...] = ()
    places: ProposedPlaces = ()


@dataclass(frozen=True, slots=True)
class RouteConfirmed(
    EventBase, kind="route-confirmed", action="confirm-route", is_for_players=True
):
    """A person confirms the camera's reading of a route."""

    route: RouteId


@dataclass(frozen=True, slots=True)
class RouteCorrected(
    EventBase, kind="route-corrected", action="correct-route", is_for_players=True
):
    """A person says who owns a route (None: nobody), whatever the camera says."""

    route: RouteId
    owner: RouteOwner


@dataclass(frozen=True, slots=True)
class TrackLaid(EventBase, kind="track-laid", action="lay-track", is_for_players=True):
    """France: a track piece lies on a line, which is built and which nobody has claimed yet."""

    route: TrackLine


@dataclass(frozen=True, slots=True)
class PlaceAnswered(EventBase, kind="place-answered", action="answer-place", is_for_players=True):
    """A person says who owns the lines of a place; `owners` in the order of `routes`.

    One event, so that undo takes back all lines at once.
    """

    routes: PlaceLines
    owners: LineOwners

    def __post_init__(self) -> None:
        """Raises FieldError where a line has no owner given, or stands there twice."""
        if not self.routes or len(self.routes) != len(self.owners):
            raise FieldError("not one owner for each line of the place")
        if len(set(self.routes)) < len(self.routes):
            raise FieldError("one line of the place twice")


@dataclass(frozen=True, slots=True)
class TicketsSet(
    EventBase,
    kind="tickets-set",
    action="set-tickets",
    can_contradict=True,
    is_for_players=True,
):
    """All tickets of a player at once, as `GAME.json` writes them."""

    colour: PlayerColour
    tickets: Tickets


@dataclass(frozen=True, slots=True)
class TicketAdded(
    EventBase,
    kind="ticket-added",
    action="add-ticket",
    can_contradict=True,
    is_for_players=True,
):
    """A player enters a ticket."""

    colour: PlayerColour
    ticket: Ticket


@dataclass(frozen=True, slots=True)
class TicketRemoved(EventBase, kind="ticket-removed", action="remove-ticket", is_for_players=True):
    """The first ticket that equals this one is taken out again."""

    colour: PlayerColour
    ticket: Ticket


@dataclass(frozen=True, slots=True)
class TicketStated(
    EventBase,
    kind="ticket-stated",
    action="state-ticket",
    can_contradict=True,
    is_for_players=True,
):
    """The first ticket that equals this one is said to be completed or not (None: not said)."""

    colour: PlayerColour
    ticket: Ticket
    completed: Completed


@dataclass(frozen=True, slots=True)
class FirstPassScored(
    EventBase,
    kind="first-pass-scored",
    action="score-first-pass",
    is_offered=False,
    can_contradict=True,
):
    """Card Game with four players: the deck has run out the first time.

    `aside` are the completed tickets of every colour, which are set aside; `piles` what is left of
    the On-the-Track piles.
    """

    aside: HandsByColour
    piles: Piles


@dataclass(frozen=True, slots=True)
class PassengersSet(
    EventBase,
    kind="passengers-set",
    action="set-passengers",
    can_contradict=True,
    is_for_players=True,
):
    """Germany: passengers a player holds, colour to count."""

    colour: PlayerColour
    passengers: PassengerCounts


@dataclass(frozen=True, slots=True)
class TypedSet(
    EventBase,
    kind="typed-set",
    action="set-flags",
    is_offered=False,
    can_contradict=True,
    is_for_players=True,
):
    """Any other figure that a player types; `name` is its key in `GAME.json`."""

    colour: PlayerColour
    name: str
    value: Any

    def __post_init__(self) -> None:
        """Raises FieldError where the figure is one that the panel reckons with and is none."""
        if self.name in TYPED:
            TYPED[self.name](self.value)


@dataclass(frozen=True, slots=True)
class MarkersSet(EventBase, kind="markers-set", action="set-markers", can_contradict=True):
    """Where each wooden marker stands, all at once; one that is left out has not been looked at."""

    markers: Markers


@dataclass(frozen=True, slots=True)
class WagonsCounted(EventBase, kind="wagons-counted", action="count-wagons", is_for_players=True):
    """How many wagons somebody counted before a player (None: the count is dropped)."""

    colour: PlayerColour
    wagons: Wagons


@dataclass(frozen=True, slots=True)
class SettingsSet(EventBase, kind="settings-set", action="set-settings", can_contradict=True):
    """The table's choices where the rulebook is silent, all at once."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class TablePointsSet(
    EventBase, kind="table-points-set", action="set-points", is_offered=False, can_contradict=True
):
    """One setting that holds points printed on the table's own board or cards; the others stay."""

    name: str
    points: PointsByName


@dataclass(frozen=True, slots=True)
class PlayerRenamed(EventBase, kind="player-renamed", action="rename-player"):
    """A player's name is corrected, or somebody else takes the seat; all else stays."""

    colour: PlayerColour
    name: PlayerName


@dataclass(frozen=True, slots=True)
class Finished(EventBase, kind="finished", action="finish", turns_page=True, can_contradict=True):
    """The sheet stands."""


@dataclass(frozen=True, slots=True)
class Reopened(EventBase, kind="reopened", action="reopen", turns_page=True):
    """The sheet is open for corrections again."""


@dataclass(frozen=True, slots=True)
class EveningDeleted(EventBase, kind="evening-deleted", action="delete-evening"):
    """An old evening goes into the bin: it is listed and counted no longer, and may come back."""

    evening: EveningId


@dataclass(frozen=True, slots=True)
class EveningRestored(EventBase, kind="evening-restored", action="restore-evening"):
    """An old evening comes back from the bin."""

    evening: EveningId


@dataclass(frozen=True, slots=True)
class Copied(EventBase, kind="copied", action="copied", is_offered=False):
    """A copy was taken: undo leads to no other game that is unfinished, for its hands are known."""


@dataclass(frozen=True, slots=True)
class Undone(EventBase, kind="undone", action="undo", is_offered=False):
    """The last thing a person did is taken back."""


@dataclass(frozen=True, slots=True)
class Redone(EventBase, kind="redone", action="redo"):
    """The last thing taken back is done again."""


Event = (
    Started
    | PutAway
    | Shown
    | ReadingProposed
    | RouteConfirmed
    | RouteCorrected
    | TrackLaid
    | PlaceAnswered
    | TicketsSet
    | TicketAdded
    | TicketRemoved
    | TicketStated
    | FirstPassScored
    | PassengersSet
    | TypedSet
    | MarkersSet
    | WagonsCounted
    | SettingsSet
    | TablePointsSet
    | PlayerRenamed
    | Finished
    | Reopened
    | EveningDeleted
    | EveningRestored
    | Copied
    | Undone
    | Redone
)

EVENTS: tuple[type[Event], ...] = get_args(Event)
"""Every kind of event."""

EVENT_OF_KIND: Mapping[str, type[Event]] = MappingProxyType({one.kind: one for one in EVENTS})

OF_NO_GAME = EveningDeleted | EveningRestored | Copied
"""What belongs to no game: no step of it, and not the moment of its end."""

HANDS = (
    TicketsSet
    | TicketAdded
    | TicketRemoved
    | TicketStated
    | FirstPassScored
    | PassengersSet
    | TypedSet
)
"""What says something of a hand."""
