"""Where a card has its names, as the cards that were read have theirs: the same deck, one print."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board.angles import level_deg
from vision.tickets.lines import TextLine, along_and_down
from vision.tickets.outlines import CardOutline
from vision.tickets.plates import ReadLine

LEAST_CARDS = 2
"""Cards that say where the names stand."""

ReadCard = tuple[Sequence[ReadLine], CardOutline]
"""A card's names and its outline."""


def expected_lines(read: Sequence[ReadCard], unread: Sequence[CardOutline]) -> Iterator[TextLine]:
    """The lines that would bear the names of each unread card, whichever way up it lies."""
    if len(read) < LEAST_CARDS:
        return
    is_wide, rows = _print_of(read)
    for card in unread:
        angle_deg = _direction_deg(card, is_wide)
        for turn_deg in (0.0, 180.0):
            yield from (_laid(row, card, angle_deg + turn_deg) for row in rows)


def expected_number(
    read: Sequence[tuple[TextLine, float, CardOutline]], angle_deg: float, card: CardOutline
) -> TextLine:
    """The line that would bear the number of a card that is read in that direction.

    `read` are lines that bear the numbers of other cards, the directions in which these are read,
    and their outlines.
    """
    places = [_in_frame(line, angle, outline) for line, angle, outline in read]
    row = np.median(places, axis=0)
    row[2] = np.max(np.array(places)[:, 2])
    return _laid(row, card, angle_deg)


def _print_of(read: Sequence[ReadCard]) -> tuple[bool, NDArray[np.float64]]:
    """Whether cards are read along their longer side, and each line of names as (x, y, width,
    height) in parts of the card from its middle, shape (N, 4)."""
    count = Counter(len(names) for names, _ in read).most_common(1)[0][0]
    frames = [_frame(card, names[0].angle_deg) for names, card in read]
    wide = [frame[2] > frame[3] for frame in frames]
    rows = [
        [_in_frame(one.line, one.angle_deg, card) for one in names]
        for names, card in read
        if len(names) == count
    ]
    lines = np.median(rows, axis=0)
    lines[:, 2] = np.max([row[2] for card in rows for row in card])
    return sum(wide) * 2 > len(wide), lines


Frame = tuple[NDArray[np.float64], NDArray[np.float64], float, float]
"""Directions along and down as read, and how large a card is along them."""


def _frame(card: CardOutline, angle_deg: float) -> Frame:
    along, down = along_and_down(angle_deg)
    return (
        along,
        down,
        float(np.ptp(card.corners_px @ along)),
        float(np.ptp(card.corners_px @ down)),
    )


def _in_frame(line: TextLine, angle_deg: float, card: CardOutline) -> list[float]:
    along, down, width, height = _frame(card, angle_deg)
    step = np.array([line.x_px, line.y_px]) - card.centre_px
    is_turned = abs(level_deg(line.angle_deg - angle_deg)) > 45
    wide, high = (line.height_px, line.width_px) if is_turned else (line.width_px, line.height_px)
    size = wide / width, high / height
    return [float(step @ along) / width, float(step @ down) / height, *size]


def _direction_deg(card: CardOutline, is_wide: bool) -> float:
    """The direction of one of the sides along which the card may be read."""
    one, other = np.diff(card.corners_px[:3], axis=0)
    side = one if (np.linalg.norm(one) > np.linalg.norm(other)) == is_wide else other
    return float(np.rad2deg(np.arctan2(side[1], side[0])))


def _laid(row: NDArray[np.float64], card: CardOutline, angle_deg: float) -> TextLine:
    along, down, width, height = _frame(card, angle_deg)
    x, y = card.centre_px + row[0] * width * along + row[1] * height * down
    return TextLine(float(x), float(y), row[2] * width, row[3] * height, level_deg(angle_deg), 1.0)
