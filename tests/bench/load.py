"""20 tablets and 100 spectators at one panel: how long until a claim stands on every open page.

Each client is a connection as a browser keeps it: a tablet hears the version on `/events` and gets
its page anew, a spectator gets the news within the scoreboard's own stream. The program runs as a
process of its own; `LOAD_S` says for how many seconds claims are made (600 for the whole trial).
"""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from statistics import median

from scoring.board.board import load_board
from tests.support.child import memory_mb

TABLETS, SPECTATORS = 20, 100

LOAD_S = float(os.environ.get("LOAD_S", "30"))

BETWEEN_CLAIMS_S = 1.0

LIMIT_MS = 300.0


@dataclass
class Heard:
    """When each version stood on each page, in seconds, and who was turned away."""

    at_s: dict[int, list[float]] = field(default_factory=dict)
    refused: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, version: int) -> None:
        with self.lock:
            self.at_s.setdefault(version, []).append(time.monotonic())

    def turn_away(self) -> None:
        with self.lock:
            self.refused += 1


def run() -> None:
    """Run the load and print its figures."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "companion", "serve", "--no-hardware"]
        options = ["--host", "127.0.0.1", "--port", "0", "--data", folder]
        program = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
        try:
            assert program.stdout is not None
            address = re.search(r"//([\d.]+):(\d+)/", program.stdout.readline())
            assert address is not None
            play(address[1], int(address[2]), program.pid)
        finally:
            program.terminate()
            program.wait(30)


def play(host: str, port: int, pid: int) -> None:
    """All clients, then claims, then the figures."""
    players = [{"name": n, "colour": c} for n, c in (("Ada", "red"), ("Ben", "blue"))]
    act(host, port, "start", {"board": "usa", "players": players, "camera": False})
    heard, over = Heard(), threading.Event()
    clients = [threading.Thread(target=tablet, args=(host, port, heard, over)) for _ in range(20)]
    clients += [
        threading.Thread(target=spectator, args=(host, port, heard, over))
        for _ in range(SPECTATORS)
    ]
    for client in clients:
        client.daemon = True
        client.start()
        time.sleep(0.01)
    time.sleep(3)
    routes = [route.id for route in load_board("usa").routes]
    claims: dict[int, float] = {}
    memory = [memory_mb(pid)]
    begun_s = time.monotonic()
    while time.monotonic() - begun_s < LOAD_S:
        number = len(claims)
        owner = (None, "red", "blue")[number // len(routes) % 3 - 2]
        at_s = time.monotonic()
        claims[act(host, port, "correct-route", {"route": routes[number % 78], "owner": owner})] = (
            at_s
        )
        memory.append(memory_mb(pid))
        time.sleep(max(0.0, at_s + BETWEEN_CLAIMS_S - time.monotonic()))
    time.sleep(2)
    over.set()
    report(claims, heard, memory)


def report(claims: dict[int, float], heard: Heard, memory: list[float]) -> None:
    """Print what was measured, with the number of trials."""
    late = [1000 * (max(heard.at_s.get(v, [9e9])) - at_s) for v, at_s in claims.items()]
    every = sorted(1000 * (s - at_s) for v, at_s in claims.items() for s in heard.at_s.get(v, []))
    missed = sum(TABLETS + SPECTATORS - len(heard.at_s.get(v, [])) for v in claims)
    p99 = every[int(0.99 * (len(every) - 1))]
    print(f"load: {TABLETS} tablets, {SPECTATORS} spectators, {len(claims)} claims, {LOAD_S:.0f} s")
    print(f"  a claim on a page: median {median(every):.0f} ms, p99 {p99:.0f} ms (n={len(every)})")
    print(f"  on the last page: median {median(late):.0f} ms, longest {max(late):.0f} ms")
    print(f"  pages that missed a claim: {missed}; turned away: {heard.refused}")
    first, last = median(memory[5:15]), median(memory[-10:])
    print(f"  memory: {first:.1f} MB at first, {last:.1f} MB at last, peak {max(memory):.1f} MB")
    print(f"  {'within' if p99 < LIMIT_MS else 'NOT within'} {LIMIT_MS:.0f} ms")


def act(host: str, port: int, action: str, payload: object) -> int:
    connection = http.client.HTTPConnection(host, port, timeout=30)
    head = {"Content-Type": "application/json"}
    connection.request("POST", f"/api/v1/actions/{action}", json.dumps(payload), head)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return int(answer["version"])


def stream(
    host: str, port: int, path: str, cookie: str, heard: Heard
) -> http.client.HTTPResponse | None:
    connection = http.client.HTTPConnection(host, port, timeout=60)
    connection.request("GET", path, headers={"Cookie": cookie, "Accept": "text/event-stream"})
    answer = connection.getresponse()
    if answer.status != 200:
        heard.turn_away()
        return None
    return answer


def cookie_of(host: str, port: int, path: str) -> str:
    connection = http.client.HTTPConnection(host, port, timeout=30)
    connection.request("GET", path, headers={"Accept": "text/html"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return (answer.getheader("Set-Cookie") or "").partition(";")[0]


def tablet(host: str, port: int, heard: Heard, over: threading.Event) -> None:
    """The board's page: told of a version, it gets itself anew."""
    cookie = cookie_of(host, port, "/board")
    line = stream(host, port, "/events", cookie, heard)
    head = {"Cookie": cookie, "Accept": "text/html", "Accept-Encoding": "gzip"}
    while line is not None and not over.is_set():
        said = line.readline()
        if not said:
            return heard.turn_away() if not over.is_set() else None
        if not said.startswith(b"data:"):
            continue
        connection = http.client.HTTPConnection(host, port, timeout=30)
        connection.request("GET", "/board", headers=head)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status != 200:
            heard.turn_away()
        heard.note(int(said.split(b":")[1]))
    return None


def spectator(host: str, port: int, heard: Heard, over: threading.Event) -> None:
    """The scoreboard: its stream brings the news itself."""
    cookie = cookie_of(host, port, "/scoreboard")
    line = stream(host, port, "/scoreboard/events?lang=en", cookie, heard)
    while line is not None and not over.is_set():
        said = line.readline()
        if not said:
            return heard.turn_away() if not over.is_set() else None
        if said.startswith(b"data:"):
            heard.note(json.loads(said[5:])["version"])
    return None


if __name__ == "__main__":
    run()
