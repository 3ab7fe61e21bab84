"""The panel over a real socket: many pages at once, live, and a taken port."""

import json
import resource
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, TypeVar

import pytest

from companion.errors import UsageError
from companion.server import web_server
from companion.server.connections import MOST_WAITING
from companion.server.requests import MOST_AT_WORK
from companion.server.turns import AT_ONCE
from companion.server.web_server import PanelServer, WebServer, require_address
from companion.table.table import Table
from tests.companion.tables import ADA_AND_BEN, new_table
from web.access.devices import Devices
from web.access.visitors import HomeTable
from web.listeners import MOST_LISTENERS
from web.sent.arrivals import Arrivals

Server = TypeVar("Server", bound=WebServer)

DEVICES = Devices(b"a key for these tests")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return new_table(tmp_path, open_camera=None)


@pytest.fixture
def server(table: Table) -> Iterator[PanelServer]:
    yield from running(PanelServer(table, "127.0.0.1", 0, "en", access=HomeTable(DEVICES)))


def running(server: Server) -> Generator[Server, None, None]:
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


def ask(server: PanelServer, path: str, stack: ExitStack, cookie: str = "") -> HTTPResponse:
    connection = HTTPConnection(server.host, server.port, timeout=20)
    stack.callback(connection.close)
    headers = {"Cookie": f"device={DEVICES.signed(cookie)}"} if cookie else {}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    stack.callback(answer.close)
    return answer


def test_the_address_answers_with_the_table_s_state(server: PanelServer, table: Table) -> None:
    table.act("start", ADA_AND_BEN)
    with ExitStack() as stack:
        state = json.load(ask(server, "/api/state", stack))
    assert (state["board"], state["phase"]) == ("usa", "look")


def test_a_stop_that_comes_at_any_moment_ends_the_panel_without_an_exception(
    table: Table,
) -> None:
    server = PanelServer(table, "127.0.0.1", 0, "en")
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        server.stop_on_signals()
        signal.raise_signal(signal.SIGTERM)
        server.serve()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def next_version(page: HTTPResponse) -> int:
    while not (line := page.readline()).startswith(b"data:"):
        assert line
    return int(line.split(b":")[1])


def test_a_dozen_pages_hear_of_a_change_and_starve_nobody(
    server: PanelServer, table: Table
) -> None:
    with ExitStack() as stack:
        pages = [ask(server, "/events", stack) for _ in range(12)]
        before = {next_version(page) for page in pages}
        assert len(before) == 1
        version = table.act("start", ADA_AND_BEN)
        assert {next_version(page) for page in pages} == {version}
        assert ask(server, "/api/state", stack).status == 200


def test_a_taken_port_is_one_sentence_and_the_usual_one_gives_way(
    server: PanelServer, table: Table
) -> None:
    taken = rf"port {server.port} of 127.0.0.1 cannot be used \(the address is in use already\);"
    with pytest.raises(UsageError, match=taken):
        PanelServer(table, "127.0.0.1", server.port, "en")
    with pytest.raises(UsageError, match="port 99999"):
        PanelServer(table, "127.0.0.1", 99999, "en")


def test_addresses_can_be_opened(table: Table, server: PanelServer) -> None:
    assert server.addresses == [f"http://127.0.0.1:{server.port}/"]
    server.port = 80
    assert server.addresses == ["http://127.0.0.1/"], "as a box's address is read out"


SLOW = 1_100
"""More connections than a system gives files to a program, as a rule."""


def connect(server: PanelServer, stack: ExitStack, first: bytes) -> socket.socket:
    connection = socket.create_connection((server.host, server.port), timeout=20)
    stack.callback(connection.close)
    connection.sendall(first)
    return connection


def is_hung_up(connection: socket.socket) -> bool:
    """Waits until the server has closed the connection; an answer may come before that."""
    with suppress(ConnectionError):
        while connection.recv(4096):
            pass
    return True


