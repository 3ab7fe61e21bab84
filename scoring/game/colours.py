"""Player colours: every colour also has a name (in the catalogue) and a symbol of its own shape."""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.language import LANGUAGES, text

COLOURS: tuple[str, ...] = (
    "blue",
    "red",
    "green",
    "yellow",
    "black",
    "white",
    "purple",
    "orange",
    "pink",
    "grey",
)
"""Every colour word a board file may use for its players."""

SYMBOL: Mapping[str, str] = MappingProxyType(
    {
        "blue": "■",
        "red": "●",
        "green": "▲",
        "yellow": "★",
        "black": "✚",
        "white": "○",
        "purple": "◆",
        "orange": "▼",
        "pink": "♥",
        "grey": "▬",
    }
)
"""Shape that stands for a colour wherever a person may not tell colours apart."""

HEX: Mapping[str, str] = MappingProxyType(
    {
        "blue": "#1f6fd0",
        "red": "#d02a2a",
        "green": "#1f9a4a",
        "yellow": "#f2c500",
        "black": "#2a2a2e",
        "white": "#f4f1ea",
        "purple": "#7b3fa6",
        "orange": "#ef7d1a",
        "pink": "#e06aa8",
        "grey": "#8d8d8d",
    }
)
"""Screen colour (sRGB, #rrggbb) of a player colour."""


def rgb_of(hex_colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255, of a colour #rrggbb.

    >>> rgb_of("#1f6fd0")
    (31, 111, 208)
    """
    red, green, blue = bytes.fromhex(hex_colour.removeprefix("#"))
    return red, green, blue


def colour_named(word: str) -> str:
    """The colour that a word names in any language of the program, else the word itself.

    >>> colour_named("Rosso"), colour_named("red"), colour_named("Ada")
    ('red', 'red', 'Ada')
    """
    for colour in COLOURS:
        said = (text(f"scoring.colour.{colour}", language) for language in LANGUAGES)
        if word.lower() in (colour, *said):
            return colour
    return word
