"""People of the club as the pure rooms name them: by keys, which no name can be."""

KEY = "player\x1f"
"""How a person's key begins; no name that a person types has its control sign."""


def player_key(id: int) -> str:
    """A person as the pure rooms name them."""
    return f"{KEY}{id}"


def is_key(name: str) -> bool:
    """Whether this is a person's key, not a name."""
    return name.startswith(KEY)


def id_of(key: str) -> int:
    """The person of a key."""
    return int(key.removeprefix(KEY))
