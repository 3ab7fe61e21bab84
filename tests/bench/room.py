"""A club's room with the real mosquitto and PostgreSQL: how late a claim is on the room's page.

Tables with logs of their own claim routes, spectators hold the room's live line open. Meanwhile
broker, database and hub are each killed. In the end the database is held against the logs.

`ROOM_TABLES`, `ROOM_SPECTATORS`, `ROOM_S` and `ROOM_KILLS` (of each) set the size.
"""

import gc
import http.client
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import psycopg

from companion.log.store import LOG_NAME
from companion.mqtt.address import parse_address
from companion.mqtt.hub_settings import HubSettings
from companion.relay.outbox import Outbox
from companion.table.table import Table, TableConfig
from scoring.board.board import load_board
from tests.support.child import memory_mb
from tests.support.mosquitto import Mosquitto, free_port
from tests.support.postgres import Cluster, cluster

TABLES = int(os.environ.get("ROOM_TABLES", "20"))
SPECTATORS = int(os.environ.get("ROOM_SPECTATORS", "40"))
SECONDS = float(os.environ.get("ROOM_S", "60"))

BETWEEN_S = 4.0
"""Between two claims of one table: some fifteen times as fast as people play."""

LIMIT_MS = 500.0

KILLS_EACH = int(os.environ.get("ROOM_KILLS", "3"))

QUIET_S = 12.0
"""After a kill: latencies of claims made meanwhile are told apart."""

USA = load_board("usa")
START = {
    "board": "usa",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    "camera": False,
}


class Hub:
    """The program as a process of its own, which can be killed."""

    def __init__(self, data: Path, database: str, broker: str) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "companion.cli.main", "hub", "--host", "127.0.0.1"]
        options = ["--port", str(self.port), "--data", str(data), "--database", database]
        self._command = [*command, *options, "--broker", broker]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.1)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    @property
    def memory_mb(self) -> float:
        return memory_mb(self.process.pid)


class Spectator(threading.Thread):
    """Holds the live line open and notes when each table's points stood on it."""

    def __init__(self, hub: Hub, seen: "Seen | None") -> None:
        super().__init__(daemon=True)
        self._hub, self._seen, self.pieces = hub, seen, 0

    def run(self) -> None:
        while True:
            try:
                self._listen()
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.5)

    def _listen(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self._hub.port, timeout=30)
        line.request("GET", "/events", headers={"Accept": "text/event-stream"})
        answer = line.getresponse()
        while answer.status == 200:
            text = answer.fp.readline()
            if not text:
                return
            if text.startswith(b"data: "):
                self.pieces += 1
                if self._seen is not None:
                    self._seen.look(json.loads(text[6:])["html"])


