"""Weighs all that both witnesses say of a route at once, for each owner that it may have.

A small network, fitted on games that neither witness was trained on, gives each owner of each route
a score: from what its spaces show, from the wagons that may stand for it, and from how far both can
be trusted on this board. Lines that constrain each other are then decided together as ever
(`posterior.py`).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.game.colours import COLOURS
from vision.network import load_network
from vision.reading import Owner
from vision.routes.account import Account, near
from vision.routes.model import CLEAR_SPACE, doubtful_share
from vision.routes.places import places_of
from vision.routes.posterior import Posterior, posterior
from vision.spaces.evidence import (
    EMPTY_COLUMN,
    FIRST_COLOUR_COLUMN,
    OCCLUDED_COLUMN,
    SpaceEvidence,
)

FEATURES = 28
"""Figures of one owner of one route: see `features`."""

FLOOR = 1e-3
"""Least probability of a space's reading that counts."""

UNSEEN = -7.0
"""Stands for the best of a route's spaces where none is seen: the logarithm of `FLOOR`, nearly."""

HIDDEN = 0.95
"""A space hidden more surely than this says nothing."""

ON_MM = (6.0, 3.0)
ON_DEG = 10.0
"""A wagon this near a box, along, across and in direction, may be no more than the print."""


def weigh(
    evidence: SpaceEvidence,
    board: Board,
    accounts: Sequence[Account],
    *,
    with_empty: bool,
) -> Posterior:
    """The posterior of all routes by both witnesses; `accounts` are of one photo or several."""
    network = load_network("fusion")
    owners: tuple[Owner, ...] = (None, *evidence.colours)
    told = [features(evidence, board, account, with_empty=with_empty) for account in accounts]
    answers = [
        network.run_image(np.concatenate([*figures.values()]).astype(np.float32))
        for figures in told
    ]
    by_route = np.mean(answers, axis=0).reshape(len(board.routes), len(owners))
    scores = {
        route.id: row.astype(np.float64) for route, row in zip(board.routes, by_route, strict=True)
    }
    return posterior(scores, owners, board)


def features(
    evidence: SpaceEvidence, board: Board, account: Account, *, with_empty: bool
) -> dict[str, NDArray[np.float64]]:
    """What is weighed: for each route in board order its owners' figures, (1 + colours, FEATURES).

    The first owner is nobody. `with_empty` says whether a photo of the empty board was beside it.
    """
    looks = _Looks(evidence, board, account)
    doubled = {name: place for place in places_of(board) if len(place) > 1 for name in place}
    of_board = (float(with_empty), doubtful_share(evidence.probabilities))
    found = {}
    for index, route in enumerate(board.routes):
        rows = np.arange(board.space_count)[board.spaces_of[route.id]]
        weight = looks.seen[rows]
        common = (
            float(route.length == 1),
            float(weight.sum() / route.length),
            *of_board,
            float(route.length),
            float(route.id in doubled),
            float(route.id in board.track_lines),
        )
        whole = _seen_whole(evidence, index)
        lines = [board.spaces_of[name] for name in doubled.get(route.id, ())]
        about = looks.about(lines) / route.length
        printed = [[owner == route.colour] for owner in (None, *evidence.colours)]
        own = looks.of_route(index, rows)
        found[route.id] = np.hstack([own, np.tile(common, (len(own), 1)), printed, whole, about])
    return found


def _seen_whole(evidence: SpaceEvidence, route: int) -> NDArray[np.float64]:
    """What the look at the whole route says of each owner, (1 + colours, 2): the logarithm of its
    likelihood, and how far that is from the likeliest other's."""
    if evidence.by_route is None:
        return np.zeros((1 + len(evidence.colours), 2))
    logs = np.log(np.clip(evidence.by_route[route], FLOOR, 1))
    others = np.maximum(_best_other(logs), np.log(FLOOR))
    return np.stack([logs, logs - others], axis=1)


