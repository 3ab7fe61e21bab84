"""The card image: of two boxes in one home each keeps its name."""

import http.server
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.companion.server.test_mdns import avahi

SCRIPT = Path(__file__).parents[1] / (
    "packaging/image/stage-companion/00-companion/files/companion-name"
)
HOSTS = "127.0.0.1\tlocalhost\n127.0.1.1\tcompanion\n"


@contextmanager
def answering(body: bytes) -> Iterator[int]:
    """Whoever holds the name answers on this port."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """No line for a request."""

    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def look(
    folder: Path,
    port: int,
    announced: bytes,
    name: str = "companion",
    own_address: str = "192.168.1.22",
) -> tuple[str, str]:
    """The box looks once; its name and what it knows of itself afterwards.

    Avahi's answers are those that 0.8 gave: of an address four words, of a name five.
    """
    (folder / "hostname").write_text(f"{name}\n")
    (folder / "hosts").write_text(HOSTS)
    answers = {
        b"RESOLVE-ADDRESS": b"+ 2 0 " + announced + b"\n",
        b"RESOLVE-HOSTNAME-IPV4": b"+ 2 0 companion.local 127.0.0.1\n",
    }
    with avahi(folder / "avahi/socket", lambda asked: answers[asked.split()[0]]):
        subprocess.run(
            [sys.executable, str(SCRIPT)],
            env={
                **os.environ,
                "AVAHI": str(folder / "avahi/socket"),
                "ETC": str(folder),
                "OWN_ADDRESS": own_address,
                "PANEL_PORT": str(port),
            },
            check=True,
        )
    return (folder / "hostname").read_text(), (folder / "hosts").read_text()


def test_the_second_box_stays_the_second(tmp_path: Path) -> None:
    """Whichever was switched on first was companion.local that evening."""
    with answering(b'{"name": "Companion"}') as port:
        hostname, hosts = look(tmp_path, port, b"companion-2.local")
    assert hostname == "companion-2\n"
    assert hosts == "127.0.0.1\tlocalhost\n127.0.1.1\tcompanion-2\n"


@pytest.mark.parametrize(
    ("answer", "announced", "name"),
    [
        (b'{"name": "Companion"}', b"companion.local", "companion"),  # it is the first
        (b"Welcome to your router", b"companion-2.local", "companion"),  # the first is no box
        (b'{"name": "Companion"}', b"companion-2.local", "companion-2"),  # it has its number
        (b'{"name": "Companion"}', b"companion-2.local", "salon"),  # the name is somebody's own
    ],
)
def test_a_name_that_is_the_boxs_own_stays(
    answer: bytes, announced: bytes, name: str, tmp_path: Path
) -> None:
    with answering(answer) as port:
        assert look(tmp_path, port, announced, name) == (f"{name}\n", HOSTS)


def test_a_box_that_is_in_the_network_twice_is_no_second_one(tmp_path: Path) -> None:
    with answering(b'{"name": "Companion"}') as port:
        look(tmp_path, port, b"companion-2.local", own_address="127.0.0.1")
    assert (tmp_path / "hostname").read_text() == "companion\n"


def test_without_avahi_nothing_happens(tmp_path: Path) -> None:
    (tmp_path / "hostname").write_text("companion\n")
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        env={**os.environ, "AVAHI": str(tmp_path / "none"), "ETC": str(tmp_path)},
        check=False,
        capture_output=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "hostname").read_text() == "companion\n"


def forget(folder: Path, name: str, file: str | None) -> tuple[str, str, list[str]]:
    """The box starts with a file on its card; its name, what it knows of itself, and what it was
    told to be called at once."""
    card, bin = folder / "card", folder / "bin"
    card.mkdir()
    bin.mkdir()
    (folder / "hostname").write_text(f"{name}\n")
    (folder / "hosts").write_text(HOSTS.replace("companion", name))
    if file is not None:
        (card / file).touch()
    (bin / "hostname").write_text(f'#!/bin/sh\necho "$1" >> {folder}/told\n')
    (bin / "hostname").chmod(0o755)
    subprocess.run(
        [sys.executable, str(SCRIPT), "--forget"],
        env={
            **os.environ,
            "ETC": str(folder),
            "SHOWN": str(card),
            "PATH": f"{bin}:{os.environ['PATH']}",
        },
        check=True,
    )
    assert list(card.iterdir()) == []
    told = folder / "told"
    now = told.read_text().splitlines() if told.exists() else []
    return (folder / "hostname").read_text(), (folder / "hosts").read_text(), now


@pytest.mark.parametrize("file", ["forget-number", "Forget-Number.txt"])
def test_a_file_on_the_card_takes_the_number_off(file: str, tmp_path: Path) -> None:
    """It was moved to another home, and stayed companion-2.local there."""
    assert forget(tmp_path, "companion-2", file) == ("companion\n", HOSTS, ["companion"])


def test_without_that_file_or_a_number_the_name_stays(tmp_path: Path) -> None:
    for number, (name, file) in enumerate([("companion-2", None), ("salon", "forget-number")]):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert forget(folder, name, file) == (f"{name}\n", HOSTS.replace("companion", name), [])
