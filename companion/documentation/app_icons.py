"""Draws the panel's icons for a tablet's home screen, the wagon of `icon.svg` (`make docs`)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

GREEN_BGR, BRASS_BGR, CREAM_BGR = (0x45, 0x3F, 0x1D), (0x4C, 0xB4, 0xE9), (0xF0, 0xFA, 0xFF)

UNITS = 32
"""Side of the drawing's own grid, as in `icon.svg`."""

FINE = 4
"""Drawn so many times larger, then made small: smooth edges."""

SAFE = 0.7
"""Size of the wagon on an icon that the device may cut to any shape."""

Picture = NDArray[np.uint8]
"""An ndarray of shape (H, W, 4), uint8, BGRA."""

ICONS: Mapping[str, tuple[int, bool]] = MappingProxyType(
    {
        "icon-180.png": (180, True),
        "icon-192.png": (192, False),
        "icon-512.png": (512, False),
        "icon-512-any-shape.png": (512, True),
    }
)
"""File to the side in pixels, and whether the ground fills the square."""


def draw_icon(side_px: int, *, full: bool) -> Picture:
    """The icon: a brass wagon on deep green, with round corners or on the full square."""
    side = side_px * FINE
    image = np.zeros((side, side, 4), np.uint8)
    unit = side / UNITS
    if full:
        image[:] = (*GREEN_BGR, 255)
        unit *= SAFE
    else:
        _round_box(image, (0, 0, UNITS, UNITS), 7, unit, 0, GREEN_BGR)
    offset = (side - UNITS * unit) / 2
    _wagon(image, unit, offset)
    small: Any = cv2.resize(image, (side_px, side_px), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _wagon(image: Picture, unit: float, offset: float) -> None:
    body = [(4.0, 20.0), (4, 13), *_arc((7, 13), 3, 180, 270), (21, 10), *_nose(), (28, 20)]
    _polygon(image, body, unit, offset, BRASS_BGR)
    for left in (8, 15):
        window = [(left, 13), (left + 4, 13), (left + 4, 17), (left, 17)]
        _polygon(image, window, unit, offset, GREEN_BGR)
    for x in (10, 23):
        _polygon(image, _arc((x, 22), 3, 0, 360), unit, offset, CREAM_BGR)


def _nose() -> list[tuple[float, float]]:
    """The curve of the wagon's front, a cubic Bézier as in `icon.svg`."""
    points = np.array([(21, 10), (25, 10), (28, 15), (28, 20)], float)
    t = np.linspace(0, 1, 24)[:, None]
    weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    return [(float(x), float(y)) for x, y in weights @ points]


def _arc(
    centre: tuple[float, float], radius: float, start_deg: int, end_deg: int
) -> list[tuple[float, float]]:
    turns = np.radians(np.linspace(start_deg, end_deg, 48))
    return [
        (centre[0] + radius * float(np.cos(turn)), centre[1] + radius * float(np.sin(turn)))
        for turn in turns
    ]


def _round_box(
    image: Picture,
    box: tuple[float, float, float, float],
    radius: float,
    unit: float,
    offset: float,
    colour_bgr: tuple[int, int, int],
) -> None:
    left, top, right, bottom = box
    corners = (
        ((left + radius, top + radius), 180),
        ((right - radius, top + radius), 270),
        ((right - radius, bottom - radius), 0),
        ((left + radius, bottom - radius), 90),
    )
    outline = [point for at, turn in corners for point in _arc(at, radius, turn, turn + 90)]
    _polygon(image, outline, unit, offset, colour_bgr)


def _polygon(
    image: Picture,
    points: Sequence[tuple[float, float]],
    unit: float,
    offset: float,
    colour_bgr: tuple[int, int, int],
) -> None:
    outline = np.round(np.array(points, float) * unit + offset).astype(np.int32)
    cv2.fillPoly(image, [outline], (*colour_bgr, 255))
