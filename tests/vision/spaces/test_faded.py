"""A photo in shades of one colour says nothing of whose wagons lie there."""

import numpy as np

from vision.spaces.faded import is_faded


def test_shades_of_brown_are_no_colours_however_bright_they_are() -> None:
    grey = np.linspace(20, 240, 40)
    brown = grey[:, None] * (0.5, 0.7, 0.9) + (0, 0, 20)  # deeper in the dark
    noise = np.random.default_rng(1).normal(0, 2, brown.shape)
    assert is_faded(np.clip(brown + noise, 0, 255))


def test_four_routes_in_colours_on_a_grey_print_are_enough() -> None:
    spaces = np.repeat(np.linspace(90, 200, 40)[:, None], 3, axis=1)
    spaces[:6] = (40, 40, 180)
    spaces[6:12] = (160, 70, 40)
    assert not is_faded(spaces)


def test_one_coloured_thing_does_not_make_a_photo_in_sepia_a_coloured_one() -> None:
    brown = np.linspace(40, 220, 40)[:, None] * (0.5, 0.7, 0.9)
    brown[7:10] = (200, 80, 30)
    assert is_faded(brown)


def test_spaces_of_which_nothing_is_seen_do_not_count() -> None:
    spaces = np.full((40, 3), np.nan)
    spaces[:5] = (40, 40, 180)
    assert not is_faded(spaces)
