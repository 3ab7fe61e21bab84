"""Shadows that a filter has made too deep are opened; a plain photo stays as it is."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.images.deep_shadows import with_open_shadows

BOARD_PX = np.array([(0.0, 0), (240, 0), (240, 180), (0, 180)])


def board(dark: int = 70, bright: int = 220) -> NDArray[np.uint8]:
    """A pale print with a dark stripe in every part of it."""
    image = np.full((180, 240, 3), bright, np.uint8)
    image[:, ::10] = dark
    image[:, 1::10] = (dark // 2, dark, dark // 2)  # green
    return image


def test_a_plain_photo_is_handed_back_itself_in_the_dark_too() -> None:
    plain = board()
    assert with_open_shadows(plain, BOARD_PX) is plain
    dim = board(dark=9, bright=28)
    assert with_open_shadows(dim, BOARD_PX) is dim


@pytest.mark.parametrize(
    ("dark", "opened"),
    [
        (22, 70),  # 0.1 of 220; power log 0.3 / log 0.1 = 0.523: 255 (22 / 255) ** 0.523 = 70.7
        (4, 39),  # 0.018; the least power of 0.45: 255 (4 / 255) ** 0.45 = 39.4
    ],
)
def test_deep_shadows_are_opened(dark: int, opened: int) -> None:
    seen = with_open_shadows(board(dark), BOARD_PX)
    assert seen[90, 100].tolist() == pytest.approx([opened] * 3, abs=1)
    assert seen[90, 105].min() > 230, "what is bright stays so"


def test_a_black_sleeve_over_a_third_of_the_board_is_no_filter() -> None:
    image = board()
    image[:, 80:150] = 3
    assert with_open_shadows(image, BOARD_PX) is image


def test_only_the_board_counts_and_one_outside_the_photo_tells_nothing() -> None:
    framed = np.full((400, 600, 3), 2, np.uint8)
    framed[100:280, 200:440] = board()
    assert with_open_shadows(framed, BOARD_PX + np.array((200, 100))) is framed
    deep = board(4)
    assert with_open_shadows(deep, BOARD_PX + 5_000) is deep
