"""The panel's colours can be told apart in every setting of the device (WCAG 2.2, AA)."""

import re
from pathlib import Path

import pytest

import web
from web.drawing.colour_styles import contrast, luminance

THEME = (Path(web.__file__).parent / "static" / "theme.css").read_text("utf-8")

MODES = {
    "light": (),
    "dark": ("screen and (prefers-color-scheme: dark)",),
    "more contrast": ("(prefers-contrast: more)",),
    "dark, more contrast": (
        "screen and (prefers-color-scheme: dark)",
        "(prefers-contrast: more)",
        "screen and (prefers-contrast: more) and (prefers-color-scheme: dark)",
    ),
}
"""The media queries that hold in each setting, in the order of the style sheet."""

WORDS = [
    *((ink, ground) for ink in ("ink", "soft") for ground in ("paper", "card", "field", "hover")),
    *(("ink", ground) for ground in ("ask", "lit", "off", "tint", "faint", "sheet")),
    *((ink, "card") for ink in ("good", "bad", "accent", "rust")),
    *(("cream", ground) for ground in ("deep", "deeper", "deep-hover")),
    ("accent", "paper"),
    ("on-brass", "brass"),
    ("soft", "ask"),
    ("country", "halo"),
]
"""Words and what they stand on: 4.5 to 1 (success criterion 1.4.3)."""

SHAPES = [
    *((line, ground) for line in ("edge", "focus") for ground in ("paper", "card", "field")),
    ("city-edge", "sheet"),
    ("wagon-edge", "sheet"),
]
"""Borders that say where to touch, and what the map tells by: 3 to 1 (1.4.11)."""


def colours(mode: str) -> dict[str, str]:
    """Every colour of the theme in one setting."""
    found: dict[str, str] = {}
    blocks = re.finditer(r"(?:@media (?P<query>[^{]+?) \{\s*)?:root \{(?P<body>[^}]*)\}", THEME)
    for block in blocks:
        if block["query"] is None or block["query"] in MODES[mode]:
            found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block["body"]))
    return {name: six_digits(colour) for name, colour in found.items()}


def six_digits(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("pairs", "least"), [(WORDS, 4.5), (SHAPES, 3.0)], ids=["words", "shapes"])
def test_what_stands_on_a_ground_can_be_seen(
    mode: str, pairs: list[tuple[str, str]], least: float
) -> None:
    known = colours(mode)
    ratios = {
        pair: round(contrast(luminance(known[pair[0]]), luminance(known[pair[1]])), 2)
        for pair in pairs
    }
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < least} == {}


def test_each_setting_has_colours_of_its_own() -> None:
    papers = {mode: colours(mode)["paper"] for mode in MODES}
    assert papers == {
        "light": "#f3ebdc",
        "dark": "#11191c",
        "more contrast": "#ffffff",
        "dark, more contrast": "#000000",
    }
