"""Where a window's light may have made wagons blue: how much of it their surroundings have."""

import numpy as np
import pytest

from tests.support.drawn_table import USA
from vision.spaces.evidence import SpaceEvidence
from vision.spaces.tint import tinted

PAPER, BLUE_ROOF = 220, 150.0
MIAMI = USA.spaces_of["atlanta--miami"]


def found(dark: int, colour: str = "blue", spaces_in_light: int = 5) -> frozenset[int]:
    """The tinted spaces where the darkest blue around the wagons of one route is at this level."""
    labels = ("empty", "occluded", *USA.player_colours)
    rows = np.zeros((USA.space_count, len(labels)))
    rows[:, 0] = 1.0
    rows[MIAMI] = np.eye(len(labels))[labels.index(colour)]
    patches = np.full((USA.space_count, 20, 28, 3), PAPER, np.uint8)
    patches[:, :2, :, 0] = 10
    patches[MIAMI.start : MIAMI.start + spaces_in_light, :2, :, 0] = dark
    roofs_bgr = np.full((USA.space_count, 3), np.nan)
    roofs_bgr[MIAMI] = (BLUE_ROOF, 60.0, 30.0)
    return tinted(patches, roofs_bgr, SpaceEvidence(labels, rows), USA)


@pytest.mark.parametrize(
    ("dark", "is_tinted"),
    # In linear light 150 is 0.305, 90 is 0.102 (a third of it), 110 is 0.156 (half of it).
    [(10, False), (90, False), (110, True), (150, True)],
)
def test_blue_is_the_lights_where_the_darkest_beside_it_has_much_of_it(
    dark: int, is_tinted: bool
) -> None:
    assert found(dark) == (frozenset(range(MIAMI.start, MIAMI.stop)) if is_tinted else frozenset())


def test_other_colours_are_not_made_by_added_blue() -> None:
    assert not found(150, "red")
    assert not found(150, "black")


def test_most_of_the_route_must_lie_in_that_light() -> None:
    assert not found(150, spaces_in_light=2)
    assert len(found(150, spaces_in_light=3)) == 5
