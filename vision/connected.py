"""Sets that are joined by what they share."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

Member = TypeVar("Member", bound=Hashable)


def connected(groups: Iterable[frozenset[Member]]) -> list[frozenset[Member]]:
    """The groups joined to parts, none of which shares a member with another."""
    parts: list[frozenset[Member]] = []
    for group in groups:
        touched = [part for part in parts if part & group]
        parts = [part for part in parts if not part & group]
        parts.append(group.union(*touched))
    return parts