@pytest.fixture
def impatient(table: Table) -> Iterator[PanelServer]:
    """A server that waits two seconds for a request's head."""
    yield from running(PanelServer(table, "127.0.0.1", 0, "en", head_s=2.0))


def test_connections_that_say_next_to_nothing_starve_nobody_and_are_closed(
    impatient: PanelServer,
) -> None:
    allow_files(2 * SLOW + 500)
    before = threading.active_count()
    with ExitStack() as stack:
        slow = [connect(impatient, stack, b"G") for _ in range(SLOW)]
        for _ in range(5):
            assert ask(impatient, "/api/state", stack).status == 200
        assert threading.active_count() < before + 100
        assert all(is_hung_up(connection) for connection in slow)
        assert ask(impatient, "/api/state", stack).status == 200


def allow_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        if hard < count:
            pytest.skip(f"this machine allows {hard} open files, the test needs {count}")
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def test_a_request_that_comes_slowly_but_in_time_is_answered(server: PanelServer) -> None:
    with ExitStack() as stack:
        slow = connect(server, stack, b"GET /api/state HT")
        for piece in (b"TP/1.1\r\nHost: localh", b"ost\r\n", b"\r\n"):
            time.sleep(0.15)
            slow.sendall(piece)
        assert slow.recv(4096).startswith(b"HTTP/1.1 200")


def test_a_head_without_end_is_closed(server: PanelServer) -> None:
    with ExitStack() as stack:
        endless = connect(server, stack, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 3000)
        assert is_hung_up(endless)


def test_what_is_answered_is_closed_also_where_its_reader_is_cut_off() -> None:
    """A copy of the table that nobody took lay open until the garbage collector came by."""
    is_cut, is_closed = threading.Event(), threading.Event()

    class Answer:
        def __iter__(self) -> Iterator[bytes]:
            yield b"all of it"
            assert is_cut.wait(20)

        def close(self) -> None:
            is_closed.set()

    def app(_environ: dict[str, Any], start_response: Callable[..., object]) -> Answer:
        start_response("200 OK", [("Content-Length", "9")])
        return Answer()

    with closing(running(WebServer(app, "127.0.0.1", 0))) as serving:
        server = next(serving)
        with socket.create_connection((server.host, server.port), 20) as reader:
            reader.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            seen = b""
            while not seen.endswith(b"all of it"):
                seen += reader.recv(4096)
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        time.sleep(0.05)
        is_cut.set()
        assert is_closed.wait(10)


