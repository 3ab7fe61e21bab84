"""The longest continuous path of one player's network: an exact longest trail, in wagons.

A trail may pass a city any number of times but uses each route at most once (rulebook: "each
wagon counts once"). Parallel lines are separate routes; lines into a country end in terminals
of their own, which the caller names (`scoring.board.board.terminal`).
"""

from collections.abc import Sequence

from scoring.longest_path.skeleton import Chain, Skeleton
from scoring.longest_path.steps import sweep_cost
from scoring.longest_path.sweep import Pick, heaviest_pick
from scoring.longest_path.types import Edge, Trail

__all__ = ["NO_TRAIL", "Edge", "Trail", "is_too_dense", "longest_trail"]

NO_TRAIL = Trail(0, (), ())

NEVER_DENSE = 64
"""Routes that are quick in any arrangement: more than 45 wagons make."""

MOST_COST = 50_000
"""A network of this cost takes seconds; every route of the USA in one colour costs 1,258."""


def longest_trail(edges: Sequence[Edge]) -> Trail:
    """The longest trail of a network; with no route a trail of length 0.

    An edge is (route id, node, node, wagons). No node may be missing; several edges may join
    the same nodes.

    >>> longest_trail([("o-a", "o", "a", 2), ("o-b", "o", "b", 3), ("o-c", "o", "c", 4)]).length
    7
    """
    if not edges:
        return NO_TRAIL
    skeleton = Skeleton(edges)
    pick = _best_in_dead_ends(skeleton)
    for chain in skeleton.chains:
        pick = _best_inside(skeleton, chain, pick)
    if skeleton.chains:
        pick = heaviest_pick(skeleton, pick.wagons) or pick
    path, stops = _travel_order(skeleton, pick.edges)
    return Trail(
        pick.wagons,
        tuple([edges[edge][0] for edge in path]),
        tuple([skeleton.names[node] for node in stops]),
    )


def is_too_dense(edges: Sequence[Edge]) -> bool:
    """Whether a network is woven so densely that its longest trail would take minutes, or longer.

    >>> is_too_dense([("o-a", "o", "a", 2), ("o-b", "o", "b", 3)])
    False
    """
    if len(edges) <= NEVER_DENSE:
        return False
    return sweep_cost([(one.start, one.end) for one in Skeleton(edges).chains]) > MOST_COST


def _best_in_dead_ends(skeleton: Skeleton) -> Pick:
    """The best trail from the depth of one dead-end branch into that of another."""
    lengths = list(map(sum, zip(skeleton.depth, skeleton.second_depth, strict=True)))
    length = max(lengths)
    node = lengths.index(length)
    return Pick(skeleton.tail(node) + skeleton.tail(node, second=True), length)


def _best_inside(skeleton: Skeleton, chain: Chain, best: Pick) -> Pick:
    """The best trail between two inner nodes of a chain that passes no junction."""
    first, deepest = -1, 0
    for place, (node, reach) in enumerate(zip(chain.inner, chain.reach, strict=True)):
        depth = skeleton.depth[node]
        if first >= 0 and depth + reach + deepest > best.wagons:
            tails = skeleton.tail(chain.inner[first]) + skeleton.tail(node)
            between = chain.edges[first + 1 : place + 1]
            best = Pick([*between, *tails], depth + reach + deepest)
        if first < 0 or depth - reach > deepest:
            first, deepest = place, depth - reach
    return best


def _travel_order(skeleton: Skeleton, edges: Sequence[int]) -> tuple[list[int], list[int]]:
    """Edges in travel order and the nodes passed (Hierholzer); at most two nodes may be odd."""
    around: dict[int, list[int]] = {}
    for edge in sorted(edges, reverse=True):
        for node in skeleton.sides[edge]:
            around.setdefault(node, []).append(edge)
    odd = [node for node, there in around.items() if len(there) % 2]
    start = min(odd or around)
    used: set[int] = set()
    under_way: list[tuple[int, int]] = [(-1, start)]
    path, stops = [], []
    while under_way:
        edge, node = under_way[-1]
        there = around[node]
        while there and there[-1] in used:
            there.pop()
        if there:
            onward = there.pop()
            used.add(onward)
            under_way.append((onward, skeleton.beyond(onward, node)))
        else:
            under_way.pop()
            path.append(edge)
            stops.append(node)
    path.pop()  # the start was reached by no edge
    return path, stops
