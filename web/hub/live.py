"""Live pages of the hub: parts of a page are sent anew when they have changed."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from flask import Response, current_app, request
from markupsafe import Markup

from web.events import Source, open_line
from web.hub.site import Site

PAUSE_S = 0.2
"""Least time between two events: many tables that change together are one change of the page."""

BANNER = "banner"


@dataclass(frozen=True, slots=True)
class Piece:
    """The live part of a page: `frame` makes it of its parts, which are elements by their id.

    A part that has changed takes the place of its element; other parts or another order are the
    whole piece anew.
    """

    parts: Mapping[str, str]
    frame: Callable[[], str]


def piece_of_one(id: str, html: str) -> Piece:
    """A piece that is always sent as a whole."""
    return Piece({id: html}, lambda: html)


@dataclass(slots=True)
class _Told:
    """What the pages of one kind are told, and at which version each part came to be so."""

    version: int = -1
    since: int = -1
    """The parts and their order are the same since then."""
    parts: dict[str, tuple[int, str]] = field(default_factory=dict)
    piece: Piece | None = None
    whole: str | None = None

    def update(self, version: int, banner: str, piece: Piece) -> None:
        """Take in what is so at a version."""
        now, before = {BANNER: banner, **piece.parts}, self.parts
        if list(now) != list(before):
            self.since = version
        self.parts = {
            id: before[id] if id in before and before[id][1] == html else (version, html)
            for id, html in now.items()
        }
        self.version, self.piece, self.whole = version, piece, None

    def news(self, told: int) -> str | None:
        """What somebody lacks who was told of a version."""
        if told < self.since:
            return self.parts[BANNER][1] + self.as_whole()
        return "".join(html for at, html in self.parts.values() if at > told) or None

    def as_whole(self) -> str:
        """The piece."""
        if self.whole is None:
            assert self.piece is not None
            self.whole = self.piece.frame()
        return self.whole


class Pieces:
    """The live part of pages of one kind, made once for each version of the room and language.

    `make` is called with a language and what tells pages of one kind apart.
    """

    def __init__(self, site: Site, make: Callable[[str, str], Piece]) -> None:
        self._site = site
        self._make = make
        self._lock = Lock()
        self._told: dict[tuple[str, bool, str], _Told] = {}
        self._banners: dict[tuple[str, bool], tuple[object, str]] = {}

    def piece(self, language: str, what: str = "") -> Markup:
        """The piece as it is now, which says in `data-at` how far it is."""
        at = f"{self._site.run}-{self._site.room.wait(-1, 0.0)}"
        return Markup(self._make(language, what).frame()) + Markup(
            '<span id="at" data-at="{}" hidden></span>'
        ).format(at)

    def stream(self, what: str = "") -> Response:
        """The answer that goes on: the piece at once, then each part that has changed.

        What is wrong with the hub is a part of every page.
        """
        site, key = self._site, (self._site.language, self._site.is_organiser, what)
        app = current_app._get_current_object()  # type: ignore[attr-defined]

        def news(told: int) -> tuple[int, str | None]:
            with self._lock, app.app_context():
                known = self._now(key)
                html = known.news(told)
                event = None if html is None else self._event(known.version, html)
                return known.version, event

        source = Source(site.room.wait, PAUSE_S)
        channel, devices = (id(self), key), site.access.devices
        return open_line(source, channel, news, site.slots, devices, self._shown())

    def _shown(self) -> int:
        """The version that the asking page shows, -1 where it is none of this run of the hub."""
        said = request.headers.get("Last-Event-ID") or request.args.get("at", "")
        run, _, version = said.partition("-")
        is_ours = run == self._site.run and re.fullmatch("[0-9]{1,15}", version)
        return min(int(version), self._site.room.wait(-1, 0.0)) if is_ours else -1

    def _now(self, key: tuple[str, bool, str]) -> _Told:
        language, is_organiser, what = key
        known = self._told.setdefault(key, _Told())
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

    def _event(self, version: int, html: str) -> str:
        data = json.dumps({"html": html})
        return f"event: piece\nid: {self._site.run}-{version}\ndata: {data}\n\n"
