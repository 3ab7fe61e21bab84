"""The live line to every open page: server-sent events that say which version the table is at."""

from collections.abc import Iterator
from threading import BoundedSemaphore

from flask import Blueprint, Response

from web.desk import Desk
from web.ports import Table

HEARTBEAT_S = 15.0
"""A comment is sent that often, so that a closed tablet is noticed and its thread set free."""

MOST_LISTENERS = 24
"""Each open page holds a thread of the server."""


def event_stream(desk: Desk) -> Blueprint:
    """`GET /events`: an event `version` at once and after every change."""
    pages = Blueprint("events", __name__)
    seats = BoundedSemaphore(MOST_LISTENERS)

    @pages.get("/events")
    def events() -> Response:
        if not seats.acquire(blocking=False):
            return Response(status=503, headers={"Retry-After": "5"})
        response = Response(_versions(desk.table), mimetype="text/event-stream")
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(seats.release)
        return response

    return pages


def _versions(table: Table) -> Iterator[str]:
    """One event a version; where nothing changes, a heartbeat."""
    version = table.state()["version"]
    yield f"retry: 2000\nevent: version\ndata: {version}\n\n"
    while True:
        latest = table.wait(version, HEARTBEAT_S)
        yield f"event: version\ndata: {latest}\n\n" if latest != version else ": still here\n\n"
        version = latest
