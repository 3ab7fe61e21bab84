"""Lines of text as if they were read on ticket cards."""

import numpy as np

from scoring.board.board import load_board
from vision.tickets.deck import deck_of
from vision.tickets.lines import TextLine
from vision.tickets.names import make_lexicon
from vision.tickets.plates import ReadLine
from vision.tickets.reading_lines import Script
from vision.tickets.spotting import spot

LEXICON = make_lexicon(deck_of(load_board("usa")))
SIGNS = len(LEXICON.alphabet) + 2


def line(
    x_px: float, y_px: float, width_px: float = 200, angle_deg: float = 0.0, height_px: float = 20
) -> ReadLine:
    """A line of clear letters, whatever they are."""
    rows = np.full((12, SIGNS), -9.0, np.float32)
    rows[:, 3] = -0.001
    script = Script(rows, np.ones(12, bool), "b" * 6)
    place = TextLine(x_px, y_px, width_px, height_px, angle_deg, 0.9)
    return ReadLine(place, angle_deg, script, spot([script], LEXICON))
