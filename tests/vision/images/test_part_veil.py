"""A veil over a part of a board is taken away there; all else stays as it is."""

import numpy as np
from numpy.typing import NDArray

from vision.images.light import from_linear, to_linear
from vision.images.part_veil import without_part_veil

WINDOW_BGR = (225, 222, 220)
BOARD_PX = np.array([(0, 0), (320, 0), (320, 240), (0, 240)], np.float64)


def clear() -> NDArray[np.uint8]:
    """All colours and greys, with something black in every tenth of it."""
    rng = np.random.default_rng(3)
    image = rng.integers(40, 230, (240, 320, 3)).astype(np.uint8)
    for top in range(0, 240, 24):
        for left in range(0, 320, 32):
            image[top : top + 6, left : left + 8] = 12
    return image


def under_window(image: NDArray[np.uint8], part: float) -> NDArray[np.uint8]:
    """The right half mirrors a window."""
    light = to_linear(image)
    window = part * to_linear(np.array(WINDOW_BGR))
    light[:, 160:] = (1 - part) * light[:, 160:] + window
    return np.rint(255 * from_linear(light)).astype(np.uint8)


def test_a_clear_board_is_handed_back_itself() -> None:
    image = clear()
    assert without_part_veil(image, BOARD_PX) is image


def test_what_has_no_light_of_some_channel_is_handed_back_itself() -> None:
    """A camera under its cap, or a board by a red lamp, has no pale print to compare with."""
    dark = np.zeros((240, 320, 3), np.uint8)
    assert without_part_veil(dark, BOARD_PX) is dark
    red = clear()
    red[..., :2] = 0
    assert without_part_veil(red, BOARD_PX) is red


def test_under_the_window_black_is_dark_again_and_beside_it_nothing_changes() -> None:
    image = clear()
    veiled = under_window(image, 0.3)
    black = (slice(96, 102), slice(224, 232))  # in the middle of the window's half
    assert veiled[black].min() > 120
    seen = without_part_veil(veiled, BOARD_PX)
    assert seen[black].max() < 65  # a little of it is left everywhere
    beside = seen[:, :110].astype(int) - image[:, :110]
    assert np.abs(beside).max() <= 1


def test_colours_under_the_window_are_again_as_far_apart_as_beside_it() -> None:
    """Their spread in linear light; the window lets seven tenths of it through."""
    veiled = under_window(clear(), 0.3)
    seen = without_part_veil(veiled, BOARD_PX)
    beside, before, after = (
        float(to_linear(look).std()) for look in (veiled[:, :120], veiled[:, 200:], seen[:, 200:])
    )
    assert before < 0.75 * beside
    assert after > 0.85 * beside


def swollen(image: NDArray[np.uint8], colour_bgr: tuple[float, float, float]) -> NDArray[np.uint8]:
    """A lamp mirrored softly: half of white in the middle, a third of that 115 pixels away."""
    rows, columns = np.mgrid[:240, :320]
    away_px = np.hypot(rows - 120, columns - 160)
    added = 0.5 * np.exp(-((away_px / 110) ** 2))[..., None] * np.array(colour_bgr)
    return np.rint(255 * from_linear(np.clip(to_linear(image) + added, 0, 1))).astype(np.uint8)


def test_black_is_dark_again_also_where_a_veil_is_thickest() -> None:
    """It falls by half within a window, so what is darkest in all of that is too little."""
    image = clear()
    veiled = swollen(image, (1.0, 1.0, 1.0))
    black = (slice(120, 126), slice(160, 168))
    assert veiled[black].min() > 180
    assert without_part_veil(veiled, BOARD_PX)[black].max() < 100


def test_black_has_no_hue_once_bluer_light_than_the_print_is_taken_away() -> None:
    """What each channel's darkest pixels show by itself leaves most of blue: black looked blue."""
    warm = np.rint(clear() * np.array([0.92, 0.96, 1.0])).astype(np.uint8)
    seen = without_part_veil(swollen(warm, (1.0, 0.95, 0.9)), BOARD_PX)
    for top, left in ((120, 160), (96, 128), (144, 192)):
        black = seen[top : top + 6, left : left + 8].reshape(-1, 3).mean(axis=0)
        assert black.max() - black.min() < 4


def test_a_pale_corner_without_anything_black_is_no_veil() -> None:
    """A corner smaller than a third of the board may be pale print."""
    image = clear()
    image[:60, :80] = 200
    assert without_part_veil(image, BOARD_PX) is image


def test_of_a_board_outside_the_photo_nothing_is_told() -> None:
    image = clear()
    far_px = np.array([(900.0, 900.0), (950, 900), (950, 950)])
    assert without_part_veil(image, far_px) is image
