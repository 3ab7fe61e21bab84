"""Puts lines of text together into name plates: which lines name one ticket.

A plate is one line with both names, or up to four below or beside each other. Which lines belong
together is decided for the whole photo at once, since a fanned hand shows line after line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.tickets.lines import TextLine, along_and_down, apart_deg
from vision.tickets.names import Lexicon
from vision.tickets.outlines import CardOutline
from vision.tickets.reading_lines import Script
from vision.tickets.spotting import Spots, spot

MOST_LINES = 4
"""Lines of one plate: two names of two lines each."""
SAME_DIRECTION_DEG = 12.0
"""By how much the directions of two lines of one plate may differ."""
SHORT_DIRECTION_DEG = 20.0
"""The same where one of them is short."""
SHORT = 2.2
"""Width over height of a line whose own direction is known less well: "Lille", "Dijon"."""
LIKE_HEIGHT = 2.2
"""Greatest ratio of the heights of two lines of one plate."""
BELOW = (0.45, 2.4)
"""Distance down to the next line of a plate, in heights of the line."""
BESIDE = 2.5
"""Widest gap between two parts of one line, in heights."""
COST_OF_A_GAP = 2.0
"""For each height of distance between lines beyond the usual."""
USUAL_GAP = 1.3
"""Distance from a line to the next one below, in heights, that costs nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadLine:
    """A line, how it is read, and what stands there; `angle_deg` is the direction of reading."""

    line: TextLine
    angle_deg: float
    script: Script
    spots: Spots

    @property
    def turn_deg(self) -> float:
        """By how much the direction of reading is turned from the line's own."""
        return self.angle_deg - self.line.angle_deg

    @property
    def centre(self) -> NDArray[np.float64]:
        return np.array([self.line.x_px, self.line.y_px])


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """Lines that may name one ticket, in reading order; `spots` are those of all of them.

    `gap_cost` is what their distances count against them.
    """

    lines: tuple[int, ...]
    spots: Spots
    letters: int
    gap_cost: float


SpotsOfLines = Mapping[tuple[ReadLine, ...], Spots]
"""What stands on several lines together."""


def make_plates(
    read: Sequence[ReadLine],
    lexicon: Lexicon,
    outlines: Sequence[CardOutline] = (),
    known: SpotsOfLines | None = None,
) -> list[Plate]:
    """Every set of lines that could stand on one plate; `outlines` are those of cards.

    What is `known` of the same lines is not worked out anew: a page of text has thousands of sets.
    """
    follows, known = _followers(read, outlines), known or {}
    chains: list[tuple[int, ...]] = [(k,) for k in range(len(read))]
    plates = []
    while chains:
        plates += [_plate(chain, read, lexicon, known) for chain in chains]
        chains = [
            (*chain, after)
            for chain in chains
            if len(chain) < MOST_LINES
            for after in follows[chain[-1]]
            if after not in chain
        ]
    return plates


def spots_of(plates: Sequence[Plate], read: Sequence[ReadLine]) -> SpotsOfLines:
    """What stands on the lines of these plates."""
    return {tuple(read[k] for k in plate.lines): plate.spots for plate in plates}


def _plate(
    chain: tuple[int, ...], read: Sequence[ReadLine], lexicon: Lexicon, known: SpotsOfLines
) -> Plate:
    lines = tuple(read[k] for k in chain)
    spots = lines[0].spots if len(lines) == 1 else known.get(lines)
    spots = spots or spot([x.script for x in lines], lexicon)
    gaps = sum(_gap(one, other) for one, other in pairwise(lines))
    return Plate(chain, spots, sum(x.script.letters for x in lines), COST_OF_A_GAP * gaps)


def _gap(one: ReadLine, other: ReadLine) -> float:
    """How much farther than usual the next line lies, in heights."""
    _, down = _offset(one, other)
    return max(0.0, abs(down) - USUAL_GAP)


def _followers(read: Sequence[ReadLine], outlines: Sequence[CardOutline]) -> list[list[int]]:
    cards = [{id(o) for o in outlines if o.holds(one.centre)} for one in read]
    return [
        [
            k
            for k, other in enumerate(read)
            if other is not one and may_follow(one, other) and not _are_two(cards[n], cards[k])
        ]
        for n, one in enumerate(read)
    ]


def _are_two(cards: set[int], others: set[int]) -> bool:
    """Whether two lines lie on cards, and on none together."""
    return bool(cards and others) and cards.isdisjoint(others)


def may_follow(one: ReadLine, other: ReadLine) -> bool:
    """Whether the other line may come next on the same plate."""
    turn = apart_deg(one.angle_deg, other.angle_deg)
    heights = one.line.height_px, other.line.height_px
    is_short = min(x.line.width_px / x.line.height_px for x in (one, other)) < SHORT
    most_deg = SHORT_DIRECTION_DEG if is_short else SAME_DIRECTION_DEG
    if turn > most_deg or max(heights) > LIKE_HEIGHT * min(heights):
        return False
    along, down = _offset(one, other)
    half_widths = (one.line.width_px + other.line.width_px) / 2 / _unit(one, other)
    if BELOW[0] <= down <= BELOW[1]:
        return abs(along) < half_widths
    return abs(down) < BELOW[0] and 0 < along - half_widths + 1 < BESIDE + 1


def may_be_together(one: ReadLine, other: ReadLine) -> bool:
    """Whether one of the lines may come next after the other on the same plate."""
    return may_follow(one, other) or may_follow(other, one)


def _unit(one: ReadLine, other: ReadLine) -> float:
    return (one.line.height_px + other.line.height_px) / 2


def _offset(one: ReadLine, other: ReadLine) -> tuple[float, float]:
    """From one to the other, along and down as read, in heights."""
    along, down = along_and_down(one.angle_deg)
    step = (other.centre - one.centre) / _unit(one, other)
    return float(step @ along), float(step @ down)
