"""How one print of a board looks, apart from where things are: chosen at random from a seed."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision.synthetic.ground import Ground, random_ground
from vision.synthetic.texture import Bgr, bgr, shifted

PRINT_COLOURS: Mapping[str, tuple[float, float, float]] = {
    "grey": (0.0, 0.02, 0.68),
    "red": (0.0, 0.75, 0.78),
    "orange": (0.08, 0.72, 0.86),
    "yellow": (0.14, 0.72, 0.9),
    "green": (0.25, 0.68, 0.66),
    "blue": (0.56, 0.72, 0.8),
    "purple": (0.77, 0.45, 0.6),
    "pink": (0.86, 0.36, 0.78),
    "black": (0.6, 0.12, 0.26),
    "white": (0.12, 0.08, 0.88),
    "track-bed": (0.1, 0.35, 0.8),
}
"""Printed colour of a route as hue, saturation and value, before a print's own variation."""

SYMBOLS: tuple[str, ...] = ("none", "ring", "disc", "diamond", "star", "cross", "bars", "frame")


@dataclass(frozen=True, slots=True)
class Style:
    """One print's look. Lengths in millimetres."""

    ground: Ground
    border_mm: float
    border: Bgr
    border_cell: Bgr
    border_ink: Bgr
    border_box: bool
    box_scale: tuple[float, float]
    box_round_mm: float
    box_line_mm: float
    box_line: Bgr
    halo: Bgr | None
    fill: Mapping[str, Bgr]
    fill_alpha: float
    fill_gradient: float
    fill_grain: float
    symbol: Mapping[str, str]
    symbol_tone: float
    city: Bgr
    city_mm: float
    city_ring: Bgr
    font: int
    label: Bgr
    label_mm: float
    label_halo: bool
    shift_mm: tuple[float, float]
    stretch: tuple[float, float]
    saturation: float
    fold: tuple[int, int]
    box_shadow_mm: tuple[float, float]


def random_style(rng: np.random.Generator) -> Style:
    """A style such as real boards have: strong route colours on a calmer ground, framed."""
    border = bgr(rng.uniform(), rng.uniform(0.1, 0.8), rng.uniform(0.15, 0.75))
    dark = bgr(rng.uniform(0.0, 0.15), rng.uniform(0.1, 0.8), rng.uniform(0.05, 0.3))
    light = bgr(rng.uniform(0.05, 0.2), rng.uniform(0.0, 0.3), rng.uniform(0.85, 1.0))
    lines = (dark, dark, light, bgr(rng.uniform(0.05, 0.12), 0.5, 0.5))
    return Style(
        ground=random_ground(rng),
        border_mm=float(rng.uniform(15.0, 35.0)),
        border=border,
        border_cell=shifted(
            border, 0.02 * rng.normal(), rng.uniform(0.6, 1.2), rng.uniform(0.7, 1.5)
        ),
        border_ink=light if rng.uniform() < 0.6 else dark,
        border_box=bool(rng.uniform() < 0.8),
        box_scale=(float(rng.uniform(0.94, 1.05)), float(rng.uniform(0.88, 1.12))),
        box_round_mm=float(rng.choice([0.0, 0.0, 0.8, 1.6])),
        box_line_mm=float(rng.uniform(0.3, 1.1)),
        box_line=lines[rng.integers(len(lines))],
        halo=light if rng.uniform() < 0.4 else (dark if rng.uniform() < 0.2 else None),
        fill=_fills(rng),
        fill_alpha=float(rng.uniform(0.75, 1.0)),
        fill_gradient=float(rng.uniform(0.0, 0.35)),
        fill_grain=float(rng.uniform(0.0, 0.12)),
        symbol={name: str(rng.choice(SYMBOLS)) for name in PRINT_COLOURS},
        symbol_tone=float(rng.choice([0.6, 0.75, 0.88, 1.15, 1.3])),
        city=bgr(rng.uniform(0.0, 0.15), rng.uniform(0.1, 0.9), rng.uniform(0.4, 0.95)),
        city_mm=float(rng.uniform(4.5, 8.0)),
        city_ring=light if rng.uniform() < 0.5 else dark,
        font=int(rng.choice([1, 2, 3, 4, 6, 7])),
        label=dark if rng.uniform() < 0.7 else light,
        label_mm=float(rng.uniform(4.0, 7.0)),
        label_halo=bool(rng.uniform() < 0.5),
        shift_mm=(float(rng.normal(0.0, 1.2)), float(rng.normal(0.0, 1.2))),
        stretch=(float(rng.normal(1.0, 0.003)), float(rng.normal(1.0, 0.003))),
        saturation=float(rng.uniform(0.75, 1.05)),
        fold=(int(rng.integers(1, 3)), int(rng.integers(1, 3))),
        box_shadow_mm=_printed_shadow(rng),
    )


def _printed_shadow(rng: np.random.Generator) -> tuple[float, float]:
    """Some prints give their flat boxes a shadow, which must fool nobody; (0, 0) for none."""
    if rng.uniform() < 0.7:
        return (0.0, 0.0)
    return (float(rng.uniform(-1.6, 1.6)), float(rng.uniform(0.5, 1.6)))


def _fills(rng: np.random.Generator) -> dict[str, Bgr]:
    """The routes' printed colours of this print; they stay apart from each other."""
    strength = rng.uniform(0.75, 1.2)
    brightness = rng.uniform(0.85, 1.12)
    fills = {}
    for name, (hue, saturation, value) in PRINT_COLOURS.items():
        fills[name] = bgr(
            hue + rng.normal(0.0, 0.012),
            saturation * strength * rng.uniform(0.88, 1.12),
            value * brightness * rng.uniform(0.92, 1.08),
        )
    return fills
