"""Loop-heavy networks of a full set of wagons, made to be hard for a longest-trail search."""

from collections.abc import Callable, Iterable, Mapping
from random import Random

Edge = tuple[str, str, str, int]

WAGONS = 45


def _network(pairs: Iterable[tuple[object, object]], lengths: Callable[[], int]) -> list[Edge]:
    """Routes over these pairs of nodes in order until the wagons are used up."""
    edges: list[Edge] = []
    left = WAGONS
    for number, (a, b) in enumerate(pairs):
        wagons = min(lengths(), left)
        if not wagons:
            break
        edges.append((f"route-{number}", str(a), str(b), wagons))
        left -= wagons
    return edges


def _lengths(random: Random) -> Callable[[], int]:
    """All routes of one wagon, or short ones, or as on a board."""
    longest = random.choice((1, 1, 2, 3, 6))
    return lambda: random.randint(1, longest)


def random_multigraph(random: Random) -> list[Edge]:
    """Anything joined to anything, parallel lines included."""
    nodes = range(random.randint(3, 24))
    return _network(
        ((a, b) for a, b in (random.sample(nodes, 2) for _ in range(WAGONS))), _lengths(random)
    )


def cubic(random: Random) -> list[Edge]:
    """Three routes at every node, as many odd nodes as there can be."""
    nodes = random.choice((10, 14, 18, 24, 30))
    stubs = [node for node in range(nodes) for _ in range(3)]
    random.shuffle(stubs)
    pairs = [(a, b) for a, b in zip(stubs[::2], stubs[1::2], strict=True) if a != b]
    return _network(pairs, _lengths(random))


def grid(random: Random) -> list[Edge]:
    """City blocks, some streets missing."""
    width, height = random.randint(3, 6), random.randint(3, 5)
    places = [(x, y) for y in range(height) for x in range(width)]
    streets = [((x, y), (x + 1, y)) for x, y in places if x + 1 < width]
    streets += [((x, y), (x, y + 1)) for x, y in places if y + 1 < height]
    random.shuffle(streets)
    return _network(streets[: max(8, len(streets) - random.randint(0, 6))], _lengths(random))


def necklace(random: Random) -> list[Edge]:
    """Rings strung on bridges that meet in the middle: of many rings two can be ends."""
    pairs: list[tuple[object, object]] = []
    for pearl in range(random.randint(4, 9)):
        ring = [(pearl, bead) for bead in range(random.randint(2, 4))]
        pairs.append((random.choice(("middle", (random.randrange(pearl + 1), 0))), ring[0]))
        pairs += zip(ring, ring[1:] + ring[:1], strict=True)
        if random.random() < 0.5:
            pairs.append((ring[0], ring[-1]))
    return _network([(a, b) for a, b in pairs if a != b], _lengths(random))


def ladder(random: Random) -> list[Edge]:
    """A long ladder, a prism or a Möbius band."""
    rungs = random.randint(5, 15)
    pairs: list[tuple[object, object]] = []
    for rung in range(rungs):
        pairs += [(("l", rung), ("r", rung))]
        if rung + 1 < rungs:
            pairs += [(("l", rung), ("l", rung + 1)), (("r", rung), ("r", rung + 1))]
    twist = random.choice(("open", "prism", "twisted"))
    if twist != "open":
        left, right = ("l", "r") if twist == "prism" else ("r", "l")
        pairs = [(("l", 0), (left, rungs - 1)), (("r", 0), (right, rungs - 1)), *pairs]
    return _network(pairs, _lengths(random))


def bipartite(random: Random) -> list[Edge]:
    """Every node of one side with every node of the other: many odd nodes close together."""
    left, right = random.choice(((3, 15), (3, 13), (5, 9), (4, 11), (6, 7), (7, 6)))
    pairs = [(("l", a), ("r", b)) for a in range(left) for b in range(right)]
    if random.random() < 0.5:
        random.shuffle(pairs)
    return _network(pairs, _lengths(random))


def dense(random: Random) -> list[Edge]:
    """Every node with every other."""
    nodes = random.randint(6, 12)
    pairs = [(a, b) for a in range(nodes) for b in range(a)]
    random.shuffle(pairs)
    return _network(pairs, _lengths(random))


FAMILIES: Mapping[str, Callable[[Random], list[Edge]]] = {
    maker.__name__: maker
    for maker in (random_multigraph, cubic, grid, necklace, ladder, bipartite, dense)
}
"""Every kind of network, by name."""


def loop_heavy(random: Random) -> list[Edge]:
    """A network of a kind chosen at random."""
    return random.choice(list(FAMILIES.values()))(random)
