"""What stands where the name of a deleted person stood."""

NOBODY = "–"
"""Stands where the name of a deleted person stood, twice for the next one in a game; nobody else
is called so."""


def is_nobody(name: str) -> bool:
    """Whether this stands where the name of a deleted person stood."""
    return name != "" and not name.strip(NOBODY)
