"""The steps of a sweep over the junctions of a network, and what parity alone allows.

Junctions are swept in an order that keeps the *open* ones (begun, not finished) few. Of the past
only this matters: which open junctions are odd and how many ends of the trail are used. That is a
state. Whether the chosen lines are connected is left to the search (`scoring.longest_path.sweep`).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

SweepState = int
"""Trail ends used (two lowest bits), and above them a bit for every open junction that is odd."""

Groups = tuple[int, ...]
"""Connected open junctions, each group as bits of a state, in order."""

FIRST_BIT = 4
ENDS = 3
MOST_ENDS = 2

DEAD = -(10**9)
"""Gain of a state that cannot be finished: a third odd junction."""

STARTS = 12
"""Starts tried for one piece: more cost more time than they save on networks of 45 wagons."""

SMALL = 5
"""Pieces with no more junctions than this are swept from the first: there is nothing to save."""

Sides = tuple[int, int]
"""The two junctions that a line joins; the same one twice for a loop."""


class Option(NamedTuple):
    """One way to treat a line or a junction. (A tuple: made by the dozen in 0.1 ms.)"""

    flips: SweepState
    """Junctions whose parity changes."""
    ends: int
    """How many of the trail's two ends lie here."""
    wagons: int
    ties: Groups
    """Junctions that the trail touches here, tied where it joins them."""
    edges: tuple[int, ...]
    tails: tuple[int, ...]
    """Nodes in whose dead ends the trail ends; a node named twice: in its two deepest."""


class SweepStep(NamedTuple):
    """Decides one line, or finishes the junction `closes` (a bit; 0 for a line)."""

    even: Sequence[Option]
    """Options for a line, or for a junction that is even."""
    odd: Sequence[Option]
    closes: int


OptionStates = tuple[Option, Collection[SweepState]]
"""An option and the states that may take it."""

LEAVE_OUT = Option(0, 0, 0, (), (), ())


def sweeps(
    lines: Sequence[Sides],
    options: Callable[[int, int, int], Sequence[Option]],
    finish: Callable[[int, int], SweepStep],
) -> Iterator[list[SweepStep]]:
    """The steps for every connected piece of a network.

    `options` says what may be done with a line (its number, the bits of its two junctions),
    `finish` how a junction ends (its number and bit).

    >>> def take_or_leave(line: int, a: int, b: int) -> list[Option]:
    ...     return [LEAVE_OUT, Option(a ^ b, 0, 4, (a | b,), (line,), ())]
    >>> def finish(node: int, bit: int) -> SweepStep:
    ...     return SweepStep((LEAVE_OUT,), (Option(bit, 1, 0, (), (), (node,)),), bit)
    >>> [len(steps) for steps in sweeps([(0, 1)], take_or_leave, finish)]  # a line, two junctions
    [3]
    """
    around = _lines_around(lines)
    for _, order in _sweep_orders(around):
        yield list(_steps(order, around, options, finish))


def sweep_cost(lines: Sequence[Sides]) -> int:
    """The parities that the sweeps of a network tell apart; time and memory grow with them.

    >>> sweep_cost([(a, b) for b in range(12) for a in range(b)])  # everywhere to everywhere
    4094
    """
    return sum(cost for cost, _ in _sweep_orders(_lines_around(lines)))


def _lines_around(lines: Sequence[Sides]) -> dict[int, dict[int, Sides]]:
    """The lines at every junction."""
    around: dict[int, dict[int, Sides]] = {}
    for line, sides in enumerate(lines):
        for node in sides:
            around.setdefault(node, {})[line] = sides
    return around


def _steps(
    order: Sequence[int],
    around: Mapping[int, Mapping[int, Sides]],
    options: Callable[[int, int, int], Sequence[Option]],
    finish: Callable[[int, int], SweepStep],
) -> Iterator[SweepStep]:
    """Every junction's lines that are still undecided, then the junction itself."""
    bits: dict[int, int] = {}
    decided: set[int] = set()
    for node in order:
        for line, (a, b) in around[node].items():
            if line not in decided:
                decided.add(line)
                yield SweepStep(options(line, _bit(bits, a), _bit(bits, b)), (), 0)
        yield finish(node, bits.pop(node))


