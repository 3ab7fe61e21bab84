"""From photos to a calibration: the empty board's, and optionally one with wagons."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Calibration, Lab
from calibration.wagon_colours import measure_wagon_colours
from scoring.board.board import Board
from vision.empty_board import make_reference
from vision.errors import VisionError
from vision.registration.reference import Reference


def make_calibration(
    empty_bgr: NDArray[np.uint8],
    board: Board,
    created: str,
    *,
    corners_px: NDArray[np.float64] | None = None,
    wagons_bgr: NDArray[np.uint8] | None = None,
    really_empty: bool = False,
) -> Calibration:
    """Calibrate a table.

    `empty_bgr` (H, W, 3), uint8, BGR, shows the empty board; `corners_px` (4, 2) are its outer
    corners there, if a person gave them; `wagons_bgr` is a photo of the board with wagons.
    `created` is the moment as ISO 8601; `really_empty` says that a person vouches for the empty
    photo, as in `make_reference`. Raises VisionError where the board isn't found (its `photo`
    is 1 where that with wagons is meant), WagonColoursError where too few wagons are seen.
    """
    reference = make_reference(empty_bgr, board, corners_px, really_empty=really_empty)
    colours = {} if wagons_bgr is None else _colours(wagons_bgr, board, reference)
    return Calibration(
        board_id=board.id,
        board_version=board.version,
        created=created,
        image_bgr=reference.image_bgr,
        corners_px=reference.corners_px,
        spaces_px=reference.spaces_px,
        wagon_colours=colours,
        looks_claimed=reference.looks_claimed,
        vouched=reference.vouched,
    )


def _colours(
    wagons_bgr: NDArray[np.uint8], board: Board, reference: Reference
) -> Mapping[str, Lab]:
    try:
        return measure_wagon_colours(wagons_bgr, board, reference)
    except VisionError as error:
        raise error.of_photo(1) from error
