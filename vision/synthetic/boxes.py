"""Prints the routes' boxes with their colours and symbols, and the cities with their names."""

import unicodedata

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, Route
from vision.synthetic.style import Style
from vision.synthetic.texture import Bgr, Image, shifted

Canvas = NDArray[np.uint8]
_SCALE = 3.0
_SHIFT = 4
"""Drawing positions carry this many bits below the pixel."""


def ink(colour: Bgr) -> tuple[float, float, float]:
    """A colour for OpenCV's drawing functions."""
    return (255.0 * colour[0], 255.0 * colour[1], 255.0 * colour[2])


def fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Pixel positions in the fixed-point form of OpenCV's drawing functions."""
    return np.round(np.asarray(points) * (1 << _SHIFT)).astype(np.int32)


def draw_routes(
    rng: np.random.Generator,
    picture: Image,
    board: Board,
    centres_mm: NDArray[np.float64],
    angles_deg: NDArray[np.float64],
    style: Style,
) -> Image:
    """The picture with every route's boxes laid over it."""
    bare = np.ascontiguousarray(np.clip(picture * 255.0, 0, 255)).astype(np.uint8)
    inked = bare.copy()
    first = 0
    if any(style.box_shadow_mm):
        for centre, angle in zip(centres_mm + style.box_shadow_mm, angles_deg, strict=True):
            _polygon(inked, _box(board, style, centre, angle, 0.3), (0.08, 0.08, 0.1))
    if style.halo is not None:
        for centre, angle in zip(centres_mm, angles_deg, strict=True):
            _polygon(inked, _box(board, style, centre, angle, 1.4), style.halo)
    for route in board.routes:
        last = first + route.length
        if route.spaces:
            _draw_route(
                rng, inked, board, route, centres_mm[first:last], angles_deg[first:last], style
            )
            first = last
    share = np.float32(style.fill_alpha)
    mixed = bare * (1 - share)
    mixed += inked * share
    mixed /= np.float32(255.0)
    return np.asarray(mixed, np.float32)


def _draw_route(
    rng: np.random.Generator,
    canvas: Canvas,
    board: Board,
    route: Route,
    centres: NDArray[np.float64],
    angles: NDArray[np.float64],
    style: Style,
) -> None:
    colour = style.fill.get(route.colour, style.fill["grey"])
    for i, (centre, angle) in enumerate(zip(centres, angles, strict=True)):
        tone = 1.0 + style.fill_grain * float(rng.normal())
        box = _box(board, style, centre, angle, 0.0)
        _polygon(canvas, box, style.box_line)
        _polygon(
            canvas,
            _box(board, style, centre, angle, -style.box_line_mm),
            shifted(colour, 0, 1, tone),
        )
        if style.fill_gradient > 0.02:
            _lit_half(canvas, board, style, centre, angle, shifted(colour, 0, 1, tone))
        if route.colour == "track-bed":
            _sleepers(canvas, board, style, centre, angle, shifted(colour, 0.0, 1.1, 0.55))
        elif i < route.ferry:
            _symbol(canvas, "disc", centre, angle, shifted(colour, 0.0, 0.5, 0.35))
        else:
            symbol = style.symbol.get(route.colour, "none")
            _symbol(canvas, symbol, centre, angle, shifted(colour, 0.0, 1.0, style.symbol_tone))


def _box(
    board: Board, style: Style, centre: NDArray[np.float64], angle_deg: float, grow_mm: float
) -> NDArray[np.float64]:
    """Outline of one box in pixels, its corners rounded as the style has them."""
    along, across = _half_mm(board, style) + grow_mm
    cut = min(style.box_round_mm, along, across)
    inner = [(along - cut, across), (along, across - cut)] if cut > 0 else [(along, across)]
    quarter = np.array(inner)
    outline = np.concatenate(
        [quarter, quarter[::-1] * (1, -1), quarter * (-1, -1), quarter[::-1] * (-1, 1)]
    )
    return _turned(outline, centre, angle_deg)


def _half_mm(board: Board, style: Style) -> NDArray[np.float64]:
    """Half of a box along its line, and across it."""
    return np.asarray(board.space_size_mm) * style.box_scale / 2.0


def _turned(
    points_mm: NDArray[np.float64], centre: NDArray[np.float64], angle_deg: float
) -> NDArray[np.float64]:
    angle = np.radians(angle_deg)
    cosine, sine = np.cos(angle), np.sin(angle)
    turn = np.array([[cosine, sine], [-sine, cosine]])
    return np.asarray((points_mm @ turn + centre) * _SCALE)


def _polygon(canvas: Canvas, outline: NDArray[np.float64], colour: Bgr) -> None:
    cv2.fillConvexPoly(canvas, fixed(outline), ink(colour), cv2.LINE_AA, _SHIFT)


