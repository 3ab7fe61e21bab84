"""What is known of every place once it was read: the figures that it is judged by (`judge.py`)."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.game.colours import COLOURS
from vision.reading import RouteReading
from vision.routes.account import Account, WagonMatch, near
from vision.routes.model import doubtful_share
from vision.routes.places import bag_of, places_of
from vision.routes.posterior import Posterior
from vision.routes.witness import ALIKE_TO_BOTH
from vision.spaces.evidence import (
    EMPTY_COLUMN,
    FIRST_COLOUR_COLUMN,
    OCCLUDED_COLUMN,
    SpaceEvidence,
)

OF_PLACE = (
    "weighed",
    "next_weighed",
    "doubtful",
    "doubtful_alone",
    "beside_empty",
    "players",
    "lines",
)
"""How sure the weighing is of a place's bag of owners and of the next likely one (log odds); the
parts of the board's spaces that are doubtful beside their neighbours and alone; whether there is a
photo of the empty board; how many players; how many lines the place has."""

OF_LINE = (
    *("worst_space", "mean_space", "worst_alone", "mean_alone", "whole_route", "next_whole_route"),
    *("wagons_found", "wagon_left", "wagon_left_beside", "own_colour", "black_colour"),
    *("largest_trace", "most_hidden", "owners_wagons", "traces_wagons"),
    *("free", "black", "white", "grey", "length", "confidence"),
)
"""Log odds of a line's owner on its worst space and in the mean, beside the neighbours and alone,
and by the look at the whole route, with the likeliest other's; how surely its wagons were found
(hidden spaces included, which `WagonMatch.found` leaves out), and the surest that stands for no
claim near it, and beside its boxes; how much its wagons have its owner's colour, and how black they
are; the largest trace of a colour on a free line; the part of the worst space that is hidden; how
many wagons its owner has on the board, and the player whose trace a free one shows, the most being
1; whose it is; its length; the log odds of its reading."""

FIGURES = len(OF_PLACE) + 2 * len(OF_LINE)
"""Figures of one place: its own, the least of its lines' and the largest."""

RISING = frozenset(
    {"next_weighed", "doubtful", "doubtful_alone"}
    | {"next_whole_route", "wagon_left", "wagon_left_beside", "largest_trace"}
)
FALLING = frozenset(
    {"weighed", "worst_space", "mean_space", "worst_alone", "mean_alone", "whole_route"}
    | {"wagons_found", "own_colour"}
)
"""Figures with which a wrong reading can only become likelier, or less likely: the trees are held
to it, which keeps them sensible on boards that they never met."""

LEAST = 1e-6
"""Probabilities count as at least this far from 0 and 1."""

BESIDE_MM = 4.5
"""A wagon this far across a space does not stand on its box."""


def columns_of(names: Iterable[str]) -> list[int]:
    """Where the figures of these names stand: one of a place once, one of a line twice."""
    told = (*OF_PLACE, *OF_LINE, *OF_LINE)
    wanted = frozenset(names)
    return [column for column, name in enumerate(told) if name in wanted]


def figures(
    routes: Mapping[str, RouteReading],
    evidence: SpaceEvidence,
    board: Board,
    weighed: Posterior,
    account: Account,
    *,
    with_empty: bool,
) -> NDArray[np.float32]:
    """What is known of every place as it was read, in the order of `places_of`: (places, FIGURES).

    Those of `OF_PLACE`, then the least and the largest of its lines' figures, `OF_LINE`.
    """
    lines = _of_lines(routes, evidence, board, account)
    index = {name: k for k, name in enumerate(board.route_by_id)}
    places = places_of(board)
    order = [index[name] for place in places for name in place]
    starts = np.cumsum([0, *(len(place) for place in places)])[:-1]
    sure = np.array([_chances(place, routes, weighed, evidence) for place in places])
    of_board = (
        doubtful_share(evidence.probabilities),
        doubtful_share(seen_alone(evidence)),
        float(with_empty),
        float(len(evidence.colours)),
    )
    own = np.hstack(
        [
            _log_odds(sure),
            np.tile(of_board, (len(places), 1)),
            np.array([[len(place)] for place in places]),
        ]
    )
    least = np.minimum.reduceat(lines[order], starts, axis=0)
    most = np.maximum.reduceat(lines[order], starts, axis=0)
    return np.hstack([own, least, most]).astype(np.float32)


def _chances(
    place: tuple[str, ...],
    routes: Mapping[str, RouteReading],
    weighed: Posterior,
    evidence: SpaceEvidence,
) -> tuple[float, float]:
    """How likely the weighing finds a place's bag as it was read, and the likeliest other one."""
    read = bag_of(routes[name].owner for name in place)
    if len(place) > 1:
        bags = weighed.bags[place]
    else:
        owners = (None, *evidence.colours)
        bags = {(o,): float(p) for o, p in zip(owners, weighed.routes[place[0]], strict=True)}
    others = (chance for bag, chance in bags.items() if bag != read)
    return bags.get(read, 0.0), max(others, default=0.0)


