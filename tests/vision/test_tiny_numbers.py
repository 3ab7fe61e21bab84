"""Numbers under 1e-38 count as 0 while a network runs, and at no other time."""

import numpy as np

from vision.network import load_network
from vision.tiny_numbers import _library, tiny_numbers_are_zero

TINY = np.array([1e-40], np.float32)


def halved() -> float:
    return float((TINY * np.float32(0.5))[0])


def test_they_count_again_after_the_block_and_after_a_network() -> None:
    with tiny_numbers_are_zero():
        assert (halved() == 0.0) == (_library() is not None)
    assert halved() > 0.0
    load_network.cache_clear()
    load_network("outline").run_image(np.zeros((1, 3, 256, 256), np.float32))
    assert halved() > 0.0


def test_they_count_again_after_a_failure() -> None:
    try:
        with tiny_numbers_are_zero():
            raise ValueError
    except ValueError:
        assert halved() > 0.0
