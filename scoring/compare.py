"""What changed between two sheets: line by line for every player, and whether the winner did.

Works on the sheets' JSON documents, so that sheets kept from earlier evenings can be compared.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.documents.sheet import SUBJECT_OF

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LineChange:
    """One line of a player that is not the same; points are None where the line is missing."""

    kind: str
    subject: str
    """Which line of that kind: a ticket's places, a passengers' colour, a city; may be empty."""
    before: int | None
    after: int | None

    def to_json(self) -> dict[str, object]:
        """The change's JSON document."""
        return {
            "kind": self.kind,
            "subject": self.subject,
            "before": self.before,
            "after": self.after,
        }


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """One player of either sheet; totals and ranks are None where the player is missing."""

    name: str
    total: tuple[int | None, int | None]
    rank: tuple[int | None, int | None]
    lines: tuple[LineChange, ...]

    @property
    def changed(self) -> bool:
        return bool(self.lines) or self.total[0] != self.total[1] or self.rank[0] != self.rank[1]

    def to_json(self) -> dict[str, object]:
        """The change's JSON document."""
        return {
            "name": self.name,
            "total": list(self.total),
            "rank": list(self.rank),
            "lines": [line.to_json() for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sheets side by side: first before, second after."""

    games: tuple[str, str]
    winners: tuple[tuple[str, ...], tuple[str, ...]]
    players: tuple[PlayerChange, ...]
    """Only players with a change."""
    violations_gone: tuple[str, ...] = ()
    """Breaches of the rules that only the first sheet has, in that sheet's words."""
    violations_came: tuple[str, ...] = ()
    """Breaches of the rules that only the second sheet has, in its words."""

    @property
    def changed(self) -> bool:
        """Whether anything at all is different, the winner left aside."""
        return bool(self.players or self.violations_gone or self.violations_came)

    @property
    def winner_changed(self) -> bool:
        """Whether somebody else won (the order of shared winners doesn't matter)."""
        return set(self.winners[0]) != set(self.winners[1])

    def to_json(self) -> dict[str, object]:
        """The comparison's JSON document."""
        return {
            "games": list(self.games),
            "winners": [list(names) for names in self.winners],
            "winner_changed": self.winner_changed,
            "players": [player.to_json() for player in self.players],
            "violations": {
                "gone": list(self.violations_gone),
                "came": list(self.violations_came),
            },
        }


def compare(before: Document, after: Document) -> Comparison:
    """Compare the JSON documents of two sheets; players are matched by name.

    >>> def sheet(points: int) -> Document:
    ...     line = {"kind": "routes", "points": points}
    ...     ada = {"name": "Ada", "total": points, "rank": 1, "lines": [line]}
    ...     return {"game": "usa", "winners": ["Ada"], "players": [ada]}
    >>> [change.total for change in compare(sheet(10), sheet(14)).players]
    [(10, 14)]
    """
    old, new = ({p["name"]: p for p in sheet["players"]} for sheet in (before, after))
    names = dict.fromkeys([*old, *new])
    players = tuple(_player(name, old.get(name), new.get(name)) for name in names)
    return Comparison(
        games=(before["game"], after["game"]),
        winners=(tuple(before["winners"]), tuple(after["winners"])),
        players=tuple(player for player in players if player.changed),
        violations_gone=_violations_without(before, after),
        violations_came=_violations_without(after, before),
    )


def _violations_without(one: Document, other: Document) -> tuple[str, ...]:
    """The breaches of one sheet that the other doesn't have, however either words them.

    Of several that are alike, those that share most words are the same: a ticket's places are
    called alike in every language.
    """
    own, others = (sheet.get("violations", ()) for sheet in (one, other))
    alike = [
        (len(_words(mine) & _words(theirs)), place, other_place)
        for place, mine in enumerate(own)
        for other_place, theirs in enumerate(others)
        if _breach(mine) == _breach(theirs)
    ]
    pairs: dict[int, int] = {}
    for _, place, other_place in sorted(alike, reverse=True):
        if place not in pairs and other_place not in pairs.values():
            pairs[place] = other_place
    return tuple(each["text"] for place, each in enumerate(own) if place not in pairs)


def _words(violation: Document) -> set[str]:
    return set(re.findall(r"\w+", violation["text"]))


def _breach(violation: Document) -> tuple[object, ...]:
    """What a breach is, whoever is named first; one that names nobody is told by its words."""
    players, routes = (tuple(sorted(violation.get(key, ()))) for key in ("players", "routes"))
    words = "" if routes else _figures(violation["text"])
    return violation["code"], players, routes, words


def _figures(words: str) -> str:
    """The numbers in a sentence, which are the same in every language."""
    return " ".join(re.findall(r"\d+", words))


def _player(name: str, old: Document | None, new: Document | None) -> PlayerChange:
    lines = _lines(old["lines"] if old else (), new["lines"] if new else ())
    return PlayerChange(
        name=name,
        total=(old["total"] if old else None, new["total"] if new else None),
        rank=(old["rank"] if old else None, new["rank"] if new else None),
        lines=tuple(lines),
    )


Key = tuple[str, str]


def _lines(old: Sequence[Document], new: Sequence[Document]) -> list[LineChange]:
    """Lines whose points differ, or that only one sheet has; equal lines cancel out."""
    before, after = _by_key(old), _by_key(new)
    changes: list[LineChange] = []
    for key in dict.fromkeys([*before, *after]):
        first, second = before.get(key, []), after.get(key, [])
        for points in list(first):
            if points in second:
                first.remove(points)
                second.remove(points)
        size = max(len(first), len(second))
        padded = [[*some, *[None] * (size - len(some))] for some in (first, second)]
        changes += [LineChange(*key, a, b) for a, b in zip(*padded, strict=True)]
    return changes


def _by_key(lines: Sequence[Document]) -> dict[Key, list[int]]:
    """Points of the lines that mean the same thing; typed tickets may share a key."""
    found: dict[Key, list[int]] = {}
    for line in lines:
        found.setdefault((line["kind"], _subject(line)), []).append(line["points"])
    return found


def _subject(line: Document) -> str:
    if line["kind"] == "ticket":
        return " – ".join(sorted(line.get("ticket") or ()))
    return str(line.get(SUBJECT_OF.get(line["kind"], ""), ""))
