"""The final sheet: who won, every line, and the routes on the board that prove it."""

from flask import Blueprint, redirect
from flask.typing import ResponseReturnValue

from web.page_context import Desk
from web.sheet import view_sheet


def sheet_page(desk: Desk) -> Blueprint:
    """`GET /sheet`; before the end, the way to it."""
    pages = Blueprint("sheet", __name__)

    @pages.get("/sheet")
    def sheet() -> ResponseReturnValue:
        scene = desk.scene()
        if scene.board is None:
            return redirect("/start")
        known = scene.state["sheet"]
        view = None if known is None else view_sheet(known, scene.board, scene.language)
        return desk.page("sheet.html", scene, tab="sheet", sheet=view)

    return pages