def _lit_half(
    canvas: Canvas,
    board: Board,
    style: Style,
    centre: NDArray[np.float64],
    angle: float,
    colour: Bgr,
) -> None:
    """A bevel: the box's upper part is printed lighter."""
    along, across = _half_mm(board, style) - style.box_line_mm
    band = np.array([(-along, -across), (along, -across), (along, 0.0), (-along, 0.0)])
    light = shifted(colour, 0.0, 1.0 - 0.5 * style.fill_gradient, 1.0 + style.fill_gradient)
    _polygon(canvas, _turned(band, centre, angle), light)


def _sleepers(
    canvas: Canvas,
    board: Board,
    style: Style,
    centre: NDArray[np.float64],
    angle: float,
    colour: Bgr,
) -> None:
    """A track bed: sleepers under two rails."""
    half_mm = _half_mm(board, style)
    along, across = half_mm[0] - style.box_line_mm, half_mm[1]
    for x in np.arange(-along + 1.0, along, 2.9):
        bar = np.array([(x, -across), (x + 1.3, -across), (x + 1.3, across), (x, across)])
        _polygon(canvas, _turned(bar, centre, angle), colour)
    for y in (-0.5 * across, 0.5 * across):
        rail = np.array([(-along, y - 0.3), (along, y - 0.3), (along, y + 0.3), (-along, y + 0.3)])
        _polygon(canvas, _turned(rail, centre, angle), shifted(colour, 0.0, 0.7, 0.7))


_OUTLINES: dict[str, NDArray[np.float64]] = {
    "ring": np.array([(2.4 * np.cos(t), 2.4 * np.sin(t)) for t in np.linspace(0, 6.283, 17)]),
    "disc": np.array([(2.6 * np.cos(t), 2.6 * np.sin(t)) for t in np.linspace(0, 6.283, 17)]),
    "diamond": np.array([(-3.0, 0.0), (0.0, -2.0), (3.0, 0.0), (0.0, 2.0), (-3.0, 0.0)]),
    "star": np.array(
        [
            (
                (2.7 if i % 2 else 1.2) * np.cos(i * 0.6283),
                (2.7 if i % 2 else 1.2) * np.sin(i * 0.6283),
            )
            for i in range(11)
        ]
    ),
    "cross": np.array([(-2.5, -1.8), (2.5, 1.8), (0.0, 0.0), (-2.5, 1.8), (2.5, -1.8)]),
    "bars": np.array([(-4.0, -2.0), (-4.0, 2.0), (0.0, 2.0), (0.0, -2.0), (4.0, -2.0), (4.0, 2.0)]),
    "frame": np.array([(-9.0, -1.8), (9.0, -1.8), (9.0, 1.8), (-9.0, 1.8), (-9.0, -1.8)]),
}
"""Symbols inside boxes, in millimetres about the box's centre."""


def _symbol(
    canvas: Canvas, name: str, centre: NDArray[np.float64], angle: float, colour: Bgr
) -> None:
    if name == "none":
        return
    path = fixed(_turned(_OUTLINES[name], centre, angle))
    if name == "disc":
        cv2.fillConvexPoly(canvas, path, ink(colour), cv2.LINE_AA, _SHIFT)
    else:
        cv2.polylines(canvas, [path], False, ink(colour), 1, cv2.LINE_AA, _SHIFT)


def draw_cities(
    canvas: Canvas, board: Board, places_mm: dict[str, tuple[float, float]], style: Style
) -> None:
    """City discs, and each place's name beside its disc."""
    for place in board.places:
        if place.id not in places_mm:
            continue
        x, y = (v * _SCALE for v in places_mm[place.id])
        for radius, colour in (
            (style.city_mm, style.city_ring),
            (style.city_mm * 0.82, shifted(style.city, 0, 1, 0.6)),
            (style.city_mm * 0.72, style.city),
            (style.city_mm * 0.3, shifted(style.city, 0, 0.6, 1.3)),
        ):
            at = fixed(np.array([x, y])).tolist()
            cv2.circle(
                canvas, at, round(radius * _SCALE * 16), ink(colour), -1, cv2.LINE_AA, _SHIFT
            )
        _name(canvas, place.name, x, y, style)


def _name(canvas: Canvas, name: str, x: float, y: float, style: Style) -> None:
    """OpenCV's own letters know no accents: they are left out."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    scale = style.label_mm * _SCALE / 22.0
    (width, _), _ = cv2.getTextSize(plain, style.font, scale, 2)
    at = (round(x - width / 2), round(y + (style.city_mm + style.label_mm + 1.0) * _SCALE))
    if style.label_halo:
        pale = shifted(style.ground.land, 0.0, 0.4, 1.25)
        cv2.putText(canvas, plain, at, style.font, scale, ink(pale), 6, cv2.LINE_AA)
    cv2.putText(canvas, plain, at, style.font, scale, ink(style.label), 2, cv2.LINE_AA)
