"""On the shared picture a colour has its shape beside it, the same as on the panel."""

import math

import cv2
import numpy as np
import pytest

from companion.table.history.marks import MARKS
from companion.table.history.picture import Picture, draw_result
from scoring.game.colours import COLOURS, HEX
from web.history_port import EveningSummary, PlayerResult

SIGN = slice(322, 394), slice(64, 136)
"""The square of the player on top: below the head of 300 pixels, at the left margin of 64."""

WHITE_BGR, DARK_BGR = (255, 255, 255), (19, 23, 29)


def sign_of(colour: str) -> Picture:
    """The square of 72 by 72 pixels that stands for a player of this colour."""
    players = (PlayerResult("Ada", colour, 30, 1, 0, None),)
    evening = EveningSummary("1", "usa", 1_600_000_000.0, 1_600_000_100.0, players, ("Ada",))
    return draw_result(evening, "USA", "en")[SIGN]


@pytest.mark.parametrize(
    ("colour", "middle", "at_corner"),
    [
        ("blue", WHITE_BGR, HEX["blue"]),
        ("red", WHITE_BGR, HEX["red"]),
        ("green", DARK_BGR, HEX["green"]),
        ("yellow", DARK_BGR, HEX["yellow"]),
        ("black", WHITE_BGR, HEX["black"]),
    ],
)
def test_the_shape_stands_in_the_square_in_its_ink(
    colour: str, middle: tuple[int, int, int], at_corner: str
) -> None:
    sign = sign_of(colour)
    assert tuple(sign[36, 36]) == middle
    red, green, blue = (int(at_corner[i : i + 2], 16) for i in (1, 3, 5))
    assert tuple(sign[6, 6]) == (blue, green, red)


def test_a_white_player_has_a_ring() -> None:
    """Its middle is open; 3 of 10 units beside it lies the ring."""
    sign = sign_of("white")
    unit = 72 * 0.66 / 10
    assert tuple(sign[36, 36]) == (0xEA, 0xF1, 0xF4)
    assert tuple(sign[36, 36 + round(3 * unit)]) == DARK_BGR


def test_every_colour_has_another_shape() -> None:
    shapes = {colour: filled(colour) for colour in COLOURS}
    for one in COLOURS:
        for other in COLOURS[: COLOURS.index(one)]:
            assert np.mean(shapes[one] != shapes[other]) > 0.03, (one, other)


def test_arcs_are_arcs() -> None:
    """Red is a disc of radius 3.5 in a box of 10; white a ring between the radii 2.1 and 4."""
    assert np.mean(filled("red")) == pytest.approx(math.pi * 0.35**2, rel=0.01)
    assert np.mean(filled("white")) == pytest.approx(math.pi * (0.4**2 - 0.21**2), rel=0.01)


def filled(colour: str) -> Picture:
    """The shape alone, 1000 pixels high."""
    canvas = np.zeros((1000, 1000), np.uint8)
    cv2.fillPoly(canvas, [np.rint(one * 1000).astype(np.int32) for one in MARKS[colour]], 1)
    return canvas
