"""The address that players type leads to this box, also where another one has its name already."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from companion.config import BoxConfig
from companion.doctor.machine import examine_machine
from companion.server import web_server
from companion.server.mdns import AnnouncedName
from companion.server.web_server import WebServer
from tests.companion.doctor.test_machine import NOW, machine


@contextmanager
def avahi(path: Path, answer: bytes | Callable[[bytes], bytes]) -> Iterator[list[bytes]]:
    """Stands in for Avahi: gives one answer to every question, and keeps what it was asked."""
    asked: list[bytes] = []
    path.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(path))
        door.listen()
        door.settimeout(0.1)
        over = False

        def reply() -> None:
            while not over:
                try:
                    line, _ = door.accept()
                except TimeoutError:
                    continue
                with line:
                    line.settimeout(5)
                    asked.append(line.recv(1_000))
                    line.sendall(answer if isinstance(answer, bytes) else answer(asked[-1]))

        thread = Thread(target=reply)
        thread.start()
        try:
            yield asked
        finally:
            over = True
            thread.join()
            path.unlink()


@pytest.fixture(autouse=True)
def a_box_in_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "companion")
    monkeypatch.setattr(web_server, "lan_address", lambda: "192.168.1.21")
    monkeypatch.setattr("companion.doctor.machine.lan_address", lambda: "192.168.1.21")


def test_a_second_box_of_one_name_shows_the_name_that_leads_to_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It showed companion.local, where the other table's panel is."""
    path = tmp_path / "run/avahi-daemon/socket"
    monkeypatch.setattr(web_server, "AnnouncedName", lambda: AnnouncedName(path))
    with avahi(path, b"+ 3 0 companion-2.local\n") as asked:
        server = WebServer(lambda *_: [], "0.0.0.0", 0)
        try:
            port = server.port
            assert server.reachable == [
                f"http://192.168.1.21:{port}/",
                f"http://companion-2.local:{port}/",
            ]
            assert len(server.reachable) == 2
        finally:
            server._server._gate.close()
            server._server.server_close()
            server._socket.close()
        assert asked == [b"RESOLVE-ADDRESS 192.168.1.21\n"], "asked once, not for each page"
        root = machine(tmp_path)
        results = examine_machine(tmp_path, BoxConfig(), root, NOW)
        (told,) = [one.message.text("en") for one in results if one.name == "name"]
        assert "companion-2.local" in told


@pytest.mark.parametrize(
    "answer", [b"-15 Timeout reached\n", b"", b"+ 3 0 printer.example\n", b"\xff\xfe\n"]
)
def test_an_avahi_that_does_not_know_leaves_the_machines_own_name(
    tmp_path: Path, answer: bytes
) -> None:
    path = tmp_path / "socket"
    with avahi(path, answer):
        assert AnnouncedName(path).of("192.168.1.21") == "companion.local"
    assert AnnouncedName(path).of("192.168.1.21") is None
