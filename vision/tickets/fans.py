"""Where the cards of a fan lie: one after the other, each a step farther than the one before."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.tickets.lines import apart_deg
from vision.tickets.plates import ReadLine

LEAST_CARDS = 3
SAME_DIRECTION_DEG = 12.0
EVEN = 0.35
"""By what part a step of a fan may differ from the usual one."""
TAKEN = 0.6
"""Part of a step within which a line that was read belongs to the place."""


def next_in_fan(
    cards: Sequence[Sequence[ReadLine]], read: Sequence[ReadLine]
) -> Iterator[tuple[ReadLine, ...]]:
    """The lines of the fan's last cards, moved to where the next ones would be.

    Before the first, after the last, and in a gap as wide as two steps; only places where nothing
    was read. None where the cards do not lie as a fan.
    """
    if len(cards) < LEAST_CARDS or not _are_parallel(cards):
        return
    angle = np.deg2rad(cards[0][0].angle_deg)
    down = np.array([-np.sin(angle), np.cos(angle)])
    rows = sorted(cards, key=lambda card: float(_middle(card) @ down))
    middles = np.array([_middle(card) for card in rows])
    moves = np.diff(middles, axis=0)
    lengths = np.linalg.norm(moves, axis=1)
    usual = float(np.median(lengths))
    counts = np.maximum(1, np.round(lengths / usual))
    if (abs(lengths / counts - usual) > EVEN * usual).any() or (moves @ down <= 0).any():
        return
    step = (middles[-1] - middles[0]) / counts.sum()
    places = [(rows[0], middles[0] - step), (rows[-1], middles[-1] + step)]
    places += [
        (card, start + step)
        for card, start, count in zip(rows[:-1], middles[:-1], counts, strict=True)
        if count == 2
    ]
    known = np.array([line.centre for line in read])
    for card, place in places:
        if np.linalg.norm(known - place, axis=1).min() > TAKEN * usual:
            yield _moved(card, place - _middle(card))


def _are_parallel(cards: Sequence[Sequence[ReadLine]]) -> bool:
    first = cards[0][0].angle_deg
    return all(apart_deg(first, card[0].angle_deg) < SAME_DIRECTION_DEG for card in cards)


def _middle(card: Sequence[ReadLine]) -> NDArray[np.float64]:
    return np.asarray(np.mean([read.centre for read in card], axis=0))


def _moved(card: Sequence[ReadLine], by_px: NDArray[np.float64]) -> tuple[ReadLine, ...]:
    dx, dy = map(float, by_px)
    return tuple(
        replace(read, line=replace(read.line, x_px=read.line.x_px + dx, y_px=read.line.y_px + dy))
        for read in card
    )
