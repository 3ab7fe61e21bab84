"""The panel's API in JSON: state, actions, sheet, geometry, and the crops of the photo."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from flask import Blueprint, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from web.addresses import wants_page, way_back
from web.desk import Desk
from web.documents import read_document
from web.errors import BadRequestError, NotFoundError
from web.payloads import WITHOUT_FIELDS, read_payload
from web.pictures import picture
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
        version = desk.table.act(action, _payload(desk, action))
        if not request.is_json and wants_page():
            return redirect("/" if action in TURNING else way_back(), code=303)
        return jsonify({"version": version})

    @pages.get("/api/tickets/<player>")
    def tickets(player: str) -> ResponseReturnValue:
        scene = desk.scene()
        scene.player(player)
        return jsonify(scene.state["tickets"].get(player, []))

    @pages.get("/api/sheet")
    def sheet() -> ResponseReturnValue:
        known = desk.table.state()["sheet"]
        if known is None:
            raise NotFoundError("web.error.no-sheet")
        return jsonify(known)

    @pages.get("/api/geometry")
    def geometry() -> ResponseReturnValue:
        scene = desk.scene()
        if scene.board is None:
            raise NotFoundError("web.error.no-game")
        if scene.drawing is None:
            raise NotFoundError("web.error.no-map", board=scene.board.title)
        return jsonify(scene.drawing.to_json())

    @pages.get("/api/crop/<route>.png")
    def crop(route: str) -> ResponseReturnValue:
        desk.scene().route_title(route)
        image = desk.table.crop(route)
        if image is None:
            raise NotFoundError("web.error.no-crop")
        return picture(image)

    return pages


def public_state(state: TableState) -> dict[str, Any]:
    """The state without the tickets' names, which are secret until the sheet."""
    known: dict[str, Any] = {**state}
    if state["phase"] != "sheet":
        known["tickets"] = {who: {"count": len(hand)} for who, hand in state["tickets"].items()}
    return known


def _payload(desk: Desk, action: str) -> dict[str, Any]:
    """What was sent, checked against the state; the state is left alone where nothing is needed.

    So that undo and a new game remain, whatever is wrong with it.
    """
    sent = _sent(action)
    if action in WITHOUT_FIELDS:
        return {}
    return read_payload(action, sent, desk.table.state(), desk.table.board())


def _sent(action: str) -> Mapping[str, Any]:
    """A JSON document, or a form's fields, with the photos' bytes as `images`."""
    if request.is_json:
        return {**read_document(request.get_data()), "images": []}
    if action == "upload-photo":
        request.max_content_length = PHOTO_BYTES
    photos = request.files.getlist("images")
    if len(photos) > MOST_PHOTOS:
        raise BadRequestError("web.error.many-photos", most=MOST_PHOTOS)
    return {**request.form.to_dict(), "images": [_bytes_of(photo) for photo in photos]}


def _bytes_of(photo: FileStorage) -> bytes:
    """What was uploaded; a large one lies in a temporary file, which is let go."""
    with closing(photo):
        return bytes(photo.read())
