"""Tickets that photos of their cards show: what was read, until a person has confirmed it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import RefusalError
from companion.studio.draft import Draft
from companion.studio.names import compared
from companion.studio.step_fields import MOST_POINTS, MOST_TOLD, Step
from companion.typed_name import typed_name
from scoring.language import Message
from web.sent.whole_numbers import whole_number
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


@dataclass(frozen=True, slots=True)
class _Row:
    """What a form says of a card that it takes."""

    names: tuple[str, str]
    points: int | None

    @property
    def is_whole(self) -> bool:
        one, other = self.names
        return (
            bool(one and other) and one.casefold() != other.casefold() and self.points is not None
        )


def left_over(cards: Sequence[CardToTeach], sent: Mapping[str, Any], draft: Draft) -> CardsRead:
    """The cards as they were shown, less those that the form takes.

    One that lacks something stays, with what was typed, and is told.
    """
    rows, known = _rows(sent), set(map(compared, names_known(draft)))
    left, asked = list[CardToTeach](), list[Message]()
    for number, card in enumerate(cards):
        row = rows.get(number)
        if row is None:
            left.append(card)
        elif not row.is_whole:
            one, other = (compared(name) in known for name in row.names)
            left.append(replace(card, names=row.names, are_known=(one, other), points=row.points))
            asked.append(Message("companion.studio.cards-row", row=len(left)))
    told = (Message("companion.studio.cards-left", rows=tuple(asked[:MOST_TOLD])),) if asked else ()
    return CardsRead(tuple(left), told)


def confirmed(sent: Mapping[str, Any]) -> Step:
    """The step `take-tickets` from a form's fields: `take-N`, `from-N`, `to-N`, `points-N`.

    A card that lacks something holds none of the others back. Raises RefusalError where no row can
    be used, with what the rows lack.
    """
    rows = _rows(sent)
    whole = [
        {"names": list(row.names), "points": row.points} for row in rows.values() if row.is_whole
    ]
    if not rows:
        raise RefusalError("companion.studio.no-tickets")
    if not whole:
        lacking = tuple(Message("companion.studio.cards-row", row=number + 1) for number in rows)
        raise RefusalError("companion.studio.csv", rows=lacking[:MOST_TOLD])
    return {"do": "take-tickets", "tickets": whole}


def _rows(sent: Mapping[str, Any]) -> dict[int, _Row]:
    """The cards that a form takes, by their numbers."""
    rows = {}
    for number in range(MOST_CARDS):
        if f"take-{number}" in sent:
            one, other = (typed_name(sent.get(f"{end}-{number}", "")) for end in ("from", "to"))
            points = whole_number(str(sent.get(f"points-{number}", "")).strip(), MOST_POINTS)
            rows[number] = _Row((one, other), points)
    return rows
