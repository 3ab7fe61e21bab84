"""The wiring of the box on the panel: the drawing to print, and the same as a table."""

from collections.abc import Callable

from flask import Blueprint, Response

from web.access.roles import Role, open_to
from web.panel import Panel
from web.ports import Wiring

Draw = Callable[[str], Wiring]
"""The wiring as the configuration has it now, drawn in a language."""


def wiring_pages(panel: Panel, draw: Draw) -> Blueprint:
    """`GET /wiring` and `GET /wiring.svg`."""
    pages = Blueprint("wiring", __name__)

    @pages.get("/wiring")
    @open_to(Role.HOST)
    def wiring() -> str:
        context = panel.context()
        return panel.page("wiring.html", context, tab="checkup", wiring=draw(context.language))

    @pages.get("/wiring.svg")
    @open_to(Role.HOST)
    def drawing() -> Response:
        drawn = draw(panel.context().language).drawing
        return Response(drawn, mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})

    return pages
