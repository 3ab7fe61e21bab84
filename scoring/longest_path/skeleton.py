"""Strips a network to its skeleton: dead ends become tails of a node, passages become chains.

A trail enters a dead-end branch only to end there, so of all branches at a node just the two
deepest matter. What is left, the core, lies on cycles or between them. Its nodes with three or
more routes are junctions; everything between two junctions is one chain.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.longest_path.types import Edge


@dataclass(frozen=True, slots=True)
class Chain:
    """Core edges in a row from one junction to another (or back to the same one).

    `inner[k]` is the node after `edges[k]`, `reach[k]` the wagons from `start` to it, and
    `length` the wagons of the whole chain.
    """

    start: int
    end: int
    edges: tuple[int, ...]
    inner: tuple[int, ...]
    reach: tuple[int, ...]
    length: int


class Skeleton:
    """A network by numbers: nodes 0.., edges by their place in the input.

    `depth[v]` and `second_depth[v]` are the wagons of the two deepest dead-end branches at a
    node (0 where there is none), `via[v]` and `second_via[v]` the edges by which they leave.
    """

    __slots__ = (
        "chains",
        "core",
        "degree",
        "depth",
        "edges",
        "names",
        "second_depth",
        "second_via",
        "sides",
        "via",
        "wagons",
    )

    def __init__(self, edges: Sequence[Edge]) -> None:
        numbers: dict[str, int] = {}
        self.edges = edges
        self.sides = [
            (numbers.setdefault(a, len(numbers)), numbers.setdefault(b, len(numbers)))
            for _, a, b, _ in edges
        ]
        self.names = tuple(numbers)
        self.wagons = [wagons for _, _, _, wagons in edges]
        self.depth = [0] * len(numbers)
        self.second_depth = [0] * len(numbers)
        self.via = [-1] * len(numbers)
        self.second_via = [-1] * len(numbers)
        self.degree = [0] * len(numbers)
        self.core = self._strip()
        self.chains = self._chains() if self.core else []

    def tail(self, node: int, second: bool = False) -> list[int]:
        """Edges of the deepest (or second deepest) dead-end branch at a node, outwards."""
        path = []
        edge = self.second_via[node] if second else self.via[node]
        while edge >= 0:
            path.append(edge)
            node = self.beyond(edge, node)
            edge = self.via[node]
        return path

    def beyond(self, edge: int, node: int) -> int:
        a, b = self.sides[edge]
        return b if node == a else a

    def _strip(self) -> list[int]:
        """Removes dead ends leaf by leaf and returns the remaining edges.

        `only[v]` is the exclusive or of the edges left at a node: at a leaf, its one edge.
        """
        degree, only, alive = self.degree, [0] * len(self.names), [True] * len(self.edges)
        for edge, (a, b) in enumerate(self.sides):
            degree[a] += 1
            degree[b] += 1
            only[a] ^= edge
            only[b] ^= edge
        leaves = [node for node, count in enumerate(degree) if count == 1]
        for leaf in leaves:
            if degree[leaf] == 0:  # the other end of the last edge of a tree
                continue
            edge = only[leaf]
            alive[edge] = False
            node = self.beyond(edge, leaf)
            degree[leaf] = 0
            degree[node] -= 1
            only[node] ^= edge
            self._hang(node, edge, self.wagons[edge] + self.depth[leaf])
            if degree[node] == 1:
                leaves.append(node)
        return [edge for edge, stays in enumerate(alive) if stays]

    def _hang(self, node: int, edge: int, depth: int) -> None:
        """Notes a dead-end branch at a node if it is one of the two deepest."""
        if depth > self.depth[node]:
            self.second_depth[node], self.second_via[node] = self.depth[node], self.via[node]
            self.depth[node], self.via[node] = depth, edge
        elif depth > self.second_depth[node]:
            self.second_depth[node], self.second_via[node] = depth, edge

    def _chains(self) -> list[Chain]:
        """The core as chains between junctions; a bare ring gets one junction of its own."""
        around: dict[int, list[int]] = {}
        for edge in self.core:
            a, b = self.sides[edge]
            around.setdefault(a, []).append(edge)
            around.setdefault(b, []).append(edge)
        used: set[int] = set()
        junctions = {node for node in around if self.degree[node] > 2}
        found = [
            self._follow(node, edge, around, used, junctions)
            for node in around
            if node in junctions
            for edge in around[node]
            if edge not in used
        ]
        for edge in self.core:
            if edge not in used:
                start = self.sides[edge][0]
                found.append(self._follow(start, edge, around, used, {start}))
        return found

    def _follow(
        self,
        start: int,
        edge: int,
        around: dict[int, list[int]],
        used: set[int],
        junctions: set[int],
    ) -> Chain:
        edges, inner, reach = [edge], [], []
        used.add(edge)
        node, length = self.beyond(edge, start), self.wagons[edge]
        while node not in junctions:
            inner.append(node)
            reach.append(length)
            first, second = around[node]
            edge = second if edge == first else first
            used.add(edge)
            edges.append(edge)
            node, length = self.beyond(edge, node), length + self.wagons[edge]
        return Chain(start, node, tuple(edges), tuple(inner), tuple(reach), length)
