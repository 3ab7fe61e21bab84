"""Tables of one name are told apart by numbers, in the room and in the results."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from scoring.language import Message
from web.hub.ports import RoomTable


def numbered(cards: Sequence[RoomTable]) -> Sequence[RoomTable]:
    """In the order of their names; those of one name are numbered."""
    names = Counter(_look(card.name) for card in cards)
    seen: Counter[str] = Counter()
    told = []
    for card in sorted(cards, key=lambda card: (_natural(card.name), card.id)):
        look = _look(card.name)
        if names[look] == 1:
            told.append(card)
            continue
        seen[look] += 1
        trouble = Message("companion.hub.same-name", name=card.name).to_json()
        name = _with_number(card.name, seen[look])
        told.append(replace(card, name=name, troubles=[*card.troubles, trouble]))
    return told


def names_beside(here: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """The names of tables, by id: those in the room as they are `here`, `others` beside them.

    >>> names_beside({"a": "Salon"}, {"a": "Salon", "b": "Salon", "c": "Attic"})
    {'a': 'Salon', 'c': 'Attic', 'b': 'Salon (2)'}
    """
    names = dict(here)
    away = {id: name for id, name in others.items() if id not in here}
    looks = Counter(map(_look, away.values()))
    for id, name in sorted(away.items(), key=lambda one: (_natural(one[1]), one[0])):
        taken = set(map(_look, names.values()))
        is_alone = (
            looks[_look(name)] == 1 and not {_look(name), _look(_with_number(name, 1))} & taken
        )
        first = 2 if _look(name) in taken else 1
        free = (_with_number(name, number) for number in count(first))
        names[id] = name if is_alone else next(one for one in free if _look(one) not in taken)
    return names


def _with_number(name: str, number: int) -> str:
    return f"{name} ({number})"


def _look(name: str) -> str:
    """The same for names that look alike on a page: by width of letters, capitals or spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """So that Table 10 comes behind Table 9."""
    parts: list[str] = []
    for letter in name.casefold():
        if parts and parts[-1].isdecimal() == letter.isdecimal():
            parts[-1] += letter
        else:
            parts.append(letter)
    return tuple((not p.isdecimal(), int(p) if p.isdecimal() else 0, p) for p in parts)
