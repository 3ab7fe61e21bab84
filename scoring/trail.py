"""The longest continuous path of one player's network: an exact longest trail, in wagons.

A trail may pass a city any number of times but uses each route at most once (rulebook: "each
wagon counts once"). Parallel lines are separate routes; lines into a country end in terminals
of their own, which the caller names (`scoring.board.terminal`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Edge = tuple[str, str, str, int]
"""One route of the player's network: (route id, node, node, wagons)."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A longest trail.

    `length` is in wagons, `path` the route ids in travel order, `stops` the nodes passed in
    travel order: one more than routes, or none where there is no route.
    """

    length: int
    path: tuple[str, ...]
    stops: tuple[str, ...]


NO_TRAIL = Trail(0, (), ())


def longest_trail(edges: Sequence[Edge]) -> Trail:
    """The longest trail of a network; with no route a trail of length 0."""
    around = _adjacency(edges)
    memo: dict[tuple[str, int], tuple[int, int]] = {}
    starts = [(_grow(node, 0, around, edges, memo)[0], node) for node in around]
    if not starts:
        return NO_TRAIL
    length, start = max(starts, key=lambda found: found[0])
    return _walk(length, start, edges, memo)


def _adjacency(edges: Sequence[Edge]) -> Mapping[str, list[tuple[int, str, int]]]:
    around: dict[str, list[tuple[int, str, int]]] = {}
    for index, (_, a, b, wagons) in enumerate(edges):
        around.setdefault(a, []).append((index, b, wagons))
        if a != b:
            around.setdefault(b, []).append((index, a, wagons))
    return around


def _grow(
    node: str,
    used: int,
    around: Mapping[str, list[tuple[int, str, int]]],
    edges: Sequence[Edge],
    memo: dict[tuple[str, int], tuple[int, int]],
) -> tuple[int, int]:
    """Longest continuation from a node with some routes used: (wagons, first route or -1)."""
    if (node, used) not in memo:
        best = (0, -1)
        for index, other, wagons in around[node]:
            if not used >> index & 1:
                rest, _ = _grow(other, used | 1 << index, around, edges, memo)
                best = max(best, (wagons + rest, index))
        memo[node, used] = best
    return memo[node, used]


def _walk(
    length: int, start: str, edges: Sequence[Edge], memo: Mapping[tuple[str, int], tuple[int, int]]
) -> Trail:
    path, stops, used = [], [start], 0
    while (index := memo[stops[-1], used][1]) >= 0:
        name, a, b, _ = edges[index]
        path.append(name)
        stops.append(b if stops[-1] == a else a)
        used |= 1 << index
    return Trail(length, tuple(path), tuple(stops))
