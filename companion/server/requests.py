"""Requests at work: a thread each, in the turns of their machine, within limits of time."""

import io
import re
import socket
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, BinaryIO, Self
from urllib.parse import urlsplit

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from companion.server.connections import ConnectionGate, machine_of
from companion.server.lines import Lines
from companion.server.patience import PIECE_BYTES, Patience, PatientWriter
from companion.server.turns import Turns
from web.events import HOLDS, Line
from web.sent.arrivals import ARRIVES, Upload
from web.sent.uploads import REQUEST_BYTES

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

ANSWER = "panel.answer"
"""In a request's environment: the `_Answer` to it."""

MOST_AT_WORK = 96
"""Requests that have a thread: many more than a dozen tablets send at once. A page that listens
needs none (`companion.server.lines`)."""

MOST_ACCEPTED = 64
"""Connections that are taken before the server looks whether it is to stop."""

SILENCE_S = 20.0
"""A client that neither sends nor takes anything for so long is gone."""

PAUSE_S = 5.0
"""A client that was answered before its upload was over may be silent for so long."""

MOST_LEFT_BYTES = 100_000_000
"""So much of an upload that nobody wants is let in: more than the largest that is taken."""


class RequestServer(ThreadedWSGIServer):
    """Gives a connection a thread when its request's head is there.

    The thread comes back in time: a client may keep it waiting for so long (`Patience`), and where
    all threads are taken the oldest go.
    """

    def __init__(self, bound: socket.socket, app: Any, head_s: float) -> None:
        host, port = bound.getsockname()[:2]
        super().__init__(host, port, _kept(app), handler=_Handler, fd=bound.fileno())
        self._lock = threading.Lock()
        self.turns = Turns()
        self._at_work: dict[socket.socket, object] = {}
        """In the order of arrival: for which machine."""
        self._lines = Lines()
        self._given_on: set[socket.socket] = set()
        """Connections whose answers go on as lines."""
        self._gate = ConnectionGate(self._begin, head_s)

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

    def stop_receiving(self, connection: socket.socket) -> None:
        """Let a request that is still received end there: its sender is told so in the answer."""
        with self._lock:
            if connection in self._at_work:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RD)

    def is_at_work(self, connection: socket.socket) -> bool:
        """Whether a request still has its time; others were hung up meanwhile."""
        with self._lock:
            return connection in self._at_work

    def _begin(self, connection: socket.socket, address: object) -> None:
        machine = machine_of(address)
        with self._lock:
            while len(self._at_work) >= MOST_AT_WORK:
                self._make_room()
            self._at_work[connection] = machine
        worker = threading.Thread(target=self._work, args=(connection, address), daemon=True)
        try:
            worker.start()
        except RuntimeError:  # the system gives no more threads
            with self._lock:
                del self._at_work[connection]
            self.shutdown_request(connection)

    def _make_room(self) -> None:
        """The oldest request goes of the machine that has most: no other one is locked out."""
        (busiest, _), *_ = Counter(self._at_work.values()).most_common(1)
        oldest = next(one for one, machine in self._at_work.items() if machine == busiest)
        del self._at_work[oldest]
        _hang_up(oldest)

    def _work(self, connection: socket.socket, address: Any) -> None:
        try:
            self.process_request_thread(connection, address)
        finally:
            with self._lock:
                self._at_work.pop(connection, None)


class _Handler(WSGIRequestHandler):
    """One request; every read and write of it has a limit in time."""

    protocol_version = "HTTP/1.1"
    timeout = SILENCE_S
    server: RequestServer

    def setup(self) -> None:
        """Prepare the connection."""
        super().setup()
        self._answer = _Answer()
        self._came = _ShortReads(self.rfile)
        self.rfile: BinaryIO = self._came  # type: ignore[assignment]
        self.wfile = PatientWriter(self.wfile)

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
                with closing(self._answer):
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
            self._came.listen_anew()
            while left > 0 and (piece := self._came.read(min(left, PIECE_BYTES))):
                left -= len(piece)

    def make_environ(self) -> dict[str, Any]:
        """What the panel learns of the request: it may give its line on, or end a slow upload."""
        before, machine = self._came.count, machine_of(self.client_address)
        upload = Upload(machine, lambda: self._came.count - before, self._end)
        return {**super().make_environ(), HOLDS: self._hold, ARRIVES: upload, ANSWER: self._answer}

    def _end(self) -> None:
        """Others need the place of this upload."""
        self.server.stop_receiving(self.connection)

    def _hold(self, line: Line) -> None:
        """From here on the connection is the line's: nothing more is written by this request."""
        self.wfile.flush()
        try:
            self.server.hold(self.connection, line)
        except (OSError, RuntimeError):
            return  # no more files, or no more threads: the page asks again
        self.wfile = io.BytesIO()


class _Answer:
    """What an app answers. Closed once, whatever becomes of the connection: Werkzeug leaves open
    what it answers to a client that is cut off just then, or when the system gives no more files.
    """

    def __init__(self) -> None:
        self._parts: Iterable[bytes] = ()

    def of(self, parts: Iterable[bytes]) -> Self:
        self._parts = parts
        return self

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._parts)

    def close(self) -> None:
        parts, self._parts = self._parts, ()
        if hasattr(parts, "close"):
            parts.close()


def _kept(app: "WSGIApplication") -> "WSGIApplication":
    """An app whose answer the request closes itself."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        kept: _Answer = environ[ANSWER]
        return kept.of(app(environ, start_response))

    return answer


class _ShortReads(io.RawIOBase):
    """Reads a connection in small pieces, however many bytes are asked for, and counts them.

    To a client whose time is over nobody listens, as if it had hung up; nor to one that is cut off.
    """

    def __init__(self, source: Any) -> None:
        self._source = source
        self._patience = Patience()
        self.count = 0

    def listen_anew(self) -> None:
        """The client was answered; what it still sends has a time of its own."""
        self._patience = Patience()

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """What has come, at most PIECE_BYTES; with no size given everything to the end."""
        if size < 0:
            return self.readall()
        piece: bytes = self._source.read1(min(size, PIECE_BYTES)) if self._ahead() else b""
        self._note(piece)
        return piece

    def readinto(self, buffer: Any) -> int:
        """Like `read`, into a buffer; returns how many bytes came."""
        piece = self.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def readline(self, size: int | None = -1) -> bytes:
        """A line of the request's head, or of a body in chunks."""
        most = PIECE_BYTES if size is None or size < 0 else size
        line = b""
        while len(line) < most and not line.endswith(b"\n") and (ahead := self._ahead()):
            upto = ahead.find(b"\n") + 1 or len(ahead)
            line += self._source.read(min(upto, most - len(line)))
        self._patience.moved(len(line))
        return line

    def _note(self, piece: bytes) -> None:
        self.count += len(piece)
        self._patience.moved(len(piece))

    def _ahead(self) -> bytes:
        """What has come and was not read, after at most one wait; nothing where all is over."""
        if self._patience.is_over:
            return b""
        with self._patience.waits(), suppress(OSError):
            ahead: bytes = self._source.peek(1)
            return ahead
        return b""

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
