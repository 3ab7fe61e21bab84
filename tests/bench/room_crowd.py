"""Many pages that listen to a hub, in a process of their own: `python -m tests.bench.room_crowd`.

Arguments: port, how many, and addresses of live lines, of which each page takes the next. Says
what it heard when its input ends, as JSON.
"""

import http.client
import json
import re
import resource
import selectors
import socket
import sys
import time

READ_BYTES = 262_144

A_SECOND = 25
"""So many come at first."""


class Crowd:
    """Pages that listen, and ask again some seconds after their line has broken."""

    def __init__(self, port: int, count: int, addresses: list[str]) -> None:
        self._port = port
        self._at = _shown(port)
        self._addresses = addresses
        self._selector = selectors.DefaultSelector()
        self._selector.register(sys.stdin, selectors.EVENT_READ)
        now_s = time.monotonic()
        self._waiting = [(now_s + n / A_SECOND, n) for n in range(count)]
        self.heard = {"lines": 0, "most": 0, "broken": 0, "events": 0, "bytes": 0}

    def listen(self) -> None:
        """Until the input ends."""
        while True:
            now_s = time.monotonic()
            due = [number for at_s, number in self._waiting if at_s <= now_s]
            self._waiting = [one for one in self._waiting if one[0] > now_s]
            for number in due:
                self._connect(number)
            for key, _ in self._selector.select(0.1):
                if key.data is None:
                    return
                assert isinstance(key.fileobj, socket.socket)
                self._read(key.fileobj, key.data)

    def _connect(self, number: int) -> None:
        address = self._addresses[number % len(self._addresses)]
        head = f"GET {address}?at={self._at} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        head += "Accept: text/event-stream\r\n\r\n"
        try:
            connection = socket.create_connection(("127.0.0.1", self._port), 2)
            connection.sendall(head.encode())
        except OSError:
            self._again(number)
            return
        connection.setblocking(False)
        self._selector.register(connection, selectors.EVENT_READ, number)
        self.heard["lines"] += 1
        self.heard["most"] = max(self.heard["most"], self.heard["lines"])

    def _read(self, connection: socket.socket, number: int) -> None:
        try:
            data = connection.recv(READ_BYTES)
        except OSError:
            data = b""
        self.heard["bytes"] += len(data)
        self.heard["events"] += data.count(b"event: piece")
        if not data or data.startswith(b"HTTP/1.1 5"):
            self._selector.unregister(connection)
            connection.close()
            self.heard["lines"] -= 1
            self.heard["broken"] += 1
            self._again(number)

    def _again(self, number: int) -> None:
        self._waiting.append((time.monotonic() + 2.0 + number % 100 / 50, number))


def _shown(port: int) -> str:
    """What the room's page says that it shows; a page asks for what is new since then."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/")
    found = re.search('data-at="([^"]*)"', connection.getresponse().read().decode())
    assert found is not None
    return found[1]


def main() -> None:
    """Listen, and say what was heard."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    crowd = Crowd(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    crowd.listen()
    print(json.dumps(crowd.heard))


if __name__ == "__main__":
    main()
