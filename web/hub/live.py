"""Live pages of the hub: parts of a page are sent anew when they have changed."""

import json
import re
from collections.abc import Callable
from threading import Lock

from flask import Response, current_app, request
from markupsafe import Markup

from web.events import Source, open_line
from web.hub.live_pieces import Piece, Told
from web.hub.site import Site

PAUSE_S = 0.2
"""Least time between two events: many tables that change together are one change of the page."""

OF_ANOTHER_RUN = -2
"""The version of a page that shows what a run of the hub before made."""


class Pieces:
    """The live part of pages of one kind, made once for each version of the room and language.

    `make` is called with a language and what tells pages of one kind apart.
    """

    def __init__(self, site: Site, make: Callable[[str, str], Piece]) -> None:
        self._site = site
        self._make = make
        self._lock = Lock()
        self._told: dict[tuple[str, bool, str], Told] = {}
        self._banners: dict[tuple[str, bool], tuple[object, str]] = {}

    def piece(self, language: str, what: str = "") -> Markup:
        """The piece as it is now, which says in `data-at` how far it is."""
        with self._lock:
            known = self._now((language, self._site.is_organiser, what))
            whole, at = known.as_whole(), self._name_of(known)
        return Markup(whole) + Markup('<span id="at" data-at="{}" hidden></span>').format(at)

    def stream(self, what: str = "") -> Response:
        """The answer that goes on: the piece at once, then each part that has changed.

        What is wrong with the hub is a part of every page.
        """
        site, key = self._site, (self._site.language, self._site.is_organiser, what)
        app = current_app._get_current_object()  # type: ignore[attr-defined]
        shown, content = self._shown()

        def news(told: int) -> tuple[int, str | None]:
            with self._lock, app.app_context():
                known = self._now(key)
                lacking = known.news(told) if told != OF_ANOTHER_RUN else known.beside(content)
                event = None if lacking is None else self._event(known, lacking)
                return known.version, event

        source = Source(site.room.wait, PAUSE_S)
        channel, devices = (id(self), key), site.access.devices
        return open_line(source, channel, news, site.slots, devices, shown)

    def _shown(self) -> tuple[int, str]:
        """The version that the asking page shows, or the name of its content in another run."""
        said = request.headers.get("Last-Event-ID") or request.args.get("at", "")
        run, _, rest = said.partition("-")
        version, _, content = rest.partition("-")
        if not re.fullmatch("[0-9]{1,15}", version):
            return -1, ""
        if run == self._site.run:
            return min(int(version), self._site.room.wait(-1, 0.0)), ""
        return OF_ANOTHER_RUN, content

    def _now(self, key: tuple[str, bool, str]) -> Told:
        language, is_organiser, what = key
        known = self._told.setdefault(key, Told())
        version = self._site.room.wait(-1, 0.0)
        if known.version != version:
            banner = self._banner(language, is_organiser)
            known.update(version, banner, self._make(language, what))
        return known

    def _banner(self, language: str, is_organiser: bool) -> str:
        troubles = list(self._site.room.troubles())
        kept = self._banners.get((language, is_organiser))
        if kept is None or kept[0] != troubles:
            kept = (troubles, self._site.banner_in(language, is_organiser))
            self._banners[language, is_organiser] = kept
        return kept[1]

    def _event(self, known: Told, html: str) -> str:
        data = json.dumps({"html": html})
        return f"event: piece\nid: {self._name_of(known)}\ndata: {data}\n\n"

    def _name_of(self, known: Told) -> str:
        return f"{self._site.run}-{known.version}-{known.content}"
