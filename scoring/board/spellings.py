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

_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l"})

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

SAINTS = frozenset({"saint", "st", "ste", "sainte", "sankt"})
"""Words that all mean a saint, so that "St. Louis" is Saint Louis."""


def fold(name: str) -> str:
    """A name in small letters without accents and signs: what a hurried person types.

    >>> fold("Saint-Étienne"), fold("St. Louis")
    ('saint etienne', 'st louis')
    """
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return " ".join("".join(sign if sign.isalnum() else " " for sign in letters).split())


@cache
def spellings(place: Place) -> tuple[str, ...]:
    """Every folded spelling of a place, its printed name first.

    >>> spellings(Place("new-york", "New York", "city"))
    ('new york', 'newyork', 'ny', 'nyc', 'nuova york')
    """
    written = (place.name, place.name.casefold().translate(_UMLAUTS), place.id)
    own = [fold(name) for name in written]
    others = [fold(name) for name in other_names().get(place.id, ())]
    return tuple(dict.fromkeys(spelling for name in own for spelling in _shortened(name))) + tuple(
        name for name in dict.fromkeys(others) if name not in own
    )


def places_by_spelling(board: Board) -> Mapping[str, str]:
    """Every folded spelling that means one place of a board only, with the place's id.

    A printed name means its own place even where it is another's short form.

    >>> from scoring.board.board import load_board
    >>> known = places_by_spelling(load_board("usa"))
    >>> [known.get(fold(name)) for name in ("NY", "St. Louis", "SF")]  # Santa Fe, San Francisco
    ['new-york', 'saint-louis', None]
    """
    places: dict[str, set[str]] = {}
    for place in board.places:
        for spelling in spellings(place):
            places.setdefault(spelling, set()).add(place.id)
    known = {name: next(iter(ids)) for name, ids in places.items() if len(ids) == 1}
    return MappingProxyType({**known, **{fold(place.name): place.id for place in board.places}})


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
