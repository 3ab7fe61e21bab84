"""Pictures become files as good as there is room for, and nothing else becomes one."""

import cv2
import numpy as np
import pytest

from vision.images.encode import FULL_COLOUR, jpeg, jpeg_within, png

STRIPES = np.zeros((64, 64, 3), np.uint8)
STRIPES[:, ::2] = (0, 0, 255)
"""Red and black, a pixel each: at half the resolution of colours both turn dark red."""


def read(data: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


def test_a_png_comes_back_as_it_was() -> None:
    assert (read(png(STRIPES)) == STRIPES).all()


def test_full_colour_keeps_what_is_told_by_colour_alone() -> None:
    assert read(jpeg(STRIPES, 95, FULL_COLOUR))[:, ::2, 2].mean() > 240
    assert read(jpeg(STRIPES, 95))[:, ::2, 2].mean() < 220


def test_the_best_quality_that_fits_is_taken_and_the_last_where_none_does() -> None:
    grain = np.random.default_rng(1).integers(0, 256, (80, 80, 3), np.uint8)
    fine, coarse = jpeg(grain, 90), jpeg(grain, 40)
    assert len(fine) > len(coarse)
    assert jpeg_within(grain, len(fine), (90, 40)) == fine
    assert jpeg_within(grain, len(fine) - 1, (90, 40)) == coarse
    assert jpeg_within(grain, 10, (90, 40)) == coarse


@pytest.mark.parametrize("size", [(0, 0), (1, 65_536)])
def test_what_is_no_picture_of_a_jpeg_is_said_to_be_none(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"cannot be written as \.jpg"):
        jpeg(np.zeros((*size, 3), np.uint8), 90)
