"""Tickets, passengers and flags: each player enters the own, behind a curtain."""

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from web.desk import Desk
from web.search import find_tickets


def hand_pages(desk: Desk) -> Blueprint:
    """`GET /tickets` (who is next) and `/tickets/COLOUR` (one hand; open with `?open=1`)."""
    pages = Blueprint("hands", __name__)

    @pages.get("/tickets")
    def everyone() -> ResponseReturnValue:
        scene = desk.scene()
        if scene.board is None:
            return redirect("/start")
        return desk.page("tickets.html", scene, tab="tickets")

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
            opened="open" in request.args,
            typed=typed,
            found=found,
        )

    return pages
