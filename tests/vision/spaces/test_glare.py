"""Where a lamp is mirrored, a question says so."""

import numpy as np

from vision.spaces.glare import under_glare, washed_out


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


def test_what_a_mirrored_lamp_washes_out_shows_nothing() -> None:
    patches = np.full((5, 10, 20, 3), 180, np.uint8)
    patches[:, ::2] = 40  # print around the space
    own = np.zeros((5, 10, 20), bool)
    own[:, 3:7, 5:15] = True
    patches[0] = 252  # burnt out, and all around it
    patches[1, 1:9, 2:18] = 252  # burnt out, print still seen at the edges
    patches[2] = 190
    patches[2, 3:7, 5:15] = 215  # veiled: a box that is hardly brighter than the map
    patches[3, 1:9, 2:18] = 235
    patches[3, 3:7, 6:14:3] = 150  # a white wagon with the gaps of its windows
    # The last is a pale box with its dark frame, as most are.
    patches[4, 2:8, 4:16] = 30
    patches[4, 3:7, 5:15] = 240
    assert washed_out(patches, own).tolist() == [True, True, True, False, False]
