"""When an old calibration still holds, and when its camera or board has been moved."""

import numpy as np
import pytest

from calibration.check import CalibrationCheck, check_calibration
from tests.support.drawn_table import USA, true_calibration


@pytest.mark.parametrize(
    ("error_mm", "moved_mm", "holds", "is_elsewhere"),
    [
        (2.0, 1.0, True, False),
        (2.1, 0.0, False, False),
        (0.5, 1.1, True, True),
        (0.5, None, True, True),  # a photo of another camera
    ],
)
def test_a_millimetre_is_no_move_and_two_of_error_still_hold(
    error_mm: float, moved_mm: float | None, holds: bool, is_elsewhere: bool
) -> None:
    check = CalibrationCheck(error_mm, moved_mm, lamp_changed=False)
    assert (check.holds, check.is_elsewhere) == (holds, is_elsewhere)


def test_how_far_a_board_was_moved_is_told_in_millimetres() -> None:
    """Forty pixels to the right, in a photo with about two of them a millimetre."""
    known = true_calibration()
    moved = np.roll(known.image_bgr, 40, axis=1)
    moved[:, :40] = known.image_bgr[:, :1]
    check = check_calibration(known, USA, moved)
    width_px = float(np.hypot(*(known.corners_px[1] - known.corners_px[0])))
    assert check.moved_mm == pytest.approx(40 * USA.frame.size_mm[0] / width_px, rel=0.15)
    assert check.holds
