"""Holds incoming connections, without a thread each, until their request's head has arrived."""

import selectors
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

HEAD_S = 10.0
"""A request's head is a few hundred bytes; even over a bad wireless network it is there by then."""

MOST_WAITING = 256
"""Connections without a whole head. Beyond that the oldest goes, so that a new one finds room."""

HEAD_BYTES = 16_384
"""Browsers send one or two thousand; the receive buffer of a socket holds more than this."""

TICK_S = 0.05
"""How often a head that came in part is looked at again."""

HEAD_ENDS = (b"\r\n\r\n", b"\n\n")

Serve = Callable[[socket.socket, object], None]


@dataclass(slots=True, eq=False)
class _Pending:
    """A connection whose request's head has not arrived."""

    connection: socket.socket
    address: object
    since_s: float = field(default_factory=time.monotonic)

    @property
    def machine(self) -> object:
        """Whose connection it is."""
        return machine_of(self.address)


def machine_of(address: object) -> object:
    """A client's address without the port."""
    return address[0] if isinstance(address, tuple) else address


class ConnectionGate:
    """Hands connections to `serve` once their request's head is there; the others are closed.

    A head is only peeked at: `serve` reads it itself. Runs a thread of its own until `close`.
    """

    def __init__(self, serve: Serve, head_s: float = HEAD_S) -> None:
        self._serve = serve
        self._head_s = head_s
        self._new: SimpleQueue[_Pending] = SimpleQueue()
        self._bell, self._ringer = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._bell, selectors.EVENT_READ)
        self._waiting: dict[_Pending, bool] = {}
        """In the order of arrival; whether a part of the head is there."""
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="connections", daemon=True)
        self._thread.start()

    def admit(self, connection: socket.socket, address: object) -> None:
        """Hold a connection until its head is there; may be called from any thread."""
        self._new.put(_Pending(connection, address))
        self._ringer.send(b".")

    def close(self) -> None:
        """Close every connection that still waits."""
        self._closing.set()
        self._ringer.send(b".")
        self._thread.join()
        for end in (self._bell, self._ringer, self._selector):
            end.close()

    def _run(self) -> None:
        looked_s = time.monotonic()
        while not self._closing.is_set():
            for key, _ in self._selector.select(TICK_S):
                if key.data is None:
                    self._bell.recv(4096)
                else:
                    self._look(key.data)
            self._take_new()
            if time.monotonic() - looked_s >= TICK_S:
                looked_s = time.monotonic()
                self._look_again(looked_s)
        self._take_new()
        for pending in list(self._waiting):
            self._drop(pending)

    def _take_new(self) -> None:
        while True:
            try:
                pending = self._new.get_nowait()
            except Empty:
                return
            if len(self._waiting) >= MOST_WAITING:
                self._make_room()
            self._waiting[pending] = False
            self._selector.register(pending.connection, selectors.EVENT_READ, pending)

    def _look_again(self, now_s: float) -> None:
        """At heads that came in part; whoever is too slow goes."""
        for pending, in_part in list(self._waiting.items()):
            if now_s - pending.since_s > self._head_s:
                self._drop(pending)
            elif in_part:
                self._look(pending)

    def _look(self, pending: _Pending) -> None:
        try:
            seen = pending.connection.recv(HEAD_BYTES, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            seen = b""
        if any(end in seen for end in HEAD_ENDS):
            self._forget(pending)
            self._serve(pending.connection, pending.address)
        elif not seen or len(seen) >= HEAD_BYTES:
            self._drop(pending)
        elif not self._waiting[pending]:
            # It stays readable from now on: asked about at each tick, not as soon as possible.
            self._waiting[pending] = True
            self._selector.unregister(pending.connection)

    def _make_room(self) -> None:
        """The oldest goes of the machine that has most waiting: no other one is locked out."""
        (busiest, _), *_ = Counter(pending.machine for pending in self._waiting).most_common(1)
        self._drop(next(one for one in self._waiting if one.machine == busiest))

    def _drop(self, pending: _Pending) -> None:
        self._forget(pending)
        pending.connection.close()

    def _forget(self, pending: _Pending) -> None:
        if not self._waiting.pop(pending):
            self._selector.unregister(pending.connection)
