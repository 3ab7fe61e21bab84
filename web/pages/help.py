"""The one page of help: what to do from start to end, and what the lamps mean."""

from flask import Blueprint

from web.access.roles import Role, open_to
from web.panel import Panel


def help_page(panel: Panel) -> Blueprint:
    """`GET /help`, for everybody at the table."""
    pages = Blueprint("help", __name__)

    @pages.get("/help")
    @open_to(Role.SPECTATOR)
    def help_() -> str:
        return panel.page("help.html", panel.context(), tab="help")

    return pages
