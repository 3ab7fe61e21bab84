"""What a player enters of their own hand: tickets, passengers and other figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from companion.session.event_base import EventBase
from companion.session.event_fields import FieldType, PassengerCounts, PlayerColour, Ticket
from companion.session.json_values import boolean_or_none
from companion.session.typed_figures import TYPED

Completed = Annotated[bool | None, FieldType("completed", boolean_or_none, sent_as="completed")]
HandsByColour = Annotated[Mapping[str, tuple[Any, ...]], FieldType("hands")]
Piles = Annotated[Mapping[str, Mapping[str, int]], FieldType("piles")]
Tickets = Annotated[tuple[Ticket, ...], FieldType("tickets", sent_as="tickets")]


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
