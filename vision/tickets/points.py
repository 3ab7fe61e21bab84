"""The points printed on cards, a second witness: found where they stand on the other cards too.

All cards of a deck have their number in one place beside the names. So each card's candidates are
taken in units of its names' letters, and the place on which most cards agree is believed.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.tickets.lines import TextLine, along_and_down, apart_deg
from vision.tickets.names import Lexicon
from vision.tickets.networks import TextNetworks
from vision.tickets.plates import ReadLine
from vision.tickets.reading_lines import read_script

REACH = 1.5
"""How far from the middle of the names the number may stand, in widths of the widest line."""
LEAST_REACH = 7.0
"""The same in heights, for short names."""
SAME_PLACE = 1.6
"""Two numbers within this many heights stand in one place."""
CLEAR = -0.12
"""Clearness from which a number is believed."""
WITNESSES = 2
"""Numbers in one place that must agree before one that does not speaks against a ticket."""
MOST_POINTS = 99
"""What two digits can say."""
UPRIGHT_DEG = 25.0
"""By how much a number may be turned against the names of its card."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number beside a card's names; `along` and `down` as read from the names' middle.

    `line` is where it stands.
    """

    card: int
    value: int
    along: float
    down: float
    line: TextLine | None = None


Values = dict[tuple[TextLine, int], int | None]
"""The numbers that lines show, each read with a turn of so many degrees."""


def read_points(
    image_bgr: NDArray[np.uint8],
    lines: Sequence[TextLine],
    cards: Sequence[Sequence[ReadLine]],
    networks: TextNetworks,
    lexicon: Lexicon,
    *,
    expected: Sequence[Collection[int]] = (),
    known: Values | None = None,
) -> list[int | None]:
    """The number on each card, whose names are given as lines; None where none was read.

    `expected` are the points that each card's names speak for. What was read of this photo before
    is `known`, and is added to.
    """
    named = {id(read.line) for card in cards for read in card}
    free = [line for line in lines if id(line) not in named]
    numbers = [
        number
        for place, card in enumerate(cards)
        for number in numbers_of(image_bgr, place, card, free, networks, lexicon, known)
    ]
    return agreed_points(numbers, len(cards), expected)


def numbers_of(
    image_bgr: NDArray[np.uint8],
    place: int,
    card: Sequence[ReadLine],
    free: Sequence[TextLine],
    networks: TextNetworks,
    lexicon: Lexicon,
    known: Values | None = None,
    reach_px: float | None = None,
) -> list[Number]:
    """Every number on free lines near the names of a card, which stands in that place.

    Nearer than `reach_px`, or as near as a number mostly stands.
    """
    centre, angle_deg, height = frame_of(card)
    reach = max(REACH * max(read.line.width_px for read in card), LEAST_REACH * height)
    reach = reach if reach_px is None else reach_px
    along, down = along_and_down(angle_deg)
    known = {} if known is None else known
    found = []
    for line in free:
        step = np.array([line.x_px, line.y_px]) - centre
        if np.linalg.norm(step) > reach or line.height_px < 0.7 * height:
            continue
        turn = _turn_deg(line, angle_deg)
        if turn is None:
            continue
        laid = _laid_along(line, angle_deg - turn)
        if (laid, turn) not in known:
            known[laid, turn] = value_at(image_bgr, laid, turn, networks, lexicon)
        value = known[laid, turn]
        if value is not None:
            right, below = (float(step @ way) / height for way in (along, down))
            found.append(Number(place, value, right, below, laid))
    return found


def frame_of(card: Sequence[ReadLine]) -> tuple[NDArray[np.float64], float, float]:
    """Centre, direction of reading in degrees and height of the letters of a card's names."""
    centre = np.mean([read.centre for read in card], axis=0)
    height = float(np.mean([read.line.height_px for read in card]))
    return np.asarray(centre, np.float64), card[0].angle_deg, height


def _turn_deg(line: TextLine, angle_deg: float) -> int | None:
    """The turn by which the line is read in that direction; None where it lies aslant to it."""
    turn = min((0, 90, 180, 270), key=lambda t: apart_deg(line.angle_deg + t, angle_deg))
    return None if apart_deg(line.angle_deg + turn, angle_deg) > UPRIGHT_DEG else turn


def _laid_along(line: TextLine, angle_deg: float) -> TextLine:
    """The line in that direction, to a degree, where its own tells nothing: the box around a single
    figure lies anyhow, and a figure that is read aslant is misread.
    """
    return line if line.is_longish else replace(line, angle_deg=float(round(angle_deg)))


def value_at(
    image_bgr: NDArray[np.uint8],
    line: TextLine,
    turn_deg: int,
    networks: TextNetworks,
    lexicon: Lexicon,
) -> int | None:
    """The number that the line shows, None if it shows none."""
    script = read_script(image_bgr, line, turn_deg, networks, lexicon)
    digits = script.text
    if not digits.isascii() or not digits.isdigit() or script.clearness < CLEAR:
        return None
    return int(digits) if 0 < int(digits) <= MOST_POINTS else None


def agreed_points(
    numbers: Sequence[Number], cards: int, expected: Sequence[Collection[int]]
) -> list[int | None]:
    """Each card's number in the place where the numbers are as expected on most cards.

    In a fan every card has its neighbour's number near it as well, always in one place too.
    """
    agreed: list[int | None] = [None] * cards
    if not numbers:
        return agreed
    here = max(
        ([other for other in numbers if _near(one, other)] for one in numbers),
        key=lambda group: (
            len({x.card for x in group if expected and x.value in expected[x.card]}),
            len({number.card for number in group}),
            -abs(group[0].along),
        ),
    )
    for number in here:
        agreed[number.card] = number.value
    return agreed


def _near(one: Number, other: Number) -> bool:
    return float(np.hypot(one.along - other.along, one.down - other.down)) < SAME_PLACE


def believed(
    printed: Sequence[int | None], expected: Sequence[Collection[int]]
) -> list[int | None]:
    """The numbers that may speak against a ticket; `expected` are each likeliest ticket's points.

    A number that agrees is believed. One that doesn't is, where at least `WITNESSES` others in the
    same place agree and outnumber those that don't: else the place itself may be wrong. A part of
    the expected number is a number half found.
    """
    agree = [value in points for value, points in zip(printed, expected, strict=True)]
    against = sum(value is not None for value in printed) - sum(agree)
    trusted = sum(agree) >= max(WITNESSES, against + 1)
    return [
        value if fits or (trusted and not _is_part(value, points)) else None
        for value, points, fits in zip(printed, expected, agree, strict=True)
    ]


def _is_part(value: int | None, points: Collection[int]) -> bool:
    return any(str(value) in str(whole) for whole in points)
