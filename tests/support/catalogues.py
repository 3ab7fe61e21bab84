"""All catalogues of the program together: each package's own, found by its folder."""

from collections.abc import Mapping
from pathlib import Path

from scoring.language import catalogue

ROOT = Path(__file__).parents[2]

ROOMS: tuple[str, ...] = tuple(
    sorted(path.parents[1].name for path in ROOT.glob("*/language/en.json"))
)
"""The packages that have a catalogue."""


def whole_catalogue(language: str) -> Mapping[str, str]:
    """Every key of a language, with the name of its package, and its raw text."""
    return {
        f"{room}.{name}": words
        for room in ROOMS
        for name, words in catalogue(room, language).items()
    }
