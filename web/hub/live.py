"""Live pages of the hub: pieces of a page are sent anew when the room changes."""

import json
from collections.abc import Callable
from threading import Lock

from flask import Response, current_app

from web.events import open_line
from web.hub.site import Site

PAUSE_S = 0.2
"""Least time between two pieces: many tables that change together are one change of the page."""


class Pieces:
    """The live part of a page, made once for each version of the room and language."""

    def __init__(self, site: Site, make: Callable[[str, str], str]) -> None:
        self._site = site
        self._make = make
        self._lock = Lock()
        self._kept: dict[tuple[str, str | bool], tuple[int, str]] = {}

    def piece(self, language: str, what: str = "") -> str:
        """The piece as it is now; `what` tells pages of one kind apart."""
        return self._once((language, what), lambda: self._make(language, what))

    def stream(self, what: str = "") -> Response:
        """The answer that goes on: the piece at once, and whenever it has changed.

        What is wrong with the hub comes with it, above every page.
        """
        site, language, is_organiser = self._site, self._site.language, self._site.is_organiser
        app = current_app._get_current_object()  # type: ignore[attr-defined]
        told = ""

        def banner() -> str:
            return site.banner_in(language, is_organiser)

        def news(_version: int) -> str | None:
            nonlocal told
            before = told
            with app.app_context():
                told = self._once((language, is_organiser), banner) + self.piece(language, what)
            return None if told == before else _event(told)

        return open_line(site.room.wait, site.slots, site.access.devices, news, PAUSE_S)

    def _once(self, key: tuple[str, str | bool], make: Callable[[], str]) -> str:
        version = self._site.room.wait(-1, 0.0)
        with self._lock:
            known = self._kept.get(key)
            if known is None or known[0] != version:
                known = self._kept[key] = (version, make())
            return known[1]


def _event(piece: str) -> str:
    return f"event: piece\ndata: {json.dumps({'html': piece})}\n\n"
