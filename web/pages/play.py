"""The board in play, the routes that wait for a person, and any route to be corrected by hand."""

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from web.page_context import Desk
from web.search import find_routes


def play_pages(desk: Desk) -> Blueprint:
    """`GET /board`, `/doubts` and `/route/ID`."""
    pages = Blueprint("play", __name__)

    @pages.get("/board")
    def board() -> ResponseReturnValue:
        scene = desk.scene()
        if scene.board is None:
            return redirect("/start")
        typed = request.args.get("q", "")
        found = find_routes(scene.board, typed)
        return desk.page("board.html", scene, tab="look", typed=typed, found=found)

    @pages.get("/doubts")
    def doubts() -> ResponseReturnValue:
        scene = desk.scene()
        if scene.board is None:
            return redirect("/start")
        return desk.page("doubts.html", scene, tab="doubts")

    @pages.get("/route/<route>")
    def one_route(route: str) -> ResponseReturnValue:
        scene = desk.scene()
        title = scene.route_title(route)
        return desk.page("route.html", scene, tab="look", route=route, title=title)

    return pages
