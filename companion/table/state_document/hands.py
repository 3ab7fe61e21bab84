"""What the players entered of their hands and from their own boards, for the panel; pure."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from companion.session.entries import ticket_document
from companion.session.state import Facts, State
from companion.session.typed_figures import POINTS
from scoring.board.board import Board
from scoring.documents.ticket import book_of_cards, unmapped_place
from scoring.game.mapless import MaplessGame
from scoring.game.rules import CARD_GAME_ID
from scoring.sheet.sheet import Sheet
from web.table_state import HandTicket

WHOLE_TICKET = ("from", "to", "points", "cards")
"""What a ticket card says."""


def figures_of(state: State) -> dict[str, Mapping[str, Any]]:
    """What every player typed beside tickets."""
    return {colour: dict(entry.typed) for colour, entry in state.facts.entries.items()}


def hands_of(state: State, board: Board | None, sheet: Sheet | None) -> dict[str, list[HandTicket]]:
    """Every hand's tickets by colour; the sheet says which are completed, and by which path."""
    if board is None:
        return {}
    if isinstance(board, MaplessGame):
        return _hands_without_map(state, board)
    paths = _paths_of_completed(sheet)
    return {
        colour: [
            _ticket_on_map(ticket, board, paths.get(colour, {}))
            for ticket in entry.tickets
            if isinstance(ticket, str | dict)
        ]
        for colour, entry in state.facts.entries.items()
    }


def set_aside(state: State, board: Board | None) -> dict[str, list[HandTicket]]:
    """The tickets that were completed in a first pass."""
    if not isinstance(board, MaplessGame):
        return {}
    return {
        colour: [_ticket_without_map(ticket, board) for ticket in entry.typed.get("first_pass", ())]
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


def _hands_without_map(state: State, game: MaplessGame) -> dict[str, list[HandTicket]]:
    """Every hand; whether a ticket is completed stands there only as far as the player says it."""
    return {
        colour: [_ticket_without_map(ticket, game) for ticket in entry.tickets]
        for colour, entry in state.facts.entries.items()
    }


def _ticket_on_map(
    ticket: str | Mapping[str, Any],
    board: Board,
    paths: Mapping[frozenset[str], Sequence[str]],
) -> HandTicket:
    """A ticket of the board by its id, or a typed one; `paths` by the two places that they join."""
    path = paths.get(_places(ticket, board))
    known = HandTicket(ticket="", completed=path is not None, path=list(path or ()))
    if isinstance(ticket, str):
        return {**known, "ticket": ticket}
    places = [ticket.get("from", ""), ticket.get("to", "")]
    return {**known, "ticket": json.dumps(ticket), "places": places, "points": ticket["points"]}


def _places(ticket: str | Mapping[str, Any], board: Board) -> frozenset[str]:
    """The two places of a ticket, none if the board has no such ticket."""
    if not isinstance(ticket, str):
        return frozenset((ticket.get("from", ""), ticket.get("to", "")))
    known = board.ticket_by_id.get(ticket)
    return frozenset(known.places if known else ())


def _paths_of_completed(
    sheet: Sheet | None,
) -> Mapping[str, Mapping[frozenset[str], Sequence[str]]]:
    """The path of every completed ticket by its two places, by colour."""
    done: dict[str, dict[frozenset[str], Sequence[str]]] = {}
    for player in sheet.players if sheet else ():
        done[player.colour or ""] = {
            frozenset(places): path if isinstance(path := line.evidence.get("path"), list) else ()
            for line in player.lines
            if line.detail.get("completed") and isinstance(places := line.detail["ticket"], list)
        }
    return done


def _ticket_without_map(ticket: Any, game: MaplessGame) -> HandTicket:
    """A ticket of the set by its id, or a typed one."""
    typed = ticket_document(ticket)
    whole = {**_printed(typed.get("id"), game), **typed}
    stated = whole.get("completed")
    return HandTicket(
        ticket=ticket if isinstance(ticket, str) else json.dumps(ticket, ensure_ascii=False),
        completed=stated is True,
        stated=stated,
        places=_places_without_map(whole, game),
        points=int(whole.get("points", 0)),
        cards=whole.get("cards"),
    )


def _places_without_map(ticket: Mapping[str, Any], game: MaplessGame) -> list[str] | None:
    """Both places, those of the Card Game as its score understands them."""
    places = [str(ticket[end]) for end in ("from", "to") if ticket.get(end)]
    if len(places) < 2:
        return None
    if game.game != CARD_GAME_ID:
        return places
    book = book_of_cards(game.card_set)
    return [unmapped_place(place, book) for place in places]


def _printed(name: object, game: MaplessGame) -> dict[str, Any]:
    """What the set says of a ticket."""
    held = () if game.card_set is None else game.card_set.tickets
    known = next((one for one in held if name is not None and one.id == name), None)
    if known is None or known.places is None:
        return {}
    first, second = known.places
    return {"from": first, "to": second, "points": known.points, "cards": known.recipe}
