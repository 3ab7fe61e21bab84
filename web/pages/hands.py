"""Tickets, passengers and flags: each player enters the own, behind a curtain."""

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from web.page_context import Desk
from web.search import find_tickets

KEY_HEADER = "X-Hand"
"""With it the page that shows a hand asks for news; no other site and no link can send it."""


def hand_pages(desk: Desk) -> Blueprint:
    """`/tickets` (who is next) and `/tickets/COLOUR`: a curtain, which a POST opens."""
    pages = Blueprint("hands", __name__)

    @pages.get("/tickets")
    def everyone() -> ResponseReturnValue:
        scene = desk.scene()
        if scene.board is None:
            return redirect("/start")
        return desk.page("tickets.html", scene, tab="tickets")

    @pages.post("/tickets/<colour>")
    def open_hand(colour: str) -> ResponseReturnValue:
        """Leads to the hand by an address that works once."""
        desk.scene().player(colour)
        address = url_for("hands.hand", colour=colour, hand=desk.open_hands.open(colour))
        return redirect(address, code=303)

    @pages.get("/tickets/<colour>")
    def hand(colour: str) -> ResponseReturnValue:
        scene = desk.scene()
        if scene.board is None:
            return redirect("/start")
        player = scene.player(colour)
        held = scene.state["tickets"].get(colour, [])
        typed = request.args.get("q", "")
        found = find_tickets(scene.board, typed, {one["ticket"] for one in held})
        return desk.page(
            "hand.html",
            scene,
            tab="tickets",
            player=player,
            held=held,
            key=_key(desk, colour),
            typed=typed,
            found=found,
        )

    return pages


def _key(desk: Desk, colour: str) -> str | None:
    """The key by which the page may show the hand, None for the curtain."""
    asked = request.headers.get(KEY_HEADER)
    if asked is None:
        return desk.open_hands.exchange(colour, request.args.get("hand", ""))
    return asked if desk.open_hands.is_open(colour, asked) else None
