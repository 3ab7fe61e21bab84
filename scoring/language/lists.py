"""Joins names into a list as people say it: "Ada, Ben and Cleo"."""

from collections.abc import Sequence
from unicodedata import normalize

from scoring.language import text


def join_names(names: Sequence[str], language: str) -> str:
    """Names with commas and "and"; Italian says "ed" before a name that begins with e.

    >>> join_names(["Ada", "Ben", "Cleo"], "en"), join_names(["Ada", "Eva"], "it")
    ('Ada, Ben and Cleo', 'Ada ed Eva')
    """
    if len(names) < 2:
        return "".join(names)
    *others, last = names
    before_e = normalize("NFD", last).lower().startswith("e")
    key = "scoring.list.and-before-e" if before_e else "scoring.list.and"
    return text(key, language, first=", ".join(others), last=last)
