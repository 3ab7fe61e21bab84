"""Where the cards of a fan lie: one after the other, each a step farther than the one before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images.cosine import cosine
from vision.tickets.lines import along_and_down, apart_deg
from vision.tickets.plates import ReadLine

LEAST_CARDS = 3
"""Cards that make a fan: two steps are needed to see that they are even."""
SAME_DIRECTION_DEG = 12.0
"""By how much the directions of two cards of one fan may differ."""
EVEN = 0.35
"""By what part a step of a fan may differ from the usual one."""
ASTRAY = 0.5
"""How far from the usual place a card of a fan may lie, in steps."""
STRIP_NEAR, STRIP_FAR, STRIP_ALONG = 0.42, (0.72, 0.64, 0.56), 0.4
"""Where the card under another is seen: so many steps above that one's names, as far as the photo
shows it, and to both sides."""
STRIP_FINE = 8
"""Pixels along a side of each of a strip's 8 by 4 cells, which are averaged."""
MOST_UNLIKE, NOISE = 1.5, 3.0
"""How much less alike than others' two strips of cards may be: times, and levels of CIELAB."""
MOVED = (-0.12, -0.06, 0.0, 0.06, 0.12)
"""By how many steps a strip is moved to find the same print."""
SAME_PRINT = 0.68
"""Least correlation of what is printed on both: 0.81 to 0.95 where a card lay there, at most 0.54
where the table was seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """Cards one after the other, the undermost first.

    `counts[k]` is by how many steps card k + 1 lies after card k, `step_px` (2,) the usual step.
    """

    cards: tuple[Sequence[ReadLine], ...]
    counts: tuple[int, ...]
    step_px: NDArray[np.float64]


def find_fan(cards: Sequence[Sequence[ReadLine]]) -> Fan | None:
    """The fan in which all of these cards lie, if they do."""
    if len(cards) < LEAST_CARDS or not _are_parallel(cards):
        return None
    angle = np.deg2rad(cards[0][0].angle_deg)
    down = np.array([-np.sin(angle), np.cos(angle)])
    rows = sorted(cards, key=lambda card: float(_middle(card) @ down))
    middles = np.array([_middle(card) for card in rows])
    moves = np.diff(middles, axis=0)
    lengths = np.linalg.norm(moves, axis=1)
    usual = float(np.median(lengths))
    counts = np.maximum(1, np.round(lengths / usual))
    if (abs(lengths / counts - usual) > EVEN * usual).any() or (moves @ down <= 0).any():
        return None
    step = (middles[-1] - middles[0]) / counts.sum()
    if (np.linalg.norm(moves / counts[:, None] - step, axis=1) > ASTRAY * usual).any():
        return None
    return Fan(tuple(rows), tuple(map(int, counts)), step)


def next_in_fan(fan: Fan) -> Iterator[tuple[ReadLine, ...]]:
    """The lines of the fan's cards, moved to where the next ones would be.

    Before the first, after the last, and in a gap as wide as two steps.
    """
    places = [(fan.cards[0], -fan.step_px), (fan.cards[-1], fan.step_px)]
    places += [
        (card, fan.step_px)
        for card, count in zip(fan.cards[:-1], fan.counts, strict=True)
        if count == 2
    ]
    yield from (_moved(card, move) for card, move in places)


def cut_off(image_bgr: NDArray[np.uint8], fan: Fan) -> NDArray[np.float64] | None:
    """What is seen of a card under the fan's first whose names lie beyond the photo's edge.

    Above each other card's names the card under it is seen. Where the same is seen above the
    first card's, there is a card as well. Returns the corners (4, 2) of that strip.
    """
    names = _moved(fan.cards[0], -fan.step_px)
    if are_within(names, image_bgr.shape):
        return None
    for far in STRIP_FAR:
        strips = [_strip_corners(card, fan.step_px, far) for card in fan.cards]
        if _is_within(strips[0], image_bgr.shape):
            break
    else:
        return None
    first, *others = (_strip(image_bgr, corners) for corners in strips)
    apart = [_unlike(one, other) for one, other in combinations(others, 2)]
    unlike = float(np.median([_unlike(first, other) for other in others]))
    near = [_strip(image_bgr, moved) for moved in _moved_a_little(strips[0], fan.step_px)]
    alike = [max(_correlation(one, other) for one in near) for other in others]
    is_same_print = float(np.median(alike)) > SAME_PRINT
    is_card = is_same_print and unlike < MOST_UNLIKE * float(np.median(apart)) + NOISE
    return strips[0] if is_card else None


def _strip_corners(
    card: Sequence[ReadLine], step_px: NDArray[np.float64], far: float
) -> NDArray[np.float64]:
    """Where the card under this one is seen, above its names and up to so many steps."""
    usual = float(np.linalg.norm(step_px))
    along = along_and_down(card[0].angle_deg)[0] * STRIP_ALONG * usual
    low, high = (_middle(card) - part * step_px for part in (STRIP_NEAR, far))
    return np.array([high - along, high + along, low + along, low - along])


def _moved_a_little(
    corners_px: NDArray[np.float64], step_px: NDArray[np.float64]
) -> Iterator[NDArray[np.float64]]:
    """The corners moved to all sides: cards of a fan lie unevenly, and names of three lines higher
    than those of two."""
    aside_px = np.array([step_px[1], -step_px[0]])
    for down in MOVED:
        for aside in MOVED:
            yield corners_px + down * step_px + aside * aside_px


def _strip(image_bgr: NDArray[np.uint8], corners_px: NDArray[np.float64]) -> NDArray[np.float32]:
    """A strip, level, of shape (4, 8, 3) in CIELAB."""
    width, height = 8 * STRIP_FINE, 4 * STRIP_FINE
    target = np.array([[0, 0], [width, 0], [0, height]], np.float32)
    to_strip = cv2.getAffineTransform(corners_px[[0, 1, 3]].astype(np.float32), target)
    fine = cv2.warpAffine(image_bgr, to_strip, (width, height), borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(fine, (8, 4), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)


def _unlike(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(np.abs(one - other).mean())


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Of what is printed on two strips, whatever their mean colours."""
    return cosine(*(strip - strip.mean(axis=(0, 1)) for strip in (one, other)))


def are_within(card: Sequence[ReadLine], shape: Sequence[int]) -> bool:
    """Whether all of a card's lines lie within a photo of that shape (H, W, …)."""
    return all(_is_within(read.line.corners_px, shape) for read in card)


def _is_within(points_px: NDArray[np.float64], shape: Sequence[int]) -> bool:
    return bool((points_px >= 0).all() and (points_px < [shape[1], shape[0]]).all())


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
