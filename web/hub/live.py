"""Live pages of the hub: pieces of a page are sent anew when the room changes."""

import json
import time
from collections.abc import Callable, Iterator
from threading import Lock

from flask import Response, current_app, request

from web.events import HEARTBEAT_S, LOOK_S, STAYS, is_closed
from web.hub.site import Site

PAUSE_S = 0.2
"""Least time between two pieces: many tables that change together are one change of the page."""


class Pieces:
    """The live part of a page, made once for each version of the room and language."""

    def __init__(self, site: Site, make: Callable[[str, str], str]) -> None:
        self._site = site
        self._make = make
        self._lock = Lock()
        self._kept: dict[tuple[str, str], tuple[int, str]] = {}

    def piece(self, language: str, what: str = "") -> str:
        """The piece as it is now; `what` tells pages of one kind apart."""
        version = self._site.room.wait(-1, 0.0)
        with self._lock:
            known = self._kept.get((language, what))
            if known is None or known[0] != version:
                known = self._kept[language, what] = (version, self._make(language, what))
            return known[1]

    def stream(self, what: str = "") -> Response:
        """The answer that goes on: the piece at once, and whenever it has changed."""
        if request.accept_mimetypes.best not in (None, "*/*", "text/event-stream"):
            return Response(status=406)  # a picture's or a frame's address, in a foreign page
        site = self._site
        slot = site.slots.take(site.access.devices.known(), request.remote_addr or "")
        if slot is None:
            return Response(status=503, headers={"Retry-After": "5"})
        stays: Callable[[], None] = request.environ.get(STAYS, lambda: None)
        stays()
        connection = request.environ.get("werkzeug.socket")
        app, language = current_app._get_current_object(), site.language  # type: ignore[attr-defined]

        def made() -> str:
            with app.app_context():
                return self.piece(language, what)

        def is_over() -> bool:
            return slot.given_away or is_closed(connection)

        response = Response(_stream(site, made, is_over), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(lambda: site.slots.leave(slot))
        return response


def _stream(site: Site, made: Callable[[], str], is_over: Callable[[], bool]) -> Iterator[str]:
    version, told, silent_s = site.room.wait(-1, 0.0), made(), 0.0
    yield f"retry: 2000\n{_event(told)}"
    while not is_over():
        latest = site.room.wait(version, LOOK_S)
        silent_s += LOOK_S
        piece = made() if latest != version else told
        version = latest
        if piece != told:
            told, silent_s = piece, 0.0
            yield _event(told)
            time.sleep(PAUSE_S)
        elif silent_s >= HEARTBEAT_S:
            silent_s = 0.0
            yield ": still here\n\n"


def _event(piece: str) -> str:
    return f"event: piece\ndata: {json.dumps({'html': piece})}\n\n"
