"""Admits a request to an address only if its sender's role suffices."""

from flask import Flask, g, redirect, request
from flask.typing import ResponseReturnValue

from web.access.roles import Role, need_of, open_to
from web.access.visitors import Access, Visitor
from web.addresses import wants_page
from web.errors import NotLetInError
from web.ports import Action

JOIN = "/join"
"""Where one is let in."""

ONLY = {Role.PLAYER: "web.error.only.player", Role.HOST: "web.error.only.host"}
"""What somebody is told whose role does not suffice."""


def admit(app: Flask, access: Access) -> None:
    """Check the role of every request to the app; what declares nothing is the host's alone."""
    app.view_functions["static"] = open_to(Role.SPECTATOR)(app.view_functions["static"])

    def check() -> ResponseReturnValue | None:
        g.visitor = visitor = access.visitor()
        if request.endpoint is None:
            return None  # no such address
        need = need_of(app.view_functions.get(request.endpoint))
        if not visitor.meets(need):
            if request.method == "GET" and wants_page():
                return redirect(JOIN, code=303)
            raise NotLetInError(ONLY[need.role])
        if need.hand is not None:
            check_hand((request.view_args or {})[need.hand])
        return None

    app.before_request(check)


def look_again(access: Access) -> None:
    """Whoever sends the present request may have lost their seat while it was received."""
    g.visitor = access.visitor()


def present_visitor() -> Visitor:
    """The sender of the present request, after `admit` has looked."""
    visitor: Visitor = g.get("visitor", Visitor(Role.SPECTATOR))
    return visitor


def check_hand(colour: str) -> None:
    """Refuse a hand that is not the sender's; raises NotLetInError."""
    if not present_visitor().may_see_hand(colour):
        raise NotLetInError("web.error.only.own-hand")


def check_action(action: Action) -> None:
    """Refuse an action that the sender's role does not have; raises NotLetInError."""
    if present_visitor().role < (Role.PLAYER if action.is_for_players else Role.HOST):
        raise NotLetInError("web.error.only.host")
