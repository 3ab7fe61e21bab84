"""Longest trails the slow and obvious way, to compare the real search with.

It shares nothing with the program: every trail is walked from every node, marks are undone on
the way back, and the longest one seen is kept.
"""

from collections.abc import Sequence
from math import inf

Edge = tuple[str, str, str, int]


def longest_by_walking(edges: Sequence[Edge], at_most: int | None = None) -> int | None:
    """Length of the longest trail; None where more than `at_most` steps would be needed."""
    around: dict[str, list[tuple[int, str, int]]] = {}
    for index, (_, a, b, length) in enumerate(edges):
        around.setdefault(a, []).append((index, b, length))
        if a != b:
            around.setdefault(b, []).append((index, a, length))
    used = [False] * len(edges)
    most = inf if at_most is None else at_most
    best = steps = 0

    def walk(node: str, walked: int) -> None:
        nonlocal best, steps
        if walked > best:
            best = walked
        for index, other, length in around[node]:
            if not used[index] and steps < most:
                steps += 1
                used[index] = True
                walk(other, walked + length)
                used[index] = False

    for node in around:
        walk(node, 0)
    return best if steps < most else None


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