def test_an_address_that_is_none_is_refused_without_a_traceback(
    server: PanelServer, capfd: pytest.CaptureFixture[str]
) -> None:
    with ExitStack() as stack:
        sender = connect(server, stack, b"GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert sender.recv(4096).startswith(b"HTTP/1.1 400")
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("host", ["nobody..here", "é..here", "203.0.113.9"])
def test_a_host_that_is_none_of_this_computer_is_told_as_that(host: str) -> None:
    """Another port was advised; a name that Python cannot write for the network was a fault."""
    with pytest.raises(UsageError, match=r"nothing can be served at .*; give another --host"):
        require_address(host, 0)


def test_bodies_that_never_come_keep_no_request_waiting(server: PanelServer) -> None:
    head = b"POST /api/act/undo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(MOST_AT_WORK + 30):
            connect(server, stack, head)
        for _ in range(5):
            assert ask(server, "/api/state", stack).status == 200


def test_nobody_is_locked_out_behind_an_address_that_many_share(impatient: PanelServer) -> None:
    """All come from 127.0.0.1: there's no most for an address, only the oldest go."""
    with ExitStack() as stack:
        for _ in range(MOST_WAITING + 50):
            connect(impatient, stack, b"")
        assert ask(impatient, "/api/state", stack).status == 200


def listen(server: PanelServer, stack: ExitStack, cookie: str = "") -> HTTPResponse:
    return ask(server, "/events", stack, cookie)


def test_the_seats_of_pages_that_are_gone_come_free(
    server: PanelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long before a heartbeat would find out that nobody listens."""
    monkeypatch.setattr("companion.server.lines.HEARTBEAT_S", 60.0)
    with ExitStack() as stack:
        pages = [listen(server, stack, f"tablet-{i}") for i in range(MOST_LISTENERS)]
        assert {page.status for page in pages} == {200}
        assert listen(server, stack, "one-more").status == 503
    wait_for_a_seat(server)


def wait_for_a_seat(server: PanelServer) -> None:
    ends = time.monotonic() + 10
    while time.monotonic() < ends:
        with ExitStack() as stack:
            taken = [listen(server, stack, f"next-{i}").status for i in range(MOST_LISTENERS)]
        if set(taken) == {200}:
            return
        time.sleep(0.1)
    pytest.fail("the seats of closed pages are still taken")


def test_a_page_of_a_browser_that_holds_all_seats_takes_its_oldest(server: PanelServer) -> None:
    with ExitStack() as stack:
        pages = [listen(server, stack, "tablet") for _ in range(MOST_LISTENERS)]
        newest = listen(server, stack, "tablet")
        assert newest.status == 200
        next_version(newest)
        next_version(pages[0])
        assert b"event: version" not in pages[0].read()  # the line has ended
        assert next_version(pages[1])


def test_a_page_of_the_panel_goes_before_strangers_and_never_the_other_way(
    server: PanelServer,
) -> None:
    with ExitStack() as stack:
        strangers = [listen(server, stack) for _ in range(MOST_LISTENERS)]
        assert {one.status for one in strangers} == {200}
        ours = [listen(server, stack, f"tablet-{i}") for i in range(MOST_LISTENERS)]
        assert {one.status for one in ours} == {200}
        assert listen(server, stack).status == 503
        assert all(next_version(page) for page in ours)


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_in_pieces_is_read_whole(server: PanelServer, table: Table, chunked: bool) -> None:
    body = json.dumps(ADA_AND_BEN).encode()
    pieces = [body[i : i + 7] for i in range(0, len(body), 7)]
    headers = {"Content-Type": "application/json"}
    headers |= {} if chunked else {"Content-Length": str(len(body))}
    with ExitStack() as stack:
        connection = HTTPConnection(server.host, server.port, timeout=20)
        stack.callback(connection.close)
        connection.request("POST", "/api/act/start", pieces, headers, encode_chunked=chunked)
        answer = connection.getresponse()
        stack.callback(answer.close)
        assert answer.status == 200
    assert table.state()["board"] == "usa"


UPLOAD = (
    b"POST /api/act/upload-photo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
)


def upload_from(server: PanelServer, machine: str, stack: ExitStack) -> socket.socket:
    """An upload that has begun, and sends nothing more."""
    address = (server.host, server.port)
    line = socket.create_connection(address, source_address=(machine, 0), timeout=30)
    stack.enter_context(line)
    line.sendall(UPLOAD)
    return line


def answer_of(line: socket.socket) -> bytes:
    return b"".join(iter(lambda: line.recv(65_536), b""))


def test_a_photo_gets_through_while_another_machine_trickles(
    server: PanelServer, table: Table
) -> None:
    table.act("start", ADA_AND_BEN)
    with ExitStack() as stack:
        for _ in range(4):
            upload_from(server, "127.0.0.66", stack)
        time.sleep(0.3)
        player = upload_from(server, "127.0.0.1", stack)
        head = b'Content-Disposition: form-data; name="images"; filename="a.jpg"\r\n\r\n'
        end = b"\r\n--x--\r\n"
        player.sendall(head + bytes(2_000_000 - 5 - len(head + end)) + end)
        status = answer_of(player).partition(b"\r\n")[0].split()[1]
    assert status in (b"400", b"409")  # no photo, but heard to its end


def test_a_phone_that_sends_two_photos_still_opens_pages(server: PanelServer, table: Table) -> None:
    """Over a slow network they take a minute: each of a phone's two places was taken."""
    table.act("start", ADA_AND_BEN)
    with ExitStack() as stack:
        for _ in range(AT_ONCE):
            upload_from(server, "127.0.0.66", stack)
        time.sleep(0.3)
        page = request_from(server, "127.0.0.66", stack)
        page.settimeout(10)
        assert page.recv(4096).startswith(b"HTTP/1.1 200")


def test_who_has_most_requests_at_work_makes_room_for_a_new_one(
    server: PanelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone that asked first was hung up for a program that asks without end."""
    monkeypatch.setattr("companion.server.requests.MOST_AT_WORK", 4)
    head = (
        b"POST /api/act/undo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    )
    with ExitStack() as stack:
        phone = request_from(server, "127.0.0.66", stack, head)
        crowd = [request_from(server, "127.0.0.77", stack, head) for _ in range(4)]
        assert is_hung_up(crowd[0])
        phone.sendall(b"player=xy")
        assert phone.recv(4096).startswith(b"HTTP/1.1 ")


def test_who_has_most_connections_waiting_makes_room_for_a_new_one(
    server: PanelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.server.connections.MOST_WAITING", 4)
    begun, rest = b"GET /api/state HTTP/1.1\r\nHost: local", b"host\r\n\r\n"
    with ExitStack() as stack:
        phone = request_from(server, "127.0.0.66", stack, begun)
        crowd = [request_from(server, "127.0.0.77", stack, begun) for _ in range(4)]
        crowd[0].settimeout(5)
        assert is_hung_up(crowd[0])
        phone.sendall(rest)
        assert phone.recv(4096).startswith(b"HTTP/1.1 200")


def request_from(
    server: PanelServer,
    machine: str,
    stack: ExitStack,
    head: bytes = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n",
) -> socket.socket:
    """A request, or what is sent of it at first; the next one comes a moment later."""
    address = (server.host, server.port)
    line = socket.create_connection(address, source_address=(machine, 0), timeout=30)
    stack.enter_context(line)
    line.sendall(head)
    time.sleep(0.2)
    return line


def test_an_upload_that_finds_no_place_is_told_so_however_slowly_it_comes(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone listens once it has sent everything; with pauses, as a bad network makes them."""
    table.act("start", ADA_AND_BEN)
    monkeypatch.setattr("web.sent.uploads.Arrivals", lambda patience_s: Arrivals(patience_s=0.1))
    for server in running(PanelServer(table, "127.0.0.1", 0, "en")):
        with ExitStack() as stack:
            for number in range(4):
                upload_from(server, f"127.0.0.{70 + number}", stack)
            time.sleep(0.3)
            late = upload_from(server, "127.0.0.1", stack)
            for _ in range(20):
                time.sleep(0.05)
                late.sendall(bytes(99_990))
            late.sendall(bytes(2_000_000 - 20 * 99_990))
            answer = answer_of(late)
    assert b" 503 " in answer.partition(b"\r\n")[0]
    assert b"moment" in answer


def test_an_upload_that_is_too_large_is_told_so(server: PanelServer) -> None:
    with ExitStack() as stack:
        connection = HTTPConnection(server.host, server.port, timeout=20)
        stack.callback(connection.close)
        connection.request("POST", "/api/act/undo", bytes(3_000_000))
        answer = connection.getresponse()
        stack.callback(answer.close)
        assert answer.status == 413


def test_a_network_without_a_way_out_has_an_address_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoWayOut(socket.socket):
        def connect(self, address: object, /) -> None:
            raise OSError(101, "Network is unreachable")

    def told(_probe: object, _request: int, asked: bytes) -> bytes:
        name = asked.rstrip(b"\0").decode()
        if name == "eth0":
            raise OSError(99, "Cannot assign requested address")
        address = {"lo": "127.0.0.1", "wlan0": "10.41.0.1"}[name]
        return asked[:20] + socket.inet_aton(address) + asked[24:]

    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo"), (2, "eth0"), (3, "wlan0")])
    monkeypatch.setattr("fcntl.ioctl", told)
    monkeypatch.setattr(socket, "socket", NoWayOut)
    assert web_server.lan_address() == "10.41.0.1"
