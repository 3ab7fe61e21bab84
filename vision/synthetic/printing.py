"""Prints a board from its own geometry: where every printed thing stands, and its picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.synthetic.border import draw_border
from vision.synthetic.boxes import draw_cities, draw_routes
from vision.synthetic.ground import paint_ground
from vision.synthetic.style import Style, random_style
from vision.synthetic.texture import Image

PX_PER_MM = 3.0
"""Density of a print's picture; a photo of 12 megapixels shows about 4 pixels a millimetre."""

_MARGIN_MM = 7.0
"""How near to the score track a space's centre may stand."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where things stand on a print, in millimetres from its outer top-left corner.

    `spaces_mm` is an ndarray of shape (N, 4, 2): the corners of every printed space, routes in
    board order, spaces in route order; `centres_mm` has shape (N, 2), `angles_deg` shape (N,).
    """

    outer_mm: tuple[float, float]
    border_mm: float
    spaces_mm: NDArray[np.float64]
    centres_mm: NDArray[np.float64]
    angles_deg: NDArray[np.float64]
    places_mm: dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPrint:
    """A printed board seen straight from above.

    `image` is an ndarray of shape (H, W, 3), float32, BGR, 0..1, at `PX_PER_MM`.
    """

    layout: Layout
    style: Style
    image: Image


_KEPT: list[tuple[Board, int, Style | None, DrawnPrint]] = []
"""The last prints: one print is photographed many times and takes about a second to draw."""


def make_print(board: Board, print_seed: int, style: Style | None = None) -> DrawnPrint:
    """The print of a seed; a given style replaces the seed's own."""
    for known, seed, wanted, kept in _KEPT:
        if known is board and seed == print_seed and wanted is style:
            return kept
    rng = np.random.default_rng([print_seed, 11])
    chosen = style if style is not None else random_style(rng)
    made = _draw(rng, board, chosen)
    _KEPT.append((board, print_seed, style, made))
    del _KEPT[:-3]
    return made


def lay_out(board: Board, style: Style) -> Layout:
    """Where a style puts everything.

    Editions differ by some millimetres: the art is shifted and stretched a little in the frame.
    """
    width, height = board.frame.size_mm
    around = style.border_mm if board.frame.reference == "art" else 0.0
    outer = (width + 2 * around, height + 2 * around)

    def place(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        flat = (xy - 0.5) * (width, height) * style.stretch
        return np.asarray(flat + style.shift_mm + np.array(outer) / 2.0)

    spaces = [space for route in board.routes for space in route.spaces]
    centres = place(np.array([(s.x, s.y) for s in spaces]).reshape(-1, 2))
    angles = np.array([s.angle_deg for s in spaces])
    cities = {
        p.id: tuple(place(np.array([p.x, p.y], float)).tolist())
        for p in board.places
        if p.x is not None and p.y is not None
    }
    return Layout(
        outer_mm=outer,
        border_mm=_border(board, style, centres, outer),
        spaces_mm=rectangles(centres, angles, board.space_size_mm),
        centres_mm=centres,
        angles_deg=angles,
        places_mm=cities,
    )


def rectangles(
    centres: NDArray[np.float64], angles_deg: NDArray[np.float64], size_mm: tuple[float, float]
) -> NDArray[np.float64]:
    """Corners (N, 4, 2) of rectangles of (along, across) turned about their centres (N, 2)."""
    along, across = size_mm[0] / 2.0, size_mm[1] / 2.0
    corners = np.array([(-along, -across), (along, -across), (along, across), (-along, across)])
    angles = np.radians(angles_deg)
    cosine, sine = np.cos(angles), np.sin(angles)
    turn = np.stack([np.stack([cosine, sine], -1), np.stack([-sine, cosine], -1)], -2)
    return np.asarray(np.einsum("kc,ncd->nkd", corners, turn) + centres[:, None, :])


def _border(
    board: Board, style: Style, centres: NDArray[np.float64], outer: tuple[float, float]
) -> float:
    """The score track's width: the style's, but no wider than the spaces leave it."""
    if board.frame.reference == "art" or len(centres) == 0:
        return style.border_mm
    room = min(float(centres.min()), float((np.array(outer) - centres).min())) - _MARGIN_MM
    return float(max(6.0, min(style.border_mm, room)))


def _draw(rng: np.random.Generator, board: Board, style: Style) -> DrawnPrint:
    layout = lay_out(board, style)
    canvas = draw_map(rng, board, style, layout)
    draw_border(canvas, layout.border_mm, style)
    _draw_folds(rng, canvas, style)
    printed = canvas.astype(np.float32) / np.float32(255.0)
    blue, green, red = planes = cv2.split(printed)
    grey = (blue + green + red) / np.float32(3)
    calm = [grey + (plane - grey) * np.float32(style.saturation) for plane in planes]
    return DrawnPrint(layout, style, np.asarray(cv2.merge(calm), np.float32))


def draw_map(
    rng: np.random.Generator, board: Board, style: Style, layout: Layout
) -> NDArray[np.uint8]:
    """A print's ground, routes and cities: shape (H, W, 3), BGR, at `PX_PER_MM`, without border."""
    shape = (round(layout.outer_mm[1] * PX_PER_MM), round(layout.outer_mm[0] * PX_PER_MM))
    picture = paint_ground(rng, style.ground, shape)
    picture = draw_routes(rng, picture, board, layout.centres_mm, layout.angles_deg, style)
    canvas = np.ascontiguousarray(np.clip(picture * 255.0, 0, 255)).astype(np.uint8)
    draw_cities(canvas, board, layout.places_mm, style)
    return canvas


def _draw_folds(rng: np.random.Generator, canvas: NDArray[np.uint8], style: Style) -> None:
    """Worn light lines along the folds."""
    height, width = canvas.shape[:2]
    worn = float(rng.uniform(0.1, 0.5))
    for column in (round(width * (i + 1) / (style.fold[0] + 1)) for i in range(style.fold[0])):
        strip = canvas[:, column : column + 2].astype(np.float32)
        canvas[:, column : column + 2] = (strip + worn * (220.0 - strip)).astype(np.uint8)
        canvas[:, column + 2] = (canvas[:, column + 2] * (1.0 - 0.4 * worn)).astype(np.uint8)
    for row in (round(height * (i + 1) / (style.fold[1] + 1)) for i in range(style.fold[1])):
        strip = canvas[row : row + 2].astype(np.float32)
        canvas[row : row + 2] = (strip + worn * (220.0 - strip)).astype(np.uint8)
        canvas[row + 2] = (canvas[row + 2] * (1.0 - 0.4 * worn)).astype(np.uint8)
