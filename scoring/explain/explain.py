"""Why a player's longest path is what it is: the path, its proof, and the others' lengths."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from scoring.board.board import Board
from scoring.errors import ScoringError
from scoring.game.game import Game, Player
from scoring.longest_path.certificate import certify
from scoring.longest_path.search import Edge, Trail, longest_trail
from scoring.longest_path.types import Argument, CaseSplit, Certificate, UpperBound
from scoring.longest_path.verify import verify
from scoring.network import edges as network_edges


class NoPathError(ScoringError, ValueError):
    """The game has no map, or this player's routes are not known one by one."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two odd nodes that are paired by leaving out the routes between them."""

    nodes: tuple[str, str]
    routes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A player's longest path with a proof that has been verified."""

    name: str
    colour: str | None
    board: Board
    edges: tuple[Edge, ...]
    trail: Trail
    certificate: Certificate
    lengths: Mapping[str, int]
    """Length of every player's longest path, in the order of the game."""
    bonus: int
    """What the game gives for the longest path of all; 0 where it is mere curiosity."""

    @property
    def points(self) -> int:
        """What this player gets of the bonus: all of it, also in a tie (rulebook 000)."""
        longest = max(self.lengths.values())
        return self.bonus if longest and self.trail.length == longest else 0

    def pairs(self, ceiling: UpperBound) -> list[Pair]:
        """The odd nodes that a ceiling pairs, with the routes that it leaves out for each pair."""
        left_out = set(ceiling.left_out or ())
        return list(_pairs([edge for edge in self.edges if edge[0] in left_out]))

    def to_json(self) -> dict[str, object]:
        """The explanation's JSON document, without the sentences."""
        return {
            "player": self.name,
            "colour": self.colour,
            "length": self.trail.length,
            "path": list(self.trail.path),
            "stops": [stop.partition(":")[0] for stop in self.trail.stops],
            "certificate": {
                "settled_by_ceiling": self.certificate.is_one_bound,
                "cases": self.certificate.cases,
                "argument": self._argument_json(self.certificate.argument),
                "verified": True,
            },
            "lengths": dict(self.lengths),
            "points": self.points,
        }

    def _argument_json(self, argument: Argument) -> dict[str, object]:
        if isinstance(argument, CaseSplit):
            used, unused = (self._argument_json(a) for a in (argument.used, argument.unused))
            return {"route": argument.route, "used": used, "unused": unused}
        return {"pieces": [self._ceiling_json(ceiling) for ceiling in argument.bounds]}

    def _ceiling_json(self, ceiling: UpperBound) -> dict[str, object]:
        pairs = [{"nodes": list(p.nodes), "routes": list(p.routes)} for p in self.pairs(ceiling)]
        return {
            "routes": list(ceiling.routes),
            "wagons": ceiling.wagons,
            "odd": list(ceiling.odd),
            "left_out": None if ceiling.left_out is None else list(ceiling.left_out),
            "pairs": pairs,
            "most": ceiling.most,
        }


def explain(game: Game, player: Player) -> Explanation:
    """Why this player's longest path is what it is; the proof has been verified from scratch.

    Raises NoPathError where no map is known, or the player's routes are known only by length.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["denver--omaha", "helena--omaha"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> explain(game, game.players[0]).trail.length
    9
    """
    board = game.board
    if board is None or any(one.route_lengths is not None for one in game.players):
        raise NoPathError(game.id)
    networks = {one.name: network_edges(board, one.routes) for one in game.players}
    trails = {name: longest_trail(edges) for name, edges in networks.items()}
    edges, trail = networks[player.name], trails[player.name]
    certificate = certify(edges, trail)
    verify(edges, trail, certificate)
    return Explanation(
        name=player.name,
        colour=player.colour,
        board=board,
        edges=edges,
        trail=trail,
        certificate=certificate,
        lengths=MappingProxyType({name: found.length for name, found in trails.items()}),
        bonus=game.rules.bonuses.longest_path,
    )


def _pairs(forest: Sequence[Edge]) -> Iterator[Pair]:
    """Splits left-out routes into ways between odd nodes, no two over the same route.

    The cheapest routes to leave out form a forest. From its leaves inwards, ways that meet at a
    node are joined two by two; one that is left over goes on towards the root.
    """
    around: dict[str, list[Edge]] = {}
    for edge in forest:
        for node in edge[1:3]:
            around.setdefault(node, []).append(edge)
    seen: set[str] = set()
    for root in around:
        if root not in seen:
            yield from _pairs_in_tree(root, around, seen)


def _pairs_in_tree(
    root: str, around: Mapping[str, Sequence[Edge]], seen: set[str]
) -> Iterator[Pair]:
    order, parent = [root], {root: ""}
    way_to: dict[str, Edge] = {}
    for node in order:  # grows as it goes
        seen.add(node)
        for edge in around[node]:
            other = edge[2] if node == edge[1] else edge[1]
            if other != parent[node]:
                parent[other], way_to[other] = node, edge
                order.append(other)
    open_ways: dict[str, list[tuple[str, tuple[str, ...]]]] = {node: [] for node in order}
    for node in reversed(order):
        ways = open_ways[node]
        if len(around[node]) % 2:
            ways.append((node, ()))
        while len(ways) > 1:
            (a, there), (b, back) = ways.pop(), ways.pop()
            yield Pair((b, a), back + there[::-1])
        if ways and node != root:
            start, routes = ways.pop()
            open_ways[parent[node]].append((start, (*routes, way_to[node][0])))
