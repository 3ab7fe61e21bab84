"""Server-sent events: every open page hears what has changed."""

import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from flask import Blueprint, Response, request

from web.access.devices import Devices
from web.access.roles import Role, open_to
from web.listeners import ListenerSlot, ListenerSlots
from web.panel import Panel

HOLDS = "panel.holds"
"""In a request's environment: called with a line whose first event is sent, to go on with it.

A server offers it that holds lines without a thread for each. Without it the request's own thread
goes on.
"""

HEARTBEAT_S = 4.0
"""So often a line says that it is there. A page that hears nothing for twice as long (`line.js`)
asks for another one, and tells where it gets none: a network that went says nothing of it."""

HEARTBEAT = "event: alive\ndata:\n\n"

COMMENT = ": still here\n\n"
"""The same for programs, which know no other events than those of the table."""

LOOK_S = 1.0
"""How often it is looked whether a line is to end."""

AGAIN_MS = 2000
"""After so long a page whose line broke asks for another one."""

News = Callable[[int], tuple[int, str | None]]
"""For somebody who was told of a version (-1: nothing yet), the version now and the event that
says what is new; None where nothing is that concerns them."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something with versions: `wait` sleeps until there is another one, and returns it.

    After a version has been told nothing is told for `pause_s`.
    """

    wait: Callable[[int, float], int]
    pause_s: float = 0.0


@dataclass(slots=True, eq=False)
class Line:
    """A page that listens. Lines of one `channel` and version are told the same."""

    source: Source
    channel: Hashable
    news: News
    slots: ListenerSlots
    slot: ListenerSlot
    told: int = -1
    """The version that the page was told last."""
    heartbeat: str = HEARTBEAT
    is_held: bool = False
    """Whether a server goes on with it."""

    @property
    def is_over(self) -> bool:
        """Whether another page has its slot."""
        return self.slot.given_away

    def first(self) -> str:
        """What is sent at once."""
        self.told, event = self.news(self.told)
        return f"retry: {AGAIN_MS}\n{event or self.heartbeat}"

    def end(self) -> None:
        """The slot is free again."""
        self.slots.leave(self.slot)


def event_stream(panel: Panel) -> Blueprint:
    """`GET /events`: an event `version` at once and after every change."""
    pages = Blueprint("events", __name__)

    def news(_told: int) -> tuple[int, str]:
        version = panel.table.wait(-1, 0.0)
        return version, f"event: version\ndata: {version}\n\n"

    @pages.get("/events")
    @open_to(Role.SPECTATOR)
    def events() -> Response:
        return open_stream(panel, "version", news)

    return pages


def open_stream(
    panel: Panel, channel: Hashable, news: News, heartbeat: str = HEARTBEAT
) -> Response:
    """The answer that goes on: what `news` makes of the table's versions."""
    source, devices = Source(panel.table.wait), panel.access.devices
    return open_line(source, channel, news, panel.slots, devices, heartbeat=heartbeat)


def open_line(
    source: Source,
    channel: Hashable,
    news: News,
    slots: ListenerSlots,
    devices: Devices,
    told: int = -1,
    heartbeat: str = HEARTBEAT,
) -> Response:
    """The same for whatever has versions; `told` is the one that the page shows already."""
    if request.accept_mimetypes.best not in (None, "*/*", "text/event-stream"):
        return Response(status=406)  # a picture's or a frame's address, in a foreign page
    slot = slots.take(devices.known(), request.remote_addr or "")
    if slot is None:
        return Response(status=503, headers={"Retry-After": "5"})
    line = Line(source, channel, news, slots, slot, told, heartbeat)
    response = Response(_stream(line, request.environ.get(HOLDS)), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(lambda: None if line.is_held else line.end())
    return response


def _stream(line: Line, hold: Callable[[Line], None] | None) -> Iterator[str]:
    """The first event; where no server goes on with the line, the others too."""
    yield line.first()
    if hold is not None:
        hold(line)
        return
    heard_s = time.monotonic()
    while not line.is_over:
        event: str | None = None
        if line.source.wait(line.told, LOOK_S) != line.told:
            line.told, event = line.news(line.told)
        elif time.monotonic() - heard_s >= HEARTBEAT_S:
            event = line.heartbeat
        if event is not None:
            yield event
            heard_s = time.monotonic()
            time.sleep(line.source.pause_s)
