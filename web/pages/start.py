"""The first page of an evening: which board, who plays in which colour, with or without camera."""

from flask import Blueprint, request

from web.page_context import Desk


def start_page(desk: Desk) -> Blueprint:
    """`GET /start`, with the board chosen so far in `?board=`."""
    pages = Blueprint("start", __name__)

    @pages.get("/start")
    def start() -> str:
        scene = desk.scene()
        boards = {board["id"]: board for board in scene.state["boards"]}
        chosen = boards.get(request.args.get("board", ""))
        return desk.page("start.html", scene, tab="start", chosen=chosen)

    return pages
