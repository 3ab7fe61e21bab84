"""Whether an old calibration still holds: its empty board is looked for in a photo of today."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Calibration
from scoring.board.board import Board
from vision.images.board_light import light_on_board
from vision.images.light import is_cast
from vision.registration.board_geometry import outline_mm
from vision.registration.geometry import px_per_mm
from vision.registration.register import register

HOLDS_MM = 2.0
"""Beside positions taught with more error than this, photos were refused or much was asked; see
docs/reading.md. Real photos of another day stay below 1.2 mm."""

STAYED_MM = 1.0
"""A board that lies within this of its old place in the picture has not been moved."""


@dataclass(frozen=True, slots=True)
class CalibrationCheck:
    """How a photo of today fits a calibration.

    `error_mm` is the registration's own estimate of its error. `moved_mm` is how far the board lies
    from its old place in the picture, None for a photo of another size, as from another camera.
    `lamp_changed` tells that one of the two was taken by a lamp's light and the other was not.
    """

    error_mm: float
    moved_mm: float | None
    lamp_changed: bool

    @property
    def holds(self) -> bool:
        """Whether photos such as this one can be read with the calibration."""
        return self.error_mm <= HOLDS_MM

    @property
    def is_elsewhere(self) -> bool:
        """Whether camera or board have been moved since; the reader follows that."""
        return self.moved_mm is None or self.moved_mm > STAYED_MM


def check_calibration(
    calibration: Calibration, board: Board, photo_bgr: NDArray[np.uint8]
) -> CalibrationCheck:
    """Look for the calibration's board in a photo, ndarray of shape (H, W, 3), uint8, BGR.

    Wagons may stand on the board. Raises WrongBoardError for another board's calibration,
    BoardNotFoundError where the board is not found beside the calibration's picture, and ImageError
    where the photo is too dark or blurred.
    """
    reference = calibration.reference(board)
    found = register(photo_bgr, board, reference=reference)
    scale = px_per_mm(found.corners_px, outline_mm(board))
    same_size = photo_bgr.shape == calibration.image_bgr.shape
    away_px = np.linalg.norm(found.spaces_px - calibration.spaces_px, axis=-1)
    then = light_on_board(calibration.image_bgr, calibration.corners_px)
    now = light_on_board(photo_bgr, found.corners_px)
    return CalibrationCheck(
        error_mm=found.error_px / scale,
        moved_mm=float(np.median(away_px)) / scale if same_size else None,
        lamp_changed=is_cast(then) != is_cast(now),
    )
