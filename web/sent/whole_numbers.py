"""Whole numbers in words that somebody, a page or a program sent."""

MOST_DIGITS = 9
"""Longer ones are no numbers of anything here, and Python refuses to read the longest."""


def whole_number(words: str, most: int = 10**MOST_DIGITS - 1) -> int | None:
    """The number from 0 to `most` that stands there in figures; None where something else does.

    >>> whole_number("12", 99), whole_number("100", 99), whole_number("-1"), whole_number("")
    (12, None, None, None)
    """
    is_number = words.isascii() and words.isdigit() and len(words) <= MOST_DIGITS
    return int(words) if is_number and int(words) <= most else None


def signed_number(words: str) -> int | None:
    """The same of a number that may be below 0, with a minus sign of any kind, spaces around it.

    >>> signed_number(" -12 "), signed_number("−3"), signed_number("--3")
    (-12, -3, None)
    """
    bare = words.strip().replace("−", "-")
    size = whole_number(bare.removeprefix("-"))
    return -size if size is not None and bare.startswith("-") else size
