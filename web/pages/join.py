"""Where one is let in, and the host's page of the seats."""

from collections.abc import Callable

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from web.access.club import HOST, Club
from web.access.gate import present_visitor
from web.access.roles import Role, open_to
from web.errors import NotFoundError
from web.invitation import Invitation, invitation, qr_code
from web.panel import Panel


def join_pages(panel: Panel) -> Blueprint:
    """`/join` (PIN, watch, leave), `/join/LINK` (sit down) and `/club` (seats, their links
    and the hosts)."""
    pages = Blueprint("join", __name__)
    _add_doors(pages, panel)
    _add_seats(pages, panel)
    return pages


def _add_doors(pages: Blueprint, panel: Panel) -> None:
    @pages.get("/join")
    @open_to(Role.SPECTATOR)
    def join() -> str:
        return panel.page("join.html", panel.context(), tab="")

    @pages.post("/join/host")
    @open_to(Role.SPECTATOR)
    def pair() -> ResponseReturnValue:
        _club(panel).pair(request.form.get("pin", "")[:40])
        return redirect("/club", code=303)

    @pages.post("/join/leave")
    @open_to(Role.SPECTATOR)
    def leave() -> ResponseReturnValue:
        _club(panel).leave()
        return redirect("/join", code=303)

    @pages.get("/join/<link>")
    @open_to(Role.SPECTATOR)
    def link_page(link: str) -> ResponseReturnValue:
        """Whoever sits already finds back by the link that let them in, though it works once."""
        context, known = panel.context(), _club(panel)
        try:
            place = known.place_of(link)
        except NotFoundError:
            if present_visitor().takes_part:
                return redirect("/join", code=303)
            raise
        player = None if place == HOST else context.player(place)
        return panel.page("invitation.html", context, tab="", link=link, player=player)

    @pages.post("/join/<link>")
    @open_to(Role.SPECTATOR)
    def sit_down(link: str) -> ResponseReturnValue:
        """A press of the button, so that no preview of the link uses it up."""
        place = _club(panel).use(link)
        return redirect("/club" if place == HOST else "/", code=303)


def _add_seats(pages: Blueprint, panel: Panel) -> None:
    @pages.get("/club")
    @open_to(Role.HOST)
    def club() -> str:
        known = _club(panel)
        invited = invitation(panel.own_addresses())
        return panel.page(
            "club.html",
            panel.context(),
            tab="",
            pin=known.pin.pin,
            most_hosts=known.most_hosts,
            other_hosts=known.other_hosts,
            is_taken=known.is_taken,
            link=_address_of(known, invited),
            invitation=invited,
            qr_code=qr_code,
            own=present_visitor().seat,
        )

    @pages.get("/club/begin")
    @open_to(Role.HOST)
    def begin() -> ResponseReturnValue:
        """Behind the start of a game: to the seats as long as one is free, else to the game."""
        players, known = panel.table.state()["players"], _club(panel)
        has_free = not all(known.is_taken(one["colour"]) for one in players)
        return redirect("/club" if has_free else "/")

    @pages.post("/club/only-host")
    @open_to(Role.HOST)
    def only_host() -> ResponseReturnValue:
        _club(panel).only_host()
        return redirect("/club", code=303)

    @pages.post("/club/free/<colour>")
    @open_to(Role.HOST)
    def free(colour: str) -> ResponseReturnValue:
        panel.context().player(colour)
        _club(panel).free(colour)
        return redirect("/club", code=303)


def _club(panel: Panel) -> Club:
    """The club's doors; at a table at home there are none."""
    if not isinstance(panel.access, Club):
        raise NotFoundError("web.error.no-club")
    return panel.access


def _address_of(club: Club, invited: Invitation | None) -> Callable[[str], str]:
    """The whole address of a seat's link, by which another device reaches the box."""
    root = request.url_root if invited is None else invited.address
    return lambda colour: f"{root.rstrip('/')}/join/{club.link(colour)}"
