"""The room at a glance: every table with its standing, phase and camera."""

from flask import Blueprint

from web.access.roles import Role, open_to
from web.hub.site import Site


def room_pages(site: Site) -> Blueprint:
    """`GET /`."""
    pages = Blueprint("room", __name__)

    @pages.get("/")
    @open_to(Role.SPECTATOR)
    def room() -> str:
        return site.page("room.html", tab="tables", tables=site.room.tables())

    return pages
