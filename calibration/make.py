"""From photos to a calibration: one of the empty board, and optionally one with wagons."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Calibration
from calibration.survey import calibration_of
from calibration.wagon_colours import measure_wagon_colours
from scoring.board.board import Board
from vision.empty_board import make_reference


def make_calibration(
    empty_bgr: NDArray[np.uint8],
    board: Board,
    created: str,
    *,
    corners_px: NDArray[np.float64] | None = None,
    really_empty: bool = False,
) -> Calibration:
    """Calibrate a table from a photo of its empty board.

    `empty_bgr` has shape (H, W, 3), uint8, BGR; `corners_px` (4, 2) are the board's outer corners
    in it, if a person gave them. `created` is the time as ISO 8601; `really_empty` says that a
    person vouches for the photo, as in `make_reference`. Raises VisionError if the board is not
    found or not empty.
    """
    reference = make_reference(empty_bgr, board, corners_px, really_empty=really_empty)
    return calibration_of(reference, board, created)


def add_wagon_colours(
    calibration: Calibration, board: Board, wagons_bgr: NDArray[np.uint8]
) -> Calibration:
    """The calibration with the colours of the wagons in a photo (H, W, 3), uint8, BGR.

    Raises VisionError if the photo cannot be read, WagonColoursError if it shows too few wagons.
    """
    reference = calibration.reference(board)
    colours = measure_wagon_colours(wagons_bgr, board, reference)
    return replace(calibration, wagon_colours=colours)
