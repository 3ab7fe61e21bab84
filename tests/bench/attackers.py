"""What honest clients notice of a single attacker: their p99 with it beside their p99 without.

The program runs as a process of its own, as a club's. Four honest devices take turns with pages,
the state and claims. Before each attacker the same is measured undisturbed, since the machine may
be busy with other things. `ATTACK_S` says for how many seconds each is measured.
"""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus

from scoring.board.board import load_board
from tests.support.child import memory_mb

ATTACK_S = float(os.environ.get("ATTACK_S", "10"))
HONEST = 4
BETWEEN_S = 0.1
TIMES_P99, MOST_MB, BACK_S = 3.0, 450.0, 3.0
"""The limits: of p99, of `companion serve`'s own memory at its peak, of a start after a kill."""

ATTACKER = "127.0.0.66"
"""The address of the attacker's machine."""

UPLOAD = {"Content-Type": "multipart/form-data; boundary=x"}
UPLOAD_BEGINS = b'--x\r\nContent-Disposition: form-data; name="images"; filename="a.jpg"\r\n\r\n'
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}


@dataclass
class Panel:
    """The program under attack; `cookie` is the host's."""

    program: subprocess.Popen[str]
    port: int
    pin: str
    cookie: str = ""

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
        machine: str = "127.0.0.1",
    ) -> http.client.HTTPResponse:
        """A request with its answer, read whole."""
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=60, source_address=(machine, 0)
        )
        line.request(method, path, body, {**(headers or {}), "Cookie": self.cookie})
        answer = line.getresponse()
        answer.read()
        line.close()
        return answer

    def connect(self) -> socket.socket:
        """A bare connection from another machine than the honest ones'."""
        return socket.create_connection(
            ("127.0.0.1", self.port), timeout=30, source_address=(ATTACKER, 0)
        )


Attack = Callable[[Panel, threading.Event], None]
"""Attacks until the event is set."""


def run() -> None:
    """Print the figures."""
    print(f"\nHonest clients under single attackers, {ATTACK_S:.0f} s each, wall time")
    with tempfile.TemporaryDirectory() as folder:
        panel = start(folder)
        try:
            for title, (attack, asks) in ATTACKS.items():
                before = measured(panel, None, asks)
                under = measured(panel, attack, asks)
                print(f"  {title:<36} {told(before, under)}", flush=True)
            peak_mb = memory_mb(panel.program.pid, "VmHWM")
            print(f"  {'peak memory of serve':<36} {peak_mb:.0f} MB (limit {MOST_MB:.0f})")
        finally:
            panel.program.send_signal(signal.SIGKILL)
            panel.program.communicate()
        _print_returns(folder)


def told(before: "Waits", under: "Waits") -> str:
    """One attacker's line."""
    times = under.p99_ms / before.p99_ms
    verdict = "within" if times <= TIMES_P99 else "NOT within"
    counts = f"n={len(before.waits_ms)} and {len(under.waits_ms)}"
    figures = f"p99 {before.p99_ms:.0f} -> {under.p99_ms:.0f} ms ({times:.1f} times, {counts}"
    return f"{figures}, {under.failed} failed), {verdict} {TIMES_P99:.0f} times"


def _print_returns(folder: str) -> None:
    """How soon the panel answers after a kill."""
    waits = []
    for _ in range(5):
        begun_s = time.monotonic()
        panel = start(folder, enter=False)
        panel.ask("GET", "/api/v1/state")
        waits.append(time.monotonic() - begun_s)
        panel.program.send_signal(signal.SIGKILL)
        panel.program.communicate()
    verdict = "within" if max(waits) <= BACK_S else "NOT within"
    figures = f"longest {max(waits):.1f} s of {len(waits)} kills"
    print(f"  {'an answer after a kill':<36} {figures}, {verdict} {BACK_S:.0f} s")