class Seen:
    """When a claim was acknowledged, and when the page had it; a claim renames nobody's points."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[float, str]] = {}
        self.late_ms: list[tuple[float, float]] = []

    def expect(self, table: str, words: str) -> None:
        with self._lock:
            self._waiting[table] = (time.monotonic(), words)

    def look(self, html: str) -> None:
        now_s = time.monotonic()
        cards = {card.split('"', 1)[0]: card for card in html.split('href="/tables/')[1:]}
        with self._lock:
            for table, (at_s, words) in list(self._waiting.items()):
                if words in cards.get(table, ""):
                    self.late_ms.append((at_s, (now_s - at_s) * 1000))
                    del self._waiting[table]


def claims(number: int, table: Table, seen: Seen, until_s: float, took_ms: list[float]) -> None:
    """Give free routes to Ada and Ben until the time is over."""
    dice = random.Random(number)
    routes = [route.id for route in USA.routes]
    dice.shuffle(routes)
    time.sleep(dice.random() * BETWEEN_S)
    for index, route in enumerate(routes * 9):
        if time.monotonic() > until_s:
            return
        owner = None if index >= len(routes) and index % 2 else ("red", "blue")[index % 2]
        began_s = time.perf_counter()
        table.act("correct-route", {"route": route, "owner": owner})
        took_ms.append((time.perf_counter() - began_s) * 1000)
        points = table.state()["standing"][0]["points"]
        seen.expect(f"table-{number}", f"<strong>{str(points).replace('-', '−')}</strong>")
        time.sleep(BETWEEN_S)


def run() -> None:
    """Run the room and print its figures."""
    with cluster() as server, tempfile.TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder))
        broker.start()
        play(server, server.database("room"), broker, Path(folder))
        broker.stop()


def play(server: Cluster, database: str, broker: Mosquitto, folder: Path) -> None:
    address = f"mqtt://{{}}:x@127.0.0.1:{broker.port}"
    hub = Hub(folder / "hub", database, address.format("hub"))
    tables = [_table(folder / f"table-{n}") for n in range(TABLES)]
    alone_ms = _alone(tables[0])
    outboxes = []
    for number, table in enumerate(tables):
        id = f"table-{number}"
        settings = HubSettings(parse_address(address.format(id)), id, f"Table {number}")
        outbox = Outbox(table, {"usa": USA}, folder / id / LOG_NAME, settings)
        outbox.start()
        outboxes.append(outbox)
    seen = Seen()
    watchers = [Spectator(hub, seen if n == 0 else None) for n in range(SPECTATORS)]
    for watcher in watchers:
        watcher.start()
    time.sleep(3)
    gc.collect()
    until_s, took_ms = time.monotonic() + SECONDS, list[float]()
    players = [
        threading.Thread(target=claims, args=(n, table, seen, until_s, took_ms), daemon=True)
        for n, table in enumerate(tables)
    ]
    for player in players:
        player.start()
    memory = [hub.memory_mb]
    kills = _kill_in_turn(server, broker, hub, until_s)
    for player in players:
        player.join()
    memory.append(hub.memory_mb)
    _wait_until_whole(database, folder)
    calm = sorted(ms for at_s, ms in seen.late_ms if all(not 0 < at_s - k < QUIET_S for k in kills))
    print(f"{TABLES} tables, {SPECTATORS} spectators, {SECONDS:.0f} s, {len(kills)} kills")
    if calm:
        p99 = calm[int(len(calm) * 0.99)]
        print(f"claim to page: median {median(calm):.0f} ms, p99 {p99:.0f} ms ({len(calm)} claims)")
        print(f"limit {LIMIT_MS:.0f} ms: {'kept' if p99 < LIMIT_MS else 'MISSED'}")
    print(f"an event at the table: median {median(took_ms):.1f} ms ({len(took_ms)} events)")
    print(f"the same before it told anybody: median {alone_ms:.1f} ms")
    print(f"hub's memory: {memory[0]:.0f} MB at the start, {memory[1]:.0f} MB at the end")
    for outbox in outboxes:
        outbox.close()
    for table in tables:
        table.close()
    hub.kill()


def _table(data: Path) -> Table:
    table = Table(TableConfig([USA], data))
    table.act("start", START)
    return table


def _alone(table: Table) -> float:
    """The median of an event at a table without a hub, in milliseconds; takes it back."""
    took = []
    for _ in range(20):
        began_s = time.perf_counter()
        table.act("correct-route", {"route": "duluth--helena", "owner": "red"})
        took.append((time.perf_counter() - began_s) * 1000)
        table.act("undo", {})
    return median(took)


def _kill_in_turn(server: Cluster, broker: Mosquitto, hub: Hub, until_s: float) -> list[float]:
    """Kill and restart each of the three, again and again, evenly over the time."""

    def database() -> None:
        server.stop("immediate")
        server.start()

    def carrier() -> None:
        broker.stop()
        broker.start()

    def room() -> None:
        hub.kill()
        hub.start()

    turns: list[Callable[[], None]] = [carrier, database, room] * KILLS_EACH
    pause_s, kills = SECONDS / (len(turns) + 1), []
    for turn in turns:
        time.sleep(max(0.0, pause_s))
        if time.monotonic() >= until_s:
            break
        kills.append(time.monotonic())
        turn()
    return kills


def _wait_until_whole(database: str, folder: Path) -> None:
    """Compare the database with the logs; raises AssertionError where they differ."""
    logs = {}
    for number in range(TABLES):
        path = folder / f"table-{number}" / LOG_NAME
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as log:
            logs[f"table-{number}"] = log.execute("SELECT count(*) FROM events").fetchone()[0]
    end_s = time.monotonic() + 60
    query = "SELECT table_id, count(*), max(place) FROM events GROUP BY table_id"
    while True:
        with psycopg.connect(database) as connection:
            found = {row[0]: (row[1], row[2]) for row in connection.execute(query)}
        if found == {table: (count, count) for table, count in logs.items()}:
            print(f"nothing lost, nothing twice: {sum(logs.values())} events of {len(logs)} tables")
            return
        assert time.monotonic() < end_s, {t: (n, found.get(t)) for t, n in logs.items()}
        time.sleep(0.5)


if __name__ == "__main__":
    run()
