"""Names of places as cards spell them: folded letters, so that capitals and accents don't count."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from scoring.board.spellings import WHOLE_LETTERS, WRITTEN_OUT
from vision.tickets.deck import Deck

DIGITS = "0123456789"
"""Signs that a card's lines hold beside the letters of its names."""
SHORTENED: Mapping[str, tuple[str, ...]] = {
    "saint": ("st", "s"), "sainte": ("ste",), "st": ("saint",), "ste": ("sainte",),
    "sankt": ("st",), "mount": ("mt",), "fort": ("ft",),
}  # fmt: skip
"""Words that one print shortens and another does not."""
BLANK, OTHER = 0, 1
"""The first two folded classes: blank, space and punctuation together; every other sign."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The names of a board's places as sequences of folded classes.

    `spellings` is an int array of shape (S, L), filled up with -1; `lengths` its rows' lengths,
    `places` the index of each row's place. `alphabet` are the classes from 2 on.
    """

    place_ids: tuple[str, ...]
    alphabet: str
    spellings: NDArray[np.int64]
    lengths: NDArray[np.int64]
    places: NDArray[np.int64]


def fold(words: str) -> str:
    """Small letters without accents; every other sign but a letter or digit goes."""
    apart = unicodedata.normalize("NFKD", words.casefold().translate(WHOLE_LETTERS))
    return "".join(sign for sign in apart if sign.isalnum())


def spellings(name: str) -> frozenset[str]:
    """Every folded spelling of a name that a card may show."""
    small = name.casefold()
    found = {fold(small), fold(small.translate(WRITTEN_OUT))}
    words = re.split(r"[\s\-.'’]+", small)
    for place, word in enumerate(words):
        for other in SHORTENED.get(word, ()):
            found.add(fold(" ".join([*words[:place], other, *words[place + 1 :]])))
    return frozenset(found - {""})


def make_lexicon(deck: Deck) -> Lexicon:
    """The names of all places that the deck's tickets name."""
    return _lexicon(deck.names, DIGITS)


def make_lexicon_of(names: Sequence[str]) -> Lexicon:
    """Those names, each its own id, and every letter: for cards that may name other places."""
    return _lexicon({name: name for name in names}, DIGITS + ascii_lowercase)


def _lexicon(names: Mapping[str, str], signs: str) -> Lexicon:
    rows = [(k, s) for k, name in enumerate(names.values()) for s in sorted(spellings(name))]
    alphabet = "".join(sorted({sign for _, words in rows for sign in words} | set(signs)))
    longest = max((len(words) for _, words in rows), default=1)
    table = np.full((len(rows), longest), -1, np.int64)
    for row, (_, words) in enumerate(rows):
        table[row, : len(words)] = [alphabet.index(sign) + 2 for sign in words]
    return Lexicon(
        tuple(names),
        alphabet,
        table,
        np.array([len(words) for _, words in rows], np.int64),
        np.array([place for place, _ in rows], np.int64),
    )


@cache
def folded_classes(characters: tuple[str, ...], alphabet: str) -> NDArray[np.int64]:
    """The folded class of each of the recogniser's characters: shape (K,)."""
    known = {sign: number + 2 for number, sign in enumerate(alphabet)} | {"": BLANK}
    return np.array([known.get(sign, OTHER) for sign in folded_signs(characters)], np.int64)


@cache
def folded_signs(characters: tuple[str, ...]) -> tuple[str, ...]:
    """Each character's folded letter or digit, empty where it is neither."""
    return tuple(fold(sign)[:1] for sign in characters)
