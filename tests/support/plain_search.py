"""Longest trails the slow and obvious way, to compare the real search with.

It shares nothing with the program: every trail is walked from every node, marks are undone on
the way back, and the longest one seen is kept.
"""

from collections.abc import Sequence

Edge = tuple[str, str, str, int]


def longest_by_walking(edges: Sequence[Edge], at_most: int | None = None) -> int | None:
    """Length of the longest trail; None where more than `at_most` steps would be needed."""
    around: dict[str, list[tuple[int, str]]] = {}
    for index, (_, a, b, _) in enumerate(edges):
        around.setdefault(a, []).append((index, b))
        if a != b:
            around.setdefault(b, []).append((index, a))
    used = [False] * len(edges)
    best = steps = 0

    def walk(node: str, length: int) -> None:
        nonlocal best, steps
        best = max(best, length)
        for index, other in around[node]:
            if used[index] or (at_most is not None and steps >= at_most):
                continue
            steps += 1
            used[index] = True
            walk(other, length + edges[index][3])
            used[index] = False

    for node in around:
        walk(node, 0)
    return None if at_most is not None and steps >= at_most else best


def is_trail(edges: Sequence[Edge], path: Sequence[str]) -> bool:
    """Whether route ids can be travelled in this order, each at most once, without a jump."""
    by_name = {name: {a, b} for name, a, b, _ in edges}
    ends = {name: (a, b) for name, a, b, _ in edges}
    if len(set(path)) != len(path) or not set(path) <= set(by_name):
        return False
    here = set(by_name[path[0]]) if path else set()
    for name in path:
        a, b = ends[name]
        here = {b if stop == a else a for stop in here & by_name[name]}
        if not here:
            return False
    return True
