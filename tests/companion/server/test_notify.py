"""What the service manager hears: ready once the panel answers, then a beat while it does."""

import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from companion.server.notify import Heartbeat, answers, notify

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
FORBIDDEN = b"HTTP/1.1 403 FORBIDDEN\r\nContent-Length: 2\r\n"
JSON = b"Content-Type: application/json\r\n"


class Manager:
    """Listens as systemd does."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)

    def heard(self, timeout_s: float = 10.0) -> str:
        """The next message; empty if none comes in time."""
        self._socket.settimeout(timeout_s)
        try:
            return self._socket.recv(4096).decode()
        except TimeoutError:
            return ""

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path):  # type: ignore[no-untyped-def]
    manager = Manager(tmp_path)
    yield manager
    manager.close()


@contextmanager
def answering(said: bytes) -> Iterator[str]:
    """The address of a panel that says one thing to whoever comes first."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(10.0)

        def answer() -> None:
            with suppress(TimeoutError):
                connection, _ = server.accept()
                with connection:
                    connection.recv(4096)
                    connection.sendall(said)

        panel = Thread(target=answer)
        panel.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        panel.join()


def test_it_is_ready_once_the_panel_answers_and_beats_while_it_does(manager: Manager) -> None:
    up = [False]
    beat = Heartbeat(lambda: up[0], {"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "900000"})
    beat.start("http://companion.local/")
    assert manager.heard(0.6) == "", "nobody is told before it is true"
    up[0] = True
    assert manager.heard() == "READY=1\nSTATUS=http://companion.local/"
    for _ in range(2):
        assert manager.heard(2.0) == "WATCHDOG=1", "in time for a late one"
    up[0] = False
    while manager.heard(0.5):
        pass
    assert manager.heard(0.5) == "", "a panel that hangs is not reported as alive"
    beat.stop()
    assert manager.heard() == "STOPPING=1"


def test_without_a_manager_nothing_is_sent() -> None:
    assert not notify("READY=1", {})
    assert not notify("READY=1", {"NOTIFY_SOCKET": "vsock:1:2"})
    Heartbeat(lambda: True, {}).start("status")


def test_a_manager_that_went_away_is_no_trouble(manager: Manager, tmp_path: Path) -> None:
    (tmp_path / "notify").unlink()
    assert not notify("WATCHDOG=1", {"NOTIFY_SOCKET": manager.address})


def test_a_panel_that_is_not_there_does_not_answer() -> None:
    assert not answers("http://127.0.0.1:1/")


def test_the_panel_is_asked_without_the_proxy_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The panel was asked through it, never answered, and was started anew for ever."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setattr(urllib.request, "_opener", None)  # it keeps the proxies of its first use
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with answering(OK + JSON + b"\r\n{}") as address:
        assert answers(address)


@pytest.mark.parametrize("said", [b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{", b"HTT", b""])
def test_an_answer_that_is_cut_off_is_none(said: bytes) -> None:
    """The heart stopped beating over it, and the service manager restarted a panel that was up."""
    with answering(said) as address:
        assert not answers(address)


@pytest.mark.parametrize(
    ("said", "is_panel"),
    [
        (FORBIDDEN + JSON + b"\r\n{}", True),
        (b"HTTP/1.1 500 Fault\r\n" + JSON + b"\r\n{}", False),
        (OK + b"Content-Type: text/html\r\n\r\nhi", False),
        (FORBIDDEN + b"Content-Type: text/html\r\n\r\nno", False),
    ],
)
def test_another_web_server_is_not_the_panel(said: bytes, is_panel: bool) -> None:
    """The doctor said that tablets reach the panel where another program had its port."""
    with answering(said) as address:
        assert answers(address) is is_panel
