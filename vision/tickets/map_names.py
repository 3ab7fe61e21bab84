"""Reads the names that are printed on a board: every line of text, with where it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.tickets.lines import find_lines
from vision.tickets.names import make_lexicon_of
from vision.tickets.networks import TextNetworks, load_text_networks
from vision.tickets.plates import ReadLine
from vision.tickets.reading_lines import read_words
from vision.tickets.same_places import best_of
from vision.tickets.upright import read_lines

TILE_PX = 800
"""Side of a part that is looked at by itself, in its own pixels: letters on a map are small."""

COMMON_PX = 200
"""Two parts have so much in common: a name of that length is whole in one of them."""

CLEAR = -0.25
"""Clearness from which a line is taken for words: a person looks at each."""

LEAST_LETTERS = 3
"""Shorter lines are numbers of the scoring track, or half a word."""

UNLIKE, NEXT, ASIDE = 0.4, (0.5, 1.5), 1.5
"""Of two lines of one name, in heights of the lines: how much they may differ in height, how far
the second lies below the first, and how far their middles lie aside."""


@dataclass(frozen=True, slots=True)
class PrintedName:
    """Words on a map and the middle of their line, in fractions of the picture."""

    words: str
    x: float
    y: float


def read_map_names(board_bgr: NDArray[np.uint8]) -> list[PrintedName]:
    """The names on a straightened board of shape (H, W, 3), uint8, BGR.

    Raises TicketNetworksMissingError where the networks are not installed.
    """
    networks = load_text_networks()
    height, width = board_bgr.shape[:2]
    lines = [
        _Words(one, read_words(board_bgr, one.line, one.turn_deg, networks))
        for one in _lines(board_bgr, networks)
    ]
    worded = [one for one in lines if sum(map(str.isalpha, one.words)) >= LEAST_LETTERS]
    return [
        PrintedName(_as_name(words), float(x) / width, float(y) / height)
        for words, (x, y) in _names(worded)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """A line with the words on it."""

    read: ReadLine
    words: str


def _names(lines: Sequence[_Words]) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Words and their middle: of two lines that stand close below each other both together."""
    below = {
        k: m
        for k, upper in enumerate(lines)
        for m, lower in enumerate(lines)
        if k != m and _goes_on(upper.read, lower.read)
    }
    for k, line in enumerate(lines):
        if k in below:
            other = lines[below[k]]
            middle = (line.read.centre + other.read.centre) / 2
            yield f"{line.words} {other.words}", middle
        elif k not in below.values():
            yield line.words, line.read.centre


def _goes_on(upper: ReadLine, lower: ReadLine) -> bool:
    """Whether a name in two lines goes on in the lower one."""
    high = (upper.line.height_px + lower.line.height_px) / 2
    right, down = (float(part) for part in lower.centre - upper.centre)
    alike = abs(upper.line.height_px - lower.line.height_px) < UNLIKE * high
    return alike and NEXT[0] * high < down < NEXT[1] * high and abs(right) < ASIDE * high


def _lines(board_bgr: NDArray[np.uint8], networks: TextNetworks) -> Sequence[ReadLine]:
    """Lines that bear letters, of those that two parts show the one that says more."""
    lexicon = make_lexicon_of(())
    found: list[ReadLine] = []
    for left, top in _corners_of_tiles(board_bgr.shape):
        tile = board_bgr[top : top + TILE_PX, left : left + TILE_PX]
        lines = find_lines(tile, networks.detector, float(TILE_PX**2)).lines
        placed = [replace(one, x_px=one.x_px + left, y_px=one.y_px + top) for one in lines]
        found += read_lines(board_bgr, placed, networks, lexicon)
    return [one for one in best_of(found) if one.script.clearness > CLEAR]


def _corners_of_tiles(shape: Sequence[int]) -> Iterator[tuple[int, int]]:
    step = TILE_PX - COMMON_PX
    for top in range(0, max(shape[0] - COMMON_PX, 1), step):
        for left in range(0, max(shape[1] - COMMON_PX, 1), step):
            yield left, top


def _as_name(words: str) -> str:
    """As people write it: not in capitals throughout, without signs around it."""
    plain = " ".join(words.split()).strip(" -–—•·.,:;'\"|_")
    return plain.title() if plain.isupper() else plain
