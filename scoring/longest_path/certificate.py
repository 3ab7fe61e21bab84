"""Proves that no trail of a network is longer than the one found.

The argument a person can check: a trail leaves at most two cities odd (where it starts and where
it ends), so all other odd cities of a connected piece have to be paired by leaving out the
routes of ways between them. Leaving out the cheapest such pairing is the *ceiling*.

Where the ceiling alone is too high (what it keeps does not hang together), the cases "the trail
uses this route" and "it does not" are told apart until every case is settled.
"""

from collections.abc import Sequence

from scoring.longest_path.steps import DEAD, LEAVE_OUT, Option, SweepStep, parity_tables, sweeps
from scoring.longest_path.types import (
    Argument,
    Bounded,
    CaseSplit,
    Certificate,
    Edge,
    Trail,
    UpperBound,
)


def certify(edges: Sequence[Edge], trail: Trail) -> Certificate:
    """The proof that a longest trail is one.

    Raises ValueError where a longer one exists.

    >>> from scoring.longest_path.search import longest_trail
    >>> star = [("o-a", "o", "a", 2), ("o-b", "o", "b", 3), ("o-c", "o", "c", 4)]
    >>> certify(star, longest_trail(star)).length
    7
    """
    return Certificate(trail.length, _argue(edges, trail, frozenset()))


def components(edges: Sequence[Edge]) -> list[list[Edge]]:
    """A network's connected components.

    >>> network = [("a-b", "a", "b", 1), ("b-c", "b", "c", 1), ("x-y", "x", "y", 1)]
    >>> [len(part) for part in components(network)]
    [2, 1]
    """
    piece_of: dict[str, list[Edge]] = {}
    found: list[list[Edge]] = []
    for edge in edges:
        first, second = (piece_of.setdefault(node, []) for node in edge[1:3])
        first.append(edge)
        if first is not second:
            first += second
            for _, a, b, _ in first:
                piece_of[a] = piece_of[b] = first
    for piece in piece_of.values():
        if not any(piece is other for other in found):
            found.append(piece)
    return found


def _argue(edges: Sequence[Edge], trail: Trail, used: frozenset[str]) -> Argument:
    bounds = []
    for piece in components(edges):
        if not used <= {edge[0] for edge in piece}:
            continue
        ceiling = _ceiling(piece, trail, used)
        if ceiling.most > trail.length:
            route = _loose(piece, ceiling)
            without = [edge for edge in edges if edge[0] != route]
            taken = _argue(edges, trail, used | {route})
            return CaseSplit(route, taken, _argue(without, trail, used))
        bounds.append(ceiling)
    return Bounded(tuple(bounds))


def _loose(piece: Sequence[Edge], ceiling: UpperBound) -> str:
    """A left-out route at the border of the smallest part that is kept but cut off.

    Of six ways to choose, this left the fewest cases on end positions (7 at most in 4,182).
    """
    left_out = set(ceiling.left_out or ())
    parts = components([edge for edge in piece if edge[0] not in left_out])
    if len(parts) < 2:
        raise ValueError(f"there is a trail of {ceiling.most} wagons")
    smallest = min(parts, key=lambda part: sum(edge[3] for edge in part))
    inside = {node for edge in smallest for node in edge[1:3]}
    return next(
        name for name, a, b, _ in piece if name in left_out and (a in inside) != (b in inside)
    )


def _ceiling(piece: Sequence[Edge], trail: Trail, used: frozenset[str]) -> UpperBound:
    """The ceiling of a piece; it leaves out what the trail does where that is as good as any."""
    names = tuple(edge[0] for edge in piece)
    wagons = sum(edge[3] for edge in piece)
    if wagons <= trail.length:
        return UpperBound(names, wagons, _odd(piece), (), wagons)
    kept = _heaviest_kept(piece, used)
    if kept is None:
        return UpperBound(names, wagons, _odd(piece), None, 0)
    most = sum(edge[3] for edge in piece if edge[0] in kept)
    if most == trail.length and used <= set(trail.path) <= set(names):
        kept = set(trail.path)
    left_out = tuple(name for name in names if name not in kept)
    return UpperBound(names, wagons, _odd(piece), left_out, most)


def _odd(piece: Sequence[Edge]) -> tuple[str, ...]:
    degree: dict[str, int] = {}
    for _, a, b, _ in piece:
        degree[a] = degree.get(a, 0) + 1
        degree[b] = degree.get(b, 0) + 1
    return tuple(node for node, count in degree.items() if count % 2)


def _heaviest_kept(piece: Sequence[Edge], used: frozenset[str]) -> set[str] | None:
    """The heaviest routes that leave at most two nodes odd; None where there are none.

    They contain the used ones and need not be connected.
    """
    steps = _steps(piece, used)
    tables = parity_tables(steps)
    if tables[0][0] < 0:
        return None
    kept: set[str] = set()
    state = 0
    for step, table, later in zip(steps, tables, tables[1:], strict=False):
        for option in step.odd if state & step.closes else step.even:
            after = (state ^ option.flips) + option.ends
            if option.wagons + later.get(after, DEAD) == table[state]:
                break
        kept.update(piece[edge][0] for edge in option.edges)
        state = after
    return kept


def _steps(piece: Sequence[Edge], used: frozenset[str]) -> list[SweepStep]:
    numbers: dict[str, int] = {}
    sides = [
        (numbers.setdefault(a, len(numbers)), numbers.setdefault(b, len(numbers)))
        for _, a, b, _ in piece
    ]

    def options(line: int, a: int, b: int) -> list[Option]:
        take = Option(a ^ b, 0, piece[line][3], (a | b,), (line,), ())
        return [take] if piece[line][0] in used else [take, LEAVE_OUT]

    def finish(node: int, bit: int) -> SweepStep:
        return SweepStep((LEAVE_OUT,), (Option(bit, 1, 0, (), (), (node,)),), bit)

    return next(sweeps(sides, options, finish))
