"""Requests that last long: the program's own time is not held against anybody."""

import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from companion.server.web_server import PanelServer, WebServer
from companion.table.table import Table
from tests.companion.tables import ADA_AND_BEN, new_table

UPLOAD = (
    b"POST /api/act/upload-photo HTTP/1.1\r\nHost: localhost\r\n%b\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\n\r\n"
)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = new_table(tmp_path, open_camera=None)
    table.act("start", ADA_AND_BEN)
    return table


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.server.patience.CLIENT_S", 0.5)


@contextmanager
def line_to(server: WebServer) -> Iterator[socket.socket]:
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        with socket.create_connection((server.host, server.port), timeout=20) as line:
            yield line
    finally:
        server.stop()
        thread.join()


def answer_of(line: socket.socket) -> bytes:
    return b"".join(iter(lambda: line.recv(65_536), b""))


def test_an_answer_that_takes_the_program_long_arrives() -> None:
    def app(environ: Any, start: Any) -> Iterable[bytes]:
        time.sleep(1.5)
        start("200 OK", [("Content-Length", "4")])
        return [b"read"]

    with line_to(WebServer(app, "127.0.0.1", 0)) as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi")
        assert answer_of(line).endswith(b"read")


def test_a_large_answer_over_a_slow_network_arrives_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it takes much longer than a client may be silent."""
    monkeypatch.setattr("companion.server.requests._Handler.timeout", 0.8)
    size = 12_000_000

    def app(environ: Any, start: Any) -> Iterable[bytes]:
        start("200 OK", [("Content-Length", str(size))])
        return [bytes(size)]

    with line_to(WebServer(app, "127.0.0.1", 0)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        count = 0
        while piece := line.recv(300_000):
            count += len(piece)
            time.sleep(0.06)
    assert count > size


@pytest.mark.parametrize("length", [b"Content-Length: 2000000", b"Transfer-Encoding: chunked"])
def test_an_upload_that_never_ends_is_told_that_it_comes_too_slowly(
    table: Table, length: bytes
) -> None:
    with line_to(PanelServer(table, "127.0.0.1", 0, "en")) as line:
        line.sendall(UPLOAD % length)
        ends_s = time.monotonic() + 10.0
        answer = b""
        line.settimeout(0.1)
        while not answer and time.monotonic() < ends_s:
            with suppress(BrokenPipeError):  # the answer is there, and the server's end closed
                line.sendall(b"0")
            with suppress(TimeoutError):
                answer = line.recv(65_536)
        answer += answer_of(line)
    assert b" 503 " in answer.partition(b"\r\n")[0]
    assert b"too slowly" in answer


def test_an_upload_that_has_to_make_room_is_told_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.server.patience.CLIENT_S", 60.0)
    server = PanelServer(table, "127.0.0.1", 0, "en")
    address = (server.host, server.port)
    with line_to(server) as first:
        first.sendall(UPLOAD % b"Content-Length: 2000000")
        others = [
            socket.create_connection(address, source_address=("127.0.0.66", 0), timeout=20)
            for _ in range(4)
        ]
        for other in others:
            other.sendall(UPLOAD % b"Content-Length: 2000000")
            time.sleep(0.2)
        told = [other for other in others if told_within(other, 3.0)]
        for other in others:
            other.close()
    assert len(told) == 1


def told_within(line: socket.socket, limit_s: float) -> bool:
    line.settimeout(limit_s)
    try:
        return b"too slowly" in answer_of(line)
    except TimeoutError:
        return False
