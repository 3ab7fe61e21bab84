"""Under a sheet of paper nothing is free: its spaces are hidden."""

import numpy as np

from vision.spaces.plain_cover import under_something_plain


def test_where_neither_a_box_nor_the_map_shows_something_lies_on_the_space() -> None:
    noise = np.random.default_rng(1).normal(0, 2, (6, 50, 70, 3))
    own = np.zeros((6, 50, 70), bool)
    own[:, 21:29, 20:50] = True
    light = np.linspace(0.8, 1.0, 70)[None, :, None]  # falls off towards one side
    shown = np.full((6, 50, 70, 3), 230.0)
    shown[1] = 60  # a dark sleeve
    shown[2, 19:31, 18:52] = 150  # a printed box, its outline and pale map around it
    shown[2, 21:29, 20:50] = 225
    shown[3, 21:29, 20:50] = (40, 40, 190)  # a red wagon that fills its box
    shown[4, :, 35:] = 120  # the sheet ends in the middle of the space
    shown[5, :10] = 90  # beyond the sheet's edge, beside the space, the map is seen
    patches = (shown * light + noise).clip(0, 255).astype(np.uint8)
    assert under_something_plain(patches, own).tolist() == [True, True, False, False, False, True]
