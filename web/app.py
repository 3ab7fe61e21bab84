"""Puts the panel together: one Flask app on one table, one blueprint a file."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from flask import Blueprint, Flask, jsonify, redirect, request
from flask.typing import ResponseReturnValue

from web.access.club import Club
from web.access.gate import present_visitor
from web.access.roles import Role, open_to
from web.access.visitors import Access, HomeTable
from web.addresses import is_sent_by_script, wants_page
from web.api.table_api import api
from web.api.v1 import api_v1
from web.copy_port import CopyPort
from web.drawing.board_photo import (
    BoardPhotos,
    NoBoardPhotos,
    board_photo_page,
    remember_map_choice,
)
from web.events import event_stream
from web.frame import answer_errors, new_app
from web.pages.box import box_page
from web.pages.checkup import Examine, checkup_page
from web.pages.copies import copy_pages
from web.pages.dispute import dispute_pages
from web.pages.hand_photos import hand_photo_pages
from web.pages.hands import hand_pages
from web.pages.help import help_page
from web.pages.history import history_pages
from web.pages.join import join_pages
from web.pages.joined_names import joined_names_page
from web.pages.play import play_pages
from web.pages.players import players_page
from web.pages.restore import restore_pages
from web.pages.reveal import reveal_page
from web.pages.scoreboard import scoreboard_pages
from web.pages.settings import settings_pages
from web.pages.setup import setup_pages
from web.pages.sheet import sheet_page
from web.pages.start import start_page
from web.pages.studio import studio_pages
from web.pages.undo import undo_page
from web.pages.wagon_count import wagon_count_page
from web.pages.wiring import Draw, wiring_pages
from web.panel import PAGE_OF_PHASE, Panel
from web.ports import TablePort
from web.restore_port import RestorePort
from web.security import PROGRAMS
from web.setup_port import SetupPort
from web.studio_port import StudioPort

Desk = TypeVar("Desk")

BLUEPRINTS = (
    start_page,
    play_pages,
    hand_pages,
    hand_photo_pages,
    settings_pages,
    players_page,
    wagon_count_page,
    reveal_page,
    sheet_page,
    dispute_pages,
    history_pages,
    joined_names_page,
    box_page,
    undo_page,
    help_page,
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
    urgent: Examine = tuple,
    wiring: Draw | None = None,
    own_addresses: Callable[[], Sequence[str]] = tuple,
    studio: StudioPort | None = None,
    photos: BoardPhotos | None = None,
    copies: CopyPort | None = None,
    restore: RestorePort | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """The panel of a table.

    `language_default` serves visitors whose browser asks for no language we have. `extra_hosts`
    are names beyond those of a home network by which the box may be called (see `web.security`).
    `access` tells who may do what; without it everybody may do everything. With `setup`, `studio`,
    `copies`, `restore`, `examine` and `wiring` it has their pages, those of `examine` being the
    check-up, and `wiring` drawing the box's. The start page tells what is `urgent`.
    `own_addresses` tells where other devices reach the panel, the best for a QR code first.
    `photos` are the table's own empty boards for under the map. `clock` tells seconds; what photos
    of a hand have shown is forgotten by it.
    """
    access = access or HomeTable()
    photos = photos or NoBoardPhotos()
    panel = Panel(table, language_default, access, setup, own_addresses, photos, clock=clock)
    app = new_app(access, extra_hosts, language_default)
    if isinstance(access, Club):
        access.in_play, access.seats_changed = table.in_play, panel.shut_hands
    app.after_request(remember_map_choice)
    _add_errors(app, panel)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint(panel))
    app.register_blueprint(board_photo_page(table, photos))
    app.jinja_env.globals["urgent"] = urgent
    _add_pages_of(app, panel, "can_set_up", setup_pages, setup)
    _add_pages_of(app, panel, "can_check_up", checkup_page, examine)
    _add_pages_of(app, panel, "can_draw_wiring", wiring_pages, wiring)
    _add_pages_of(app, panel, "can_teach", studio_pages, studio)
    _add_pages_of(app, panel, "can_copy", copy_pages, copies)
    _add_pages_of(app, panel, "can_restore", restore_pages, restore)
    app.jinja_env.globals["is_new_box"] = lambda: restore is not None and not restore.in_the_way()
    _add_entrance(app, panel)
    return app


def _add_pages_of(
    app: Flask,
    panel: Panel,
    flag: str,
    pages: Callable[[Panel, Desk], Blueprint],
    desk: Desk | None,
) -> None:
    """Pages that only some tables have; `flag` tells every template whether they are there."""
    app.jinja_env.globals[flag] = desk is not None
    if desk is not None:
        app.register_blueprint(pages(panel, desk))


def _add_entrance(app: Flask, panel: Panel) -> None:
    """`/` leads to where the evening stands."""

    @app.get("/")
    @open_to(Role.SPECTATOR)
    def entrance() -> ResponseReturnValue:
        if not present_visitor().takes_part:
            return redirect("/scoreboard")
        return redirect(PAGE_OF_PHASE[panel.table.state()["phase"]])


def _add_errors(app: Flask, panel: Panel) -> None:
    """An error is JSON for programs, else a page."""

    def answer(
        sentence: str, status: int, fields: Sequence[Mapping[str, str]]
    ) -> ResponseReturnValue:
        is_of_api = request.path.startswith("/api/") and not wants_page()
        if request.path.startswith(PROGRAMS) or is_of_api or is_sent_by_script():
            return jsonify({"error": sentence, **({"fields": fields} if fields else {})}), status
        return panel.error_page(sentence, fault=status == 500), status

    answer_errors(app, answer, panel.sentence_of, panel.told, lambda: panel.language)
