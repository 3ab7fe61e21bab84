"""A drawn board whose boxes have thick dark frames, as tunnels have: they look like wagons."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, Route, Space, load_board
from tests.support.drawn_table import SMALL_PX
from vision.synthetic import DrawnPhoto, Oddities, draw_photo
from vision.synthetic.style import Style, random_style

USA = load_board("usa")

INK = (0.06, 0.06, 0.07)
"""Nearly black, as tunnels are framed; blue, green, red, 0 to 1."""


def dark_style() -> Style:
    """Frames of 2.4 mm and darker frames within them."""
    style = random_style(np.random.default_rng(0))
    return replace(
        style,
        box_line=INK,
        box_line_mm=2.4,
        symbol=dict.fromkeys(style.symbol, "frame"),
        symbol_tone=0.25,
    )


STYLE = dark_style()


@cache
def dark_empty() -> DrawnPhoto:
    """The empty board in that print."""
    return _photo({}, seed=100)


def dark_game(owners: Mapping[str, str]) -> DrawnPhoto:
    """The same board before the same camera, with wagons."""
    return _photo(owners, seed=101)


def _photo(owners: Mapping[str, str], seed: int) -> DrawnPhoto:
    return draw_photo(
        USA,
        owners,
        seed=seed,
        print_seed=900,
        rig_seed=800,
        style=STYLE,
        size_px=SMALL_PX,
        oddities=Oddities.none(),
    )


def darkened(image_bgr: NDArray[np.uint8], gamma: float) -> NDArray[np.uint8]:
    """The photo by another tone curve: a gamma over 1 darkens."""
    curve = (255 * (np.arange(256) / 255) ** gamma).round().astype(np.uint8)
    return np.asarray(curve[image_bgr])


def carelessly_taught() -> Board:
    """The board as somebody teaches it: no colours of the print, places 2 mm off."""
    rng = np.random.default_rng(5)
    return replace(USA, prints=(), routes=tuple(_careless(r, rng) for r in USA.routes))


def _careless(route: Route, rng: np.random.Generator) -> Route:
    width_mm, height_mm = USA.frame.size_mm
    spaces = (
        Space(s.x + rng.normal(0, 2) / width_mm, s.y + rng.normal(0, 2) / height_mm, s.angle_deg)
        for s in route.spaces
    )
    return replace(route, colour="grey", spaces=tuple(spaces))
