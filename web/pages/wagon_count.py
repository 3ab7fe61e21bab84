"""The wagons left before a player, where somebody counts others than the board shows."""

from flask import Blueprint, redirect
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.errors import NotFoundError
from web.panel import Panel


def wagon_count_page(panel: Panel) -> Blueprint:
    """`GET /check/COLOUR`."""
    pages = Blueprint("wagon_count", __name__)

    @pages.get("/check/<colour>")
    @open_to(Role.PLAYER)
    def count(colour: str) -> ResponseReturnValue:
        context = panel.context()
        if context.board is None:
            return redirect("/start")
        if context.has_left(colour):
            return redirect("/tickets")
        player = context.player(colour)
        wagons = next((one for one in context.check["wagons"] if one["colour"] == colour), None)
        if wagons is None:
            raise NotFoundError("web.error.no-wagons")
        return panel.page("wagons.html", context, tab="tickets", player=player, wagons=wagons)

    return pages
