"""What can happen at a table: the events of the log, each kind in the room of its subject.

A camera's reading is a proposal (`ReadingProposed`); every other event is something that a
person did. A player is named by colour, which stays when the name changes.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import get_args

from companion.session.board_events import PlaceAnswered as PlaceAnswered
from companion.session.board_events import ReadingProposed as ReadingProposed
from companion.session.board_events import RouteConfirmed as RouteConfirmed
from companion.session.board_events import RouteCorrected as RouteCorrected
from companion.session.board_events import TrackLaid as TrackLaid
from companion.session.board_events import WagonsCounted as WagonsCounted
from companion.session.event_base import EventBase as EventBase
from companion.session.event_base import EventError as EventError
from companion.session.event_base import UnknownEventError as UnknownEventError
from companion.session.game_events import ColourChanged as ColourChanged
from companion.session.game_events import Finished as Finished
from companion.session.game_events import MarkersSet as MarkersSet
from companion.session.game_events import PlayerAdded as PlayerAdded
from companion.session.game_events import PlayerMoved as PlayerMoved
from companion.session.game_events import PlayerRemoved as PlayerRemoved
from companion.session.game_events import PlayerRenamed as PlayerRenamed
from companion.session.game_events import PutAway as PutAway
from companion.session.game_events import Reopened as Reopened
from companion.session.game_events import SeatedPlayer as SeatedPlayer
from companion.session.game_events import SettingsSet as SettingsSet
from companion.session.game_events import Shown as Shown
from companion.session.game_events import Started as Started
from companion.session.game_events import TablePointsSet as TablePointsSet
from companion.session.hand_events import FirstPassScored as FirstPassScored
from companion.session.hand_events import PassengersSet as PassengersSet
from companion.session.hand_events import TicketAdded as TicketAdded
from companion.session.hand_events import TicketRemoved as TicketRemoved
from companion.session.hand_events import TicketsSet as TicketsSet
from companion.session.hand_events import TicketStated as TicketStated
from companion.session.hand_events import TypedSet as TypedSet
from companion.session.log_events import ClockSet as ClockSet
from companion.session.log_events import Copied as Copied
from companion.session.log_events import EveningDeleted as EveningDeleted
from companion.session.log_events import EveningRestored as EveningRestored
from companion.session.log_events import NamesJoined as NamesJoined
from companion.session.log_events import NamesParted as NamesParted
from companion.session.log_events import Redone as Redone
from companion.session.log_events import Undone as Undone
from companion.session.proposals import Notice as Notice
from companion.session.proposals import ProposedPlace as ProposedPlace
from companion.session.proposals import RouteProposal as RouteProposal

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
    | PlayerAdded
    | PlayerRemoved
    | PlayerMoved
    | ColourChanged
    | Finished
    | Reopened
    | EveningDeleted
    | EveningRestored
    | NamesJoined
    | NamesParted
    | ClockSet
    | Copied
    | Undone
    | Redone
)

EVENTS: tuple[type[Event], ...] = get_args(Event)
"""Every kind of event."""

EVENT_OF_KIND: Mapping[str, type[Event]] = MappingProxyType({one.kind: one for one in EVENTS})

ANSWERS = RouteConfirmed | RouteCorrected | PlaceAnswered | TrackLaid
"""What people say of who owns a route."""

OF_NO_GAME = EveningDeleted | EveningRestored | NamesJoined | NamesParted | ClockSet | Copied
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
