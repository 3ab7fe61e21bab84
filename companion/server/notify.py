"""Tells systemd that the panel is up, and goes on telling it as long as the panel answers.

The protocol is a datagram to the socket that $NOTIFY_SOCKET names (sd_notify(3)).
"""

import http.client
import logging
import os
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from email.message import Message
from http import HTTPStatus

ASK_TIMEOUT_S = 10.0
"""A panel that needs longer for its state is of no use to a tablet either."""

_WITHOUT_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""A proxy of the environment is for the world outside: it would ask a machine of its own."""

log = logging.getLogger(__name__)


def notify(message: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send a message to whoever started this program; says whether anybody wants to know."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        try:
            out.sendto(message.encode(), address.replace("@", "\0", 1))
        except OSError as error:
            log.warning("The service manager cannot be told (%s).", error)
            return False
    return True


def answers(address: str) -> bool:
    """Whether the panel answers a request for the whole state, as a tablet's.

    An answer that this program may not see the state is one too; another web server's page is none.
    """
    try:
        with _WITHOUT_PROXY.open(f"{address}api/state", timeout=ASK_TIMEOUT_S) as answer:
            answer.read()
    except urllib.error.HTTPError as error:
        return error.code < HTTPStatus.INTERNAL_SERVER_ERROR and _is_panel(error.headers)
    except (OSError, http.client.HTTPException):  # an answer that is cut off is none
        return False
    return _is_panel(answer.headers)


def _is_panel(head: Message) -> bool:
    """The panel answers a request for its state in JSON, also where it refuses it."""
    return head.get_content_type() == "application/json"


class Heartbeat:
    """Reports in as long as the panel answers, so that a panel that hangs is started again.

    `ask` says whether it answers. The pause is a third of what $WATCHDOG_USEC allows.
    """

    def __init__(
        self, ask: Callable[[], bool], environment: Mapping[str, str] = os.environ
    ) -> None:
        self._ask = ask
        self._environment = environment
        self._pause_s = int(environment.get("WATCHDOG_USEC", "0") or 0) / 3_000_000
        self._stop = threading.Event()

    def start(self, status: str) -> None:
        """Report in once the panel has answered, and from then on; only where somebody listens."""
        if "NOTIFY_SOCKET" in self._environment:
            threading.Thread(
                target=self._beat, args=(status,), name="heartbeat", daemon=True
            ).start()

    def stop(self) -> None:
        """Say that the program is stopping."""
        if not self._stop.is_set():
            self._stop.set()
            notify("STOPPING=1", self._environment)

    def _beat(self, status: str) -> None:
        while not self._stop.wait(0.2):
            if self._ask():
                notify(f"READY=1\nSTATUS={status}", self._environment)
                break
        while self._pause_s and not self._stop.wait(self._pause_s):
            if self._ask():
                notify("WATCHDOG=1", self._environment)
