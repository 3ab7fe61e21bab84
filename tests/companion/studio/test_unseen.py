"""A tap on a space that the photo does not show: a bare sheet, and lines that are known."""

from math import cos, radians, sin

import numpy as np
import pytest

from companion.errors import RefusalError
from companion.studio.draft import Box, Draft, DraftPlace, Line
from companion.studio.steps import apply
from companion.studio.tapped import tapped

WIDE, HIGH = 800.0, 500.0
PITCH = 26.5
"""From one space of 25 mm to the next."""

CORNERS = np.array([[0, 0], [1600, 0], [1600, 1000], [0, 1000]], np.float64)


def row_of(columns: list[int]) -> tuple[Box, ...]:
    """Spaces from left to right in the middle of the sheet."""
    return tuple(Box((300 + PITCH * k) / WIDE, 250 / HIGH, 0.0) for k in columns)


def sheet(columns: list[int], birch_mm: float = 700) -> Draft:
    """Ash and Birch, and one line between them."""
    places = {
        1: DraftPlace(275 / WIDE, 0.5, "Ash"),
        2: DraftPlace(birch_mm / WIDE, 0.5, "Birch"),
    }
    return Draft((WIDE, HIGH), (25.0, 9.0), places, {3: Line(row_of(columns), "red", (1, 2))})


def after_a_tap(draft: Draft, x_mm: float, y_mm: float) -> list[tuple[float, float, float]]:
    """The spaces of the line in millimetres and degrees, once a bare photo was tapped there."""
    photo_bgr = np.full((1000, 1600, 3), 235, np.uint8)
    step = {"do": "tap-space", "x": x_mm / WIDE, "y": y_mm / HIGH}
    now = apply(draft, tapped(draft, step, photo_bgr, CORNERS))
    assert list(now.lines) == [3]
    return [(box.x * WIDE, box.y * HIGH, box.angle) for box in now.lines[3].boxes]


def test_in_a_gap_it_is_laid_in_line_with_the_others() -> None:
    spaces = after_a_tap(sheet([0, 1, 3, 4]), 300 + 2 * PITCH + 4, 253)
    assert len(spaces) == 5
    assert spaces[2] == (pytest.approx(300 + 2 * PITCH, abs=1), pytest.approx(250, abs=1), 0)


def test_beyond_an_end_it_lies_on_the_way_to_where_the_finger_was() -> None:
    """The line ends at 365.5 mm; the next space bends by 30 degrees."""
    way = radians(30)
    x, y = 365.5 + 14 * cos(way), 250 + 14 * sin(way)
    spaces = after_a_tap(sheet([0, 1, 2]), x, y)
    assert spaces[3] == (pytest.approx(x, abs=1), pytest.approx(y, abs=1), pytest.approx(30, abs=1))


@pytest.mark.parametrize(
    ("x_mm", "y_mm"), [(500, 250), (330, 290), (380, 250)], ids=["far", "beside", "on a place"]
)
def test_where_no_line_goes_on_nothing_is_put_in(x_mm: float, y_mm: float) -> None:
    with pytest.raises(RefusalError, match="No printed space is seen"):
        after_a_tap(sheet([0, 1, 2], birch_mm=378), x_mm, y_mm)
