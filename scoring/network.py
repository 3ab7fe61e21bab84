"""A player's own network: which places it joins, by which shortest way, and what a ticket lacks."""

import heapq
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.board.board import Board, Route, terminal
from scoring.longest_path.types import Edge


@dataclass(frozen=True, slots=True)
class MissingLink:
    """The cheapest way to have completed a failed ticket over lines that nobody holds."""

    routes: tuple[str, ...]
    wagons: int


def edge(board: Board, route: Route) -> Edge:
    """A route between its nodes.

    >>> from scoring.board.board import load_board
    >>> usa = load_board("usa")
    >>> edge(usa, usa.route_by_id["denver--omaha"])
    ('denver--omaha', 'denver', 'omaha', 4)
    """
    first, second = route.ends
    return route.id, terminal(board, route, first), terminal(board, route, second), route.length


def edges(board: Board, route_ids: Iterable[str]) -> tuple[Edge, ...]:
    """Routes between their nodes, in the order given. Raises KeyError for an unknown route.

    >>> from scoring.board.board import load_board
    >>> edges(load_board("usa"), ["denver--omaha"])
    (('denver--omaha', 'denver', 'omaha', 4),)
    """
    return tuple(edge(board, board.route_by_id[name]) for name in route_ids)


def components(board: Board, route_ids: Iterable[str]) -> Mapping[str, set[str]]:
    """For every place that a network touches, the connected components that it belongs to.

    A component is named by one of its nodes. A country may belong to several components, because
    lines into it do not meet there (rulebooks 001 and 002). Raises KeyError for an unknown route.

    >>> from scoring.board.board import load_board
    >>> sorted(components(load_board("usa"), ["denver--omaha", "helena--omaha"]))
    ['denver', 'helena', 'omaha']
    """
    parent: dict[str, str] = {}
    touched: list[tuple[str, str]] = []
    for name in route_ids:
        route = board.route_by_id[name]
        nodes = [terminal(board, route, end) for end in route.ends]
        touched.extend(zip(route.ends, nodes, strict=True))
        first, second = (_root(parent, node) for node in nodes)
        parent[first] = second
    found: dict[str, set[str]] = {}
    for place, node in touched:
        found.setdefault(place, set()).add(_root(parent, node))
    return found


def _root(parent: dict[str, str], node: str) -> str:
    """The node that names a component; shortens the way there for the next call (union-find)."""
    parent.setdefault(node, node)
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


def joins(found: Mapping[str, set[str]], places: tuple[str, str]) -> bool:
    """Whether two places lie in one component of a network.

    >>> from scoring.board.board import load_board
    >>> found = components(load_board("usa"), ["denver--omaha", "helena--omaha"])
    >>> joins(found, ("denver", "helena")), joins(found, ("denver", "miami"))
    (True, False)
    """
    first, second = (found.get(place, set()) for place in places)
    return not first.isdisjoint(second)


def joining_path(
    board: Board, route_ids: Iterable[str], places: tuple[str, str]
) -> tuple[str, ...] | None:
    """The shortest way in wagons between two places over these routes, or None.

    Raises KeyError for an unknown route.

    >>> from scoring.board.board import load_board
    >>> own = ["denver--omaha", "helena--omaha"]
    >>> joining_path(load_board("usa"), own, ("denver", "helena"))
    ('denver--omaha', 'helena--omaha')
    """
    lines = [board.route_by_id[name] for name in route_ids]
    return _cheapest(board, [(route, route.length) for route in lines], places)


def missing_link(
    board: Board, own: Collection[str], free: Iterable[str], places: tuple[str, str]
) -> MissingLink | None:
    """The fewest wagons on free lines that would have joined two places, or None.

    Raises KeyError for an unknown route.

    >>> from scoring.board.board import load_board
    >>> missing_link(load_board("usa"), ["denver--omaha"], ["helena--omaha"], ("denver", "helena"))
    MissingLink(routes=('helena--omaha',), wagons=5)
    """
    costed = [(board.route_by_id[name], 0) for name in own]
    costed += [(board.route_by_id[name], board.route_by_id[name].length) for name in free]
    path = _cheapest(board, costed, places)
    if path is None:
        return None
    lacking = tuple(name for name in path if name not in own)
    return MissingLink(lacking, sum(board.route_by_id[name].length for name in lacking))


def dead_ends(board: Board, route_ids: Iterable[str], places: tuple[str, str]) -> tuple[str, ...]:
    """Countries that a way over these routes would lead through, if lines met in a country.

    Of several such ways one with the fewest routes. Raises KeyError for an unknown route.

    >>> from scoring.board.board import load_board
    >>> own = ["frankreich--karlsruhe", "frankreich--saarbruecken"]
    >>> dead_ends(load_board("germany"), own, ("karlsruhe", "saarbruecken"))
    ('frankreich',)
    """
    around: dict[str, list[str]] = {}
    for name in route_ids:
        first, second = board.route_by_id[name].ends
        around.setdefault(first, []).append(second)
        around.setdefault(second, []).append(first)
    start, goal = places
    queue, before = deque([start]), {start: start}
    while queue and goal not in before:
        here = queue.popleft()
        for beyond in around.get(here, ()):
            if beyond not in before:
                before[beyond] = here
                queue.append(beyond)
    passed: list[str] = []
    here = before.get(goal, start)
    while here != start:
        passed.insert(0, here)
        here = before[here]
    return tuple(place for place in passed if board.place_by_id[place].is_country)


def _cheapest(
    board: Board, costed: Sequence[tuple[Route, int]], places: tuple[str, str]
) -> tuple[str, ...] | None:
    """Dijkstra's shortest path; of equally cheap ways the one with fewer routes, then by id."""
    around: dict[str, list[tuple[str, str, int]]] = {}
    for route, cost in costed:
        name, a, b, _ = edge(board, route)
        around.setdefault(a, []).append((name, b, cost))
        around.setdefault(b, []).append((name, a, cost))
    starts, goals = (_nodes(board, costed, place) for place in places)
    queue: list[tuple[int, int, tuple[str, ...], str]] = [(0, 0, (), n) for n in sorted(starts)]
    settled: set[str] = set()
    while queue:
        cost, hops, path, node = heapq.heappop(queue)
        if node in goals:
            return path
        if node in settled:
            continue
        settled.add(node)
        for name, beyond, extra in around.get(node, ()):
            if beyond not in settled:
                heapq.heappush(queue, (cost + extra, hops + 1, (*path, name), beyond))
    return None


def _nodes(board: Board, costed: Sequence[tuple[Route, int]], place: str) -> set[str]:
    """A city is one node; a country has one at the end of each line into it."""
    return {terminal(board, route, place) for route, _ in costed if place in route.ends}
