"""Puts the hub's pages together: one Flask app on one room, one blueprint a file."""

from collections.abc import Callable, Collection, Sequence

from flask import Blueprint, Flask, Response, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from scoring.language import text
from web.access.club import Club
from web.access.gate import admit
from web.access.roles import Role, open_to
from web.addresses import wants_page, way_back
from web.colour_styles import style_sheet
from web.compression import compress
from web.errors import WebError
from web.hub.join import join_pages
from web.hub.ports import RoomPort
from web.hub.room_pages import room_pages
from web.hub.site import Site
from web.language import remember_language, say, say_if_known
from web.security import guard
from web.uploads import UploadRequest

REQUEST_BYTES = 64 * 1024

BLUEPRINTS: tuple[Callable[[Site], Blueprint], ...] = (room_pages, join_pages)
"""Every part of the hub's pages, one a file."""


def create_hub_app(
    room: RoomPort,
    access: Club,
    *,
    language_default: str = "en",
    extra_hosts: Collection[str] = (),
    own_addresses: Callable[[], Sequence[str]] = tuple,
    parts: Sequence[Callable[[Site], Blueprint]] = (),
) -> Flask:
    """The hub's pages of a room; an address that declares no role is the organiser's alone.

    `extra_hosts` are names beyond those of a home network by which the hub may be called. `parts`
    are more blueprints.
    """
    app = Flask("web", static_folder="static", template_folder="templates")
    app.request_class = UploadRequest
    app.config["MAX_CONTENT_LENGTH"] = REQUEST_BYTES
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    site = Site(room, access, language_default, own_addresses)
    guard(app, extra_hosts, language_default)
    admit(app, access)
    app.after_request(access.devices.remember)
    app.after_request(remember_language)
    compress(app)
    _add_errors(app, site)
    for blueprint in (*BLUEPRINTS, *parts):
        app.register_blueprint(blueprint(site))
    _add_colours(app)
    return app


def _add_colours(app: Flask) -> None:
    @app.get("/colours.css")
    @open_to(Role.SPECTATOR)
    def colours() -> Response:
        return Response(
            style_sheet(), mimetype="text/css", headers={"Cache-Control": "max-age=3600"}
        )


def _add_errors(app: Flask, site: Site) -> None:
    """Every error is one sentence in the visitor's language, as JSON or as a page."""

    def answer(sentence: str, status: int) -> ResponseReturnValue:
        if request.path.startswith("/api/") and not wants_page():
            return jsonify({"error": sentence}), status
        return site.page("error.html", sentence_said=sentence, back=way_back({})), status

    def spoken(error: WebError) -> ResponseReturnValue:
        if error.public_key is None or site.is_organiser:
            return answer(error.sentence(site.language), error.status)
        return answer(text(error.public_key, site.language), error.status)

    def unspoken(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        fallback = say("error.http.500", site.language)
        return answer(say_if_known(f"error.http.{status}", site.language, fallback), status)

    app.register_error_handler(WebError, spoken)
    app.register_error_handler(HTTPException, unspoken)
