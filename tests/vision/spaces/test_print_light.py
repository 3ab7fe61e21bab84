"""The light on the print: in all, around each space, and of black."""

import numpy as np
import pytest

from scoring.board.board import load_board
from vision.spaces.print_light import background_bgr, print_light

USA = load_board("usa")


def test_in_a_shadow_over_half_the_board_the_print_around_a_space_is_as_dark() -> None:
    x = np.array([space.x for route in USA.routes for space in route.spaces])
    patches = np.full((len(x), 12, 18, 3), (180, 190, 200), np.uint8)
    patches[x < 0.5] //= 4
    patches[:, :, 9] = 20  # a black line: less than a third of what is sampled
    light = print_light(patches, USA, background_bgr(patches))
    assert light.around_bgr[x < 0.3] == pytest.approx(np.full(((x < 0.3).sum(), 3), (45, 47, 50)))
    assert light.around_bgr[x > 0.7] == pytest.approx(
        np.full(((x > 0.7).sum(), 3), (180, 190, 200))
    )
    assert light.black_bgr == pytest.approx([20, 20, 20])


def test_in_the_dark_the_light_is_not_nothing() -> None:
    patches = np.zeros((USA.space_count, 12, 18, 3), np.uint8)
    light = print_light(patches, USA, background_bgr(patches))
    assert light.all_bgr.tolist() == [8, 8, 8]
    assert light.around_bgr.min() == 8
