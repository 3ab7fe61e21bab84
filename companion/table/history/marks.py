"""The players' shapes as polygons: those of the panel's style sheet, for pictures of pixels."""

import cmath
import math
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from web.drawing.colour_styles import MARK_PATHS

Polygon = npt.NDArray[np.float64]
"""ndarray of shape (N, 2): x, y in a box of 1 by 1, y downwards."""

BOX = 10.0
"""The side of the box in which the paths are written."""

STEPS = 32
"""Straight pieces in place of a bend."""

_PIECE = re.compile(r"([MHVLACZ])([^MHVLACZ]*)")
_NUMBER = re.compile(r"-?\d*\.?\d+")


def polygons_of(path: str) -> tuple[Polygon, ...]:
    """The closed outlines of a path; one within another is a hole.

    Knows what the marks are made of: straight lines, arcs of circles and cubic curves, absolute.

    >>> polygons_of("M2 2H8V8Z")[0].tolist()
    [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8]]
    """
    outlines: list[list[complex]] = []
    for letter, words in _PIECE.findall(path):
        figures = [float(one) for one in _NUMBER.findall(words)]
        if letter == "M":
            outlines.append([complex(figures[0], figures[1])])
            figures, letter = figures[2:], "L"
        if letter != "Z":
            outlines[-1] += _points(letter, figures, outlines[-1][-1])
    return tuple(np.array([[p.real, p.imag] for p in line]) / BOX for line in outlines)


def _points(letter: str, figures: list[float], start: complex) -> Iterator[complex]:
    """The points that follow `start`."""
    taken = {"H": 1, "V": 1, "L": 2, "A": 7, "C": 6}[letter]
    for first in range(0, len(figures), taken):
        one = figures[first : first + taken]
        if letter == "H":
            piece = [complex(one[0], start.imag)]
        elif letter == "V":
            piece = [complex(start.real, one[0])]
        elif letter == "L":
            piece = [complex(one[0], one[1])]
        elif letter == "A":
            end = complex(one[5], one[6])
            piece = _arc(start, end, one[0], is_large=one[3] > 0, is_clockwise=one[4] > 0)
        else:
            piece = _curve(start, *(complex(one[i], one[i + 1]) for i in (0, 2, 4)))
        yield from piece
        start = piece[-1]


def _arc(
    start: complex, end: complex, radius: float, *, is_large: bool, is_clockwise: bool
) -> list[complex]:
    """An arc of a circle (SVG 2, appendix B.2.4)."""
    chord = end - start
    height = math.sqrt(max(0.0, radius**2 - abs(chord) ** 2 / 4))
    aside = 1j * chord / abs(chord) * height
    centre = (start + end) / 2 + (aside if is_large != is_clockwise else -aside)
    begin, stop = cmath.phase(start - centre), cmath.phase(end - centre)
    if is_clockwise and stop <= begin:
        stop += math.tau
    if not is_clockwise and stop >= begin:
        stop -= math.tau
    angles = np.linspace(begin, stop, STEPS + 1)[1:]
    return [centre + cmath.rect(abs(start - centre), float(angle)) for angle in angles]


def _curve(start: complex, near: complex, far: complex, end: complex) -> list[complex]:
    """A cubic Bezier curve."""
    at = np.linspace(0, 1, STEPS + 1)[1:]
    back = 1 - at
    points = back**3 * start + 3 * back**2 * at * near + 3 * back * at**2 * far + at**3 * end
    return [complex(point) for point in points]


MARKS: Mapping[str, tuple[Polygon, ...]] = MappingProxyType(
    {colour: polygons_of(path) for colour, path in MARK_PATHS.items()}
)
"""The outlines of each colour's shape."""
