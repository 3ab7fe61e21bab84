"""Names of places and boards: the ids made of them, and the place that a written name means."""

import re
import unicodedata
from collections.abc import Collection
from difflib import get_close_matches

from companion.studio.draft import Draft
from scoring.board.spellings import WHOLE_LETTERS, fold


def slug(name: str) -> str:
    """A name as it may stand in an id; empty where nothing of it may.

    >>> slug("Saint-Étienne"), slug("Łódź"), slug("東京")
    ('saint-etienne', 'lodz', '')
    """
    plain = unicodedata.normalize("NFKD", name.casefold().translate(WHOLE_LETTERS))
    ascii_only = plain.encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")


def free_id(name: str, instead: str, taken: Collection[str]) -> str:
    """An id that is not taken, made of a name, or of `instead` where no letter of it may stand."""
    base = free = slug(name) or slug(instead)
    number = 1
    while free in taken:
        number += 1
        free = f"{base}-{number}"
    return free


def compared(name: str) -> str:
    """A name in the form in which names are compared: without accents, capitals and signs.

    A name of nothing but signs stays one.
    """
    return fold(name) or name.casefold().strip()


def place_of_name(draft: Draft, name: str) -> int | None:
    """The place that a name means: written so, else the only one that is written alike."""
    exact = draft.place_called(name)
    if exact is not None:
        return exact
    alike = [n for n, one in draft.places.items() if one.name and is_same(one.name, name)]
    return alike[0] if len(alike) == 1 else None


def is_same(one: str, other: str) -> bool:
    """Whether two names differ in no more than accents, capitals and signs."""
    return compared(one) == compared(other)


def likely_meant(draft: Draft, name: str) -> str | None:
    """The name of the place that a misspelt name probably means."""
    known = {compared(one.name): one.name for one in draft.places.values() if one.name}
    near = get_close_matches(compared(name), known, 1)
    return known[near[0]] if near else None
