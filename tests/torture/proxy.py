"""A proxy that cuts connections: in the middle of what is sent, of what is answered, and lines."""

import json
import random
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from selectors import EVENT_READ
from selectors import DefaultSelector as _Ways

from companion.log.store import LOG_NAME, EventStore
from companion.log.table_file import log_rows
from companion.server.web_server import PanelServer
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.torture.outcome import Outcome

PIECE = 1_460
"""Bytes that are passed on at once."""


@dataclass
class CuttingProxy:
    """Passes connections on to a port, and cuts some of them.

    `chance_to_cut`: of a connection being cut after some bytes of what is sent, or of the answer.
    `longest_s`: a line of news ends so long after it was first answered. One that is cut before is
    no line: a page that gets none for seconds, from a slow box, says so. `is_deaf`: what comes is
    lost without a word, as where no Wi-Fi is in reach, and what was connected then is so for good.
    """

    port: int
    chance_to_cut: float = 0.0
    longest_s: float = 3_600.0
    seed: int = 1
    cuts: int = 0
    is_deaf: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def listening(self) -> Iterator[int]:
        """On a free port, which it gives."""
        chance, over = random.Random(self.seed), threading.Event()
        with ExitStack() as stack:
            door = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            door.settimeout(0.1)

            carriers: list[threading.Thread] = []

            def take() -> None:
                while not over.is_set():
                    with suppress(TimeoutError):
                        line, _ = door.accept()
                        is_cut = chance.random() < self.chance_to_cut
                        sides = chance.choice(((1, 0), (0, 1))) if is_cut else (0, 0)
                        most = [chance.randrange(20, 400) * side for side in sides]
                        carriers.append(
                            threading.Thread(target=self._carry, args=(line, *most, over))
                        )
                        carriers[-1].start()

            taking = threading.Thread(target=take)
            taking.start()
            try:
                yield door.getsockname()[1]
            finally:
                over.set()
                for thread in (taking, *carriers):
                    thread.join()

    def _carry(self, line: socket.socket, sent: int, answered: int, over: threading.Event) -> None:
        """Pass on both ways until one is cut or both have ended; 0 is no limit of bytes."""
        address, left = ("127.0.0.1", self.port), {0: sent, 1: answered}
        is_news, news_since_s, is_lost = False, float("inf"), False
        with line, suppress(OSError), socket.create_connection(address) as onward, _Ways() as ways:
            ways.register(line, EVENT_READ, (onward, 0))
            ways.register(onward, EVENT_READ, (line, 1))
            while ways.get_map() and not over.is_set():
                if time.monotonic() - news_since_s > self.longest_s:
                    return self._count()
                came = ways.select(0.1)
                is_lost |= self.is_deaf
                for key, _ in came:
                    other, way = key.data
                    one: socket.socket = key.fileobj  # type: ignore[assignment]
                    piece = one.recv(PIECE)
                    if is_lost:
                        piece or ways.unregister(one)
                        continue
                    is_news |= piece.startswith(b"GET /events")
                    if is_news and way == 1:
                        news_since_s = min(news_since_s, time.monotonic())
                    if left[way] and len(piece) >= left[way]:
                        other.sendall(piece[: left[way]])
                        return self._count()
                    left[way] = left[way] and left[way] - len(piece)
                    if piece:
                        other.sendall(piece)
                    else:
                        ways.unregister(one)
                        other.shutdown(socket.SHUT_WR)
        return None

    def _count(self) -> None:
        with self._lock:
            self.cuts += 1


def through_a_proxy(trials: int, seed: int = 8) -> Outcome:
    """Every second connection is cut, and every open line soon: all that is asked for is done once.

    A client sends each request, under one name, until it has a whole answer; another one listens
    and hears of the last change.
    """
    outcome = Outcome("a proxy that cuts")
    with tempfile.TemporaryDirectory() as folder:
        table = Table(TableConfig([load_board("usa")], Path(folder)))
        server = PanelServer(table, "127.0.0.1", 0, "en")
        serving = threading.Thread(target=server.serve)
        serving.start()
        proxy = CuttingProxy(server.port, chance_to_cut=0.5, longest_s=1.0, seed=seed)
        try:
            with proxy.listening() as port, _listening(port) as heard:
                outcome.notes["sent again"] = _play(port, trials)
                outcome.bad += not _hears(heard, table.state()["version"])
        finally:
            server.stop()
            serving.join()
            table.close()
        with EventStore(Path(folder) / LOG_NAME) as store:
            names = [_name(row.data) for row in log_rows(Path(folder))]
            outcome.bad += store.rescue is not None
    outcome.trials = trials
    outcome.bad += names != [_request(number) for number in range(trials)]
    outcome.notes |= {"cuts": proxy.cuts}
    return outcome


def _request(number: int) -> str:
    return f"request-{number:06d}"


def _name(data: str) -> str:
    return str(json.loads(data).get("request_id", "")).partition(".")[0]


def _play(port: int, count: int) -> int:
    """A game, one request after the other; returns how many had to be sent again."""
    again, routes = 0, [route.id for route in load_board("usa").routes]
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    for number in range(count):
        turn = {"route": routes[number % len(routes)], "owner": ("red", "blue")[number % 2]}
        action, sent = "correct-route", dict[str, object](turn)
        if number == 0:
            action, sent = "start", {"board": "usa", "players": players, "camera": False}
        while not _is_done(port, action, sent, _request(number)):
            again += 1
    return again


def _is_done(port: int, action: str, sent: object, name: str) -> bool:
    head = {"Content-Type": "application/json", "Idempotency-Key": name}
    cut = (OSError, HTTPException, ValueError)  # a cut answer is no JSON
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as line, suppress(*cut):
        line.request("POST", f"/api/v1/actions/{action}", json.dumps(sent), head)
        with line.getresponse() as answer:
            return answer.status == HTTPStatus.OK and "version" in json.loads(answer.read())
    return False


@contextmanager
def _listening(port: int) -> Iterator[list[int]]:
    """Like an open page: asks again for the line of news whenever it ends."""
    heard, over = [-1], threading.Event()

    def listen() -> None:
        while not over.is_set():
            cut = (OSError, HTTPException)
            with closing(HTTPConnection("127.0.0.1", port, timeout=5)) as line, suppress(*cut):
                line.request("GET", "/events", headers={"Accept": "text/event-stream"})
                with line.getresponse() as answer:
                    while (said := answer.readline()) and not over.is_set():
                        if said.startswith(b"data: "):
                            heard[0] = int(said[6:])

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        yield heard
    finally:
        over.set()
        listener.join()


def _hears(heard: list[int], version: int) -> bool:
    ends_s = time.monotonic() + 30
    while heard[0] != version and time.monotonic() < ends_s:
        time.sleep(0.05)
    return heard[0] == version
