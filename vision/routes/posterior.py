"""Owners of routes that constrain each other, decided together by full enumeration.

Lines of one double and crossing lines exclude each other by the rules, so every combination of
their likely owners is evaluated (of too many, the likeliest). The same sums say how likely a
place's bag of owners is, whichever of its lines each owner holds.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.connected import connected
from vision.reading import Owner
from vision.routes.places import Bag, bag_of, places_of

COMBINATIONS = 3_000
"""Most combinations of a cluster of routes that are evaluated, in about 20 ms; the largest cluster
of France has 1,296."""

IMPOSSIBLE = 20.0
"""An owner whose log probability lies this far below the likeliest one's is left out: even with the
rules against the likeliest one (0.02 each, -3.9) it would add nothing."""

FORBIDDEN = 0.02
"""Prior factor of what the rules forbid, but people stage or overlook: one colour on two lines of a
double, two crossing lines built, both lines of a double built by fewer players than open both."""


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Probabilities of owners and of bags of owners, summed over all combinations.

    `routes` are each route's probabilities of the owners, ndarrays of shape (owners,). `bags` are
    those of the bags of owners of each place of several lines: of each sorted tuple of owners.
    """

    routes: Mapping[str, NDArray[np.float64]]
    bags: Mapping[tuple[str, ...], Mapping[Bag, float]]


def posterior(
    scores: Mapping[str, NDArray[np.float64]],
    owners: Sequence[Owner],
    board: Board,
) -> Posterior:
    """The posterior of all routes: each route's owners and each place's bag.

    `scores` are each route's logarithms of likelihood times prior, ndarrays of shape (owners,).
    """
    routes: dict[str, NDArray[np.float64]] = {}
    bags: dict[tuple[str, ...], Mapping[Bag, float]] = {}
    doubles = [place for place in places_of(board) if len(place) > 1]
    for cluster in _clusters(board):
        own = [place for place in doubles if place[0] in cluster]
        found = _enumerate(cluster, own, scores, owners, board)
        routes.update(found.routes)
        bags.update(found.bags)
    return Posterior(routes, bags)


def _clusters(board: Board) -> list[list[str]]:
    """Routes that constrain one another, each cluster in board order; most routes stand alone."""
    doubles = (frozenset(line.id for line in group) for group in board.parallel_groups.values())
    joined = connected((*doubles, *map(frozenset, board.crossings)))
    bound = frozenset[str]().union(*joined)
    together = [[name for name in board.route_by_id if name in cluster] for cluster in joined]
    return [*together, *([name] for name in board.route_by_id if name not in bound)]


def _enumerate(
    names: Sequence[str],
    doubles: Sequence[tuple[str, ...]],
    scores: Mapping[str, NDArray[np.float64]],
    owners: Sequence[Owner],
    board: Board,
) -> Posterior:
    """The posterior of routes that constrain each other, and of the doubles among them."""
    if len(names) == 1:
        return Posterior({names[0]: _normalised(scores[names[0]])}, {})
    options = _options([scores[name] for name in names])
    held = np.array(list(itertools.product(*options)))  # (combinations, routes), indices of owners
    logs = sum(scores[name][column] for name, column in zip(names, held.T, strict=True))
    pairs = _forbidden_pairs(names, board, players=len(owners) - 1)
    chances = _normalised(logs + math.log(FORBIDDEN) * _forbidden(held, pairs, owners))
    return Posterior(
        {
            name: np.asarray(np.bincount(column, chances, len(owners)), np.float64)
            for name, column in zip(names, held.T, strict=True)
        },
        {
            place: _bag_chances(held[:, [names.index(line) for line in place]], chances, owners)
            for place in doubles
        },
    )


def _bag_chances(
    held: NDArray[np.intp], chances: NDArray[np.float64], owners: Sequence[Owner]
) -> dict[Bag, float]:
    """The chances of a place's bags, from its lines' owners in every combination."""
    sums: dict[Bag, float] = {}
    for line_owners, chance in zip(held.tolist(), chances.tolist(), strict=True):
        bag = bag_of([owners[k] for k in line_owners])
        sums[bag] = sums.get(bag, 0.0) + chance
    return sums


def _options(scores: Sequence[NDArray[np.float64]]) -> list[list[int]]:
    """The owners that each of several routes may have, likeliest first.

    The least likely over all routes are dropped until the rest can be evaluated; each keeps one.
    """
    options = [np.argsort(score)[::-1].tolist() for score in scores]
    behind = sorted(
        (float(score[route_options[0]] - score[owner]), which, owner)
        for which, (score, route_options) in enumerate(zip(scores, options, strict=True))
        for owner in route_options[1:]
    )
    while behind and (behind[-1][0] > IMPOSSIBLE or math.prod(map(len, options)) > COMBINATIONS):
        _, which, owner = behind.pop()
        options[which].remove(owner)
    return options


def _forbidden_pairs(
    names: Sequence[str], board: Board, *, players: int
) -> list[tuple[int, int, bool]]:
    """(first, second, must be the same owner to count) of pairs that may not both be built."""
    place = {name: index for index, name in enumerate(names)}
    pairs: list[tuple[str, str, bool]] = [(a, b, False) for a, b in board.crossings]
    for group in board.parallel_groups.values():
        lines = [route.id for route in group]
        pairs += [(a, b, True) for a, b in itertools.combinations(lines, 2)]
        if players < board.doubles_open_from and len(lines) == 2:
            pairs.append((lines[0], lines[1], False))
    return [(place[a], place[b], same) for a, b, same in pairs if a in place and b in place]


def _forbidden(
    held: NDArray[np.intp], pairs: Sequence[tuple[int, int, bool]], owners: Sequence[Owner]
) -> NDArray[np.float64]:
    """How much of each combination (n, routes) is forbidden, (n,)."""
    is_owner = np.array([owner is not None for owner in owners])[held]
    total = np.zeros(len(held))
    for first, second, same in pairs:
        both = is_owner[:, first] & is_owner[:, second]
        total += both & (held[:, first] == held[:, second]) if same else both
    return total


def _normalised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    raised = np.exp(scores - scores.max())
    return np.asarray(raised / raised.sum())
