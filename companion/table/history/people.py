"""Who stands behind the names of old evenings: two names may be one person (decision 67).

What the log says of a game stays as it was typed; here it is read with the names of today.
"""

from collections.abc import Sequence

from web.names import one_spelling


def same_name(one: str, other: str) -> bool:
    """Whether two names are one, however they are written."""
    return one_spelling(one) == one_spelling(other)


class People:
    """The people that `joined` names make: pairs of a name and another name of the same person."""

    def __init__(self, joined: Sequence[tuple[str, str]]) -> None:
        self._next = {one_spelling(alias): person for alias, person in joined}

    def of(self, name: str) -> str:
        """The name that somebody goes by today.

        >>> People([("Ana", "Anna"), ("Anna", "Anna Maria")]).of("ana")
        'Anna Maria'
        """
        for _ in self._next:  # a log that was written into may hold a circle
            if one_spelling(name) not in self._next:
                break
            name = self._next[one_spelling(name)]
        return name

    def plays(self, person: str, names: Sequence[str]) -> bool:
        """Whether somebody is one of those who played under these names."""
        return any(same_name(self.of(name), person) for name in names)

    def named(self, names: Sequence[str]) -> tuple[str, ...]:
        """The players of one game by the names of today.

        Where two of them would be one they are two people after all, and all keep what was typed.

        >>> People([("Ana", "Anna")]).named(["Ana", "Ben"])
        ('Anna', 'Ben')
        >>> People([("Ana", "Anna")]).named(["Ana", "Anna"])
        ('Ana', 'Anna')
        """
        today = tuple(map(self.of, names))
        return today if len(set(map(one_spelling, today))) == len(today) else tuple(names)
