"""Tickets that photos of their cards show: what was read, until a person has confirmed it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import RefusalError
from companion.studio.draft import Draft
from companion.studio.names import compared
from companion.studio.step_fields import MOST_POINTS, MOST_TOLD, NAME_LENGTH, Step, whole_number
from scoring.language import Message
from web.studio_port import CardToTeach

ReadCards = Callable[[Sequence[bytes], Sequence[str]], tuple[list[CardToTeach], list[Message]]]
"""Reads the cards in photos, given the names of places, with what is wrong with the photos."""

MOST_CARDS = 120


@dataclass(frozen=True, slots=True)
class CardsRead:
    """Cards that nobody has confirmed yet, and what is to be said of the last photos."""

    cards: tuple[CardToTeach, ...] = ()
    remarks: tuple[Message, ...] = ()


def names_known(draft: Draft) -> list[str]:
    """The names that cards may show: of places, and those that somebody pasted."""
    named = [place.name for place in draft.places.values() if place.name]
    return list(dict.fromkeys([*named, *draft.names]))


def joined(
    known: CardsRead, cards: Sequence[CardToTeach], troubles: Sequence[Message]
) -> CardsRead:
    """With the cards of more photos: the same one in two photos stays once."""
    best: dict[object, CardToTeach] = {}
    for number, card in enumerate((*known.cards, *cards)):
        pair = frozenset(map(compared, card.names))
        key = pair if len(pair) == 2 and "" not in pair else number
        if key not in best or best[key].points is None:
            best[key] = card
    return CardsRead(tuple(best.values())[:MOST_CARDS], tuple(troubles))


def still_new(cards: Sequence[CardToTeach], draft: Draft) -> list[CardToTeach]:
    """Those that are not among the tickets."""
    held = {frozenset(compared(draft.place_name(n)) for n in one.places) for one in draft.tickets}
    return [card for card in cards if frozenset(map(compared, card.names)) not in held]


def untaken(cards: Sequence[CardToTeach], sent: Mapping[str, Any]) -> list[CardToTeach]:
    """The cards as they were shown, less those that the form takes."""
    return [card for number, card in enumerate(cards) if f"take-{number}" not in sent]


def confirmed(sent: Mapping[str, Any]) -> Step:
    """The step `take-tickets` from a form's fields: `take-N`, `from-N`, `to-N`, `points-N`.

    Raises RefusalError with every row that cannot be used.
    """
    rows, problems = [], []
    for number in range(MOST_CARDS):
        if f"take-{number}" not in sent:
            continue
        names = [" ".join(str(sent.get(f"{end}-{number}", "")).split()) for end in ("from", "to")]
        points = whole_number(str(sent.get(f"points-{number}", "")), MOST_POINTS)
        if all(names) and names[0].casefold() != names[1].casefold() and points is not None:
            rows.append({"names": [name[:NAME_LENGTH] for name in names], "points": points})
        else:
            problems.append(Message("companion.studio.cards-row", row=number + 1))
    if problems:
        raise RefusalError("companion.studio.csv", rows=tuple(problems[:MOST_TOLD]))
    if not rows:
        raise RefusalError("companion.studio.no-tickets")
    return {"do": "take-tickets", "tickets": rows}
