"""Panel and hub on the network: bound before it is announced, a thread for every request."""

import io
import logging
import signal
import socket
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, BinaryIO

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from companion.errors import UsageError
from companion.server.connections import HEAD_S, ConnectionGate
from scoring.language import Message
from web.access.visitors import Access
from web.app import create_app
from web.board_photo import BoardPhotos
from web.events import STAYS
from web.pages.checkup import Examine
from web.pages.wiring import Draw
from web.ports import TablePort
from web.setup_port import SetupPort
from web.studio_port import StudioPort

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

PORTS_TRIED = 20
"""With no port asked for, the next free one after the usual port is taken."""

USUAL_PORT = 8000

HTTP_PORT = 80
"""The port that an address without one means."""

MOST_AT_WORK = 96
"""Requests that have a thread: twice as many as a dozen tablets send at once, and the listeners."""

REQUEST_S = 120.0
"""A request with its answer is over by then, six photos over a slow network included."""

SILENCE_S = 20.0
"""A client that neither sends nor takes anything for so long is gone."""

PAUSE_S = 5.0
"""A client that was answered before its upload was over may be silent for so long."""

MOST_LEFT_BYTES = 100_000_000
"""So much of an upload that nobody wants is let in: more than the largest that is taken."""

AVAHI = Path("/run/avahi-daemon/socket")
"""There while Avahi runs."""

READ_BYTES = 65_536
"""As much is read at once: what a refused upload still sends must not fill the memory."""


