"""Puts the hub's pages together: one Flask app on one room, one blueprint a file."""

from collections.abc import Callable, Collection, Mapping, Sequence

from flask import Blueprint, Flask, jsonify, request
from flask.typing import ResponseReturnValue

from scoring.language import Message, text
from web.access.club import Club
from web.access.devices import HUB_COOKIE
from web.addresses import is_sent_by_script, wants_page, way_back
from web.errors import NotLetInError, WebError
from web.frame import answer_errors, new_app
from web.hub.join import join_pages
from web.hub.ports import RoomPort
from web.hub.room_pages import room_pages
from web.hub.site import Site
from web.language import in_words

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

    `extra_hosts` are names beyond those of a home network by which the hub may be called.
    `own_addresses` tells where phones reach it: the codes of the links that they are given hold
    one of these. `parts` are more blueprints.
    """
    access.devices.cookie = HUB_COOKIE
    app = new_app(access, extra_hosts, language_default, "web.hub.error.host")
    site = Site(room, access, language_default, own_addresses)
    _add_errors(app, site)
    for blueprint in (*BLUEPRINTS, *parts):
        app.register_blueprint(blueprint(site))
    return app


def _add_errors(app: Flask, site: Site) -> None:
    """An error is JSON for scripts, else a page; its reason may be the organiser's alone."""

    def answer(
        sentence: str, status: int, fields: Sequence[Mapping[str, str]]
    ) -> ResponseReturnValue:
        if is_sent_by_script() or (request.path.startswith("/api/") and not wants_page()):
            return jsonify({"error": sentence, **({"fields": fields} if fields else {})}), status
        return site.page("error.html", sentence_said=sentence, back=way_back({})), status

    def sentence_of(error: WebError) -> str:
        if isinstance(error, NotLetInError):  # the hub knows nobody between all and its organiser
            return text("web.hub.error.only-organiser", site.language)
        if error.public_key is None or site.is_organiser:
            return error.sentence(site.language)
        return text(error.public_key, site.language)

    def told(message: Message) -> str:
        return in_words(message, site.language)

    answer_errors(app, answer, sentence_of, told, lambda: site.language)
