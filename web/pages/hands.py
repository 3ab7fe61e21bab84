"""Tickets, passengers and flags: each player enters their own, behind a curtain."""

from collections.abc import Set

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring.board.board import Board
from scoring.board.names import places_name
from scoring.language.lists import join_names
from web.access.gate import present_visitor
from web.access.roles import Role, open_to
from web.found_cards import found_cards
from web.page_context import PageContext
from web.panel import Panel
from web.search import find_tickets

KEY_HEADER = "X-Hand"
"""With it the page that shows a hand asks for news; no other site and no link can send it."""


def hand_pages(panel: Panel) -> Blueprint:
    """`/tickets` (who is next) and `/tickets/COLOUR`: a curtain, which a POST opens."""
    pages = Blueprint("hands", __name__)

    @pages.get("/tickets")
    @open_to(Role.PLAYER)
    @panel.live.page
    def everyone() -> ResponseReturnValue:
        context = panel.context()
        if context.board is None:
            return redirect("/start")
        waiting = [one for one in context.state["players"] if _waits(panel, context, one["colour"])]
        names = join_names([one["name"] for one in waiting], context.language)
        return panel.page(
            "tickets.html",
            context,
            tab="tickets",
            waiting=[one["colour"] for one in waiting],
            names_of_waiting=names,
        )

    @pages.post("/tickets/<colour>")
    @open_to(Role.PLAYER, hand="colour")
    def open_hand(colour: str) -> ResponseReturnValue:
        """Leads to the hand by an address that works once.

        The hand says so where the cards that its curtain has promised are forgotten by now.
        """
        panel.context().player(colour)
        is_late = "found" in request.form and panel.open_hands.found(colour) is None
        key = panel.open_hands.open(colour)
        late = "yes" if is_late else None
        return redirect(url_for("hands.hand", colour=colour, hand=key, late=late), code=303)

    @pages.get("/tickets/<colour>")
    @open_to(Role.PLAYER, hand="colour")
    def hand(colour: str) -> ResponseReturnValue:
        context = panel.context()
        if context.board is None:
            return redirect("/start")
        if context.has_left(colour):
            return redirect("/tickets")
        player = context.player(colour)
        key = _key(panel, colour)
        if key is None:
            waits = panel.open_hands.found(colour) is not None
            return panel.page("curtain.html", context, tab="tickets", player=player, waits=waits)
        return _hand_page(panel, context, context.board, colour, key)

    return pages


def _hand_page(panel: Panel, context: PageContext, board: Board, colour: str, key: str) -> str:
    """The page of a hand whose curtain is lifted."""
    held = context.state["tickets"].get(colour, [])
    typed = request.args.get("q", "")
    likely = context.joined_tickets(colour)
    w = context.without_map
    deck = board if w is None else w.deck
    in_hand = {one["ticket"] for one in held} if w is None else w.ids_in_deck(held)
    found = find_tickets(deck, typed, in_hand, likely)
    seen = panel.open_hands.seen(colour, key)
    cards = None if seen is None else found_cards(seen, board, context.state, colour)
    return panel.page(
        "hand.html" if context.without_map is None else "hand_without_map.html",
        context,
        tab="tickets",
        player=context.player(colour),
        held=held,
        key=key,
        seen=seen,
        cards=cards,
        following=context.hand_after(colour, present_visitor()),
        typed=typed,
        found=found,
        already="" if found.shown else _already(deck, typed, in_hand, context.language),
    )


def _waits(panel: Panel, context: PageContext, colour: str) -> bool:
    """Whether cards in a photo of this hand are not entered yet."""
    seen = panel.open_hands.found(colour)
    if seen is None or context.board is None or context.state["phase"] == "sheet":
        return False
    return bool(found_cards(seen, context.board, context.state, colour).new)


def _already(deck: Board, typed: str, in_hand: Set[str], language: str) -> str:
    """The tickets of this hand that were typed once more, "" where there are none."""
    others = {ticket.id for ticket in deck.tickets} - in_hand
    again = find_tickets(deck, typed, others, set()).shown
    return join_names([places_name(deck, one.places) for one in again], language)


def _key(panel: Panel, colour: str) -> str | None:
    """The key by which the page may show the hand, None for the curtain."""
    asked = request.headers.get(KEY_HEADER)
    if asked is None:
        return panel.open_hands.exchange(colour, request.args.get("hand", ""))
    return asked if panel.open_hands.is_open(colour, asked) else None
