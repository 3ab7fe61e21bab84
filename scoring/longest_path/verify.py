"""Verifies from scratch the proof that no trail is longer.

It shares no code with the search or with what made the proof, only the types. The one calculation,
the cheapest pairing of odd nodes, is a standard matching on shortest paths (networkx). That is
loaded with the first proof: it is a sixth of what the program loads at its start.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

from scoring.errors import ScoringError
from scoring.longest_path.types import Argument, CaseSplit, Certificate, Edge, Trail, UpperBound

ENDS = ("one end of the trail", "the other end")
"""Stand-ins in the matching: what is paired with an end need not be paired with a city."""


class ProofError(ScoringError, ValueError):
    """A trail or its certificate does not hold; says what is wrong."""


def verify(edges: Sequence[Edge], trail: Trail, certificate: Certificate) -> None:
    """Accepts a trail and the certificate that nothing longer exists, or raises ProofError.

    >>> from scoring.longest_path.certificate import certify
    >>> edges = [("a-b", "a", "b", 4)]
    >>> trail = Trail(4, ("a-b",), ("a", "b"))
    >>> verify(edges, trail, certify(edges, trail))
    """
    _check_trail(edges, trail)
    _require(certificate.length == trail.length, "the certificate is for another length")
    _check(edges, frozenset(), certificate.argument, trail.length)


def _check_trail(edges: Sequence[Edge], trail: Trail) -> None:
    """Require that the trail runs stop by stop over routes of the network, each at most once."""
    by_name = {edge[0]: edge for edge in edges}
    _require(len(by_name) == len(edges), "two routes have one name")
    _require(len(set(trail.path)) == len(trail.path), "a route is travelled twice")
    _require(set(trail.path) <= set(by_name), "a route is not in the network")
    _require(len(trail.stops) == (len(trail.path) + 1 if trail.path else 0), "stops are missing")
    for name, here, there in zip(trail.path, trail.stops, trail.stops[1:], strict=False):
        _require({here, there} == set(by_name[name][1:3]), f"{name} does not join its stops")
    wagons = sum(by_name[name][3] for name in trail.path)
    _require(wagons == trail.length, f"the routes have {wagons} wagons, not {trail.length}")


def _check(edges: Sequence[Edge], used: frozenset[str], argument: Argument, length: int) -> None:
    """Require that no trail over these edges that uses all of `used` is longer than `length`."""
    if isinstance(argument, CaseSplit):
        route = argument.route
        _require(route in {edge[0] for edge in edges}, f"{route} is no route of this case")
        _require(route not in used, f"{route} is told apart twice")
        _check(edges, used | {route}, argument.used, length)
        _check([edge for edge in edges if edge[0] != route], used, argument.unused, length)
        return
    bounds = {frozenset(ceiling.routes): ceiling for ceiling in argument.bounds}
    for piece in _pieces(edges):
        names = frozenset(edge[0] for edge in piece)
        if used <= names:
            _require(names in bounds, "a piece of the network has no ceiling")
            _check_ceiling(piece, used, bounds.pop(names), length)
    _require(not bounds, "a ceiling is for no piece of the network")


def _check_ceiling(
    piece: Sequence[Edge], used: frozenset[str], ceiling: UpperBound, length: int
) -> None:
    wagons = sum(edge[3] for edge in piece)
    _require(ceiling.wagons == wagons, f"the piece has {wagons} wagons, not {ceiling.wagons}")
    _require(set(ceiling.odd) == _odd(piece), "the odd nodes are others")
    cheapest = _cheapest_pairing(piece, used)
    if ceiling.left_out is None:
        _require(cheapest is None, "the odd nodes can be paired")
        return
    out = set(ceiling.left_out)
    _require(out <= set(ceiling.routes) - used, "a left-out route is not free to be left out")
    left_out = sum(edge[3] for edge in piece if edge[0] in out)
    _require(ceiling.most == wagons - left_out, "the sum is wrong")
    _require(ceiling.most <= length, f"a trail of {ceiling.most} wagons is not ruled out")
    if out:
        kept = [edge for edge in piece if edge[0] not in out]
        _require(len(_odd(kept)) <= len(ENDS), "what is kept has more than two odd nodes")
    if cheapest is not None:
        _require(left_out <= cheapest, f"leaving out {cheapest} wagons is enough")


def _pieces(edges: Sequence[Edge]) -> list[list[Edge]]:
    import networkx as nx

    graph = nx.Graph([edge[1:3] for edge in edges])
    return [
        [edge for edge in edges if edge[1] in nodes] for nodes in nx.connected_components(graph)
    ]


def _odd(edges: Sequence[Edge]) -> set[str]:
    degree = Counter(node for edge in edges for node in edge[1:3])
    return {node for node, count in degree.items() if count % 2}


def _cheapest_pairing(piece: Sequence[Edge], used: Collection[str]) -> int | None:
    """Fewest wagons on ways that pair all odd nodes but two; None where they can't be paired.

    Ways may not go over used routes. Two nodes stay unpaired as the ends of the trail.
    """
    import networkx as nx

    free: nx.Graph[str] = nx.Graph()
    for name, a, b, wagons in piece:
        if name not in used and wagons < free.get_edge_data(a, b, {"wagons": wagons + 1})["wagons"]:
            free.add_edge(a, b, wagons=wagons)
    odd = _odd(piece)
    pairing: nx.Graph[str] = nx.Graph()
    pairing.add_edge(*ENDS, wagons=0)
    pairing.add_edges_from((node, end, {"wagons": 0}) for node in odd for end in ENDS)
    for a, b in combinations(sorted(odd & set(free)), 2):
        if nx.has_path(free, a, b):
            pairing.add_edge(a, b, wagons=nx.dijkstra_path_length(free, a, b, "wagons"))
    pairs = nx.min_weight_matching(pairing, "wagons")
    if 2 * len(pairs) < len(pairing):
        return None
    return sum(int(pairing.edges[pair]["wagons"]) for pair in pairs)


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ProofError(otherwise)
