"""Which signs can be seen: also the emoji that are newer than this Python's tables."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

EMOJI = range(0x1F000, 0x1FB00)
"""Phones have those of this year; `unicodedata` of Python 3.11 knows those of 2021."""


def is_printable(words: str) -> bool:
    r"""As `str.isprintable`, which takes an emoji that it does not know for no sign at all.

    >>> is_printable("Mia \U0001fa77"), is_printable("two\nlines"), is_printable("\u200b")
    (True, False, False)
    """
    return words.isprintable() or all(one.isprintable() or ord(one) in EMOJI for one in words)


def printable(words: str) -> str:
    """The same with a mark for each sign that cannot be seen: a terminal might obey it.

    >>> printable("a\\x1b[2Jb")
    'a\N{REPLACEMENT CHARACTER}[2Jb'
    """
    return "".join(sign if is_printable(sign) else REPLACEMENT for sign in words)
