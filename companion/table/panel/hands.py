"""The players' entries in a game without a map, as the panel shows them; pure."""

import json
from collections.abc import Mapping
from typing import Any

from companion.session.entries import ticket_document
from companion.session.events import Event, TablePointsSet, TypedSet
from companion.session.state import Facts, State
from companion.session.typed_figures import POINTS
from scoring.board.board import Board
from scoring.game.mapless import MaplessGame
from web.table_state import HandTicket

WHOLE_TICKET = ("from", "to", "points", "cards")
"""What a ticket card says."""


def action_name(event: Event) -> str:
    """The panel's action behind an event, for a figure or points the one of that very figure."""
    if isinstance(event, TypedSet | TablePointsSet):
        return f"set-{event.name.replace('_', '-')}"
    return event.action


def figures_of(state: State) -> dict[str, Mapping[str, Any]]:
    """What every player typed beside tickets."""
    return {colour: dict(entry.typed) for colour, entry in state.facts.entries.items()}


def hands_without_map(state: State, game: MaplessGame) -> dict[str, list[HandTicket]]:
    """Every hand; whether a ticket is completed stands there only as far as the player says it."""
    return {
        colour: [hand_ticket(ticket, game) for ticket in entry.tickets]
        for colour, entry in state.facts.entries.items()
    }


def set_aside(state: State, board: Board | None) -> dict[str, list[HandTicket]]:
    """The tickets that were completed in a first pass."""
    if not isinstance(board, MaplessGame):
        return {}
    return {
        colour: [hand_ticket(ticket, board) for ticket in entry.typed.get("first_pass", ())]
        for colour, entry in state.facts.entries.items()
    }


def table_points(facts: Facts) -> dict[str, Mapping[str, int]]:
    """Points that the players typed from their own board or cards."""
    return {name: facts.settings[name] for name in POINTS if name in facts.settings}


def points_before(state: State) -> dict[str, Mapping[str, int]]:
    """What of these points was typed in the last game of the same kind, and not yet in this one."""
    facts = state.facts
    games = (
        past.facts
        for past in reversed(state.past)
        if past.facts.board == facts.board and past.facts.number != facts.number
    )
    before = next((typed for game in games if (typed := table_points(game))), {})
    return {name: points for name, points in before.items() if name not in facts.settings}


def tickets_before(state: State) -> list[Mapping[str, Any]]:
    """The tickets that were typed with their cards in this table's finished games of the same kind.

    Each once, as `GAME.json` writes it; whether it was completed is not said.
    """
    facts = state.facts
    finished = {
        past.facts.number: past.facts
        for past in state.past
        if past.facts.board == facts.board and past.facts.phase == "sheet"
    }
    finished.pop(facts.number, None)
    entries = [entry for game in finished.values() for entry in game.entries.values()]
    held = [one for e in entries for one in (*e.tickets, *e.typed.get("first_pass", ()))]
    whole = [
        {name: one[name] for name in WHOLE_TICKET}
        for one in map(ticket_document, held)
        if all(one.get(name) for name in WHOLE_TICKET)
    ]
    return list({json.dumps(one, sort_keys=True): one for one in whole}.values())


def hand_ticket(ticket: Any, game: MaplessGame) -> HandTicket:
    """A ticket of the set by its id, or a typed one."""
    typed = ticket_document(ticket)
    whole = {**_printed(typed.get("id"), game), **typed}
    stated = whole.get("completed")
    return HandTicket(
        ticket=ticket if isinstance(ticket, str) else json.dumps(ticket, ensure_ascii=False),
        completed=stated is True,
        stated=stated,
        places=[whole["from"], whole["to"]] if whole.get("from") and whole.get("to") else None,
        points=int(whole.get("points", 0)),
        cards=whole.get("cards"),
    )


def _printed(name: object, game: MaplessGame) -> dict[str, Any]:
    """What the set says of a ticket."""
    held = () if game.card_set is None else game.card_set.tickets
    known = next((one for one in held if name is not None and one.id == name), None)
    if known is None or known.places is None:
        return {}
    first, second = known.places
    return {"from": first, "to": second, "points": known.points, "cards": known.recipe}
