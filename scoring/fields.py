"""Reads values of a parsed JSON document one by one and collects every problem with its place."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType

from scoring.errors import AND_MORE
from scoring.language import Message
from scoring.language.foreign import shown
from scoring.likeness import misspelt
from scoring.printable import is_printable

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

LARGEST_NUMBER = 1000
"""No count, no value and no list of a real game is larger."""

MOST_PROBLEMS = 100
"""Nobody reads more of them; a file that is no game at all may hold millions."""

LONGEST_NAME = 60
"""Characters of a player's name."""

LONGEST_TEXT, LONGEST_ID = 200, 90
"""Characters of a title, a name or another word, and of an id: pages and file names hold them."""


@dataclass(frozen=True, slots=True)
class FieldReader:
    """A place in the document: whose (`who`), which field, and where problems are collected.

    Its methods return a neutral value after a problem, so that the next one is found too.
    """

    who: str
    field: str
    problems: list[Message]

    def at(self, field: str) -> "FieldReader":
        """The same owner, another field."""
        return replace(self, field=field)

    def inside(self, name: object) -> "FieldReader":
        """One entry of this field."""
        return replace(self, field=f"{self.field}.{name}")

    def report(self, name: str, **values: object) -> None:
        """Collect a problem; `name` is its catalogue key without `scoring.problem.`.

        After MOST_PROBLEMS each is counted, but not described any more.
        """
        if len(self.problems) >= MOST_PROBLEMS:
            self.problems.append(AND_MORE)
            return
        self.problems.append(
            Message(f"scoring.problem.{name}", who=self.who, field=self.field, **values)
        )

    def number(self, value: object, low: int = 0, high: int = LARGEST_NUMBER) -> int:
        """A whole number from `low` to `high`."""
        if type(value) is int and low <= value <= high:
            return value
        self.report("number", value=shown(value), low=low, high=high)
        return low

    def yes_or_no(self, value: object) -> bool:
        """`true` or `false`."""
        if not isinstance(value, bool):
            self.report("yes_or_no", value=shown(value))
        return value is True

    def word(self, value: object, most: int = LONGEST_TEXT) -> str | None:
        """A text of at least one visible character on one line, and of `most` at most."""
        if not (isinstance(value, str) and value.strip() and is_printable(value)):
            self.report("word", value=shown(value))
            return None
        return value.strip() if self._is_short(value, most) else None

    def slug(self, value: object) -> str | None:
        """An id: small letters and digits in words joined by hyphens."""
        if not (isinstance(value, str) and SLUG.fullmatch(value)):
            self.report("slug", value=shown(value))
            return None
        return value if self._is_short(value, LONGEST_ID) else None

    def _is_short(self, value: str, most: int) -> bool:
        if len(value) > most:
            self.report("long_text", count=len(value), most=most)
        return len(value) <= most

    def real(self, value: object, low: float, high: float) -> None:
        """Check a number from `low` to `high`."""
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return  # NaN is neither above nor below anything
        self.report("real", value=shown(value), low=low, high=high)

    def unique(self, values: Sequence[object]) -> None:
        """Check that no text stands twice."""
        counts = Counter(value for value in values if isinstance(value, str))
        for value, count in counts.items():
            if count > 1:
                self.report("unique", value=shown(value), count=count)

    def one_of(self, value: object, known: Sequence[str]) -> str | None:
        """One of the words in `known`."""
        if isinstance(value, str) and value in known:
            return value
        self.none_of(value, known)
        return None

    def none_of(self, value: object, known: Collection[str]) -> None:
        """Complain about a word that is none of the known ones, and say which was likely meant."""
        meant = nearest(value, known) if isinstance(value, str) else None
        name = "one_of" if meant is None else "one_of_near"
        self.report(name, value=shown(value), known=", ".join(known), meant=meant)

    def items(self, value: object) -> list[object]:
        """A list, of which no more is read than any real file has."""
        if isinstance(value, list):
            self._check_size(value)
            return value[:LARGEST_NUMBER]
        self.report("list", value=shown(value))
        return []

    def entries(self, value: object) -> dict[str, object]:
        """An object, likewise; JSON's keys are always text."""
        if isinstance(value, dict):
            self._check_size(value)
            return dict(islice(value.items(), LARGEST_NUMBER))
        self.report("object", value=shown(value))
        return {}

    def _check_size(self, value: Sized) -> None:
        if len(value) > LARGEST_NUMBER:
            self.report("long_list", count=len(value), most=LARGEST_NUMBER)

    def counts(
        self, value: object, known: Collection[str], high: int = LARGEST_NUMBER
    ) -> Mapping[str, int]:
        """An object of counts whose keys are all in `known`."""
        counted: dict[str, int] = {}
        for key, count in self.entries(value).items():
            if key in known:
                counted[key] = self.inside(key).number(count, high=high)
            else:
                self.none_of(key, known)
        return MappingProxyType(counted)

    def by_length(self, value: object) -> Mapping[int, int]:
        """An object from route length (a text of digits, 1 to 20) to a whole number."""
        table: dict[int, int] = {}
        for key, number in self.entries(value).items():
            if key.isascii() and key.isdigit() and len(key) < 3 and 1 <= int(key) <= 20:
                table[int(key)] = self.inside(key).number(number)
            else:
                self.report("length", value=shown(key))
        return MappingProxyType(table)

    def known_keys(self, entries: Mapping[str, object], known: Sequence[str]) -> None:
        """Complain about keys that are misspelt; others that nobody knows are left alone."""
        strangers = [key for key in entries if key not in known]
        for key in strangers:
            meant = nearest(key, known)
            if meant is not None:
                self.report("misspelt", value=shown(key), meant=meant)


def nearest(word: str, known: Collection[str], likeness: float = 0.75) -> str | None:
    """The known word that `word` most looks like, or None if none is near.

    >>> nearest("chicgo", ["chicago", "miami"]), nearest("oslo", ["chicago", "miami"])
    ('chicago', None)
    """
    from difflib import get_close_matches  # here because it is needed after a mistake only

    slip = misspelt(word, known)
    if slip is not None:
        return slip
    found = get_close_matches(word[:LONGEST_NAME].lower(), known, n=1, cutoff=likeness)
    return found[0] if found else None