def _of_lines(
    routes: Mapping[str, RouteReading],
    evidence: SpaceEvidence,
    board: Board,
    account: Account,
) -> NDArray[np.float64]:
    """The figures `OF_LINE` of every line in board order, (lines, len(OF_LINE))."""
    sums = _Lines(board)
    read = [routes[route.id] for route in board.routes]
    owner = np.array([0 if r.owner is None else 1 + evidence.colours.index(r.owner) for r in read])
    free = owner == 0
    seen, alone = evidence.probabilities, seen_alone(evidence)
    of_owner = _of_owner(seen, sums.of_space(owner))
    of_owner_alone = _of_owner(alone, sums.of_space(owner))
    whole = _by_route(evidence, board)
    lines = np.arange(len(owner))
    others = whole.copy()
    others[lines, owner] = 0.0
    traces = alone[:, FIRST_COLOUR_COLUMN:]
    wagons = _wagons_of_players(owner, board, evidence)
    shown = sums.mean(traces).argmax(axis=1)
    told = {
        "worst_space": _log_odds(sums.least(of_owner)),
        "mean_space": _log_odds(sums.mean(of_owner)),
        "worst_alone": _log_odds(sums.least(of_owner_alone)),
        "mean_alone": _log_odds(sums.mean(of_owner_alone)),
        "whole_route": _log_odds(whole[lines, owner]),
        "next_whole_route": _log_odds(others.max(axis=1)),
        **_of_wagons(account, routes, board, sums),
        "largest_trace": np.where(free, sums.most(traces.max(axis=1)), 0.0),
        "most_hidden": sums.most(seen[:, OCCLUDED_COLUMN]),
        "owners_wagons": np.where(free, 1.0, wagons[owner]),
        "traces_wagons": np.where(free, wagons[1 + shown], 1.0),
        "free": free,
        **{kind: [r.owner == kind for r in read] for kind in ("black", "white", "grey")},
        "length": [route.length for route in board.routes],
        "confidence": _log_odds(np.array([r.confidence for r in read])),
    }
    return np.stack([np.asarray(told[name], np.float64) for name in OF_LINE], axis=1)


def _of_wagons(
    account: Account, routes: Mapping[str, RouteReading], board: Board, sums: "_Lines"
) -> dict[str, NDArray[np.float64]]:
    """The figures from `wagons_found` to `black_colour`, each (lines,)."""
    matched = WagonMatch(account, routes, board)
    there = matched.stands_for >= 0
    own = matched.stands_for[there]
    left = account.wagons.chances.copy()
    left[own] = 0.0
    beside = left * near(account)
    black = np.zeros(board.space_count)
    black[there] = account.wagons.colours[own, COLOURS.index(ALIKE_TO_BOTH)]
    free = np.array([routes[route.id].owner is None for route in board.routes])
    number = np.maximum(sums.total(there.astype(float)), 1.0)
    across = np.abs(account.across) > BESIDE_MM
    return {
        "wagons_found": np.where(free, 1.0, sums.mean(matched.found_on_spaces)),
        "wagon_left": sums.most(beside.max(axis=1, initial=0.0)),
        "wagon_left_beside": sums.most((beside * across).max(axis=1, initial=0.0)),
        "own_colour": np.where(free, 1.0, sums.total(matched.own_colour) / number),
        "black_colour": np.where(free, 0.0, sums.total(black) / number),
    }


def _wagons_of_players(
    owner: NDArray[np.intp], board: Board, evidence: SpaceEvidence
) -> NDArray[np.float64]:
    """How many wagons nobody (none) and each colour has on the board, the most being 1."""
    lengths = [route.length for route in board.routes]
    wagons = np.bincount(owner, weights=lengths, minlength=1 + len(evidence.colours))
    wagons[0] = 0.0
    return np.asarray(wagons / max(wagons.max(), 1.0))


class _Lines:
    """Puts together what is known of a board's spaces, line by line."""

    def __init__(self, board: Board) -> None:
        self._lengths = np.array([route.length for route in board.routes])
        self._starts = np.cumsum(self._lengths) - self._lengths

    def of_space(self, values: NDArray[np.intp]) -> NDArray[np.intp]:
        """A value of every line for each of its spaces."""
        return np.repeat(values, self._lengths)

    def least(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.minimum.reduceat(values, self._starts, axis=0))

    def most(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.maximum.reduceat(values, self._starts, axis=0))

    def total(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.add.reduceat(values, self._starts, axis=0))

    def mean(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        shape = (-1, *(1,) * (values.ndim - 1))
        return np.asarray(self.total(values) / self._lengths.reshape(shape))


def seen_alone(evidence: SpaceEvidence) -> NDArray[np.float64]:
    """What is seen of each space without those around it, as far as it was asked."""
    return evidence.probabilities if evidence.alone is None else evidence.alone


def _by_route(evidence: SpaceEvidence, board: Board) -> NDArray[np.float64]:
    """What the look at each whole route says of nobody and each colour (lines, 1 + colours)."""
    if evidence.by_route is not None:
        return evidence.by_route
    owners = 1 + len(evidence.colours)
    return np.full((len(board.routes), owners), 1 / owners)


def _of_owner(spaces: NDArray[np.float64], owner: NDArray[np.intp]) -> NDArray[np.float64]:
    """The probability of each space's owner (0 nobody, 1 the first colour), of what is seen."""
    column = np.where(owner == 0, EMPTY_COLUMN, owner - 1 + FIRST_COLOUR_COLUMN)
    seen = np.maximum(1 - spaces[:, OCCLUDED_COLUMN], 1e-3)
    return np.asarray(spaces[np.arange(len(spaces)), column] / seen)


def _log_odds(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    kept = np.clip(chance, LEAST, 1 - LEAST)
    return np.asarray(np.log(kept / (1 - kept)))
