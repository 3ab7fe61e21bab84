"""Where a lamp is mirrored, a question says so."""

import numpy as np

from vision.spaces.glare import under_glare


def test_a_spot_of_light_counts_but_neither_a_dull_space_nor_a_wholly_white_one() -> None:
    patches = np.full((4, 10, 20, 3), 120, np.uint8)
    own = np.zeros((4, 10, 20), bool)
    own[:, 3:7, 5:15] = True  # 40 pixels
    patches[1, 4:6, 8:11] = 250  # 6 of them
    patches[2, 3:7, 5:15] = 250
    patches[3, :3] = 250  # beside the space
    assert under_glare(patches, own) == {1}


def test_a_bright_colour_is_no_mirrored_lamp() -> None:
    patches = np.full((1, 10, 20, 3), 120, np.uint8)
    patches[0, :, 8:10] = (40, 235, 250)
    assert under_glare(patches, np.ones((1, 10, 20), bool)) == frozenset()
