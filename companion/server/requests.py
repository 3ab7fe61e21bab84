"""Requests at work: a thread each, in the turns of their machine, within limits of time."""

import io
import re
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from http import HTTPStatus
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from companion.server.connections import ConnectionGate, machine_of
from companion.server.lines import Lines
from companion.server.turns import Turns
from web.arrivals import ARRIVES, Upload
from web.events import HOLDS, Line
from web.uploads import REQUEST_BYTES

MOST_AT_WORK = 96
"""Requests that have a thread: many more than a dozen tablets send at once. A page that listens
needs none (`companion.server.lines`)."""

MOST_ACCEPTED = 64
"""Connections that are taken before the server looks whether it is to stop."""

REQUEST_S = 120.0
"""A request with its answer is over by then, six photos over a slow network included."""

SILENCE_S = 20.0
"""A client that neither sends nor takes anything for so long is gone."""

PAUSE_S = 5.0
"""A client that was answered before its upload was over may be silent for so long."""

MOST_LEFT_BYTES = 100_000_000
"""So much of an upload that nobody wants is let in: more than the largest that is taken."""

READ_BYTES = 65_536
"""As much is read at once: what a refused upload still sends must not fill the memory."""


class RequestServer(ThreadedWSGIServer):
    """Gives a connection a thread when its request's head is there, and takes it back in time."""

    def __init__(self, bound: socket.socket, app: Any, head_s: float) -> None:
        host, port = bound.getsockname()[:2]
        super().__init__(host, port, app, handler=_Handler, fd=bound.fileno())
        self._lock = threading.Lock()
        self.turns = Turns()
        self._at_work: dict[socket.socket, tuple[float, object]] = {}
        """In the order of arrival: since when, and for which machine."""
        self._lines = Lines()
        self._given_on: set[socket.socket] = set()
        """Connections whose answers go on as lines."""
        self._gate = ConnectionGate(self._begin, self._end_overdue, head_s)

    def _handle_request_noblock(self) -> None:
        """Take every connection that waits: one at a time, a crowd's fill the system's queue."""
        self.socket.setblocking(False)
        for _ in range(MOST_ACCEPTED):
            try:
                request, address = self.get_request()
            except OSError:
                return
            self.process_request(request, address)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Called for every new connection."""
        self._gate.admit(request, client_address)

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        """Serve until shut down; then end what would go on by itself."""
        try:
            super().serve_forever(poll_interval)
        finally:
            self._gate.close()
            self._lines.close()

    def hold(self, connection: socket.socket, line: Line) -> None:
        """Go on with an answer without end; the request's own thread is done with it."""
        self._lines.take(connection, line)
        with self._lock:
            self._given_on.add(connection)

    def shutdown_request(self, request: Any) -> None:
        """Called when a request is answered."""
        with self._lock:
            goes_on = request in self._given_on
            self._given_on.discard(request)
        if goes_on:
            self.close_request(request)
        else:
            super().shutdown_request(request)

    def end(self, connection: socket.socket) -> None:
        """Hang up on a request that is still received."""
        with self._lock:
            if self._at_work.pop(connection, None) is not None:
                _hang_up(connection)

    def is_at_work(self, connection: socket.socket) -> bool:
        """Whether a request still has its time; others were hung up meanwhile."""
        with self._lock:
            return connection in self._at_work

    def _begin(self, connection: socket.socket, address: object) -> None:
        machine = machine_of(address)
        with self._lock:
            while len(self._at_work) >= MOST_AT_WORK:
                self._make_room()
            self._at_work[connection] = (time.monotonic(), machine)
        worker = threading.Thread(target=self._work, args=(connection, address), daemon=True)
        try:
            worker.start()
        except RuntimeError:  # the system gives no more threads
            with self._lock:
                del self._at_work[connection]
            self.shutdown_request(connection)

    def _make_room(self) -> None:
        """The oldest request goes of the machine that has most: no other one is locked out."""
        machines = Counter(machine for _, machine in self._at_work.values())
        (busiest, _), *_ = machines.most_common(1)
        oldest = next(one for one, (_, machine) in self._at_work.items() if machine == busiest)
        del self._at_work[oldest]
        _hang_up(oldest)

    def _work(self, connection: socket.socket, address: Any) -> None:
        try:
            self.process_request_thread(connection, address)
        finally:
            with self._lock:
                self._at_work.pop(connection, None)

    def _end_overdue(self) -> None:
        now_s = time.monotonic()
        with self._lock:
            overdue = [one for one, (at, _) in self._at_work.items() if now_s - at > REQUEST_S]
            for connection in overdue:
                del self._at_work[connection]
                _hang_up(connection)


