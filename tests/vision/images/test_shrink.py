"""Images made smaller: means of what they show, in the same places."""

import numpy as np
import pytest

from vision.images.resize import shrunk, shrunk_by, shrunk_to_about


def test_each_pixel_is_the_mean_of_those_it_replaces() -> None:
    image = np.array([[10, 20, 200, 202], [30, 40, 204, 206]], np.uint8)
    assert shrunk_by(image, 2).tolist() == [[25, 203]]


def test_rows_that_do_not_fill_a_pixel_are_left_out() -> None:
    image = np.zeros((7, 11, 3), np.uint8)
    assert shrunk_by(image, 3).shape == (2, 3, 3)


@pytest.mark.parametrize(
    ("width_px", "scale", "expected_px"),
    [(4000, 0.25, 1000), (4032, 1000 / 4032, 1000), (2028, 1000 / 2028, 1000), (900, 1.0, 900)],
)
def test_sizes(width_px: int, scale: float, expected_px: int) -> None:
    small = shrunk(np.zeros((60, width_px), np.uint8), scale)
    assert small.shape[1] == pytest.approx(expected_px, abs=1)


@pytest.mark.parametrize("scale", [0.7, 0.45, 0.25, 0.2, 0.12])
def test_what_an_image_shows_stays_where_it_was(scale: float) -> None:
    image = np.zeros((600, 800), np.uint8)
    image[200:300, 500:650] = 255  # its middle lies at (574.5, 249.5)
    small = shrunk(image, scale).astype(np.float64)
    y, x = np.mgrid[: small.shape[0], : small.shape[1]]
    middle = (small * x).sum() / small.sum(), (small * y).sum() / small.sum()
    assert middle == pytest.approx((575 * scale - 0.5, 250 * scale - 0.5), abs=0.2)


@pytest.mark.parametrize(
    ("width_px", "wanted_px", "expected_px"),
    [(4032, 2400, 2016), (4000, 1000, 1000), (3400, 2400, 2400), (2000, 2400, 2000)],
    ids=["halved", "a quarter", "half were too small", "small already"],
)
def test_about_as_large_as_wanted(width_px: int, wanted_px: int, expected_px: int) -> None:
    small, scale = shrunk_to_about(np.zeros((60, width_px), np.uint8), wanted_px)
    assert small.shape[1] == expected_px
    assert scale == pytest.approx(expected_px / width_px)
