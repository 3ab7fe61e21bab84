"""Panel and hub on the network: bound before it is announced, a thread for every request."""

import errno
import fcntl
import logging
import signal
import socket
import struct
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

from companion.errors import UsageError
from companion.server.connections import HEAD_S
from companion.server.mdns import AnnouncedName
from companion.server.requests import RequestServer
from scoring.language import Message
from web.access.visitors import Access
from web.app import create_app
from web.ports import TablePort

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

PORTS_TRIED = 20
"""With no port asked for, the next free one after the usual port is taken."""

USUAL_PORT = 8000

STOP_S = 0.1
"""At most so long after a stop is asked for the server looks whether it is to stop."""

LAST_PORT = 65535

HTTP_PORT = 80
"""The port that an address without one means."""

NO_ADDRESS = (errno.EADDRNOTAVAIL, socket.EAI_NONAME, socket.EAI_AGAIN)
"""Another port would be of no help: no computer has that name or address, or not this one.

`socket.create_server` makes a plain OSError of what the look-up of a name raises."""

UNKNOWN_NAME = "Name or service not known"
"""The system's words."""

SIOCGIFADDR = 0x8915
"""Asks Linux for the address of a network device."""


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
        self._server = RequestServer(self._socket, app, head_s)
        self._name = AnnouncedName()
        self._signalled: Callable[[], None] = lambda: None

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
        if self.host not in ("0.0.0.0", "::", ""):
            return local
        name = self._name.of(lan_address())
        return local if name is None else [*local, self._address_of(name)]

    @property
    def own_address(self) -> str:
        """Where this very machine reaches the panel."""
        everywhere = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}
        host = everywhere.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def serve(self) -> None:
        """Serve until `stop` is called from another thread, or the program is interrupted."""
        try:
            self._server.serve_forever(STOP_S)
        finally:
            self._server.server_close()
            self._socket.close()

    def stop(self) -> None:
        """End `serve`; from another thread only."""
        self._server.shutdown()

    def stop_on_signals(self, signalled: Callable[[], None] = lambda: None) -> None:
        """Let Ctrl-C and a service's stop end `serve`, also told to `signalled`; from the main
        thread only.

        An exception raised by a signal's handler can land in code that swallows it (a destructor,
        a callback of the garbage collector), and the stop would be lost. A second one stops hard.
        """
        self._signalled = signalled
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop_soon)

    def _stop_soon(self, number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        self._signalled()
        threading.Thread(target=self.stop, name="stop", daemon=True).start()


class PanelServer(WebServer):
    """Serves a table's panel with no more than the game's own pages.

    `access` tells who may do what, None: everybody everything. Raises UsageError where the address
    cannot be had.
    """

    def __init__(
        self,
        table: TablePort,
        host: str,
        port: int | None,
        language: str,
        head_s: float = HEAD_S,
        access: Access | None = None,
    ) -> None:
        app = create_app(
            table,
            language_default=language,
            extra_hosts=[host],
            access=access,
            own_addresses=lambda: self.reachable,
        )
        super().__init__(app, host, port, head_s)


def require_address(host: str, port: int | None) -> None:
    """Raise UsageError where nothing can be served there: for work that is to be shown there."""
    _bind(host, port).close()


def lan_address() -> str | None:
    """This machine's address in its network, None without a network.

    Connecting a datagram socket sends nothing; it makes the system choose the address from which
    it would reach the outside (192.0.2.1 is reserved for documentation and reached by nobody).
    A network without a way out, such as the Wi-Fi that the box opens itself, has none to choose.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return _first_address(probe)
        address: str = probe.getsockname()[0]
    return address


def _first_address(probe: socket.socket) -> str | None:
    """The address of the first device that has one, the loop device apart (netdevice(7))."""
    for _, name in socket.if_nameindex():
        try:
            told = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
        except OSError:
            continue
        address = socket.inet_ntoa(told[20:24])
        if not address.startswith("127."):
            return address
    return None


def _bind(host: str, port: int | None) -> socket.socket:
    try:
        host.encode("idna")  # as it is looked up: what has no such form is no name
    except UnicodeError:
        raise UsageError("companion.error.host", host=host, reason=UNKNOWN_NAME) from None
    wanted = [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + PORTS_TRIED), 0]
    reason: object = Message("companion.error.port-range")
    for number in (number for number in wanted if 0 <= number <= LAST_PORT):
        try:
            return socket.create_server(
                (host, number), family=socket.AF_INET6 if ":" in host else socket.AF_INET
            )
        except OSError as error:
            told = error.strerror or str(error)
            reason = told.partition(" (while ")[0]  # the address stands in the sentence already
            if error.errno in NO_ADDRESS:
                raise UsageError("companion.error.host", host=host, reason=reason) from None
    raise UsageError("companion.error.port", port=wanted[0], host=host, reason=reason)
