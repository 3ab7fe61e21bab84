"""The panel's API in JSON: state, actions, sheet, geometry, and the crops of the photo."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any
from urllib.parse import urlencode, urlsplit

from flask import Blueprint, Response, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from web.desk import Desk
from web.errors import BadRequestError, ForbiddenError, NotFoundError
from web.guard import is_own_address
from web.pages.hands import KEY_HEADER
from web.payloads import read_payload
from web.ports import TableState

PHOTO_BYTES = 60 * 1024 * 1024
"""Largest upload: a few photos of a phone. Everything else stays under the app's own limit."""

MOST_PHOTOS = 6

TURNING = frozenset({"start", "new-game", "show", "finish", "reopen"})
"""Actions that lead to another phase: after them one wants that phase's page."""


def api(desk: Desk) -> Blueprint:
    """The API's addresses; errors are made in `web.app`."""
    pages = Blueprint("api", __name__)

    @pages.get("/api/state")
    def state() -> ResponseReturnValue:
        return jsonify(public_state(desk.table.state()))

    @pages.post("/api/act/<action>")
    def act(action: str) -> ResponseReturnValue:
        if action == "upload-photo" and not request.is_json:
            return _done(action, *_upload(desk))
        sent = _document() if request.is_json else request.form.to_dict()
        return _done(action, sent, _act(desk, action, {**sent, "images": []}))

    @pages.get("/api/tickets/<player>")
    def tickets(player: str) -> ResponseReturnValue:
        scene = desk.scene()
        scene.player(player)
        key = request.headers.get(KEY_HEADER, "")
        if scene.state["phase"] != "sheet" and not desk.open_hands.is_open(player, key):
            raise ForbiddenError("web.error.hand")
        return jsonify(scene.state["tickets"].get(player, []))

    @pages.get("/api/sheet")
    def sheet() -> ResponseReturnValue:
        known = desk.table.state()["sheet"]
        if known is None:
            raise NotFoundError("web.error.no-sheet")
        return jsonify(known)

    @pages.get("/api/geometry")
    def geometry() -> ResponseReturnValue:
        drawing = desk.scene().drawing
        if drawing is None:
            raise NotFoundError("web.error.no-game")
        return jsonify(drawing.to_json())

    @pages.get("/api/crop/<route>.png")
    def crop(route: str) -> ResponseReturnValue:
        desk.scene().route_title(route)
        image = desk.table.crop(route)
        if image is None:
            raise NotFoundError("web.error.no-crop")
        cached = {"Cache-Control": "private, max-age=60"}
        return Response(image, mimetype="image/png", headers=cached)

    return pages


def public_state(state: TableState) -> dict[str, Any]:
    """The state without the tickets' names, which are secret until the sheet."""
    known: dict[str, Any] = {**state}
    if state["phase"] != "sheet":
        known["tickets"] = {who: {"count": len(hand)} for who, hand in state["tickets"].items()}
    return known


def _act(desk: Desk, action: str, sent: Mapping[str, Any]) -> int:
    """Check what was sent and do it; returns the version."""
    payload = read_payload(action, sent, desk.table.state(), desk.table.board())
    return desk.table.act(action, payload)


def _done(action: str, sent: Mapping[str, Any], version: int) -> ResponseReturnValue:
    """The answer to an action: a page for a plain form, else the version it led to."""
    if _wants_page():
        turns = action in TURNING or sent.get("really")  # an undo may turn as well
        return redirect("/" if turns else _way_back(sent), code=303)
    return jsonify({"version": version})


def _document() -> Mapping[str, Any]:
    """The JSON document that was sent."""
    document = request.get_json(silent=True)
    if not isinstance(document, Mapping):
        raise BadRequestError("web.error.json")
    return document


def _upload(desk: Desk) -> tuple[Mapping[str, Any], int]:
    """Take in photos, one upload's at a time; returns the form's fields and the version."""
    request.max_content_length = PHOTO_BYTES
    with desk.uploads.arriving():
        photos, fields = request.files.getlist("images"), request.form.to_dict()
    if len(photos) > MOST_PHOTOS:
        raise BadRequestError("web.error.many-photos", most=MOST_PHOTOS)
    with desk.uploads.reading():
        images = [_bytes_of(photo) for photo in photos]
        return fields, _act(desk, "upload-photo", {**fields, "images": images})


def _bytes_of(photo: FileStorage) -> bytes:
    """What was uploaded; a large one lies in a temporary file, which is let go."""
    with closing(photo):
        return bytes(photo.read())


def _wants_page() -> bool:
    """Whether a plain form was sent by a browser without the panel's script."""
    return not request.is_json and "text/html" in request.headers.get("Accept", "")


def _way_back(sent: Mapping[str, Any]) -> str:
    """The page that the form stood on, never another site's; the phase's page if unknown.

    A form on an open hand has the hand's key with it, so that the hand stays open.
    """
    sender = request.referrer or ""
    path = urlsplit(sender).path if is_own_address(sender, request.host) else "/"
    if not path.startswith("/") or path.startswith("//"):
        return "/"
    return f"{path}?{urlencode({'hand': sent['hand']})}" if "hand" in sent else path
