"""Whole sheets: five players from document to sheet, and `companion score` as a process."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from scoring.board.board import Board, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.sheet.sheet import score_game
from tests.bench.timing import time_calls
from tests.support.games import any_game
from tests.support.positions import end_position

GAMES = 400
"""Games scored of each board."""

STARTS = 9
"""Times that the command is started."""


def run() -> None:
    """Print the figures."""
    print("\nWhole sheet of five players, parsed document to JSON, processor time of one core")
    random = Random(5)
    for name in BOARDS_WITH_DATA:
        board = load_board(name)
        games = [_game_of_five(board, random) for _ in range(GAMES)]
        print(time_calls(lambda game: score_game(game).to_json(), games).row(name))
    print("\nFrom the command line, start to end, wall time")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        path.write_text(json.dumps(_game_of_five(load_board("usa"), random)))
        command = [sys.executable, "-m", "companion", "score", str(path), "--json"]
        print(_starts("companion score GAME.json", command))
        print(_starts("the interpreter alone", [sys.executable, "-c", "pass"]))


def _game_of_five(board: Board, random: Random) -> dict[str, Any]:
    return any_game(board, random, end_position(board, random, players=5))


def _starts(name: str, command: Sequence[str]) -> str:
    """One row: wall time of a process, the first start apart (it may have to compile)."""
    times_ms = [_wall_ms(command) for _ in range(STARTS)]
    first, rest = times_ms[0], sorted(times_ms[1:])
    return (
        f"  {name:<34} {STARTS:>6} starts  median {rest[len(rest) // 2]:9.0f} ms"
        f"   best {rest[0]:9.0f} ms   worst {rest[-1]:9.0f} ms   (first {first:.0f} ms)"
    )


def _wall_ms(command: Sequence[str]) -> float:
    start = perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return (perf_counter() - start) * 1000
