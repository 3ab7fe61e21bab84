"""Server-sent events: every open page hears which version the table is at."""

import secrets
import selectors
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock

from flask import Blueprint, Response, request

from web.access.roles import Role, open_to
from web.page_context import Panel
from web.ports import TablePort

STAYS = "panel.stays"
"""In a request's environment: what to call when its answer goes on for as long as a page is open.

A server may offer it; without it nothing is called.
"""

HEARTBEAT_S = 15.0
"""A comment is sent that often, so that nothing on the way takes the stream for dead."""

LOOK_S = 1.0
"""How often a stream is checked, so that the slot of a closed page comes free."""

MOST_LISTENERS = 24
"""Each open page holds a thread of the server."""

COOKIE = "seat"
"""Tells one browser's pages from another's, and from a foreign site's: those come without it.

Browsers don't send a `SameSite` cookie with what a page of another site loads.
"""


@dataclass(slots=True, eq=False)
class ListenerSlot:
    """A slot of one listener; `given_away` once another listener has it."""

    client: str
    """The browser's cookie; empty for programs and foreign pages, the strangers."""
    given_away: bool = False


class ListenerSlots:
    """All slots. Where none is free, the browser's own oldest or a stranger's is given away."""

    def __init__(self, most: int = MOST_LISTENERS) -> None:
        self._most = most
        self._lock = Lock()
        self._taken: list[ListenerSlot] = []

    def take(self, client: str) -> ListenerSlot | None:
        """A slot, None where none can be had."""
        slot = ListenerSlot(client)
        with self._lock:
            if len(self._taken) >= self._most:
                old = self._oldest_to_give_away(slot)
                if old is None:
                    return None
                old.given_away = True
                self._taken.remove(old)
            self._taken.append(slot)
        return slot

    def leave(self, slot: ListenerSlot) -> None:
        """The slot is free again."""
        with self._lock:
            if not slot.given_away:
                self._taken.remove(slot)
                slot.given_away = True

    def _oldest_to_give_away(self, new: ListenerSlot) -> ListenerSlot | None:
        """The oldest of the same browser, else of the strangers; a stranger displaces nobody."""
        if not new.client:
            return None
        alike = [one for one in self._taken if one.client == new.client]
        strangers = [one for one in self._taken if not one.client]
        return next(iter([*alike, *strangers]), None)


def event_stream(panel: Panel) -> Blueprint:
    """`GET /events`: an event `version` at once and after every change."""
    pages = Blueprint("events", __name__)
    slots = ListenerSlots()

    @pages.get("/events")
    @open_to(Role.SPECTATOR)
    def events() -> Response:
        if request.accept_mimetypes.best not in (None, "*/*", "text/event-stream"):
            return Response(status=406)  # a picture's or a frame's address, in a foreign page
        slot = slots.take(request.cookies.get(COOKIE, ""))
        if slot is None:
            return Response(status=503, headers={"Retry-After": "5"})
        stays: Callable[[], None] = request.environ.get(STAYS, lambda: None)
        stays()
        connection = request.environ.get("werkzeug.socket")
        stream = _versions(panel.table, lambda: slot.given_away or _is_closed(connection))
        response = Response(stream, mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(lambda: slots.leave(slot))
        return response

    pages.after_app_request(_give_cookie)
    return pages


def _give_cookie(response: Response) -> Response:
    """Give a browser a name of its own with its first page."""
    is_page = response.mimetype == "text/html" and response.status_code == 200
    if is_page and COOKIE not in request.cookies:
        response.set_cookie(COOKIE, secrets.token_urlsafe(9), samesite="Lax", httponly=True)
    return response


def _versions(table: TablePort, is_over: Callable[[], bool]) -> Iterator[str]:
    """One event a version; where nothing changes, a heartbeat."""
    version = table.wait(-1, 0.0)
    yield f"retry: 2000\nevent: version\ndata: {version}\n\n"
    silent_s = 0.0
    while not is_over():
        latest = table.wait(version, LOOK_S)
        silent_s += LOOK_S
        if latest != version:
            yield f"event: version\ndata: {latest}\n\n"
        elif silent_s >= HEARTBEAT_S:
            yield ": still here\n\n"
        else:
            continue
        version, silent_s = latest, 0.0


def _is_closed(connection: socket.socket | None) -> bool:
    """Whether the other end has gone; a page that listens sends nothing more."""
    if connection is None:
        return False
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            # Asked first, for the connection's own timeout would make `recv` wait.
            return bool(selector.select(0)) and connection.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return True
