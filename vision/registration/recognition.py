"""Which of several boards lies in a photo, before anybody says so."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.resize import shrunk_to_about
from vision.registration.outline import PLAIN, OutlineSettings, find_outlines
from vision.registration.pattern_fit import (
    REGISTRATION_LIMITS,
    SearchedPhoto,
    is_faint,
    is_found,
    score_of,
)
from vision.registration.whole_photo import outlines_by_spaces

TRIES: tuple[OutlineSettings, ...] = (PLAIN, OutlineSettings(blur_px=2.0))
"""Ways of looking for the outline: as it is, then blurred, for a table with a strong pattern."""


def which_board(photo_bgr: NDArray[np.uint8], boards: Sequence[Board]) -> Board | None:
    """The board that lies in a photo (H, W, 3), uint8, BGR; None where none of them does.

    The likeliest should come first: one that fits well is taken at once, for others that were seen
    in its place had 0.13 at most.
    """
    small, _ = shrunk_to_about(photo_bgr, REGISTRATION_LIMITS.working_side_px)
    searched = SearchedPhoto(small)
    for outline in chain(find_outlines(small, TRIES), outlines_by_spaces(small)):
        best, best_score = None, 0.0
        for board in boards:
            aligned = searched.align(outline, board)
            score = score_of(aligned)
            if score >= REGISTRATION_LIMITS.good_score:
                return board
            if score > best_score and (is_found(aligned) or is_faint(aligned)):
                best, best_score = board, score
        if best is not None:
            return best
    return None
