"""The steps of a sweep over the junctions of a network, and what parity alone allows.

Junctions are swept in an order that keeps the *open* ones (begun, not finished) few. Of the past
it matters only which open junctions are odd and how many ends of the trail are used: that is a
state. Whether what was taken hangs together is the search's affair (`scoring.trail_sweep`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scoring.trail_order import sweep_orders

State = int
"""Trail ends used (two lowest bits), and above them a bit for every open junction that is odd."""

Groups = tuple[int, ...]
"""Open junctions that hang together, each group as bits of a state, in order."""

FIRST_BIT = 4
ENDS = 3
MOST_ENDS = 2

DEAD = -(10**9)
"""Gain of a state that cannot be finished: a third odd junction."""


Sides = tuple[int, int]
"""The two junctions that a line joins; the same one twice for a loop."""


class Option(NamedTuple):
    """One way to treat a line or a junction. (A tuple: made by the dozen in 0.1 ms.)"""

    flips: State
    """Junctions whose parity changes."""
    ends: int
    """How many of the trail's two ends lie here."""
    wagons: int
    ties: Groups
    """Junctions that the trail touches here, tied where it joins them."""
    edges: tuple[int, ...]
    tails: tuple[int, ...]
    """Nodes in whose dead ends the trail ends; a node named twice: in its two deepest."""


class Step(NamedTuple):
    """Decides one line, or finishes the junction `closes` (a bit; 0 for a line)."""

    even: Sequence[Option]
    """Options for a line, or for a junction that is even."""
    odd: Sequence[Option]
    closes: int


LEAVE_OUT = Option(0, 0, 0, (), (), ())


def sweeps(
    lines: Sequence[Sides],
    options: Callable[[int, int, int], Sequence[Option]],
    finish: Callable[[int, int], Step],
) -> Iterator[list[Step]]:
    """The steps for every connected piece of a network.

    `options` says what may be done with a line (its number, the bits of its two junctions),
    `finish` how a junction ends (its number and bit).
    """
    around: dict[int, dict[int, Sides]] = {}
    for line, sides in enumerate(lines):
        for node in sides:
            around.setdefault(node, {})[line] = sides
    neighbours = {
        node: {end for sides in there.values() for end in sides} for node, there in around.items()
    }
    for order in sweep_orders(neighbours):
        steps: list[Step] = []
        bits: dict[int, int] = {}
        decided: set[int] = set()
        for node in order:
            for line, (a, b) in around[node].items():
                if line not in decided:
                    decided.add(line)
                    steps.append(Step(options(line, _bit(bits, a), _bit(bits, b)), (), 0))
            steps.append(finish(node, bits.pop(node)))
        yield steps


def _bit(bits: dict[int, int], node: int) -> int:
    """The node's bit; a new one is the lowest that no open junction has."""
    if node not in bits:
        taken, bit = sum(bits.values()), FIRST_BIT
        while taken & bit:
            bit <<= 1
        bits[node] = bit
    return bits[node]


def parity_tables(steps: Sequence[Step]) -> Sequence[Mapping[State, int]]:
    """For every step and state, the most wagons still to gain if nothing had to hang together."""
    layers: list[dict[State, list[tuple[State, int]]]] = []
    states = {0}
    for step in steps:
        layer = {state: _parity_moves(step, state) for state in states}
        states = {after for moves in layer.values() for after, _ in moves}
        layers.append(layer)
    tables: list[dict[State, int]] = [dict.fromkeys(states, 0)]
    for layer in reversed(layers):
        later = tables[-1]
        tables.append(
            {
                state: max([wagons + later[after] for after, wagons in moves], default=DEAD)
                for state, moves in layer.items()
            }
        )
    tables.reverse()
    return tables


def _parity_moves(step: Step, state: State) -> list[tuple[State, int]]:
    used = state & ENDS
    return [
        ((state ^ option.flips) + option.ends, option.wagons)
        for option in (step.odd if state & step.closes else step.even)
        if used + option.ends <= MOST_ENDS
    ]
