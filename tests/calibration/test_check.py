"""When an old calibration still holds, and when its camera or board has been moved."""

import pytest

from calibration.check import CalibrationCheck


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
