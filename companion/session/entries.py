"""What one player has typed, and how an event changes it; pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.errors import RefusalError
from companion.session.events import (
    FirstPassScored,
    TicketAdded,
    TicketRemoved,
    TicketsSet,
    TicketStated,
    TypedSet,
)
from companion.session.state import Entry, Facts, first_pass_is_on
from companion.session.typed_figures import TYPED


def tickets_after(
    facts: Facts, event: TicketsSet | TicketAdded | TicketRemoved | TicketStated
) -> Entry:
    """The player's entry after an event about tickets; raises RefusalError.

    Which tickets are completed is said only where no map can tell it.
    """
    entry = entry_of(facts, event.colour)
    match event:
        case TicketsSet():
            return replace(entry, tickets=event.tickets)
        case TicketAdded():
            return replace(entry, tickets=(*entry.tickets, event.ticket))
        case TicketRemoved():
            return replace(entry, tickets=_exchanged(entry.tickets, event.ticket))
        case TicketStated() if facts.has_map:
            raise RefusalError("companion.refused.has-map")
        case TicketStated():
            stated = stated_ticket(event.ticket, event.completed)
            return replace(entry, tickets=_exchanged(entry.tickets, event.ticket, stated))


def _exchanged(tickets: tuple[Any, ...], ticket: Any, *others: Any) -> tuple[Any, ...]:
    if ticket not in tickets:
        raise RefusalError("companion.refused.ticket-not-held")
    place = tickets.index(ticket)
    return (*tickets[:place], *others, *tickets[place + 1 :])


def stated_ticket(ticket: Any, completed: bool | None) -> Any:
    """The ticket with what the players say of it, in the shortest form that says it."""
    typed = ticket_document(ticket)
    typed.pop("completed", None)
    if completed is not None:
        typed["completed"] = completed
    return typed["id"] if set(typed) == {"id"} else typed


def ticket_document(ticket: Any) -> dict[str, Any]:
    """A ticket in any of its three shapes as an object: by id, by its two places, or typed."""
    if isinstance(ticket, str):
        return {"id": ticket}
    return (
        dict(zip(("from", "to"), ticket, strict=True)) if isinstance(ticket, list) else dict(ticket)
    )


def score_first_pass(facts: Facts, event: FirstPassScored) -> Facts:
    """The completed tickets leave the hands; in the second pass they count as they are.

    Raises RefusalError where no first pass is on.
    """
    if not first_pass_is_on(facts):
        raise RefusalError("companion.refused.no-first-pass")
    entries = {
        colour: _after_first_pass(entry, event.aside.get(colour, ()), event.piles.get(colour, {}))
        for colour, entry in facts.entries.items()
    }
    return replace(facts, entries=entries)


def _after_first_pass(entry: Entry, aside: tuple[Any, ...], pile: Mapping[str, int]) -> Entry:
    tickets = entry.tickets
    for ticket in aside:
        tickets = _exchanged(tickets, ticket)
    set_aside = [stated_ticket(ticket, None) for ticket in aside]
    typed = {**entry.typed, "cards": dict(pile), "first_pass": set_aside}
    return replace(entry, tickets=tickets, typed=typed)


def typed_after(facts: Facts, event: TypedSet) -> Entry:
    """The player's entry with another figure; raises RefusalError."""
    if event.name not in TYPED:
        raise RefusalError("companion.refused.unknown-figure", name=event.name)
    if event.name == "route_lengths" and facts.has_map:
        raise RefusalError("companion.refused.has-map")
    entry = entry_of(facts, event.colour)
    return replace(entry, typed={**entry.typed, event.name: event.value})


def entry_of(facts: Facts, colour: str) -> Entry:
    """What a player has typed; raises RefusalError where nobody plays the colour."""
    if colour not in facts.entries:
        raise RefusalError("companion.refused.nobody-plays", colour=colour)
    return facts.entries[colour]


def with_entry(facts: Facts, colour: str, entry: Entry) -> Facts:
    """The facts with another entry of a player."""
    return replace(facts, entries={**facts.entries, colour: entry})
