"""The way in to the panel: connections wait here, without a thread, for their request's head."""

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
class _Visitor:
    """A connection that has not yet said what it wants."""

    connection: socket.socket
    address: object
    since_s: float = field(default_factory=time.monotonic)

    @property
    def machine(self) -> object:
        """Its address without the port."""
        return self.address[0] if isinstance(self.address, tuple) else self.address


class Door:
    """Hands connections to `serve` once their request's head is there; the others are closed.

    A head is only peeked at: `serve` reads it itself. Runs a thread of its own until `close`.
    """

    def __init__(self, serve: Serve, tick: Callable[[], None], head_s: float = HEAD_S) -> None:
        self._serve = serve
        self._tick = tick
        self._head_s = head_s
        self._new: SimpleQueue[_Visitor] = SimpleQueue()
        self._bell, self._ringer = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._bell, selectors.EVENT_READ)
        self._waiting: dict[_Visitor, bool] = {}
        """In the order of arrival; whether a part of the head is there."""
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="door", daemon=True)
        self._thread.start()

    def admit(self, connection: socket.socket, address: object) -> None:
        """Let a connection wait here; from any thread."""
        self._new.put(_Visitor(connection, address))
        self._ringer.send(b".")

    def close(self) -> None:
        """Send everybody away who still waits."""
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
        for visitor in list(self._waiting):
            self._send_away(visitor)

    def _take_new(self) -> None:
        while True:
            try:
                visitor = self._new.get_nowait()
            except Empty:
                return
            if len(self._waiting) >= MOST_WAITING:
                self._make_room()
            self._waiting[visitor] = False
            self._selector.register(visitor.connection, selectors.EVENT_READ, visitor)

    def _look_again(self, now_s: float) -> None:
        """At heads that came in part; whoever is too slow goes."""
        for visitor, in_part in list(self._waiting.items()):
            if now_s - visitor.since_s > self._head_s:
                self._send_away(visitor)
            elif in_part:
                self._look(visitor)
        self._tick()

    def _look(self, visitor: _Visitor) -> None:
        try:
            seen = visitor.connection.recv(HEAD_BYTES, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            seen = b""
        if any(end in seen for end in HEAD_ENDS):
            self._forget(visitor)
            self._serve(visitor.connection, visitor.address)
        elif not seen or len(seen) >= HEAD_BYTES:
            self._send_away(visitor)
        elif not self._waiting[visitor]:
            # It stays readable from now on: asked about at each tick, not as soon as possible.
            self._waiting[visitor] = True
            self._selector.unregister(visitor.connection)

    def _make_room(self) -> None:
        """The oldest goes of the machine that has most waiting: no other one is locked out."""
        (busiest, _), *_ = Counter(visitor.machine for visitor in self._waiting).most_common(1)
        self._send_away(next(one for one in self._waiting if one.machine == busiest))

    def _send_away(self, visitor: _Visitor) -> None:
        self._forget(visitor)
        visitor.connection.close()

    def _forget(self, visitor: _Visitor) -> None:
        if not self._waiting.pop(visitor):
            self._selector.unregister(visitor.connection)