def _bit(bits: dict[int, int], node: int) -> int:
    """The node's bit; a new one is the lowest that no open junction has."""
    if node not in bits:
        taken, bit = sum(bits.values()), FIRST_BIT
        while taken & bit:
            bit <<= 1
        bits[node] = bit
    return bits[node]


def parity_tables(steps: Sequence[SweepStep]) -> Sequence[Mapping[SweepState, int]]:
    """For every step and state, the most wagons still to gain by parity alone.

    >>> leave, take = LEAVE_OUT, Option(0, 2, 4, (), (0,), ())
    >>> parity_tables([SweepStep((leave, take), (), 0)])[0]
    {0: 4}
    """
    states: Collection[SweepState] = (0,)
    layers: list[tuple[Collection[SweepState], list[OptionStates]]] = []
    for step in steps:
        choices = _option_states(step, states)
        layers.append((states, choices))
        states = {
            (state ^ option.flips) + option.ends for option, pool in choices for state in pool
        }
    tables: list[dict[SweepState, int]] = [dict.fromkeys(states, 0)]
    for states, choices in reversed(layers):
        tables.append(_gains(states, choices, tables[-1]))
    tables.reverse()
    return tables


def _option_states(step: SweepStep, states: Collection[SweepState]) -> list[OptionStates]:
    """Every option of a step with the states that may take it."""
    choices: list[OptionStates] = []
    odd: Collection[SweepState] = ()
    if step.closes:
        odd = [state for state in states if state & step.closes]
        states = [state for state in states if not state & step.closes]
    for options, pool in ((step.even, states), (step.odd, odd)):
        for option in options:
            most = MOST_ENDS - option.ends
            fit = [state for state in pool if state & ENDS <= most] if option.ends else pool
            choices.append((option, fit))
    return choices


def _gains(
    states: Collection[SweepState], choices: Sequence[OptionStates], later: Mapping[SweepState, int]
) -> dict[SweepState, int]:
    """The best option's gain for every state of a step, given the gains after it."""
    gains = dict.fromkeys(states, DEAD)
    for (flips, ends, wagons, *_), pool in choices:
        better = {
            state: gain
            for state in pool
            if (gain := wagons + later[(state ^ flips) + ends]) > gains[state]
        }
        gains.update(better)
    return gains


def _sweep_orders(around: Mapping[int, Mapping[int, Sides]]) -> Iterator[tuple[int, list[int]]]:
    """For every connected piece its nodes in a good order, with the order's cost."""
    neighbours = {
        node: {end for sides in there.values() for end in sides} for node, there in around.items()
    }
    reach = {node: sum(1 << n for n in {node, *others}) for node, others in neighbours.items()}
    left = set(neighbours)
    while left:
        piece = _piece(neighbours, min(left))
        left.difference_update(piece)
        yield _best_order(reach, piece)


def _piece(neighbours: Mapping[int, Collection[int]], start: int) -> list[int]:
    """Every node connected to the start."""
    piece = [start]
    for node in piece:  # grows as it goes
        piece += [other for other in neighbours[node] if other not in piece]
    return piece


def _best_order(reach: Mapping[int, int], piece: list[int]) -> tuple[int, list[int]]:
    if len(piece) <= SMALL:
        return 1 << len(piece), piece
    starts = sorted(piece, key=lambda node: reach[node].bit_count())[:STARTS]
    return min((_greedy(reach, piece, start) for start in starts), key=lambda found: found[0])


def _greedy(reach: Mapping[int, int], piece: list[int], start: int) -> tuple[int, list[int]]:
    """Next always the node that opens the fewest; with the cost of that order.

    `reach` has the bits of a node and its neighbours. The cost is the number of parities that
    the sweep has to tell apart, summed over the nodes.
    """
    order, opened, cost, node = [start], reach[start], 0, start
    left = [other for other in piece if other != start]
    while left:
        cost += 1 << opened.bit_count() - len(order)
        shut = ~opened
        node = min(left, key=lambda other: (reach[other] & shut).bit_count())
        opened |= reach[node]
        left.remove(node)
        order.append(node)
    return cost, order
