"""`/api/v1`: actions as strict JSON, hands, a stream of changes, and the document on all of it."""

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from web.access.gate import check_action
from web.access.roles import Role, open_to
from web.api.openapi import body_schema, openapi
from web.api.schemas import check
from web.api.table_api import act_on, request_id, upload_photos
from web.errors import ActionRefusedError, BadRequestError, NotFoundError, NotJsonError
from web.events import COMMENT, News, open_stream
from web.live import Live
from web.panel import Panel
from web.sent.documents import read_document


def api_v1(panel: Panel) -> Blueprint:
    """What the API has beyond the addresses that it shares with `web.api.table_api`."""
    pages = Blueprint("api_v1", __name__, url_prefix="/api/v1")

    @pages.post("/actions/<action>")
    @open_to(Role.PLAYER)
    def act(action: str) -> ResponseReturnValue:
        known = panel.table.actions().get(action)
        if known is None:
            raise NotFoundError("web.error.action", action=action[:40])
        check_action(known)
        if "images" in known.fields and not request.is_json:
            _, version = upload_photos(panel)
            return jsonify({"version": version})
        if not request.is_json:
            raise NotJsonError("web.error.not-json")
        sent = check(read_document(request.get_data()), body_schema(known))
        request_id()  # one of the wrong form is no matter of the game
        try:
            return jsonify({"version": act_on(panel, action, sent)})
        except BadRequestError as error:  # as the document says, but nothing of this game
            raise ActionRefusedError.saying(error) from error

    @pages.post("/hands/<player>")
    @open_to(Role.PLAYER, hand="player")
    def open_hand(player: str) -> ResponseReturnValue:
        panel.context().player(player)
        return jsonify({"key": panel.open_hands.open(player)})

    @pages.get("/events")
    @open_to(Role.SPECTATOR)
    def events() -> Response:
        return open_stream(panel, "changes", _changes(panel.live), COMMENT)

    @pages.get("/openapi.json")
    @open_to(Role.SPECTATOR)
    def document() -> ResponseReturnValue:
        return jsonify(openapi(panel.table.actions()))

    return pages


def _changes(live: Live) -> News:
    """The whole state first, then what changed since the last time."""

    def news(told: int) -> tuple[int, str]:
        now = live.state()
        changes = live.changes(live.state_at(told), now)
        return now.version, f"event: change\nid: {now.version}\ndata: {changes}\n\n"

    return news
