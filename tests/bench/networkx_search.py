"""A longest trail by networkx alone, written for the comparison as well as that library allows.

For each piece: pair all odd nodes but two in the cheapest way (a minimum weight matching) and
leave those ways out. What stays is a longest trail if it hangs together; where it does not, all
trails of that piece are walked, up to a number of steps.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise

import networkx as nx

from scoring.longest_path.search import Edge
from tests.support.plain_search import longest_by_walking


def longest_by_networkx(edges: Sequence[Edge], at_most: int) -> int | None:
    """Length of the longest trail; None where the walk of a piece was given up."""
    graph = nx.MultiGraph()
    graph.add_edges_from((a, b, name, {"wagons": wagons}) for name, a, b, wagons in edges)
    lengths = [_longest(graph.subgraph(nodes), at_most) for nodes in nx.connected_components(graph)]
    return None if None in lengths else max((n for n in lengths if n is not None), default=0)


def _longest(piece: nx.MultiGraph, at_most: int) -> int | None:
    kept = nx.MultiGraph(piece)
    for a, b in _pairing(piece):
        way = nx.dijkstra_path(piece, a, b, weight="wagons")
        for here, there in pairwise(way):
            kept.remove_edge(here, there, _cheapest_line(kept, here, there))
    kept.remove_nodes_from(list(nx.isolates(kept)))
    if nx.is_connected(kept):
        return int(kept.size(weight="wagons"))
    lines = piece.edges(keys=True, data="wagons")
    return longest_by_walking([(name, a, b, wagons) for a, b, name, wagons in lines], at_most)


def _pairing(piece: nx.MultiGraph) -> list[tuple[str, str]]:
    """The pairs of odd nodes that a cheapest pairing joins; two nodes are paired with no other."""
    odd = [node for node, degree in piece.degree() if degree % 2]
    distance = dict(nx.all_pairs_dijkstra_path_length(piece, weight="wagons"))
    complete = nx.Graph()
    complete.add_edge("end 1", "end 2", weight=0)
    complete.add_edges_from(
        (node, end, {"weight": 0}) for node in odd for end in ("end 1", "end 2")
    )
    complete.add_weighted_edges_from((a, b, distance[a][b]) for a, b in combinations(odd, 2))
    pairs = nx.min_weight_matching(complete)
    return [(a, b) for a, b in pairs if not {"end 1", "end 2"} & {a, b}]


def _cheapest_line(graph: nx.MultiGraph, a: str, b: str) -> str:
    lines = graph.get_edge_data(a, b)
    return str(min(lines, key=lambda name: lines[name]["wagons"]))
