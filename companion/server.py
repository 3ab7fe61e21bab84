"""The panel on the network: a thread for every connection, bound before it is announced."""

import logging
import socket
from collections.abc import Collection

from werkzeug.serving import make_server

from companion.errors import UsageError
from scoring.language import Phrase
from web.app import create_app
from web.ports import Table

PORTS_TRIED = 20
"""With no port asked for, the next free one after the usual port is taken."""

USUAL_PORT = 8000


class PanelServer:
    """Serves a table's panel; raises UsageError where the address cannot be had.

    `port` None takes the usual port or the next free one. `extra_hosts` are names beyond those of
    a home network by which the panel may be called.
    """

    def __init__(
        self,
        table: Table,
        host: str,
        port: int | None,
        language: str,
        extra_hosts: Collection[str] = (),
    ) -> None:
        self._socket = _bind(host, port)
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        # Every page that a tablet opens is a line of log otherwise; errors still show.
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        app = create_app(table, language_default=language, extra_hosts=[*extra_hosts, host])
        self._server = make_server(host, self.port, app, threaded=True, fd=self._socket.fileno())

    @property
    def addresses(self) -> list[str]:
        """Where the panel can be opened, the best for a tablet first."""
        hosts = [self.host]
        if self.host in ("0.0.0.0", "::", ""):
            own = lan_address()
            hosts = [own, "localhost"] if own else ["localhost"]
        return [f"http://{f'[{h}]' if ':' in h else h}:{self.port}/" for h in hosts]

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
    reason: object = Phrase("companion.error.port-range")
    for number in (number for number in wanted if 0 <= number <= 65535):
        try:
            return socket.create_server(
                (host, number), family=socket.AF_INET6 if ":" in host else socket.AF_INET
            )
        except OSError as error:
            reason = error.strerror or error
    raise UsageError("companion.error.port", port=wanted[0], host=host, reason=reason)
