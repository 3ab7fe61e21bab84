"""Where a lamp is mirrored, a question says so."""

import numpy as np

from vision.spaces.glare import under_glare, washed_out, without_standing


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


def test_where_a_wagon_stands_undimmed_in_the_light_nothing_is_hidden() -> None:
    """The board's varnish mirrors a lamp: what stands on it is seen as well as ever."""
    patches = np.full((7, 10, 20, 3), 250, np.uint8)
    own = np.zeros((7, 10, 20), bool)
    own[:, 3:7, 5:15] = True
    patches[0, 3:7, 5:15] = (40, 130, 30)  # a green wagon,
    # four washed out spaces around it, one that is near the fourth, one far away.
    centres_mm = np.array([(0, 0), (70, 0), (0, 70), (-70, 0), (0, -70), (0, -125), (300, 0)])
    hidden = np.array([False, True, True, True, True, True, True])
    wagons = ~hidden
    left = without_standing(hidden, wagons, patches, own, centres_mm.astype(float))
    assert left.tolist() == [False, False, False, False, False, False, True]

    patches[0, 3:7, 5:15] = (200, 235, 195)  # as pale as all else, under a pane
    assert (without_standing(hidden, wagons, patches, own, centres_mm * 1.0) == hidden).all()

    patches[0, 3:7, 5:15] = (40, 130, 30)
    beside_mm = np.abs(centres_mm)  # the wagon stands at the edge of the light, not in it
    assert (without_standing(hidden, wagons, patches, own, beside_mm * 1.0) == hidden).all()
