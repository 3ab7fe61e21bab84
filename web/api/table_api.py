"""The table's API in JSON: state, actions, sheet, geometry, and the crops of the photo."""

import hashlib
import json
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any

from flask import Blueprint, jsonify, redirect, request
from flask.typing import ResponseReturnValue

from web.access.gate import check_action, check_hand, look_again
from web.access.roles import Role, open_to
from web.addresses import wants_page, way_back
from web.errors import ForbiddenError, NotFoundError
from web.pages.hands import KEY_HEADER
from web.pages.play import board_page
from web.pages.told_on_page import told_on_page
from web.panel import Panel
from web.pictures import picture
from web.sent.answered import ASKED, SEEN, is_done_unseen, refuse_other_game
from web.sent.documents import read_document
from web.sent.once import REQUEST_ID, checked_name
from web.sent.payload import known_action, read_payload

ONLY_IF_DONE = "Only-If-Done"
"""The header of a page that got no answer, and asks whether its request was done."""


def api(panel: Panel) -> Blueprint:
    """The API's addresses; errors are made in `web.app`."""
    pages = Blueprint("api", __name__)
    _add_what_is_read(pages, panel)
    _add_hands(pages, panel)
    _add_acting(pages, panel)
    return pages


def _add_what_is_read(pages: Blueprint, panel: Panel) -> None:
    @pages.get("/api/v1/state")
    @pages.get("/api/state")
    @open_to(Role.SPECTATOR)
    def state() -> ResponseReturnValue:
        return jsonify(panel.live.state().document)

    @pages.get("/api/v1/sheet")
    @pages.get("/api/sheet")
    @open_to(Role.SPECTATOR)
    def sheet() -> ResponseReturnValue:
        known = panel.table.state()["sheet"]
        if known is None:
            raise NotFoundError("web.error.no-sheet")
        return jsonify(known)

    @pages.get("/api/v1/geometry")
    @pages.get("/api/geometry")
    @open_to(Role.SPECTATOR)
    def geometry() -> ResponseReturnValue:
        context = panel.context()
        if context.board is None:
            raise NotFoundError("web.error.no-game")
        if context.drawing is None:
            raise NotFoundError("web.error.no-map", board=context.board_title)
        return jsonify(context.drawing.to_json())

    @pages.get("/api/v1/routes/<route>/crop")
    @pages.get("/api/crop/<route>.png")
    @open_to(Role.PLAYER)
    def crop(route: str) -> ResponseReturnValue:
        panel.context().route_title(route)
        return picture(panel.table.crop(route))


def _add_hands(pages: Blueprint, panel: Panel) -> None:
    @pages.get("/api/v1/hands/<player>")
    @pages.get("/api/tickets/<player>")
    @open_to(Role.PLAYER, hand="player")
    def tickets(player: str) -> ResponseReturnValue:
        context = panel.context()
        context.player(player)
        key = request.headers.get(KEY_HEADER, "")
        if context.state["phase"] != "sheet" and not panel.open_hands.is_open(player, key):
            raise ForbiddenError("web.error.hand")
        return jsonify(context.state["tickets"].get(player, []))


def _add_acting(pages: Blueprint, panel: Panel) -> None:
    @pages.post("/api/act/<action>")
    @open_to(Role.PLAYER)
    def act(action: str) -> ResponseReturnValue:
        check_action(known_action(action, panel.table.actions()))
        if action == "upload-photo" and wants_page() and not request.is_json:
            return told_on_page(panel, lambda: _answer(panel, action), partial(board_page, panel))
        return _answer(panel, action)


def _answer(panel: Panel, action: str) -> ResponseReturnValue:
    """Do what the present request asks for; a browser is led on, a program is told the version."""
    before = _phase(panel) if wants_page() else None
    if action == "upload-photo" and not request.is_json:
        sent, version = upload_photos(panel)
    else:
        sent = read_document(request.get_data()) if request.is_json else request.form.to_dict()
        version = act_on(panel, action, {**sent, "images": []})
    if request.is_json or not wants_page():
        return jsonify({"version": version})
    if action == "start" and panel.access.is_club:
        return redirect("/club/begin", code=303)
    turns = panel.table.actions()[action].turns_page or _phase(panel) != before
    return redirect("/" if turns else way_back(sent), code=303)


def request_id() -> str:
    """The name of the present request, by which it is known again; empty where it has none."""
    name = request.headers.get(REQUEST_ID)
    return "" if name is None else checked_name(name)


def _name_of(action: str, sent: Mapping[str, Any]) -> str:
    """The present request's name with a mark of what it asks for; empty where it has no name.

    Another request under the same name, from a program that counts from one again, is another one.
    """
    name = request_id()
    if not name:
        return ""
    asked = json.dumps([action, sent], sort_keys=True, default=_mark_of)
    return f"{name}.{hashlib.sha256(asked.encode()).hexdigest()[:16]}"


def _mark_of(value: object) -> str:
    """For what JSON does not know, photos above all."""
    return hashlib.sha256(value if isinstance(value, bytes) else repr(value).encode()).hexdigest()


def act_on(panel: Panel, action: str, sent: Mapping[str, Any]) -> int:
    """Check what was sent and do it, once for each request; returns the version."""
    known = known_action(action, panel.table.actions())
    look_again(panel.access)
    check_action(known)
    with nullcontext() if "images" in known.fields else panel.entering:
        name = _name_of(action, sent)
        is_new = not (name and panel.table.was_done(name))
        if is_new and ONLY_IF_DONE in request.headers:
            raise NotFoundError("web.error.not-done")
        if is_new and "evening" not in sent:
            refuse_other_game(panel.table.in_play)
        payload = read_payload(known, sent, panel.table.in_play)
        if "player" in payload and known.is_for_players:
            check_hand(payload["player"])
        if {ASKED, SEEN} & sent.keys() and is_new:
            context = panel.context()
            if is_done_unseen(context, action, sent, payload):
                return context.state["version"]
        version = panel.table.act(action, payload, name)
        panel.open_hands.follow()  # before anybody else gets the colour of one
        return version


def _phase(panel: Panel) -> str | None:
    """The table's phase; None where the state can't be had, which must stop no way out of it."""
    with suppress(Exception):
        return panel.table.state()["phase"]
    return None


def upload_photos(panel: Panel) -> tuple[Mapping[str, Any], int]:
    """Take in photos, one upload's at a time; returns the form's fields and the version."""
    with panel.uploads.photos() as (fields, images):
        return fields, act_on(panel, "upload-photo", {**fields, "images": images})