class WebServer:
    """Serves an app; raises UsageError where the address cannot be had.

    `port` None takes the usual port or the next free one. A connection whose request's head is not
    there after `head_s` seconds is closed.
    """

    def __init__(
        self, app: "WSGIApplication", host: str, port: int | None, head_s: float = HEAD_S
    ) -> None:
        self._socket = _bind(host, port)
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        # Every page that a tablet opens is a line of log otherwise; errors still show.
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._server = _Server(self._socket, app, head_s)

    @property
    def addresses(self) -> list[str]:
        """Where the panel can be opened, the best for a tablet first."""
        hosts = [self.host]
        if self.host in ("0.0.0.0", "::", ""):
            own = lan_address()
            hosts = [own, "localhost"] if own else ["localhost"]
        return [self._address_of(host) for host in hosts]

    def _address_of(self, host: str) -> str:
        port = "" if self.port == HTTP_PORT else f":{self.port}"
        return f"http://{f'[{host}]' if ':' in host else host}{port}/"

    @property
    def reachable(self) -> list[str]:
        """Where other devices of the network reach the panel: by number, and by name."""
        local = [address for address in self.addresses if "//localhost" not in address]
        name = mdns_name()
        if self.host not in ("0.0.0.0", "::", "") or name is None:
            return local
        return [*local, self._address_of(name)]

    @property
    def own_address(self) -> str:
        """Where this very machine reaches the panel."""
        everywhere = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}
        host = everywhere.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def serve(self) -> None:
        """Serve until `stop` is called from another thread, or the program is interrupted."""
        try:
            self._server.serve_forever()
        finally:
            self._server.server_close()
            self._socket.close()

    def stop(self) -> None:
        """End `serve`; from another thread only."""
        self._server.shutdown()

    def stop_on_signals(self) -> None:
        """Let Ctrl-C and a service's stop end `serve`; from the main thread only.

        An exception raised by a signal's handler can land in code that swallows it (a destructor,
        a callback of the garbage collector), and the stop would be lost. A second one stops hard.
        """
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop_soon)

    def _stop_soon(self, number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        threading.Thread(target=self.stop, name="stop", daemon=True).start()


class PanelServer(WebServer):
    """Serves a table's panel; raises UsageError where the address cannot be had.

    `extra_hosts` are names beyond those of a home network by which the panel may be called.
    `access` tells who may do what, None: everybody everything. With `setup` and `studio` the panel
    has their pages, with `photos` the map has the table's own empty board to lie on.
    """

    def __init__(
        self,
        table: TablePort,
        host: str,
        port: int | None,
        language: str,
        extra_hosts: Collection[str] = (),
        head_s: float = HEAD_S,
        access: Access | None = None,
        setup: SetupPort | None = None,
        examine: Examine | None = None,
        wiring: Draw | None = None,
        studio: StudioPort | None = None,
        photos: BoardPhotos | None = None,
    ) -> None:
        app = create_app(
            table,
            language_default=language,
            extra_hosts=[*extra_hosts, host],
            access=access,
            setup=setup,
            examine=examine,
            wiring=wiring,
            own_addresses=lambda: self.reachable,
            studio=studio,
            photos=photos,
        )
        super().__init__(app, host, port, head_s)


class _Server(ThreadedWSGIServer):
    """Gives a connection a thread when its request's head is there, and takes it back in time."""

    def __init__(self, bound: socket.socket, app: Any, head_s: float) -> None:
        host, port = bound.getsockname()[:2]
        super().__init__(host, port, app, handler=_Handler, fd=bound.fileno())
        self._lock = threading.Lock()
        self._at_work: dict[socket.socket, float] = {}
        self._staying: set[socket.socket] = set()
        self._gate = ConnectionGate(self._begin, self._end_overdue, head_s)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Called for every new connection."""
        self._gate.admit(request, client_address)

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        """Serve until shut down; then end what would go on by itself."""
        try:
            super().serve_forever(poll_interval)
        finally:
            self._gate.close()
            with self._lock:
                for connection in self._staying:
                    _hang_up(connection)

    def let_stay(self, connection: socket.socket) -> None:
        """Take a connection with an endless answer out of the time limit."""
        with self._lock:
            self._staying.add(connection)
            self._at_work.pop(connection, None)

    def _begin(self, connection: socket.socket, address: object) -> None:
        with self._lock:
            while len(self._at_work) >= MOST_AT_WORK:
                oldest = next(iter(self._at_work))
                del self._at_work[oldest]
                _hang_up(oldest)
            self._at_work[connection] = time.monotonic()
        worker = threading.Thread(target=self._work, args=(connection, address), daemon=True)
        try:
            worker.start()
        except RuntimeError:  # the system gives no more threads
            with self._lock:
                del self._at_work[connection]
            self.shutdown_request(connection)

    def _work(self, connection: socket.socket, address: Any) -> None:
        try:
            self.process_request_thread(connection, address)
        finally:
            with self._lock:
                self._at_work.pop(connection, None)
                self._staying.discard(connection)

    def _end_overdue(self) -> None:
        now_s = time.monotonic()
        with self._lock:
            for connection in [one for one, at in self._at_work.items() if now_s - at > REQUEST_S]:
                del self._at_work[connection]
                _hang_up(connection)


class _Handler(WSGIRequestHandler):
    """One request; every read and write of it has a limit in time."""

    protocol_version = "HTTP/1.1"
    timeout = SILENCE_S
    server: _Server

    def setup(self) -> None:
        """Prepare the connection."""
        super().setup()
        self._came = _ShortReads(self.rfile)
        self.rfile: BinaryIO = self._came  # type: ignore[assignment]

    def run_wsgi(self) -> None:
        """Answer the request, and let a client that still sends finish: it listens only then."""
        before = self._came.count
        super().run_wsgi()
        declared = self.headers.get("Content-Length", "0")
        is_bounded = declared.isascii() and declared.isdigit() and len(declared) < 12
        left = int(declared) - (self._came.count - before) if is_bounded else 0
        if 0 < left <= MOST_LEFT_BYTES:
            self._swallow(left)

    def _swallow(self, left: int) -> None:
        """A connection that is closed while bytes come in is reset, and the answer with it."""
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(PAUSE_S)
            while left > 0 and (piece := self._came.read(min(left, READ_BYTES))):
                left -= len(piece)

    def make_environ(self) -> dict[str, Any]:
        """What the panel learns of the request; it may ask to stay."""
        return {**super().make_environ(), STAYS: lambda: self.server.let_stay(self.connection)}


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


def mdns_name() -> str | None:
    """The name by which this machine is found in its network, None where nothing announces it.

    Raspberry Pi OS and most desktops run Avahi, which announces the machine's own name.
    """
    if not AVAHI.exists():
        return None
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def lan_address() -> str | None:
    """This machine's address in its network, None without a network.

    Connecting a datagram socket sends nothing; it makes the system choose the address from which
    it would reach the outside (192.0.2.1 is reserved for documentation and reached by nobody).
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return address


def _bind(host: str, port: int | None) -> socket.socket:
    wanted = [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + PORTS_TRIED), 0]
    reason: object = Message("companion.error.port-range")
    for number in (number for number in wanted if 0 <= number <= 65535):
        try:
            return socket.create_server(
                (host, number), family=socket.AF_INET6 if ":" in host else socket.AF_INET
            )
        except OSError as error:
            reason = error.strerror or error
    raise UsageError("companion.error.port", port=wanted[0], host=host, reason=reason)
