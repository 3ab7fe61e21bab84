"""Travels a connected set of routes in one go (Hierholzer)."""

from collections.abc import Sequence

from scoring.longest_path.skeleton import Skeleton


def walk(skeleton: Skeleton, edges: Sequence[int]) -> tuple[list[int], list[int]]:
    """Edges in travel order and the nodes passed; at most two nodes may be odd."""
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
