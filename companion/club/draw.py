"""Draws a round: as few as possible meet again, and everybody gets around the boards.

An integer program for HiGHS. `sits[p, t]` is 1 if player p sits at table t. For each pair that has
met, `again` is at least `sits[p, t] + sits[q, t] - 1` at every table t, so it is 1 if they share
one. A pair costs as much as it has met; all boards that somebody plays again together cost less
than one pair. A first seating by lot is always known, so there is an answer at any time limit.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import highspy
import numpy as np

from companion.club.seating import Past, RoomTable, Seating, check_tables, table_sizes
from companion.errors import RefusalError

LIMIT_S = 20.0
"""Longest search, for machines so slow that NODES is not reached."""

NODES = 500
"""Where the search ends, on every machine at the same seating."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn round; `is_best` says that no seating repeats less."""

    seatings: tuple[Seating, ...]
    repeats: int
    is_best: bool


def draw_round(
    players: Sequence[str],
    tables: Sequence[RoomTable],
    before: Sequence[Seating],
    lot: int,
    limit_s: float = LIMIT_S,
) -> Draw:
    """Seat the players at the first tables of the room; same arguments give the same draw.

    `before` are all earlier seatings of the evening, `lot` is the number that decides between
    seatings of equal worth. Raises RefusalError if they cannot be seated.
    """
    check_tables(tables)
    if len(set(players)) < len(players):
        twice = next(player for player in players if list(players).count(player) > 1)
        raise RefusalError("companion.club.entered-twice", name=twice)
    sizes = table_sizes(len(players), tables)
    shuffled = sorted(players)
    random.Random(lot).shuffle(shuffled)
    problem = _Problem(shuffled, tables[: len(sizes)], sizes, Past.of(before))
    places, is_best = problem.solved(limit_s)
    seatings = tuple(
        Seating(table.name, table.board, tuple(shuffled[p] for p in np.flatnonzero(places[:, t])))
        for t, table in enumerate(problem.tables)
    )
    return Draw(seatings, problem.past.repeats(seatings), is_best)


@dataclass(frozen=True, slots=True)
class _Problem:
    players: Sequence[str]
    tables: Sequence[RoomTable]
    sizes: Sequence[int]
    past: Past

    def solved(self, limit_s: float) -> tuple[np.ndarray, bool]:
        """A 0/1 array (players, tables), and whether it is proved to be best."""
        start = self._by_lot()
        if self._cost(start) == 0:
            return start, True
        solver = self._model()
        solver.setOptionValue("time_limit", limit_s)
        solver.setSolution(self._solution(start))
        solver.run()
        is_best = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        values = np.array(solver.getSolution().col_value)
        if len(values) == 0:
            return start, False
        found = values[: start.size].reshape(start.shape).round().astype(int)
        return min(found, start, key=self._cost), is_best

    def _by_lot(self) -> np.ndarray:
        table_of = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return np.eye(len(self.sizes), dtype=int)[table_of]

    def _board_costs(self) -> np.ndarray:
        return np.array(
            [
                [self.past.played[player, table.board] for table in self.tables]
                for player in self.players
            ],
            dtype=float,
        )

    def _pairs(self) -> list[tuple[int, int, int]]:
        """Pairs present that have met, and how often."""
        met = self.past.met
        return [
            (p, q, met[pair])
            for p in range(len(self.players))
            for q in range(p)
            if (pair := frozenset((self.players[p], self.players[q]))) in met
        ]

    def _pair_cost(self) -> float:
        """More than all boards together can cost."""
        return 1 + float(self._board_costs().max(axis=1).sum())

    def _cost(self, places: np.ndarray) -> float:
        again = sum(times for p, q, times in self._pairs() if (places[p] & places[q]).any())
        return float((self._board_costs() * places).sum()) + self._pair_cost() * again

    def _model(self) -> highspy.Highs:
        solver = highspy.Highs()  # type: ignore[no-untyped-call]
        solver.silent()
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("random_seed", 1)
        solver.setOptionValue("mip_max_nodes", NODES)
        solver.setOptionValue("mip_abs_gap", 0.5)  # all costs are whole numbers
        solver.setOptionValue("mip_rel_gap", 0.0)
        people, tables = len(self.players), len(self.tables)
        for cost in self._board_costs().flat:
            solver.addVariable(0, 1, cost)
        columns = np.arange(people * tables, dtype=np.int32)
        solver.changeColsIntegrality(
            len(columns), columns, np.full(len(columns), highspy.HighsVarType.kInteger)
        )
        sits = columns.reshape(people, tables)
        for row in sits:
            solver.addRow(1, 1, tables, row, np.ones(tables))
        for column, size in zip(sits.T, self.sizes, strict=True):
            solver.addRow(size, size, people, column.copy(), np.ones(people))
        for p, q, times in self._pairs():
            again = solver.getNumCol()
            solver.addVariable(0, 1, self._pair_cost() * times)
            for t in range(tables):
                entries = np.array([sits[p, t], sits[q, t], again], dtype=np.int32)
                solver.addRow(-math.inf, 1, 3, entries, np.array([1.0, 1.0, -1.0]))
        return solver

    def _solution(self, places: np.ndarray) -> highspy.HighsSolution:
        solution = highspy.HighsSolution()
        together = [float((places[p] & places[q]).any()) for p, q, _ in self._pairs()]
        solution.col_value = [*map(float, places.flat), *together]
        return solution
