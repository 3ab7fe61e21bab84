"""Printed boxes whose hues are not the board's: red and blue swapped, or a filter."""

import numpy as np
import pytest

from vision.spaces.patches import PRINT_BGR
from vision.spaces.print_colours import shows_other_colours

PRINTED = ["red", "blue", "green", "yellow", "orange", "pink", "grey", "white", "black"] * 3
CLEAR = np.array([PRINT_BGR[word] for word in PRINTED], float)
FREE = np.full(len(PRINTED), 0.99)


@pytest.mark.parametrize(
    "seen",
    [
        CLEAR,
        CLEAR * (0.3, 0.7, 1.0),  # by a warm lamp
        CLEAR / 8,
        0.4 * CLEAR + 0.6 * CLEAR.mean(axis=1, keepdims=True),  # faded
    ],
)
def test_neither_light_nor_fading_makes_other_hues_of_a_print(seen: np.ndarray) -> None:
    assert not shows_other_colours(seen, FREE, PRINTED)


@pytest.mark.parametrize(
    "seen",
    [
        CLEAR[:, ::-1],  # red and blue swapped
        CLEAR[:, ::-1] * (0.3, 0.7, 1.0),
        255 - CLEAR,
        CLEAR[:, [1, 2, 0]],  # all hues turned by a third
    ],
)
def test_other_hues_than_the_boards_are_told(seen: np.ndarray) -> None:
    assert shows_other_colours(seen, FREE, PRINTED)


def test_wagons_and_what_is_hidden_say_nothing_of_the_print() -> None:
    swapped = CLEAR[:, ::-1]
    assert not shows_other_colours(swapped, np.full(len(PRINTED), 0.2), PRINTED)
    assert not shows_other_colours(np.full_like(swapped, np.nan), FREE, PRINTED)


def test_a_board_without_colours_tells_nothing() -> None:
    """Grey, and a word that the program does not know, name no hue."""
    assert not shows_other_colours(CLEAR[:, ::-1], FREE, ["grey", "track-bed", "mauve"] * 9)


def test_two_neighbouring_hues_tell_nothing() -> None:
    """Late in a game only yellow and orange may be free, and a board's own inks are others."""
    inks = {"yellow": (75, 185, 225), "orange": (50, 140, 230)}
    printed = ["yellow"] * 6 + ["orange"] * 6
    seen = np.array([inks[word] for word in printed], float)
    assert not shows_other_colours(seen, np.full(len(printed), 0.99), printed)
