"""The one catalogue of people-facing text, in English and Italian.

A key is `room.name` and its text stands in `<language>/<room>.json`. Text may hold
`{placeholders}`; both languages must use the same ones (a test keeps it so).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Protocol, runtime_checkable

LANGUAGES: tuple[str, ...] = ("en", "it")
ROOMS: tuple[str, ...] = ("scoring", "vision", "calibration", "hardware", "web", "companion")


@runtime_checkable
class Speaks(Protocol):
    """Whatever can say itself in any language of the catalogue."""

    def sentence(self, language: str) -> str:
        """Its words in that language."""
        ...


def text(key: str, language: str, **values: object) -> str:
    """The text of a key in a language, its placeholders filled in.

    A value that speaks itself (an error, a phrase) is said in the same language, and so is the
    `colour` of wagons. Raises KeyError for an unknown key or a missing placeholder, which is a
    fault of the program.
    """
    words = catalogue(language)
    said = {n: v.sentence(language) if isinstance(v, Speaks) else v for n, v in values.items()}
    if "colour" in said:
        said["colour"] = words.get(f"scoring.colour.{said['colour']}", said["colour"])
    return words[key].format(**said)


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Every key of a language with its raw text."""
    if language not in LANGUAGES:
        raise KeyError(f"unknown language {language!r}; known: {', '.join(LANGUAGES)}")
    folder = resources.files("scoring.language") / language
    entries: dict[str, str] = {}
    for room in ROOMS:
        words = json.loads((folder / f"{room}.json").read_text("utf-8"))
        entries.update({f"{room}.{name}": words[name] for name in words})
    return MappingProxyType(entries)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of the catalogue, to stand within a sentence in that sentence's language."""

    key: str

    def sentence(self, language: str) -> str:
        """The words in that language."""
        return text(self.key, language)

    def __str__(self) -> str:
        return self.sentence("en")


class SpokenError(Exception):
    """An error whose sentence stands in the catalogue; `key` and `values` name it.

    Its text is the English sentence; `sentence` says it in any language of the catalogue.
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(text(key, "en", **values))
        self.key = key
        self.values = values

    def sentence(self, language: str) -> str:
        """What is wrong and what to do, in that language."""
        return text(self.key, language, **self.values)
