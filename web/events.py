"""Server-sent events: every open page hears which version the table is at."""

import selectors
import socket
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, request

from web.access.devices import Devices
from web.access.roles import Role, open_to
from web.listeners import ListenerSlots
from web.panel import Panel

STAYS = "panel.stays"
"""In a request's environment: what to call when its answer goes on for as long as a page is open.

A server may offer it; without it nothing is called.
"""

HEARTBEAT_S = 15.0
"""A comment is sent that often, so that nothing on the way takes the stream for dead."""

LOOK_S = 1.0
"""How often a stream is checked, so that the slot of a closed page comes free."""


def event_stream(panel: Panel) -> Blueprint:
    """`GET /events`: an event `version` at once and after every change."""
    pages = Blueprint("events", __name__)

    @pages.get("/events")
    @open_to(Role.SPECTATOR)
    def events() -> Response:
        return open_stream(panel, lambda version: f"event: version\ndata: {version}\n\n")

    return pages


def open_stream(panel: Panel, news: Callable[[int], str]) -> Response:
    """The answer that goes on: `news` makes what is sent at a version, at once and ever after."""
    return open_line(panel.table.wait, panel.slots, panel.access.devices, news)


def open_line(
    wait: Callable[[int, float], int],
    slots: ListenerSlots,
    devices: Devices,
    news: Callable[[int], str | None],
    pause_s: float = 0.0,
) -> Response:
    """The same for whatever has versions that can be waited for.

    Where `news` makes None nothing is sent; after each event nothing is sent for `pause_s`.
    """
    if request.accept_mimetypes.best not in (None, "*/*", "text/event-stream"):
        return Response(status=406)  # a picture's or a frame's address, in a foreign page
    slot = slots.take(devices.known(), request.remote_addr or "")
    if slot is None:
        return Response(status=503, headers={"Retry-After": "5"})
    stays: Callable[[], None] = request.environ.get(STAYS, lambda: None)
    stays()
    connection = request.environ.get("werkzeug.socket")
    stream = _stream(wait, news, lambda: slot.given_away or _is_closed(connection), pause_s)
    response = Response(stream, mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(lambda: slots.leave(slot))
    return response


def _stream(
    wait: Callable[[int, float], int],
    news: Callable[[int], str | None],
    is_over: Callable[[], bool],
    pause_s: float,
) -> Iterator[str]:
    """One event a version; where nothing is sent, a heartbeat."""
    version = wait(-1, 0.0)
    yield f"retry: 2000\n{news(version)}"
    silent_s = 0.0
    while not is_over():
        latest = wait(version, LOOK_S)
        silent_s += LOOK_S
        event = news(latest) if latest != version else None
        version = latest
        if event is not None:
            silent_s = 0.0
            yield event
            time.sleep(pause_s)
        elif silent_s >= HEARTBEAT_S:
            silent_s = 0.0
            yield ": still here\n\n"


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
