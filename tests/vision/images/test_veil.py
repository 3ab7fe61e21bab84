"""A veil over a photo is taken away; a clear photo stays as it is."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.images.light import from_linear, to_linear
from vision.images.veil import without_veil

VEIL_BGR = (150, 200, 235)  # a warm lamp's


def clear() -> NDArray[np.uint8]:
    """All colours and greys, a little of it black."""
    rng = np.random.default_rng(3)
    image = rng.integers(30, 230, (120, 160, 3)).astype(np.uint8)
    image[40:50, 20:60] = 10
    return image


def veiled(image: NDArray[np.uint8], part: float) -> NDArray[np.uint8]:
    light = (1 - part) * to_linear(image) + part * to_linear(np.array(VEIL_BGR))
    return np.rint(255 * from_linear(light)).astype(np.uint8)


def test_a_clear_photo_is_handed_back_itself() -> None:
    image = clear()
    assert without_veil(image) is image


@pytest.mark.parametrize("part", [0.1, 0.3])
def test_black_is_black_again_and_colours_are_as_far_apart_as_before(part: float) -> None:
    image = clear()
    seen = without_veil(veiled(image, part)).astype(int)
    assert seen[40:50, 20:60].max() < 20
    bright = image.min(axis=2) > 60
    # A scale is left: less of the board's own light came through.
    kept = to_linear(seen[bright]) / to_linear(image[bright])
    assert kept.std(axis=0).max() < 0.05
    assert kept.mean(axis=0) == pytest.approx((1 - part) / (1 - part * 0.7), abs=0.12)


def test_only_what_lies_within_the_board_tells_of_the_veil() -> None:
    """A film's black bars about a veiled board hide nothing, nor does a black table."""
    image = veiled(clear(), 0.3)
    framed = np.zeros((200, 240, 3), np.uint8)
    framed[40:160, 40:200] = image
    board_px = np.array([(41, 41), (198, 41), (198, 158), (41, 158)], np.float64)
    assert without_veil(framed) is framed
    assert without_veil(framed, board_px)[80:90, 60:100].max() < 20


def test_of_a_board_outside_the_photo_nothing_is_told() -> None:
    image = clear()
    far_px = np.array([(900.0, 900.0), (950, 900), (950, 950)])
    assert without_veil(image, far_px) is image
