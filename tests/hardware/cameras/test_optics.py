"""Height, sharpness and light, worked out by hand."""

import pytest

from hardware.cameras.optics import ENOUGH_PX_PER_MM, Lens, hang
from vision.registration.pattern_fit import REGISTRATION_LIMITS

SQUARE = Lens("square", 90.0, 90.0, (2000, 2000), 2.0)
"""tan 45° is 1: it sees twice its height in both directions."""


def test_sharp_enough_is_what_the_reader_uses() -> None:
    assert REGISTRATION_LIMITS.straightened_px_per_mm == ENOUGH_PX_PER_MM


def test_the_side_that_needs_more_decides() -> None:
    # 800 / 2 + 40 = 440 mm across; 500 / 2 + 40 = 290 mm down.
    at = hang(SQUARE, (500.0, 800.0), 40.0)
    assert at.height_mm == pytest.approx(440.0)
    assert at.px_per_mm == pytest.approx(2000 / 880)
    assert at.is_sharp


def test_a_flat_picture_hangs_higher_for_the_short_side() -> None:
    # tan(26.565°) is 0.5: 290 / 0.5 = 580 mm, more than the 440 of the long side.
    flat = Lens("flat", 90.0, 53.1301, (1000, 500), 2.0)
    at = hang(flat, (800.0, 500.0), 40.0)
    assert at.height_mm == pytest.approx(580.0, abs=0.1)
    # 1,160 mm are seen with 1,000 pixels.
    assert at.px_per_mm == pytest.approx(1000 / 1160, abs=0.001)
    assert not at.is_sharp


def test_a_picture_narrower_than_the_sensor_is_cut_from_its_middle() -> None:
    # The sensor sees twice as wide as high (tan 45° and 0.5); a square picture sees 0.5 both ways.
    cut = Lens("cut", 90.0, 53.1301, (1000, 1000), 2.0)
    at = hang(cut, (800.0, 500.0), 40.0)
    assert at.height_mm == pytest.approx(880.0, abs=0.1)  # 440 / 0.5
    assert at.px_per_mm == pytest.approx(1000 / 880, abs=0.001)


def test_light_goes_with_the_square_of_the_f_number() -> None:
    # 250 lx s x 2 x 2 / (1/50 s x ISO 400) = 125 lux; f/4 wants four times as much.
    assert hang(SQUARE, (800, 500), 0).lux == pytest.approx(125.0)
    assert hang(Lens("dark", 90, 90, (2000, 2000), 4.0), (800, 500), 0).lux == pytest.approx(500.0)
