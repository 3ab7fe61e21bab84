"""Pages that listen: no thread for each, and none waits for a slow one."""

import errno
import os
import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from flask import Flask, Response
from werkzeug import serving

from companion.server import lines
from companion.server.lines import Lines
from companion.server.web_server import WebServer
from tests.support.threads import no_more_threads
from tests.support.waiting import until
from web.access.devices import Devices
from web.events import Line, Source, open_line
from web.listeners import ListenerSlots

LARGE = "x" * 300_000


class Told:
    """Something with versions, of which every one is a large event."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.version = 1

    def wait(self, version: int, timeout_s: float) -> int:
        with self.changed:
            self.changed.wait_for(lambda: self.version != version, timeout_s)
            return self.version

    def change(self) -> None:
        with self.changed:
            self.version += 1
            self.changed.notify_all()

    def news(self, _told: int) -> tuple[int, str]:
        return self.version, f"data: {self.version} {LARGE}\n\n"


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def slots() -> ListenerSlots:
    return ListenerSlots(100)


@pytest.fixture
def port(told: Told, slots: ListenerSlots) -> Iterator[int]:
    app = Flask(__name__)

    @app.get("/events")
    def events() -> Response:
        return open_line(Source(told.wait), "all", told.news, slots, Devices(b"k" * 32))

    server = WebServer(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve)
    thread.start()
    yield server.port
    server.stop()
    thread.join()


def page(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), 20)
    connection.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return connection


def heard(connection: socket.socket, version: int) -> bool:
    """Read until an event of this version has begun; False where the line ends before."""
    seen = b""
    while f"data: {version} ".encode() not in seen:
        piece = connection.recv(1_000_000)
        if not piece:
            return False
        seen = seen[-20:] + piece
    return True


def test_pages_that_listen_take_no_thread_each(port: int, told: Told) -> None:
    before = threading.active_count()
    pages = [page(port) for _ in range(40)]
    assert all(heard(one, 1) for one in pages)
    until(lambda: threading.active_count() <= before + 2, "the threads of the requests end")
    told.change()
    assert all(heard(one, 2) for one in pages)
    for one in pages:
        one.close()


@pytest.mark.parametrize("thread", ["lines", "tell"])
def test_a_page_that_could_not_listen_can_once_there_are_threads_again(
    port: int, told: Told, thread: str
) -> None:
    """After the first was refused no page heard anything any more."""
    with no_more_threads(thread):
        refused = page(port)
        assert heard(refused, 1)
        told.change()
        assert not heard(refused, 2), "the line ends, and the page asks again"
    again = page(port)
    assert heard(again, 2)
    told.change()
    assert heard(again, 3)
    for one in (refused, again):
        one.close()


def test_a_page_that_could_not_listen_keeps_no_slot(
    port: int, slots: ListenerSlots, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no more files neither the page's second handle can be had nor what Werkzeug waits with
    for the rest of a request; after 160 such pages nobody could listen until the next start."""
    monkeypatch.setattr(lines, "_another_handle", no_more_files)
    monkeypatch.setattr(serving, "selectors", SimpleNamespace(DefaultSelector=no_more_files))
    refused = page(port)
    while refused.recv(1_000_000):
        pass
    refused.close()
    until(lambda: not slots._taken, "the slot is still taken")


def no_more_files(*_: object) -> socket.socket:
    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))


def test_a_page_that_comes_as_the_lines_end_is_refused() -> None:
    """It was left to the garbage collector, which told of it wherever it came by."""
    told, slots = Told(), ListenerSlots(1)
    slot = slots.take("", "")
    assert slot is not None
    line = Line(Source(told.wait), "all", told.news, slots, slot)
    held = Lines()
    held.close()
    here, there = socket.socketpair()
    with here, there, pytest.raises(RuntimeError):
        held.take(here, line)
    assert not line.is_held


def test_a_page_that_reads_slowly_keeps_nobody_waiting_and_then_hears_the_newest(
    port: int, told: Told
) -> None:
    slow, quick = page(port), page(port)
    assert heard(slow, 1)
    assert heard(quick, 1)
    for version in range(2, 12):
        told.change()
        assert heard(quick, version)
    assert heard(slow, 11)
    slow.close()
    quick.close()
