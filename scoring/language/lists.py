"""Joins names into a list as people say it: "Ada, Ben and Cleo"."""

from collections.abc import Sequence
from unicodedata import normalize

from scoring.language import Message


def join_names(names: Sequence[str], language: str) -> str:
    """Names with commas and "and"; Italian says "ed" before a name that begins with e.

    >>> join_names(["Ada", "Ben", "Cleo"], "en"), join_names(["Ada", "Eva"], "it")
    ('Ada, Ben and Cleo', 'Ada ed Eva')
    """
    joined = listed(names)
    return joined if isinstance(joined, str) else joined.text(language)


def listed(names: Sequence[str]) -> str | Message:
    """The same as a value of a message, which is told in the reader's language.

    >>> Message("scoring.violation.first-pass", players=listed(["Ada", "Eva"]), count=3).text("it")
    "in 3 giocatori c'è un solo giro di carte, ma un primo giro è segnato per Ada ed Eva"
    """
    if len(names) < 2:
        return "".join(names)
    *others, last = names
    before_e = normalize("NFD", last).lower().startswith("e")
    key = "scoring.list.and-before-e" if before_e else "scoring.list.and"
    return Message(key, first=", ".join(others), last=last)
