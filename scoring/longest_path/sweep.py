"""Finds the heaviest connected set of routes with at most two odd junctions, by sweeping.

Theorem (Euler): a set of routes can be travelled in one go exactly if it is connected and at
most two of its nodes are odd. So the longest trail is the heaviest such set.

The junctions are swept in an order that keeps the *open* ones (begun, not finished) few. Of the
past it matters only which open junctions are odd, how many trail ends are used, and which open
junctions are already connected. The search is best first (A*). An upper bound on what a state can
still gain comes from the same sweep without connectedness, that is from parity alone. A table
gives it exactly, so where parity decides, the search goes straight to the answer.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.longest_path.skeleton import Chain, Skeleton
from scoring.longest_path.steps import (
    ENDS,
    LEAVE_OUT,
    MOST_ENDS,
    Groups,
    Option,
    SweepState,
    SweepStep,
    parity_tables,
    sweeps,
)


class Pick(NamedTuple):
    """Edges (by number) that the longest trail takes, and their wagons."""

    edges: list[int]
    wagons: int


Decisions = tuple["Decisions", Option] | None
"""The options taken so far, the latest outermost."""


def heaviest_pick(skeleton: Skeleton, floor: int) -> Pick | None:
    """The heaviest pick through a junction with more than `floor` wagons, or None.

    >>> ring = [("a-b", "a", "b", 2), ("b-c", "b", "c", 3), ("c-a", "c", "a", 4)]
    >>> pick = heaviest_pick(Skeleton(ring), floor=0)
    >>> pick.wagons if pick else None
    9
    """
    chains = skeleton.chains

    def options(line: int, a: int, b: int) -> list[Option]:
        return _chain_options(skeleton, chains[line], a, b)

    def finish(node: int, bit: int) -> SweepStep:
        return _closing(skeleton, node, bit)

    best = None
    lines = [(chain.start, chain.end) for chain in chains]
    for steps in sweeps(lines, options, finish):
        found = _search(steps, floor)
        if found is not None:
            floor, decisions = found
            best = Pick(_edges(skeleton, decisions), floor)
    return best


def _edges(skeleton: Skeleton, decisions: Decisions) -> list[int]:
    edges: list[int] = []
    while decisions is not None:
        decisions, option = decisions
        edges += option.edges
        for place, node in enumerate(option.tails):
            edges += skeleton.tail(node, second=node in option.tails[:place])
    return edges


def _search(steps: Sequence[SweepStep], floor: int) -> tuple[int, Decisions] | None:
    """The best first search; of equally promising states the latest goes first."""
    tables = parity_tables(steps)
    ceiling = tables[0][0]
    waiting: dict[int, list[tuple[int, SweepState, Groups | None, int, Decisions]]]
    waiting = {ceiling: [(0, 0, (), 0, None)]}
    seen: set[tuple[int, SweepState, Groups]] = set()
    while ceiling > floor:
        if not waiting.get(ceiling):
            ceiling -= 1
            continue
        place, state, groups, wagons, decisions = waiting[ceiling].pop()
        if groups is None:
            return wagons, decisions
        if place == len(steps) or (place, state, groups) in seen:
            continue
        seen.add((place, state, groups))
        table = tables[place + 1]
        for option, after, tied in _moves(steps[place], state, groups):
            gained = wagons + option.wagons
            promise = gained if tied is None else gained + table[after]
            if promise > floor:
                entry = (place + 1, after, tied, gained, (decisions, option))
                waiting.setdefault(promise, []).append(entry)
    return None


def _moves(
    step: SweepStep, state: SweepState, groups: Groups
) -> Iterator[tuple[Option, SweepState, Groups | None]]:
    """Every option that keeps the trail in one piece; groups are None where it is complete."""
    bit = step.closes
    untouched = bit and not any(group & bit for group in groups)
    for option in step.odd if state & bit else step.even:
        if (state & ENDS) + option.ends > MOST_ENDS or (untouched and option.ends):
            continue
        after = (state ^ option.flips) + option.ends
        if not bit:
            yield option, after, _tie(groups, option.ties) if option.ties else groups
        elif bit not in groups:
            yield option, after, _without(groups, bit)
        elif len(groups) == 1:
            yield option, after, None


def _tie(groups: Groups, ties: Groups) -> Groups:
    """Groups after junctions were touched or joined."""
    for tie in ties:
        apart = []
        for group in groups:
            if group & tie:
                tie |= group
            else:
                apart.append(group)
        apart.append(tie)
        groups = tuple(sorted(apart))
    return groups


def _without(groups: Groups, bit: int) -> Groups:
    """Groups after a junction was finished that others of its group outlive."""
    return tuple(sorted(group & ~bit for group in groups))


def _closing(skeleton: Skeleton, node: int, bit: int) -> SweepStep:
    """An odd junction is an end; an even one may hold both ends if dead ends hang there."""
    depth, second = skeleton.depth[node], skeleton.second_depth[node]
    odd = Option(bit, 1, depth, (), (), (node,))
    if not depth:
        return SweepStep((LEAVE_OUT,), (odd,), bit)
    return SweepStep((Option(0, 2, depth + second, (), (), (node, node)), LEAVE_OUT), (odd,), bit)


def _chain_options(skeleton: Skeleton, chain: Chain, a: int, b: int) -> list[Option]:
    """Every sensible way to use a chain; the best last, so that the search tries it first."""
    options = [LEAVE_OUT]
    if chain.inner:
        options += _ends_inside(skeleton, chain, a, b)
    options.append(Option(a ^ b, 0, chain.length, (a | b,), chain.edges, ()))
    return options


def _ends_inside(skeleton: Skeleton, chain: Chain, a: int, b: int) -> list[Option]:
    """The ways in which one end of the trail, or both, lie inside a chain.

    An end at the k-th inner node gains `ahead[k]` where the trail comes from the chain's start,
    `back[k]` where it comes from its end.
    """
    inner, edges = chain.inner, chain.edges
    depth = [skeleton.depth[node] for node in inner]
    ahead = [reach + deep for reach, deep in zip(chain.reach, depth, strict=True)]
    back = [chain.length - reach + deep for reach, deep in zip(chain.reach, depth, strict=True)]
    i, j = ahead.index(max(ahead)), back.index(max(back))
    options = [
        Option(a, 1, ahead[i], (a,), edges[: i + 1], (inner[i],)),
        Option(b, 1, back[j], (b,), edges[j + 1 :], (inner[j],)),
    ]
    if len(inner) > 1:
        i, j = _best_gap(ahead, back)
        taken = edges[: i + 1] + edges[j + 1 :]
        options.append(Option(a ^ b, 2, ahead[i] + back[j], (a, b), taken, (inner[i], inner[j])))
    both = [deep + skeleton.second_depth[node] for deep, node in zip(depth, inner, strict=True)]
    if deepest := max(both):
        node = inner[both.index(deepest)]
        options.append(Option(a ^ b, 2, chain.length + deepest, (a | b,), edges, (node, node)))
    return options


def _best_gap(ahead: Sequence[int], back: Sequence[int]) -> tuple[int, int]:
    """Inner places i < j between which to leave a chain out, with an end on either side."""
    best, first = (0, 1), 0
    for place in range(1, len(back)):
        if ahead[first] + back[place] > ahead[best[0]] + back[best[1]]:
            best = first, place
        if ahead[place] > ahead[first]:
            first = place
    return best
