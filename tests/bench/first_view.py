"""The first view on a slow phone: what travels, and how long until something stands there.

Debian's Chromium with an empty cache, throttled as a cheap phone at the edge of the home network:
1.6 Mbit/s, 150 ms there and back, a processor four times slower than this one.
"""

import tempfile
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

from companion.server.web_server import PanelServer
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.support.chromium import chromium_path

TRIALS = 5

PAGES = ("start", "start?board=usa", "board", "tickets", "scoreboard", "reveal", "sheet")

NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}

SLOWER = 4

LIMIT_BYTES, LIMIT_MS = 100_000, 1000.0

PAINTED = """new Promise((done) => {
  const look = () => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    if (paint) done(paint.startTime); else setTimeout(look, 20);
  };
  look();
})"""


def run() -> None:
    """Measure each page and print its figures."""
    path = chromium_path()
    if path is None:
        print("first view: no chromium on this machine")
        return
    from playwright.sync_api import sync_playwright  # only with the development packages

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        table = _table(Path(folder))
        server = PanelServer(table, "127.0.0.1", 0, "en")
        Thread(target=server.serve, daemon=True).start()
        chromium = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        print(f"first view: 1.6 Mbit/s, 150 ms, processor / {SLOWER}, median of {TRIALS}")
        for page in PAGES:
            if page == "reveal":
                table.act("finish", {})
            trials = [_view(chromium, f"{server.addresses[0]}{page}") for _ in range(TRIALS)]
            _report(page, trials)
        chromium.close()
        table.close()


def _table(folder: Path) -> Table:
    table = Table(TableConfig([load_board("usa")], folder))
    players = [{"name": n, "colour": c} for n, c in (("Ada", "red"), ("Ben", "blue"))]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    for number, route in enumerate(load_board("usa").routes[:40]):
        table.act("correct-route", {"route": route.id, "owner": ("red", "blue")[number % 2]})
    return table


def _view(chromium: Any, address: str) -> tuple[int, float]:
    """Bytes over the network until the page is loaded, and milliseconds until its first words."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=2)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", NETWORK)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    travelled: list[float] = []
    devtools.on("Network.loadingFinished", lambda one: travelled.append(one["encodedDataLength"]))
    page.goto(address, wait_until="load")
    painted = float(page.evaluate(PAINTED))
    context.close()
    return int(sum(travelled)), painted


def _report(page: str, trials: list[tuple[int, float]]) -> None:
    size, painted = median(size for size, _ in trials), median(ms for _, ms in trials)
    within = size < LIMIT_BYTES and painted < LIMIT_MS
    print(
        f"  /{page}: {size / 1000:.0f} kB, first words after {painted:.0f} ms: "
        f"{'within' if within else 'NOT within'} {LIMIT_BYTES // 1000} kB and {LIMIT_MS:.0f} ms"
    )


if __name__ == "__main__":
    run()
