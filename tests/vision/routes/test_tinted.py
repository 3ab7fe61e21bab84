"""By a lamp, under a window mirrored in the board: wagons that turn blue there are asked about."""

from typing import Any

import numpy as np
import pytest

from tests.bench.spoilt import window_by_a_lamp
from tests.support.drawn_table import USA
from tests.vision.routes.test_in_play import TIDY
from vision.reader import read_photos
from vision.reading import Why
from vision.synthetic import draw_photo, random_owners


@pytest.mark.parametrize(("seed", "turned_blue"), [(70, "black"), (66, "green")])
def test_wagons_that_a_mirrored_window_makes_blue_are_asked_about(
    seed: int, turned_blue: str
) -> None:
    owners = random_owners(USA, seed=seed, players=5, fullness=0.8)
    photo: Any = draw_photo(USA, owners, seed=seed, size_px=(1600, 1200), oddities=TIDY)
    dice = np.random.default_rng([9, seed, *b"by a lamp, a window mirrored"])
    read = read_photos(
        [window_by_a_lamp(photo.image_bgr, photo, dice)], USA, players=photo.players
    ).routes
    wrong = [name for name, owner in owners.items() if read[name].owner != owner]
    assert all(read[name].review for name in wrong)
    blue = [name for name in wrong if (owners[name], read[name].owner) == (turned_blue, "blue")]
    assert any(read[name].why == (Why.TINTED,) for name in blue)
