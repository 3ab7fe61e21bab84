"""The question before an undo that leads to another game, or to none."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.panel import Panel


def undo_page(panel: Panel) -> Blueprint:
    """`GET /undo`: what would be taken back, and whether it should be."""
    pages = Blueprint("undo", __name__)

    @pages.get("/undo")
    @open_to(Role.HOST)
    def undo() -> ResponseReturnValue:
        return panel.page("undo.html", panel.context(), tab="")

    return pages
