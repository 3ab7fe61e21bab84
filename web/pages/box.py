"""The virtual box: the four buttons and a lamp a player, for a table without the real ones."""

from flask import Blueprint

from web.access.roles import Role, open_to
from web.panel import Panel
from web.table_state import BUTTONS


def box_page(panel: Panel) -> Blueprint:
    """`GET /box`."""
    pages = Blueprint("box", __name__)

    @pages.get("/box")
    @open_to(Role.HOST)
    def box() -> str:
        return panel.page("box.html", panel.context(), tab="box", buttons=BUTTONS)

    return pages
