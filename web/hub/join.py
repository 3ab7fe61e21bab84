"""Where the organiser is let in by the PIN; everybody else watches."""

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.hub.site import Site


def join_pages(site: Site) -> Blueprint:
    """`GET /join`, `POST /join/host` with a PIN, `POST /join/leave` and
    `POST /join/only-host`."""
    pages = Blueprint("join", __name__)

    @pages.get("/join")
    @open_to(Role.SPECTATOR)
    def join() -> str:
        access = site.access
        return site.page(
            "join.html", tab="join", most_hosts=access.most_hosts, other_hosts=access.other_hosts
        )

    @pages.post("/join/host")
    @open_to(Role.SPECTATOR)
    def pair() -> ResponseReturnValue:
        site.access.pair(request.form.get("pin", "")[:40])
        return redirect("/", code=303)

    @pages.post("/join/only-host")
    @open_to(Role.HOST)
    def only_host() -> ResponseReturnValue:
        site.access.only_host()
        return redirect("/join", code=303)

    @pages.post("/join/leave")
    @open_to(Role.SPECTATOR)
    def leave() -> ResponseReturnValue:
        site.access.leave()
        return redirect("/join", code=303)

    return pages
