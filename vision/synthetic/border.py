"""Prints the score track: numbered cells all around the board's edge."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.boxes import ink
from vision.synthetic.style import Style
from vision.synthetic.texture import shifted

_SCALE = 3.0
CELLS = 100


def track_cells(outer_mm: tuple[float, float], border_mm: float) -> NDArray[np.float64]:
    """Centres (100, 2), in millimetres, of the cells from 0 at the bottom left, clockwise."""
    width, height = outer_mm
    half = border_mm / 2.0
    inner = (width - border_mm, height - border_mm)
    loop = 2.0 * (inner[0] + inner[1])
    way = np.arange(CELLS) * loop / CELLS
    corners = np.cumsum([inner[1], inner[0], inner[1], inner[0]])
    cells = np.empty((CELLS, 2))
    for n, s in enumerate(way):
        if s < corners[0]:
            cells[n] = half, height - half - s
        elif s < corners[1]:
            cells[n] = half + s - corners[0], half
        elif s < corners[2]:
            cells[n] = width - half, half + s - corners[1]
        else:
            cells[n] = width - half - (s - corners[2]), height - half
    return cells


def draw_border(canvas: NDArray[np.uint8], border_mm: float, style: Style) -> None:
    """The frame with its cells and numbers, drawn over the picture's edge."""
    height, width = canvas.shape[:2]
    band = round(border_mm * _SCALE)
    for area in (
        canvas[:band],
        canvas[-band:],
        canvas[:, :band],
        canvas[:, -band:],
    ):
        area[:] = np.array(ink(style.border)).astype(np.uint8)
    cells = track_cells((width / _SCALE, height / _SCALE), border_mm)
    pitch = 2.0 * (width + height - 2 * band) / CELLS / _SCALE
    for number, (x, y) in enumerate(cells):
        _cell(canvas, number, (x * _SCALE, y * _SCALE), border_mm, pitch, style)
    cv2.rectangle(
        canvas, (band, band), (width - band, height - band), ink(style.border_ink), 3, cv2.LINE_AA
    )


def _cell(
    canvas: NDArray[np.uint8],
    number: int,
    centre: tuple[float, float],
    border_mm: float,
    pitch_mm: float,
    style: Style,
) -> None:
    x, y = centre
    side = 0.42 * min(pitch_mm, border_mm) * _SCALE
    if style.border_box:
        upper, lower = (round(x - side), round(y - side)), (round(x + side), round(y + side))
        tone = 1.0 if number % 2 else 0.9
        cv2.rectangle(canvas, upper, lower, ink(shifted(style.border_cell, 0, 1, tone)), -1)
        cv2.rectangle(canvas, upper, lower, ink(shifted(style.border_cell, 0, 1, 0.6)), 1)
    if number % 25 == 0:
        cv2.circle(canvas, (round(x), round(y)), round(side), ink(style.city_ring), -1, cv2.LINE_AA)
    text = str(number or CELLS)
    scale = side / 26.0
    (wide, tall), _ = cv2.getTextSize(text, style.font, scale, 2)
    colour = shifted(style.border_ink, 0.0, 3.0, 1.0) if number % 5 == 0 else style.border_ink
    at = (round(x - wide / 2), round(y + tall / 2))
    cv2.putText(canvas, text, at, style.font, scale, ink(colour), 2, cv2.LINE_AA)
