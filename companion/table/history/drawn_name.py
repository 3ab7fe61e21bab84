"""A name or title as OpenCV can draw it: sign after sign from the left, and no emoji."""

import re
import unicodedata

_LETTER = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]"
"""Hebrew, Arabic and their neighbours."""

_FROM_THE_RIGHT = re.compile(f"{_LETTER}+(?:[ '’-]+{_LETTER}+)*")

_EMOJI_FROM = "\U0001f000"

_UNDRAWN = "\u200d\ufe0e\ufe0f\u2068\u2069"
"""What stands between or behind the signs of one emoji, and around a name before a number."""


def drawn_name(name: str) -> str:
    """The name with what is read from the right turned round, and without its emoji.

    One of nothing but emoji stays, as question marks.

    >>> drawn_name("Zoë 🐸"), drawn_name("🐸"), drawn_name("Ada")
    ('Zoë', '🐸', 'Ada')
    """
    plain = " ".join("".join(filter(_is_drawn, name)).split()) or name
    return _FROM_THE_RIGHT.sub(_turned, plain)


def _is_drawn(sign: str) -> bool:
    return sign < _EMOJI_FROM and sign not in _UNDRAWN and unicodedata.category(sign) != "So"


def _turned(run: re.Match[str]) -> str:
    """The run backwards, each letter with the vowel signs that stand behind it."""
    letters: list[str] = []
    for sign in run.group():
        if letters and unicodedata.combining(sign):
            letters[-1] += sign
        else:
            letters.append(sign)
    return "".join(reversed(letters))