class _Looks:
    """What both witnesses say of every space of a board."""

    def __init__(self, evidence: SpaceEvidence, board: Board, account: Account) -> None:
        rows = evidence.probabilities
        own = np.r_[EMPTY_COLUMN, np.arange(FIRST_COLOUR_COLUMN, rows.shape[1])]
        self.colours = evidence.colours
        self.seen = 1 - rows[:, OCCLUDED_COLUMN]
        shown = np.clip(rows[:, own] / np.maximum(self.seen, 1e-6)[:, None], FLOOR, 1)
        shown[self.seen < 1 - HIDDEN] = 1 / len(own)
        self.logs = np.log(shown)
        self.chances = account.wagons.chances
        self.kinds = [[float(c == kind) for c in self.colours] for kind in ("black", "white")]
        self.hues = account.wagons.colours[:, [COLOURS.index(c) for c in self.colours]]
        may = near(account)
        self.fits = account.fits
        self.wanted = self.fits * (shown[:, 1:] @ self.hues.T)
        away = (
            (account.along / ON_MM[0]) ** 2
            + (account.across / ON_MM[1]) ** 2
            + (account.turned / ON_DEG) ** 2
        )
        self.on_box = np.exp(-away / 2) * may
        starts = [spaces.start for spaces in board.spaces_of.values()]
        by_route = np.maximum.reduceat(self.wanted, starts, axis=0)
        self.most_wanted = by_route.max(axis=0)
        self.wanted_by = by_route.argmax(axis=0)
        by_route[self.wanted_by, np.arange(by_route.shape[1])] = 0.0
        self.next_wanted = by_route.max(axis=0)

    def of_route(self, route: int, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """What the spaces with these rows and the wagons that may stand on them say of nobody and
        of each colour, (1 + colours, 15)."""
        weight = self.seen[rows]
        near_it = np.flatnonzero(self.fits[rows].any(axis=0))
        fits, hues = self.fits[np.ix_(rows, near_it)], self.hues[near_it]
        by_others = np.where(self.wanted_by == route, self.next_wanted, self.most_wanted)[near_it]
        found = fits * self.chances[near_it]
        left = found * fits / (fits + by_others + 1e-6)  # less of a wagon that others want
        own = _one_each(found * hues.T[:, None])
        own_left = _one_each(left * hues.T[:, None])
        any_left = left.max(axis=1, initial=0.0)
        off = (left * (1 - self.on_box[np.ix_(rows, near_it)])).max(axis=1, initial=0.0)
        mean_left = _mean(own_left, weight)
        figures = np.zeros((1 + len(own), 15))
        figures[:, :4] = _shown(self.logs[rows].T, weight)
        figures[1:, 4] = _mean(own, weight)
        figures[1:, 5] = mean_left
        figures[1:, 6] = mean_left * np.sqrt(max(weight.sum(), 1e-6))
        figures[1:, 7] = np.where(weight > CLEAR_SPACE, own_left, 1.0).min(axis=1)
        figures[1:, 8] = _mean(np.maximum(_best_other(own_left), 0.0), weight)
        figures[0, 9:12] = _mean(any_left, weight), any_left.max(), off.max()
        figures[1:, 12] = 1.0
        figures[1:, 13] = self.kinds[0]
        figures[1:, 14] = self.kinds[1]
        return figures

    def about(self, lines: Sequence[slice]) -> NDArray[np.float64]:
        """How many wagons stand about all lines of a double, whichever of them they stand for, as
        nobody and each colour see it, (1 + colours, 3): in all, its own, those of others."""
        found = np.zeros((1 + len(self.colours), 3))
        if lines:
            rows = np.r_[tuple(lines)]
            chances = self.fits[rows].max(axis=0) * self.chances
            own = chances @ self.hues
            found[:, 0] = chances.sum()
            found[1:, 1], found[1:, 2] = own, own.sum() - own
        return found


def _shown(logs: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a route's spaces say of each owner, (owners, 4), from the logarithms (owners, spaces):
    their mean by what is seen, the same by the spaces' number, the worst and the best."""
    clear, total = weight > CLEAR_SPACE, max(float(weight.sum()), 1e-6)
    mean = _mean(logs, weight)
    worst = np.where(clear, logs, 0.0).min(axis=1)
    best = np.where(clear, logs, UNSEEN).max(axis=1)
    return np.stack([mean * total / logs.shape[1], mean * total**0.5, worst, best], axis=1)


def _mean(values: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the spaces' values (…, spaces) by how much is seen of each."""
    return np.asarray(values @ weight / max(float(weight.sum()), 1e-6))


def _best_other(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each of K owners the best value of any other, of values (K, …); -inf for an only one."""
    if len(values) == 1:
        return np.full_like(values, -np.inf)
    next_best, best = np.sort(values, axis=0)[-2:]
    return np.asarray(np.where(values == best, next_best, best))


def _one_each(fits: NDArray[np.float64]) -> NDArray[np.float64]:
    """How well each space is served, (K, n), where no wagon of `fits` (K, n, M) serves two.

    Each of the K is served by itself, its best pair of a space and a wagon first.
    """
    kinds, spaces, wagons = fits.shape
    left, best, all_kinds = fits.copy(), np.zeros((kinds, spaces)), np.arange(kinds)
    for _ in range(spaces if fits.size else 0):
        space, wagon = np.unravel_index(left.reshape(kinds, -1).argmax(axis=1), (spaces, wagons))
        served = np.maximum(left[all_kinds, space, wagon], 0.0)
        if not served.any():
            break
        best[all_kinds, space] = np.maximum(best[all_kinds, space], served)
        left[all_kinds, space], left[all_kinds, :, wagon] = -1.0, -1.0
    return best
