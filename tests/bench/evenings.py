"""The list of 500 old evenings: opened with the results' file there, and without it."""

import tempfile
from pathlib import Path
from random import Random
from time import perf_counter

from companion.log.copy import write_copy
from companion.log.file import read_log, write_log
from companion.log.paths import copy_of
from companion.log.rows import Row, chain_anew
from companion.log.store import LOG_NAME
from companion.table.history.history import RESULTS_NAME
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.support.positions import end_position
from web.app import create_app

EVENINGS = 500
SECONDS_BETWEEN = 20.0
BOARD = "usa"
NAMES = ("Ada", "Ben", "Chloé", "Dino", "Eva")


def run() -> None:
    """Print the figures."""
    print(f"\nOld evenings: {EVENINGS} of five players, wall time")
    with tempfile.TemporaryDirectory() as name:
        data = Path(name)
        _write(data)
        for title in ("without the results' file", "with it"):
            began = perf_counter()
            table = Table(TableConfig([load_board(BOARD)], data))
            print(f"  start, {title:<34} {1000 * (perf_counter() - began):9.0f} ms")
            client = create_app(table).test_client()
            for path in ("/history", "/history", "/statistics", "/history.csv"):
                began = perf_counter()
                assert client.get(path).status_code == 200
                print(f"  {path}, {title:<34} {1000 * (perf_counter() - began):9.0f} ms")
            table.close()
        print(f"  the file: {(data / RESULTS_NAME).stat().st_size // 1024} kB")


def _write(data: Path) -> None:
    """One evening by the table itself, then its rows again and again, days apart."""
    board = load_board(BOARD)
    table = Table(TableConfig([board], data))
    colours = board.player_colours[:5]
    players = [{"name": n, "colour": c} for n, c in zip(NAMES, colours, strict=True)]
    table.act("start", {"board": BOARD, "players": players, "camera": False})
    for colour, routes in end_position(board, Random(5), players=5).items():
        for route in routes:
            table.act("correct-route", {"route": route, "owner": colour})
    table.act("finish", {})
    table.act("new-game", {})
    table.close()
    path = data / LOG_NAME
    first, at, rows = read_log(path)[1], 1.6e9, list[Row]()
    for _ in range(EVENINGS):
        for row in first:
            rows.append(Row(0, at, row.kind, row.data, "", ""))
            at += SECONDS_BETWEEN
        at += 86_400
    chained = chain_anew(rows)
    write_log(path, chained)
    write_copy(copy_of(path), chained)
    (data / RESULTS_NAME).unlink(missing_ok=True)
