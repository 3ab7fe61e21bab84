"""Finds tickets and routes from a few typed letters, so that nobody scrolls a list of 89.

Every typed word begins a word of one of the two places, in any of their spellings. One word may
also be the beginnings of a place's words run together, or those of both places one after the other
("hl" for Helena - Los Angeles, "seny" for Seattle - New York). Where nothing is found so, words
that are a slip away from a beginning count too, and then the places' later words, as people leave
out an article ("hb" for Le Havre - Bourges).
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from typing import Generic, TypeVar

from scoring.board.board import Board, Route, Ticket
from scoring.board.names import route_name
from scoring.board.spellings import fold, spellings
from scoring.likeness import prefix_distance, steps_allowed

MOST_SHOWN = 6
"""Answers that fit beside a tablet's keyboard."""

SHORT = 4
"""Fewer letters than these are too few to tell a slip from another name."""

Item = TypeVar("Item")

Names = tuple[tuple[str, ...], tuple[str, ...]]
"""All spellings of the first place and of the second."""


class Fit(IntEnum):
    """How well an answer fits what was typed, the best first."""

    WHOLE = 0  # the first word is a place's whole name or its short form
    BOTH = 1  # letters of both places in one word
    BEGINS = 2
    INSIDE = 3


@dataclass(frozen=True, slots=True)
class Found(Generic[Item]):
    """The best answers, and how many more there are."""

    shown: tuple[Item, ...]
    more: int


def find_tickets(
    board: Board, typed: str, held: Collection[str] = (), likely: Collection[str] = ()
) -> Found[Ticket]:
    """Tickets not held whose places, or value, are what was typed; the `likely` come first."""
    free = [ticket for ticket in board.tickets if ticket.id not in held]
    items = [(t, _names(board, t.places), {str(t.points)}) for t in free]
    return _best(typed, items, lambda ticket: ticket.id not in likely)


def find_routes(board: Board, typed: str) -> Found[Route]:
    """Routes whose places are what was typed; of a double also the number of its line."""
    named = [(r, set(fold(route_name(board, r.id)).split())) for r in board.routes]
    return _best(typed, [(r, _names(board, r.ends), words) for r, words in named])


def _names(board: Board, places: tuple[str, str]) -> Names:
    first, second = (board.place_by_id[place] for place in places)
    return spellings(first), spellings(second)


def _best(
    typed: str,
    items: Collection[tuple[Item, Names, set[str]]],
    is_late: Callable[[Item], bool] = lambda item: False,
) -> Found[Item]:
    """Those that match, the best fit first, then by name; else those that nearly do."""
    wanted = fold(typed).split()
    if not wanted:
        return Found((), 0)
    hits: list[tuple[bool, int, tuple[str, str], Item]] = []
    for way in (_fit, _slips, _later_words):
        fits = ((way(wanted, names, exact), names, item) for item, names, exact in items)
        hits += [(is_late(i), fit, _printed(names), i) for fit, names, i in fits if fit is not None]
        if hits:
            break
    hits.sort(key=lambda hit: hit[:3])
    return Found(tuple(hit[3] for hit in hits[:MOST_SHOWN]), max(0, len(hits) - MOST_SHOWN))


def _printed(names: Names) -> tuple[str, str]:
    return names[0][0], names[1][0]


def _parts(names: Names) -> Iterable[str]:
    """Every word of every spelling of both places."""
    return dict.fromkeys(part for some in names for name in some for part in name.split())


def _fit(wanted: list[str], names: Names, exact: set[str]) -> int | None:
    """How well the places are what was typed; None where they are not."""
    whole = {name for some in names for name in some}
    of_both = len(wanted) == 1 and _begins_both(wanted[0], _printed(names))
    if all(word in exact or _begins(word, names) for word in wanted):
        if wanted[0] in whole or " ".join(wanted) in whole:
            return Fit.WHOLE
        if not of_both:
            begins = any(name.startswith(wanted[0]) for name in whole)
            return Fit.BEGINS if begins else Fit.INSIDE
    return Fit.BOTH if of_both else None


def _begins(word: str, names: Names) -> bool:
    """Whether a word begins a place's name, or one of its later words.

    Those of names that are not printed ("Monaco di Baviera") count from a few letters on.
    """
    printed = _printed(names)
    return any(len(word) in _runs(word, name) for name in printed) or any(
        part.startswith(word)
        for some in names
        for name in some
        for part in (name.split() if name in printed or len(word) >= SHORT else [name])
    )


def _begins_both(word: str, names: tuple[str, str]) -> bool:
    """Whether the word is the beginnings of the one place's words, then those of the other's."""
    return any(
        len(word) - end in _runs(word[end:], second)
        for first, second in (names, names[::-1])
        for end in _runs(word, first)
    )


def _later_words(wanted: list[str], names: Names, exact: set[str]) -> int | None:
    """As `BOTH`, with either name from any of its words on."""
    if len(wanted) > 1:
        return None
    first, second = map(_endings, _printed(names))
    found = any(_begins_both(wanted[0], pair) for pair in product(first, second))
    return Fit.INSIDE if found else None


def _endings(name: str) -> list[str]:
    """A name from each of its words on.

    >>> _endings("le havre")
    ['le havre', 'havre']
    """
    words = name.split()
    return [" ".join(words[n:]) for n in range(len(words))]


def _runs(word: str, name: str) -> set[int]:
    """How many letters of a word can be the beginnings of a name's first words, run together.

    >>> sorted(_runs("nyo", "new york")), sorted(_runs("york", "new york"))
    ([1, 2, 3], [])
    """
    found: set[int] = set()
    ends = {0}
    for part in name.split():
        ends = {
            end + n
            for end in ends
            for n in range(1, len(part) + 1)
            if word.startswith(part[:n], end)
        }
        found |= ends
    return found


def _slips(wanted: list[str], names: Names, exact: set[str]) -> int | None:
    """Slips of the hand in all typed words together; None where a word has too many."""
    total = 0
    for word in wanted:
        if word in exact:
            continue
        allowed = 0 if len(word) < SHORT else steps_allowed(word)
        near = (part for part in _parts(names) if len(word) - len(part) <= allowed)
        least = min((prefix_distance(word, part) for part in near), default=allowed + 1)
        if least > allowed:
            return None
        total += least
    return total
