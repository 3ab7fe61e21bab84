"""Reads lines of text the right way round."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.tickets.lines import TextLine
from vision.tickets.names import Lexicon
from vision.tickets.networks import TextNetworks
from vision.tickets.plates import ReadLine
from vision.tickets.reading_lines import Script, read_script
from vision.tickets.spotting import spot

SURELY_UPRIGHT = -0.06
"""Clearness above which a line is read the right way: upside down the best of 37 had -0.17."""
LEAST_LETTERS = 2
"""Letters of a line, at least, that tells which way round it is."""
CLEARLY_READ = -0.1
"""Clearness of a line whose height tells how high the letters in a photo are."""


def read_lines(
    image_bgr: NDArray[np.uint8],
    lines: Sequence[TextLine],
    networks: TextNetworks,
    lexicon: Lexicon,
) -> list[ReadLine]:
    """The lines that bear letters, each read the right way round."""
    read: list[ReadLine] = []
    likely = 0
    for line in lines:
        if line.is_longish:
            turn, script = _upright(image_bgr, line, networks, lexicon, likely)
            if script.letters >= LEAST_LETTERS:
                spots = spot([script], lexicon)
                read.append(ReadLine(line, line.angle_deg + turn, script, spots))
                likely = turn if script.clearness > SURELY_UPRIGHT else likely
    return read


def clear_heights_px(read: Sequence[ReadLine]) -> list[float]:
    """The heights of the lines that are clearly read."""
    return [one.line.height_px for one in read if one.script.clearness > CLEARLY_READ]


def _upright(
    image_bgr: NDArray[np.uint8],
    line: TextLine,
    networks: TextNetworks,
    lexicon: Lexicon,
    likely_deg: int,
) -> tuple[int, Script]:
    """The turn, 0 or 180 degrees, and what stands there: the way in which it is clearer.

    The likely one, in which the line before was read, is enough where it is clear.
    """
    likely = read_script(image_bgr, line, likely_deg, networks, lexicon)
    if likely.letters >= LEAST_LETTERS and likely.clearness > SURELY_UPRIGHT:
        return likely_deg, likely
    other_deg = 180 - likely_deg
    other = read_script(image_bgr, line, other_deg, networks, lexicon)
    if other.letters and (other.clearness > likely.clearness or not likely.letters):
        return other_deg, other
    return likely_deg, likely
