"""The steps of a sweep over the junctions of a network, and what parity alone allows.

Junctions are swept in an order that keeps the *open* ones (begun, not finished) few. Of the past
it matters only which open junctions are odd and how many ends of the trail are used: that is a
state. Whether what was taken hangs together is the search's affair (`scoring.trail_sweep`).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from scoring.longest_path.order import sweep_orders

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


Choice = tuple[Option, Collection[State]]
"""An option and the states that may take it."""

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
        yield list(_steps(order, around, options, finish))


def _steps(
    order: Sequence[int],
    around: Mapping[int, Mapping[int, Sides]],
    options: Callable[[int, int, int], Sequence[Option]],
    finish: Callable[[int, int], Step],
) -> Iterator[Step]:
    """Every junction's lines that are still undecided, then the junction itself."""
    bits: dict[int, int] = {}
    decided: set[int] = set()
    for node in order:
        for line, (a, b) in around[node].items():
            if line not in decided:
                decided.add(line)
                yield Step(options(line, _bit(bits, a), _bit(bits, b)), (), 0)
        yield finish(node, bits.pop(node))


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
    states: Collection[State] = (0,)
    layers: list[tuple[Collection[State], list[Choice]]] = []
    for step in steps:
        choices = _choices(step, states)
        layers.append((states, choices))
        states = {
            (state ^ option.flips) + option.ends for option, pool in choices for state in pool
        }
    tables: list[dict[State, int]] = [dict.fromkeys(states, 0)]
    for states, choices in reversed(layers):
        tables.append(_gains(states, choices, tables[-1]))
    tables.reverse()
    return tables


def _choices(step: Step, states: Collection[State]) -> list[Choice]:
    """Every option of a step with the states that may take it."""
    choices: list[Choice] = []
    odd: Collection[State] = ()
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
    states: Collection[State], choices: Sequence[Choice], later: Mapping[State, int]
) -> dict[State, int]:
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