def start(folder: str, enter: bool = True) -> Panel:
    """A club's panel with a game on; its host is known by the cookie."""
    command = [sys.executable, "-m", "companion", "serve", "--no-hardware", "--club"]
    program = subprocess.Popen(
        [*command, "--data", folder, "--host", "127.0.0.1", "--port", "0", "--language", "en"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    port = re.search(r":(\d+)/", program.stdout.readline())
    pin = re.search(r"PIN (\d+)", program.stdout.readline())
    assert port is not None
    assert pin is not None
    panel = Panel(program, int(port[1]), pin[1])
    if enter:
        answer = panel.ask("POST", "/join/host", f"pin={panel.pin}".encode(), FORM)
        panel.cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        players = b'[{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]'
        game = b'{"board": "usa", "camera": false, "players": ' + players + b"}"
        assert panel.ask("POST", "/api/v1/actions/start", game, JSON).status == 200
    return panel


@dataclass
class Waits:
    """How long honest requests waited, and how many failed."""

    waits_ms: list[float] = field(default_factory=list)
    failed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def p99_ms(self) -> float:
        """The longest but one percent."""
        ordered = sorted(self.waits_ms)
        return ordered[int(0.99 * (len(ordered) - 1))]


def measured(panel: Panel, attack: Attack | None, asks: "Asks") -> Waits:
    """The waits of the honest, while the attacker is at work."""
    waits, over = Waits(), threading.Event()
    attacker = threading.Thread(target=attack, args=(panel, over), daemon=True) if attack else None
    if attacker is not None:
        attacker.start()
        time.sleep(1.0)
    clients = [
        threading.Thread(target=_be_honest, args=(panel, waits, over, number, asks))
        for number in range(HONEST)
    ]
    for client in clients:
        client.start()
    time.sleep(ATTACK_S)
    over.set()
    for client in clients:
        client.join()
    if attacker is not None:
        attacker.join(60)
    return waits


Asks = Callable[[Panel, int, str], bool]
"""The n-th request of an honest machine; returns whether it was answered as it should be."""


def _be_honest(panel: Panel, waits: Waits, over: threading.Event, number: int, asks: Asks) -> None:
    machine = f"127.0.0.{11 + number}"
    while not over.wait(BETWEEN_S):
        number += 1
        begun_s = time.monotonic()
        try:
            done = asks(panel, number, machine)
        except (OSError, http.client.HTTPException):
            done = False
        with waits.lock:
            waits.failed += not done
            waits.waits_ms.append(1000 * (time.monotonic() - begun_s))


def pages_and_claims(panel: Panel, number: int, machine: str) -> bool:
    """The board, the state, a claim, in turns."""
    routes = [route.id for route in load_board("usa").routes]
    body = b'{"route": "%s", "owner": "red"}' % routes[number % len(routes)].encode()
    method, path, sent = (
        ("GET", "/board", b""),
        ("GET", "/api/v1/state", b""),
        ("POST", "/api/v1/actions/correct-route", body),
    )[number % 3]
    return panel.ask(method, path, sent, JSON if sent else {}, machine).status == 200


def photos(panel: Panel, number: int, machine: str) -> bool:
    """A photo of 600 kB, which is no picture: heard to its end, and answered so."""
    body = UPLOAD_BEGINS + bytes(600_000) + b"\r\n--x--\r\n"
    answer = panel.ask("POST", "/api/act/upload-photo", body, UPLOAD, machine)
    return answer.status in (HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT)


# --- the attackers ---


def slow_heads(panel: Panel, over: threading.Event) -> None:
    """300 connections, each with two bytes a second."""
    _drip(panel, over, b"", b"G", each=60, most=300)


def many_connections(panel: Panel, over: threading.Event) -> None:
    """200 requests a second, each on a connection of its own, whose answers nobody waits for."""
    while not over.wait(0.05):
        for _ in range(10):
            with suppress(OSError), panel.connect() as line:
                line.sendall(b"GET /scoreboard HTTP/1.1\r\nHost: localhost\r\n\r\n")


def big_uploads(panel: Panel, over: threading.Event) -> None:
    """Eight at once, 30 MB each, as fast as they are taken."""
    head = (
        f"POST /api/act/upload-photo HTTP/1.1\r\nHost: localhost\r\nCookie: {panel.cookie}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 31457280\r\n\r\n"
        '--x\r\nContent-Disposition: form-data; name="images"; filename="a.jpg"\r\n\r\n'
    )

    def upload() -> None:
        while not over.is_set():
            with suppress(OSError), panel.connect() as line:
                line.sendall(head.encode())
                for _ in range(480):
                    if not over.is_set():
                        line.sendall(bytes(65_536))
            time.sleep(0.05)

    _at_once(upload, 8)


def slow_uploads(panel: Panel, over: threading.Event) -> None:
    """120 requests whose bodies come a byte at a time."""
    head = (
        f"POST /api/act/undo HTTP/1.1\r\nHost: localhost\r\nCookie: {panel.cookie}\r\n"
        "Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
    )
    _drip(panel, over, head.encode(), b" ", each=30, most=120)


def trickled_photos(panel: Panel, over: threading.Event) -> None:
    """12 photos that come a byte at a time: three times as many as the panel takes at once."""
    head = (
        f"POST /api/act/upload-photo HTTP/1.1\r\nHost: localhost\r\nCookie: {panel.cookie}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 3000000\r\n\r\n"
    )
    _drip(panel, over, head.encode() + UPLOAD_BEGINS, b"x", each=12, most=12)


def streams(panel: Panel, over: threading.Event) -> None:
    """300 open streams of the scoreboard."""
    lines: list[socket.socket] = []
    ask = b"GET /scoreboard/events?lang=en HTTP/1.1\r\nHost: localhost\r\n"
    cookie = (panel.ask("GET", "/scoreboard").getheader("Set-Cookie") or "").partition(";")[0]
    while not over.wait(0.2):
        if len(lines) < 300:
            with suppress(OSError):
                for _ in range(30):
                    lines.append(panel.connect())
                    lines[-1].sendall(ask + f"Cookie: {cookie or panel.cookie}\r\n\r\n".encode())
    for line in lines:
        line.close()


def guesses(panel: Panel, over: threading.Event) -> None:
    """100 PINs a second."""
    number = 0
    while not over.wait(0.05):
        for _ in range(5):
            number += 1
            with suppress(OSError, http.client.HTTPException):
                line = http.client.HTTPConnection(
                    "127.0.0.1", panel.port, timeout=10, source_address=(ATTACKER, 0)
                )
                line.request("POST", "/join/host", f"pin={number:06d}", FORM)
                line.getresponse().read()
                line.close()


def _drip(
    panel: Panel, over: threading.Event, head: bytes, byte: bytes, *, each: int, most: int
) -> None:
    """Twice a second a byte more on every connection, and so many new ones up to the most."""
    lines: list[socket.socket] = []
    while not over.wait(0.5):
        alive = []
        for line in lines:
            with suppress(OSError):
                line.sendall(byte)
                alive.append(line)
        lines = alive
        for _ in range(min(each, most - len(lines))):
            lines.append(panel.connect())
            lines[-1].sendall(head)
    for line in lines:
        line.close()


def _at_once(work: Callable[[], None], count: int) -> None:
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


ATTACKS: dict[str, tuple[Attack, Asks]] = {
    "slow heads (300 connections)": (slow_heads, pages_and_claims),
    "slow bodies (120 connections)": (slow_uploads, pages_and_claims),
    "many connections (200 a second)": (many_connections, pages_and_claims),
    "big uploads (8 of 30 MB at once)": (big_uploads, pages_and_claims),
    "trickled photos (12), others' photos": (trickled_photos, photos),
    "streams (300)": (streams, pages_and_claims),
    "guessing the PIN (100 a second)": (guesses, pages_and_claims),
}


if __name__ == "__main__":
    run()
