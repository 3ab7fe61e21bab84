"""Every way in which people write a place: without accents, shortened, in other languages.

The names in other languages stand in `other_names.json` by the id of the place, so that maps
of one's own with the same cities have them too.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from scoring.board.board import Board, Place
from scoring.board.shipped import other_names

WHOLE_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
"""For `str.translate` of small letters: those that Unicode does not take apart into a letter and an
accent."""

WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})
"""How these are written where they cannot be."""

ACCENTED = ("LATIN", "GREEK", "HEBREW", "ARABIC")
"""Scripts that people write without accents or points when in a hurry. In others a mark makes
another letter: и and й, か and が, all vowels of Hindi."""

SAINTS = frozenset({"saint", "st", "ste", "sainte", "sankt"})
"""Words that all mean a saint, so that "St. Louis" is Saint Louis."""


def fold(name: str) -> str:
    """A name in small letters without accents and signs: what a hurried person types.

    >>> fold("Saint-Étienne"), fold("St. Louis")
    ('saint etienne', 'st louis')
    """
    plain = unicodedata.normalize("NFKD", name.casefold().translate(WHOLE_LETTERS))
    return " ".join("".join(_without_accents(plain)).split())


def _without_accents(plain: str) -> Iterable[str]:
    """The letters of a decomposed name, and a space for every sign between them."""
    accents_go = True
    for sign in plain:
        if not unicodedata.category(sign).startswith("M"):
            accents_go = unicodedata.name(sign, "").startswith(ACCENTED)
            yield sign if sign.isalnum() else " "
        elif not accents_go:
            yield sign


@cache
def spellings(place: Place) -> tuple[str, ...]:
    """Every folded spelling of a place, its printed name first.

    >>> spellings(Place("new-york", "New York", "city"))
    ('new york', 'newyork', 'ny', 'nyc', 'new york city', 'nuova york')
    """
    written = (place.name, place.name.casefold().translate(WRITTEN_OUT), place.id)
    own = [fold(name) for name in written]
    others = [fold(name) for name in other_names().get(place.id, ())]
    return tuple(dict.fromkeys(spelling for name in own for spelling in _shortened(name))) + tuple(
        name for name in dict.fromkeys(others) if name not in own
    )


def places_by_spelling(board: Board) -> Mapping[str, str]:
    """Every folded spelling that means one place of a board only, with the place's id.

    A printed name means its own place even where it is another's short form. Where two printed
    names differ in accents or signs only, their folded spelling means neither; as printed, in small
    letters, both are there. `place_meant` looks a name up.

    >>> from scoring.board.board import load_board
    >>> known = places_by_spelling(load_board("usa"))
    >>> [place_meant(known, name) for name in ("NY", "St. Louis", "SF")]  # Santa Fe, San Francisco
    ['new-york', 'saint-louis', None]
    """
    places: dict[str, set[str]] = {}
    for place in board.places:
        for spelling in spellings(place):
            places.setdefault(spelling, set()).add(place.id)
    known = {name: next(iter(ids)) for name, ids in places.items() if len(ids) == 1}
    printed: dict[str, list[str]] = {}
    for place in board.places:
        printed.setdefault(fold(place.name), []).append(place.id)
    own = {name: ids[0] for name, ids in printed.items() if len(ids) == 1}
    exact = {place.name.casefold(): place.id for place in board.places}
    return MappingProxyType({**known, **own, **exact})


def place_meant(known: Mapping[str, str], name: str) -> str | None:
    """The place that somebody means by a name: written exactly so, or else alike.

    `known` comes from `places_by_spelling`.

    >>> place_meant({"東京": "tokyo", "saint louis": "saint-louis"}, "SAINT-LOUIS")
    'saint-louis'
    """
    return known.get(name.casefold()) or known.get(fold(name))


def _shortened(name: str) -> Iterable[str]:
    """A name, the same in one word, by its initials, and with its saint written in every way."""
    words = name.split()
    yield name
    if len(words) > 1:
        yield "".join(words)
        yield "".join(word[0] for word in words)
    for saint in sorted(SAINTS):
        changed = " ".join(saint if word in SAINTS else word for word in words)
        if changed != name:
            yield changed
