"""Where nothing in a patch is dark its darkest becomes so; all other patches stay as they are."""

import numpy as np
from numpy.typing import NDArray

from vision.images.light import from_linear, to_linear
from vision.spaces.deepened import deepened

PALE, BLACK = 200, 30


def patches() -> NDArray[np.uint8]:
    """Three patches of pale print with a black wagon."""
    seen = np.full((3, 40, 56, 3), PALE, np.uint8)
    seen[:, 16:24, 14:42] = BLACK
    return seen


def under_lamp(patch: NDArray[np.uint8], part: float) -> NDArray[np.uint8]:
    light = (1 - part) * to_linear(patch) + part * to_linear(np.array(230))
    return np.rint(255 * from_linear(light)).astype(np.uint8)


def test_patches_that_show_something_dark_are_handed_back_themselves() -> None:
    seen = patches()
    assert deepened(seen) is seen
    none = seen[:0]
    assert deepened(none) is none


def test_a_wagon_greyed_by_a_lamp_is_dark_again_and_its_neighbours_stay() -> None:
    seen = patches()
    seen[1] = under_lamp(seen[1], 0.5)
    assert seen[1, 20, 28].min() > 160
    told = deepened(seen)
    assert told[1, 20, 28].max() < 90
    assert told[1, 2, 2].min() > 180, "print stays pale"
    assert np.array_equal(told[[0, 2]], seen[[0, 2]])


def test_by_a_red_lamp_black_is_dark_in_every_channel() -> None:
    lamp = np.array([0.3, 0.6, 1.0])
    seen = np.rint(255 * from_linear(to_linear(patches()) * lamp)).astype(np.uint8)
    light = 0.5 * to_linear(seen[1]) + 0.5 * to_linear(np.array(230)) * lamp
    seen[1] = np.rint(255 * from_linear(light))
    told = deepened(seen)[1, 20, 28].astype(int)
    assert told.max() < 90
    assert (told > 0).all()
