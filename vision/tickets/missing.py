"""Signs that a look has missed cards: a reason for a closer one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.tickets.lines import TextFound, TextLine
from vision.tickets.looks import FIRST_PIXELS
from vision.tickets.outlines import CardOutline
from vision.tickets.plates import ReadLine
from vision.tickets.upright import clear_heights_px

BLOB = 2.4
"""In heights of the lines that were read."""
FAR = 1.3
"""In widths of the widest line: what is farther from every line read belongs to another card."""
SPOT = 0.1
"""Area of a spot that may be a name beside that of the smallest line read."""
SMALL_PX = 12.0
"""Height of a line, grown, in the coarse look: lower ones may be found on some cards only."""

THING_HEIGHTS = (12.0, 150.0)
"""Area of a thing that may be a card, in squares of the letters' height: drawn cards of four decks
have 60 to 110, their maps 25 to 40."""
BESIDE_A_CARD = 1.3
"""In long sides of a thing: nearer to it the names of its own card stand."""


def has_blobs(
    lines: Sequence[TextLine], read: Sequence[ReadLine], told: Sequence[CardOutline] = ()
) -> bool:
    """Whether lines ran into each other.

    That is something much higher than the lines that were read, in none of the outlines of cards
    that were `told`.
    """
    clear = clear_heights_px(read)
    high = BLOB * float(np.median(clear)) if clear else 0.0
    blobs = [np.array([x.x_px, x.y_px]) for x in lines if x.height_px > high]
    return bool(clear) and any(not _within(blob, told) for blob in blobs)


def has_small_letters(image_bgr: NDArray[np.uint8], read: Sequence[ReadLine]) -> bool:
    """Whether the cards are so small that the coarse look may have missed some."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, float(np.sqrt(FIRST_PIXELS / (height * width))))
    clear = clear_heights_px(read)
    return bool(clear) and scale * float(np.median(clear)) < SMALL_PX


def may_be_missed(
    found: TextFound, read: Sequence[ReadLine], told: Sequence[CardOutline] = ()
) -> bool:
    """Whether there may be text far from all lines that were read.

    What is within the outlines of cards that were `told`, or much smaller than a name, is none.
    """
    if not read:
        return True
    centres = np.array([line.centre for line in read])
    reach = FAR * max(line.line.width_px for line in read)
    least_px = SPOT * min(line.line.width_px * line.line.height_px for line in read)
    return any(
        area_px > least_px
        and np.linalg.norm(centres - (x, y), axis=1).min() > reach
        and not _within(np.array([x, y]), told)
        for x, y, area_px in found.perhaps_px
    )


def things_apart(
    things: Sequence[CardOutline],
    letters_px: float,
    outlines: Sequence[CardOutline],
    cards: Sequence[Sequence[ReadLine]],
) -> list[CardOutline]:
    """What stands out on the table, large as a card or its map, and is part of none of the cards.

    These are given by their `outlines` or, where no outline is seen, by their lines. `letters_px`
    is how high the letters are.
    """
    least_px, most_px = (part * letters_px**2 for part in THING_HEIGHTS)
    names = [np.mean([read.centre for read in card], axis=0) for card in cards]
    return [
        thing
        for thing in things
        if least_px < thing.filled_px < most_px
        and not _within(thing.centre_px, outlines)
        and not any(_lies_beside(thing, middle) for middle in names)
    ]


def _lies_beside(thing: CardOutline, point_px: NDArray[np.float64]) -> bool:
    apart_px = float(np.linalg.norm(point_px - thing.centre_px))
    return apart_px < BESIDE_A_CARD * thing.sides_px[1]


def _within(point_px: NDArray[np.float64], outlines: Sequence[CardOutline]) -> bool:
    return any(outline.holds(point_px) for outline in outlines)