class _Handler(WSGIRequestHandler):
    """One request; every read and write of it has a limit in time."""

    protocol_version = "HTTP/1.1"
    timeout = SILENCE_S
    server: RequestServer

    def setup(self) -> None:
        """Prepare the connection."""
        super().setup()
        self._came = _ShortReads(self.rfile)
        self.rfile: BinaryIO = self._came  # type: ignore[assignment]

    def parse_request(self) -> bool:
        """Read the head; an address that is none, as `http://[`, is refused like any other slip."""
        if not super().parse_request():
            return False
        try:
            urlsplit(self.path)
        except ValueError:
            self.path = "/"  # Werkzeug's line of the log would fail over the address, too
            self.send_error(HTTPStatus.BAD_REQUEST)
            return False
        return True

    def run_wsgi(self) -> None:
        """Answer the request in its turn, and let a client that still sends finish.

        Uploads need no turn: they come slowly, and the panel takes few of them at once.
        """
        before, length = self._came.count, self._body_bytes()
        with self.server.turns.of(machine_of(self.client_address)) as turn:
            if length <= REQUEST_BYTES:
                turn.take()
            if self.server.is_at_work(self.connection):
                super().run_wsgi()
        left = length - (self._came.count - before)
        if 0 < left <= MOST_LEFT_BYTES:
            self._swallow(left)

    def _body_bytes(self) -> int:
        """How much the client says that it sends; 0 where it does not say."""
        declared = self.headers.get("Content-Length", "0")
        return int(declared) if re.fullmatch("[0-9]{1,11}", declared) else 0

    def _swallow(self, left: int) -> None:
        """A connection that is closed while bytes come in is reset, and the answer with it."""
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(PAUSE_S)
            while left > 0 and (piece := self._came.read(min(left, READ_BYTES))):
                left -= len(piece)

    def make_environ(self) -> dict[str, Any]:
        """What the panel learns of the request: it may give its line on, or end a slow upload."""
        before, machine = self._came.count, machine_of(self.client_address)
        upload = Upload(machine, lambda: self._came.count - before, self._end)
        return {**super().make_environ(), HOLDS: self._hold, ARRIVES: upload}

    def _end(self) -> None:
        """Others need the place of this upload."""
        self.server.end(self.connection)

    def _hold(self, line: Line) -> None:
        """From here on the connection is the line's: nothing more is written by this request."""
        self.wfile.flush()
        try:
            self.server.hold(self.connection, line)
        except OSError:
            return  # no more files: the page asks again
        self.wfile = io.BytesIO()


class _ShortReads(io.RawIOBase):
    """Reads a connection in small pieces, however many bytes are asked for, and counts them."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self.count = 0

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """What has come, at most READ_BYTES; with no size given everything to the end."""
        if size < 0:
            return self.readall()
        piece: bytes = self._source.read1(min(size, READ_BYTES))
        self.count += len(piece)
        return piece

    def readinto(self, buffer: Any) -> int:
        """Like `read`, into a buffer; returns how many bytes came."""
        piece = self.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def readline(self, size: int | None = -1) -> bytes:
        """A line of the request's head."""
        line: bytes = self._source.readline(size)
        return line

    def close(self) -> None:
        """Let the connection go."""
        self._source.close()
        super().close()


def _hang_up(connection: socket.socket) -> None:
    """Shut a connection down: its reads and writes end, and its own thread closes it."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
