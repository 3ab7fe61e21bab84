"""Which of several boards lies in a photo, before anybody says so."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.resize import shrunk_to_about
from vision.registration.outline import PLAIN, OutlineSettings, find_outlines
from vision.registration.pattern_fit import REGISTRATION_LIMITS, SearchedPhoto, score_of

TRIES: tuple[OutlineSettings, ...] = (PLAIN, OutlineSettings(blur_px=2.0))
"""Ways of looking for the outline: as it is, then blurred, for a table with a strong pattern."""


def which_board(photo_bgr: NDArray[np.uint8], boards: Sequence[Board]) -> Board | None:
    """The board that lies in a photo (H, W, 3), uint8, BGR; None where none of them does.

    The likeliest should come first: one that fits well is taken at once, for others that were seen
    in its place had 0.13 at most.
    """
    small, _ = shrunk_to_about(photo_bgr, REGISTRATION_LIMITS.working_side_px)
    searched = SearchedPhoto(small)
    for outline in find_outlines(small, TRIES):
        best, best_score = None, REGISTRATION_LIMITS.min_score
        for board in boards:
            score = score_of(searched.align(outline, board))
            if score >= REGISTRATION_LIMITS.good_score:
                return board
            if score > best_score:
                best, best_score = board, score
        if best is not None:
            return best
    return None
