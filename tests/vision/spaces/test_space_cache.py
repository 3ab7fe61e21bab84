"""Watching asks the space network only about spaces that look otherwise than before."""

import numpy as np
from numpy.typing import NDArray

from vision.spaces.space_cache import SpaceCache


class Network:
    """Answers with the mean of each patch; remembers which it was asked about."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []
        self.patches = np.full((4, 50, 70, 3), 100, np.uint8)

    def read(self, cache: SpaceCache) -> list[float]:
        answer = cache.read(self.patches, self._run)
        return [float(row[0]) for row in answer]

    def _run(self, which: NDArray[np.intp]) -> NDArray[np.float32]:
        self.asked.append(which.tolist())
        return self.patches[which].mean(axis=(1, 2)).astype(np.float32)


def test_only_a_space_with_a_new_wagon_is_looked_at_again() -> None:
    network, cache = Network(), SpaceCache()
    assert network.read(cache) == [100.0] * 4
    grain = np.random.default_rng(1).normal(0, 5, network.patches.shape)
    network.patches = np.clip(network.patches + grain, 0, 255).astype(np.uint8)
    assert network.read(cache) == [100.0] * 4, "grain is no change"
    network.patches[2, 20:31, 20:50] = 180  # 9 x 24 mm
    assert network.read(cache)[2] > 106
    assert network.asked == [[0, 1, 2, 3], [2]]


def test_light_that_changes_by_and_by_is_seen_in_the_end() -> None:
    network, cache = Network(), SpaceCache()
    answers = []
    for level in range(100, 130, 3):
        network.patches[:] = level
        answers.append(network.read(cache)[0])
    assert answers == [100, 100, 100, 109, 109, 109, 118, 118, 118, 127]
