"""Finds tickets and routes from a few typed letters, so that nobody scrolls a list of 89."""

import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from scoring.board.board import Board, Route, Ticket

MOST_SHOWN = 6
"""Answers that fit beside a tablet's keyboard."""

_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l"})

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Found(Generic[Item]):
    """The best answers, and how many more there are."""

    shown: tuple[Item, ...]
    more: int


def find_tickets(
    board: Board, typed: str, held: Collection[str] = (), likely: Collection[str] = ()
) -> Found[Ticket]:
    """Tickets not held where every typed word begins a word of the two places, or is the value.

    One word may also begin with letters of the one place and go on with letters of the other:
    "hl" finds Helena - Los Angeles. Of the tickets found, the `likely` come first.
    """
    free = [ticket for ticket in board.tickets if ticket.id not in held]
    names = {ticket.id: _names(board, ticket.places) for ticket in free}
    hits = [(t, names[t.id], {str(t.points)}) for t in free]
    return _best(typed, hits, lambda ticket: ticket.id not in likely)


def find_routes(board: Board, typed: str) -> Found[Route]:
    """Routes where every typed word begins a word of the two places."""
    return _best(typed, ((r, _names(board, r.ends), set[str]()) for r in board.routes))


def fold(name: str) -> str:
    """A name in small letters without accents: what a hurried person types."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return "".join(sign if sign.isalnum() else " " for sign in letters)


def _names(board: Board, places: tuple[str, str]) -> tuple[str, str]:
    first, second = places
    return fold(board.place_by_id[first].name), fold(board.place_by_id[second].name)


def _best(
    typed: str,
    items: Iterable[tuple[Item, tuple[str, str], set[str]]],
    is_late: Callable[[Item], bool] = lambda item: False,
) -> Found[Item]:
    """Those that match: letters of both places first, then a place that begins as typed."""
    wanted = fold(typed).split()
    if not wanted:
        return Found((), 0)
    hits = []
    for item, names, exact in items:
        of_both = len(wanted) == 1 and _begins_both(wanted[0], names)
        if of_both or all(_matches(word, names, exact) for word in wanted):
            begins = any(name.startswith(wanted[0]) for name in names)
            hits.append((is_late(item), not of_both, not begins, names, item))
    hits.sort(key=lambda hit: hit[:4])
    return Found(tuple(hit[4] for hit in hits[:MOST_SHOWN]), max(0, len(hits) - MOST_SHOWN))


def _begins_both(word: str, names: tuple[str, str]) -> bool:
    """Whether the word is the first letters of the one place, then those of the other."""
    first, second = (name.replace(" ", "") for name in names)
    return any(
        (first.startswith(word[:n]) and second.startswith(word[n:]))
        or (second.startswith(word[:n]) and first.startswith(word[n:]))
        for n in range(1, len(word))
    )


def _matches(word: str, names: tuple[str, str], exact: set[str]) -> bool:
    return word in exact or any(part.startswith(word) for name in names for part in name.split())
