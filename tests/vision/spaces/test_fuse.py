"""Two photos of one moment settle what one can't."""

from dataclasses import replace

import numpy as np
import pytest

from vision.spaces.evidence import SpaceEvidence, fuse

LABELS = ("empty", "occluded", "blue", "red")


FAR_APART = (np.zeros((1, 2)), np.array([[0.0, 5.0]]))
"""From straight above, and from where a wagon's roof stands 5 mm beside its foot."""
ONE_PLACE = (np.zeros((1, 2)), np.zeros((1, 2)))


def seen(*rows: list[float]) -> SpaceEvidence:
    return SpaceEvidence(LABELS, np.array(rows))


def test_what_one_photo_hides_the_other_shows() -> None:
    hidden = seen([0.02, 0.96, 0.01, 0.01])
    clear = seen([0.01, 0.01, 0.97, 0.01])
    fused = fuse([hidden, clear], FAR_APART).probabilities[0]
    assert fused[2] > 0.93
    assert fused[1] < 0.02


def test_two_hunches_for_the_same_make_a_stronger_one() -> None:
    """Two photos of one board share its print and lamps: together they count as 4/3 of one."""
    hunch = seen([0.35, 0.0, 0.65, 0.0])
    fused = fuse([hunch, hunch], FAR_APART).probabilities[0]
    assert fused[2] == pytest.approx(
        0.65 ** (4 / 3) / (0.65 ** (4 / 3) + 0.35 ** (4 / 3)), abs=0.001
    )


def test_photos_that_contradict_each_other_leave_doubt() -> None:
    fused = fuse([seen([0.9, 0, 0.1, 0]), seen([0.1, 0, 0.9, 0])], FAR_APART).probabilities[0]
    assert fused[0] == pytest.approx(0.5, abs=0.01)
    assert fused.sum() == pytest.approx(1)


def test_one_photo_stays_as_it_is() -> None:
    alone = seen([0.2, 0.3, 0.4, 0.1])
    assert fuse([alone], FAR_APART[:1]) is alone


@pytest.mark.parametrize("count", [2, 3])
def test_the_same_picture_again_tells_nothing_new(count: int) -> None:
    """However often a photo is given, it is as sure as it was."""
    once = seen([0.05, 0.0, 0.9, 0.05], [0.3, 0.5, 0.1, 0.1])
    fused = fuse([once] * count, [np.zeros((2, 2))] * count)
    assert fused.probabilities == pytest.approx(once.probabilities, abs=1e-9)


def test_photos_from_nearly_one_place_are_hardly_surer_than_one() -> None:
    hunch = seen([0.2, 0.0, 0.8, 0.0])
    near = fuse([hunch, hunch], [np.zeros((1, 2)), np.array([[0.3, 0.2]])]).probabilities[0, 2]
    far = fuse([hunch, hunch], FAR_APART).probabilities[0, 2]
    assert 0.8 < near < 0.83
    assert far == pytest.approx(0.8 ** (4 / 3) / (0.8 ** (4 / 3) + 0.2 ** (4 / 3)), abs=1e-4)


def test_what_one_photo_hides_a_second_from_the_same_place_shows() -> None:
    """A hand that has gone: the later photo counts as if it were alone."""
    hidden = seen([0.02, 0.96, 0.01, 0.01])
    clear = seen([0.01, 0.01, 0.97, 0.01])
    fused = fuse([hidden, clear], ONE_PLACE).probabilities[0]
    assert fused[2] > 0.93


def test_only_what_two_photos_surely_show_otherwise_is_at_odds() -> None:
    """The second is hidden in one photo, the third only likely in the other."""
    before = seen([0.97, 0, 0.03, 0], [0.97, 0, 0.03, 0], [0.97, 0, 0.03, 0])
    after = seen([0, 0, 0.99, 0.01], [0, 0.97, 0.03, 0], [0.2, 0, 0.8, 0])
    assert fuse([before, after], [np.zeros((3, 2))] * 2).at_odds == {0}


def test_only_what_no_photo_shows_without_added_light_stays_tinted() -> None:
    """The first is clear in the second photo, the second hidden there, the third tinted, too."""
    blue = [0, 0, 0.99, 0.01]
    one = replace(seen(blue, blue, blue), tinted=frozenset({0, 1, 2}))
    two = replace(seen(blue, [0, 0.97, 0.03, 0], blue), tinted=frozenset({2}))
    assert fuse([one, two], [np.zeros((3, 2))] * 2).tinted == {1, 2}
