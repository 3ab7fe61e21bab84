"""An evening as a table records it, to be played on by many tables from different moments."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from companion.log.copy import write_copy
from companion.log.file import read_log, write_log
from companion.log.paths import copy_of
from companion.log.rows import Row
from companion.log.store import LOG_NAME
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.support.positions import end_position

BOARD = load_board("usa")

NAMES = ("Ada", "Ben", "Chloé", "Dino")

Act = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Evening:
    """What was done, one after the other, and how many rows the log had after each."""

    acts: Sequence[Act]
    rows: Sequence[Row]
    rows_after: Sequence[int]

    def table(self, data: Path, done: int) -> Table:
        """A table at which the first `done` acts are done."""
        data.mkdir(parents=True)
        rows = self.rows[: self.rows_after[done - 1]]
        write_log(data / LOG_NAME, rows)
        write_copy(copy_of(data / LOG_NAME), rows)
        return Table(TableConfig([BOARD], data))


def evening(folder: Path, seed: int = 5) -> Evening:
    """Record a game of four: claims in turn, their tickets, the sheet, and the next evening."""
    colours = BOARD.player_colours[: len(NAMES)]
    players = [{"name": n, "colour": c} for n, c in zip(NAMES, colours, strict=True)]
    acts: list[Act] = [("start", {"board": BOARD.id, "players": players, "camera": False})]
    claimed = end_position(BOARD, Random(seed), players=len(NAMES))
    for turn in zip_longest(*(claimed[colour] for colour in colours)):
        for colour, route in zip(colours, turn, strict=True):
            if route is not None:
                acts.append(("correct-route", {"route": route, "owner": colour}))
    dealt = [ticket.id for ticket in BOARD.tickets][: 3 * len(colours)]
    for place, ticket in enumerate(dealt):
        acts.append(("add-ticket", {"player": colours[place % len(colours)], "ticket": ticket}))
    acts += [("finish", {}), ("new-game", {})]
    table, after = Table(TableConfig([BOARD], folder)), []
    for action, payload in acts:
        table.act(action, payload)
        after.append(len(read_log(folder / LOG_NAME)[1]))
    table.close()
    return Evening(acts, read_log(folder / LOG_NAME)[1], after)


def points_of(table: Table) -> tuple[str, ...]:
    """The points in the order of the standing, as a page writes them."""
    return tuple(str(row["points"]).replace("-", "−") for row in table.state()["standing"])
