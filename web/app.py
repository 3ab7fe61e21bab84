"""Puts the panel together: one Flask app on one table, one blueprint a file."""

from collections.abc import Callable, Collection, Sequence

from flask import Flask, Response, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from web.access.gate import admit, present_visitor
from web.access.roles import Role, open_to
from web.access.visitors import Access, HomeTable
from web.addresses import wants_page
from web.api import api
from web.api_v1 import api_v1
from web.board_photo import (
    BoardPhotos,
    NoBoardPhotos,
    board_photo_page,
    remember_map_choice,
)
from web.colour_styles import style_sheet
from web.compression import compress
from web.errors import WebError
from web.events import event_stream
from web.language import remember_language, say, say_if_known
from web.pages.box import box_page
from web.pages.check import check_pages
from web.pages.checkup import Examine, checkup_page
from web.pages.dispute import dispute_pages
from web.pages.hand_photos import hand_photo_pages
from web.pages.hands import hand_pages
from web.pages.history import history_pages
from web.pages.join import join_pages
from web.pages.play import play_pages
from web.pages.reveal import reveal_page
from web.pages.scoreboard import scoreboard_pages
from web.pages.setup import setup_pages
from web.pages.sheet import sheet_page
from web.pages.start import start_page
from web.pages.studio import studio_pages
from web.pages.undo import undo_page
from web.pages.wiring import Draw, wiring_pages
from web.panel import PAGE_OF_PHASE, Panel
from web.ports import TablePort
from web.security import PROGRAMS, guard
from web.setup_port import SetupPort
from web.studio_port import StudioPort
from web.uploads import UploadRequest

REQUEST_BYTES = 64 * 1024
"""Largest request that is not a photo."""

BLUEPRINTS = (
    start_page,
    play_pages,
    hand_pages,
    hand_photo_pages,
    check_pages,
    reveal_page,
    sheet_page,
    dispute_pages,
    history_pages,
    box_page,
    undo_page,
    join_pages,
    scoreboard_pages,
    api,
    api_v1,
    event_stream,
)
"""Every part of the panel, one a file."""


def create_app(
    table: TablePort,
    *,
    language_default: str = "en",
    extra_hosts: Collection[str] = (),
    access: Access | None = None,
    setup: SetupPort | None = None,
    examine: Examine | None = None,
    wiring: Draw | None = None,
    own_addresses: Callable[[], Sequence[str]] = tuple,
    studio: StudioPort | None = None,
    photos: BoardPhotos | None = None,
) -> Flask:
    """The panel of a table.

    `language_default` serves visitors whose browser asks for no language we have. `extra_hosts`
    are names beyond those of a home network by which the box may be called (see `web.security`).
    `access` tells who may do what; without it everybody may do everything. With `setup`, `studio`,
    `examine` and `wiring` it has their pages, those of `examine` being the check-up, and `wiring`
    drawing the box's. `own_addresses` tells where other devices reach the panel, the best for a QR
    code first. `photos` are the table's own empty boards for under the map.
    """
    app = Flask(__name__, static_folder="static", template_folder="templates")
    app.request_class = UploadRequest
    app.config["MAX_CONTENT_LENGTH"] = REQUEST_BYTES
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    access = access or HomeTable()
    photos = photos or NoBoardPhotos()
    panel = Panel(table, language_default, access, setup, own_addresses, studio, photos)
    guard(app, extra_hosts, language_default)
    admit(app, access)
    app.after_request(access.devices.remember)
    app.after_request(remember_language)
    app.after_request(remember_map_choice)
    compress(app)
    _add_errors(app, panel)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint(panel))
    app.register_blueprint(board_photo_page(table, photos))
    if setup is not None:
        app.register_blueprint(setup_pages(panel, setup))
    if examine is not None:
        app.register_blueprint(checkup_page(panel, examine))
    app.jinja_env.globals["can_check_up"] = examine is not None
    if wiring is not None:
        app.register_blueprint(wiring_pages(panel, wiring))
    app.jinja_env.globals["can_draw_wiring"] = wiring is not None
    if studio is not None:
        app.register_blueprint(studio_pages(panel, studio))
    _add_entrance(app, panel)
    return app


def _add_entrance(app: Flask, panel: Panel) -> None:
    """`/` leads to where the evening stands; the colours' style sheet comes from the one list."""

    @app.get("/")
    @open_to(Role.SPECTATOR)
    def entrance() -> ResponseReturnValue:
        if present_visitor().role < Role.PLAYER:
            return redirect("/scoreboard")
        return redirect(PAGE_OF_PHASE[panel.table.state()["phase"]])

    @app.get("/colours.css")
    @open_to(Role.SPECTATOR)
    def colours() -> Response:
        return Response(
            style_sheet(), mimetype="text/css", headers={"Cache-Control": "max-age=3600"}
        )


def _add_errors(app: Flask, panel: Panel) -> None:
    """Every error is one sentence in the visitor's language, as JSON or as a page."""

    def answer(sentence: str, status: int) -> ResponseReturnValue:
        if request.path.startswith(PROGRAMS) or (
            request.path.startswith("/api/") and not wants_page()
        ):
            return jsonify({"error": sentence}), status
        return panel.error_page(sentence, fault=status >= 500), status

    def spoken(error: WebError) -> ResponseReturnValue:
        return answer(panel.sentence_of(error), error.status)

    def unspoken(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        fallback = say("error.http.500", panel.language)
        return answer(say_if_known(f"error.http.{status}", panel.language, fallback), status)

    app.register_error_handler(WebError, spoken)
    app.register_error_handler(HTTPException, unspoken)
