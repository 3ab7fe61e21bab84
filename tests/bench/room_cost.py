"""What telling a hub costs a table: the same events at a table that tells one and at one alone.

Both play the same recorded evenings in one process; after each event at the one comes the same at
the other, in an order by lot. Broker, database and hub are real. `COST_EVENTS` sets how many.
"""

import os
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

from companion.log.store import LOG_NAME
from companion.mqtt.address import parse_address
from companion.mqtt.hub_settings import HubSettings
from companion.relay.outbox import Outbox
from tests.bench.room import Hub
from tests.bench.room_evening import evening
from tests.support.mosquitto import Mosquitto
from tests.support.postgres import cluster

EVENTS = int(os.environ.get("COST_EVENTS", "600"))

BETWEEN_S = 0.2
"""The hub's word on an event comes back before the next pair of events."""

LIMIT_MS = 5.0


def run() -> None:
    """Run the comparison and print its figures."""
    with cluster() as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        broker = Mosquitto(folder)
        broker.start()
        address = f"mqtt://{{}}:x@127.0.0.1:{broker.port}"
        hub = Hub(folder / "hub", server.database("room"), address.format("hub"))
        played = evening(folder / "evening")
        tables = {name: played.table(folder / name, 1) for name in ("telling", "alone")}
        settings = HubSettings(parse_address(address.format("table-1")), "table-1", "Table 1")
        log = folder / "telling" / LOG_NAME
        outbox = Outbox(tables["telling"], log, settings)
        outbox.start()
        time.sleep(5)
        took_ms: dict[str, list[float]] = {"telling": [], "alone": []}
        lot = Random(1)
        for number in range(1, EVENTS + 1):
            act = played.acts[number % len(played.acts)]
            for name in lot.sample(["telling", "alone"], 2):
                time.sleep(BETWEEN_S / 2)
                began_s = time.perf_counter()
                tables[name].act(*act)
                took_ms[name].append((time.perf_counter() - began_s) * 1000)
        print(f"\nAn event at a table, {EVENTS} at each, one after the other")
        for name, found in took_ms.items():
            p99 = sorted(found)[int(len(found) * 0.99)]
            print(f"  {name}: median {median(found):.2f} ms, p99 {p99:.2f} ms")
        more = [one - other for one, other in zip(*took_ms.values(), strict=True)]
        cost = median(took_ms["telling"]) - median(took_ms["alone"])
        kept = "within" if cost <= LIMIT_MS else "NOT within"
        print(f"  the median is {cost:+.2f} ms, of the pairs {median(more):+.2f} ms; {kept} 5 ms")
        outbox.close()
        for table in tables.values():
            table.close()
        hub.kill()
        broker.stop()


if __name__ == "__main__":
    run()
