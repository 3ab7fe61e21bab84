"""The board in play, the routes that wait for a person, and any route to be corrected by hand."""

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.panel import Panel
from web.search import find_routes


def play_pages(panel: Panel) -> Blueprint:
    """`GET /board`, `/doubts` and `/route/ID`."""
    pages = Blueprint("play", __name__)

    @pages.get("/board")
    @open_to(Role.PLAYER)
    @panel.live.page
    def board() -> ResponseReturnValue:
        return board_page(panel)

    @pages.get("/doubts")
    @open_to(Role.PLAYER)
    @panel.live.page
    def doubts() -> ResponseReturnValue:
        context = panel.context()
        if context.board is None:
            return redirect("/start")
        if context.without_map is not None:
            return redirect("/")
        return panel.page("doubts.html", context, tab="doubts")

    @pages.get("/route/<route>")
    @open_to(Role.PLAYER)
    def one_route(route: str) -> ResponseReturnValue:
        context = panel.context()
        title = context.route_title(route)
        return panel.page("route.html", context, tab="look", route=route, title=title)

    return pages


def board_page(panel: Panel, problem: str = "") -> ResponseReturnValue:
    """The board in play, with why a photo of it was refused."""
    context = panel.context()
    if context.board is None:
        return redirect("/start")
    if context.without_map is not None:
        return redirect("/")
    typed = request.args.get("q", "")
    found = find_routes(context.board, typed)
    return panel.page("board.html", context, tab="look", typed=typed, found=found, problem=problem)
