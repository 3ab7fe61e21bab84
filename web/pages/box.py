"""The virtual box: the four buttons and a lamp a player, for a table without the real ones."""

from flask import Blueprint

from web.page_context import Desk
from web.ports import BUTTONS


def box_page(desk: Desk) -> Blueprint:
    """`GET /box`."""
    pages = Blueprint("box", __name__)

    @pages.get("/box")
    def box() -> str:
        return desk.page("box.html", desk.scene(), tab="box", buttons=BUTTONS)

    return pages
