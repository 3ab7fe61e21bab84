"""Two photos of one moment settle what one can't."""

import numpy as np
import pytest

from vision.reader import fuse
from vision.spaces import SpaceEvidence

LABELS = ("empty", "occluded", "blue", "red")


def seen(*rows: list[float]) -> SpaceEvidence:
    return SpaceEvidence(LABELS, np.array(rows))


def test_what_one_photo_hides_the_other_shows() -> None:
    hidden = seen([0.02, 0.96, 0.01, 0.01])
    clear = seen([0.01, 0.01, 0.97, 0.01])
    fused = fuse([hidden, clear]).probabilities[0]
    assert fused[2] > 0.93
    assert fused[1] < 0.02


def test_two_hunches_for_the_same_make_a_stronger_one() -> None:
    hunch = seen([0.35, 0.0, 0.65, 0.0])
    fused = fuse([hunch, hunch]).probabilities[0]
    assert fused[2] == pytest.approx(0.65**2 / (0.65**2 + 0.35**2), abs=0.01)


def test_photos_that_contradict_each_other_leave_doubt() -> None:
    fused = fuse([seen([0.9, 0, 0.1, 0]), seen([0.1, 0, 0.9, 0])]).probabilities[0]
    assert fused[0] == pytest.approx(0.5, abs=0.01)
    assert fused.sum() == pytest.approx(1)


def test_one_photo_stays_as_it_is() -> None:
    alone = seen([0.2, 0.3, 0.4, 0.1])
    assert fuse([alone]) is alone
