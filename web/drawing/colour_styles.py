"""The look of a player colour on the screen: its shape as an SVG path and its style sheet.

The shapes are those of `scoring.game.colours.SYMBOL`, drawn by ourselves because a tablet may show
the characters as emoji of another colour.
"""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.game.colours import COLOURS, HEX, rgb_of

MARK_PATHS: Mapping[str, str] = MappingProxyType(
    {
        "blue": "M2 2H8V8H2Z",
        "red": "M5 1.5A3.5 3.5 0 1 1 5 8.5A3.5 3.5 0 1 1 5 1.5Z",
        "green": "M5 1.2L9 8.2H1Z",
        "yellow": "M5 .8L6.2 3.7L9.3 3.9L6.9 5.9L7.7 9L5 7.3L2.3 9L3.1 5.9L.7 3.9L3.8 3.7Z",
        "black": "M3.8 1.2H6.2V3.8H8.8V6.2H6.2V8.8H3.8V6.2H1.2V3.8H3.8Z",
        "white": "M5 1A4 4 0 1 1 5 9A4 4 0 1 1 5 1ZM5 2.9A2.1 2.1 0 1 0 5 7.1A2.1 2.1 0 1 0 5 2.9Z",
        "purple": "M5 .8L9 5L5 9.2L1 5Z",
        "orange": "M1 1.8H9L5 8.8Z",
        "pink": "M5 8.8C2 6.4 1 5 1 3.5A2.1 2.1 0 0 1 5 2.6A2.1 2.1 0 0 1 9 3.5C9 5 8 6.4 5 8.8Z",
        "grey": "M1 3.6H9V6.4H1Z",
    }
)
"""Outline of each colour's shape in a box of 10 by 10 units, to be filled."""

DARK_INK, LIGHT_INK = "#1d1713", "#ffffff"


def style_sheet() -> str:
    """One class a colour (`c-red`) that sets `--c`, the colour, and `--on`, the ink upon it."""
    return "".join(f".c-{c}{{--c:{HEX[c]};--on:{ink_on(HEX[c])}}}\n" for c in COLOURS)


def ink_on(hex_colour: str) -> str:
    """The ink, dark or light, that contrasts more with a colour (WCAG 2 contrast ratio)."""
    ground = luminance(hex_colour)
    return max((LIGHT_INK, DARK_INK), key=lambda ink: contrast(luminance(ink), ground))


def luminance(hex_colour: str) -> float:
    """Relative luminance of an sRGB colour #rrggbb, 0..1 (WCAG 2)."""
    parts = (level / 255 for level in rgb_of(hex_colour))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: float, second: float) -> float:
    """WCAG 2 contrast ratio of two luminances, 1..21."""
    low, high = sorted((first, second))
    return (high + 0.05) / (low + 0.05)
