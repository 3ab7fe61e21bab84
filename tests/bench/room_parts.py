"""What one event costs each part of a club's room, in processor time: it adds up for any size.

Processor time hardly depends on what else the machine does. The database's own is that of its
processes, as the kernel counts it.
"""

import json
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

from companion.hub.database import Database
from companion.hub.intake import Intake
from companion.hub.room import Room
from companion.hub.told_state import told_state
from companion.log.store import LOG_NAME
from companion.relay.log_chain import LogChain
from companion.relay.position import Position
from companion.relay.state_document import room_document
from companion.relay.wire import Link, link_from_json, link_to_json
from companion.server.web_server import WebServer
from tests.bench.room import Crowd
from tests.bench.room_crowd import A_SECOND
from tests.bench.room_evening import BOARD, Evening, evening
from tests.support.postgres import cluster
from web.access.club import Club, LetIn
from web.access.devices import Devices
from web.hub.app import create_hub_app

TABLES = 200

PAGES = 400


def run() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        played = evening(folder / "evening")
        chains = [_links(folder, played, number) for number in range(TABLES)]
        _intake(chains)
        _room(folder, played)


def _links(folder: Path, played: Evening, number: int) -> list[Link]:
    log = folder / "evening" / LOG_NAME
    chain = LogChain(log, Position(f"{number:064x}"))
    chain.read()
    return chain.links(0, chain.length)


def _intake(chains: list[list[Link]]) -> None:
    messages = [link_to_json(link) for links in chains[:1] for link in links]
    size = sum(len(one.encode()) for one in messages) / len(messages)
    print(f"\nAn evening of four: {len(messages)} messages, each {size:.0f} bytes")
    with cluster() as server:
        address = server.database("parts")
        with Database.open(address) as database:
            intake, names = Intake(database), dict[str, str]()
            batches = [
                [(f"table-{n}", links[at]) for n, links in enumerate(chains) if at < len(links)]
                for at in range(max(map(len, chains)))
            ]
            count = sum(map(len, batches))
            began_s, mine_s, theirs_s = time.perf_counter(), time.process_time(), _postgres_s()
            for batch in batches:
                intake.take(batch, names)
            took = time.perf_counter() - began_s
            mine, theirs = time.process_time() - mine_s, _postgres_s() - theirs_s
        with psycopg.connect(address) as connection:
            row = connection.execute(
                "SELECT pg_total_relation_size('events') + pg_total_relation_size('openings')"
            ).fetchone()
    assert row is not None
    print(f"  into the database, {count} in batches of {TABLES}: {took:.1f} s, an event")
    print(f"  {1e6 * mine / count:.0f} µs of the hub, {1e6 * theirs / count:.0f} µs of PostgreSQL")
    print(f"  on its disk {row[0] / count:.0f} bytes an event, with indices")
    loads = [message.encode() for message in messages] * 20
    print(f"  read from its message: {_each_us(link_from_json, loads):.0f} µs")


def _room(folder: Path, played: Evening) -> None:
    table = played.table(folder / "table", 40)
    document = room_document(
        table.state(), name="Table 1", instance="i", sent_at_s=time.time(), place=40
    )
    payload = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
    table.close()
    print(f"A table's state: {len(payload)} bytes")
    print(f"  read and checked: {_each_us(told_state, [payload] * 300):.0f} µs")
    room = Room({BOARD.id: BOARD})
    state = told_state(payload)
    assert state is not None
    for number in range(TABLES):
        room.hear_state(f"table-{number}", {**state, "name": f"Table {number}"})
    app = create_hub_app(room, Club(Devices(b"k" * 32), LetIn()))
    server = WebServer(app, "127.0.0.1", 0)
    threading.Thread(target=server.serve, daemon=True).start()
    crowd = Crowd(server.port, 1, ["/events"])
    time.sleep(5)
    began_s = time.process_time()
    others = Crowd(server.port, PAGES, ["/events"])
    time.sleep(5 + PAGES / A_SECOND)
    print(f"A page that begins to listen: {1e3 * (time.process_time() - began_s) / PAGES:.1f} ms")
    points = 0
    for changed in (1, 10, 50):
        began_s = time.process_time()
        for _ in range(10):
            points += 1
            standing = [{**row, "points": points} for row in state["standing"]]
            for number in range(changed):
                told = {**state, "name": f"Table {number}", "standing": standing}
                room.hear_state(f"table-{number}", told)
            time.sleep(0.7)
        each_ms = 1e3 * (time.process_time() - began_s) / 10
        print(f"  {changed} cards of {TABLES} anew, told to {PAGES} pages: {each_ms:.1f} ms")
    print(f"  heard: {others.end()}")
    crowd.end()
    server.stop()


def _each_us(work: Callable[[bytes], object], given: list[bytes]) -> float:
    began_s = time.process_time()
    for one in given:
        work(one)
    return 1e6 * (time.process_time() - began_s) / len(given)


def _postgres_s() -> float:
    """Processor seconds of all PostgreSQL servers of this machine that still run."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (folder / "stat").read_text("utf-8").rpartition(")")
        except OSError:
            continue
        if "postgres" in name:
            user, system = rest.split()[11:13]
            total += int(user) + int(system)
    return total / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    run()
