"""How names that somebody typed are written, and how those of players and tables are compared."""

import re
import unicodedata
from collections.abc import Mapping

from scoring.printable import EMOJI

BLANK = {
    ord(letter): None for letter in "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159"
}
"""Letters without any ink: a name of them alone can't be seen."""

CHOOSING = (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))

UNSEEN = BLANK | dict.fromkeys(CHOOSING)
"""And the signs that choose how the letter before them looks, as in a red heart: they stay in a
name, but tell no two names apart."""


def one_spelling(words: str) -> str:
    """What names are compared by: capitals and small letters are the same, and so is a letter with
    its accent whether the device that typed it sent one sign or two (Unicode's NFC); what can't be
    seen does not count."""
    return unicodedata.normalize("NFC", words.translate(UNSEEN).casefold())


def one_line(words: str) -> str:
    """Words without needless spaces, and without signs that can't be seen: those that turn the
    direction, which come along with a name that is copied, those that join emoji, control signs.

    A letter with its accent is one sign, whichever device typed it (NFC).
    """
    seen = "".join(filter(_is_seen, words)).translate(BLANK)
    return " ".join(unicodedata.normalize("NFC", seen).split())


def _is_seen(sign: str) -> bool:
    return unicodedata.category(sign)[0] != "C" or sign.isspace() or ord(sign) in EMOJI


def has_ink(words: str) -> bool:
    """Whether anything of a name can be seen."""
    return bool(words.translate(UNSEEN).strip())


FROM_THE_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Letters that are read from the right."""

ISOLATED_OR_NOT = re.compile(
    f"\u2068[^\u2069]*\u2069|[{FROM_THE_RIGHT}]+(?:[^\\w,;:.!?()]+[{FROM_THE_RIGHT}]+)*"
)
"""What is isolated already, or words that are read from the right and only spaces between them."""


def isolated_in(words: str) -> str:
    """Words in which each name that is read from the right keeps its place in the sentence: what
    stands behind it, as its number, was drawn before it.

    >>> isolated_in("Ada, Ben"), len(isolated_in("\u05e9\u05e8\u05d4 (3), Ada"))
    ('Ada, Ben', 14)
    """
    if words.isascii():
        return words
    return ISOLATED_OR_NOT.sub(lambda found: _isolate(found[0]), words)


def _isolate(words: str) -> str:
    return words if words.startswith("\u2068") else f"\u2068{words}\u2069"


def isolated(name: str) -> str:
    """A name as it stands before a number: one that is read from the right draws it to its left.

    >>> isolated("Ada"), len(isolated("\u05e9\u05e8\u05d4"))
    ('Ada', 5)
    """
    from_the_right = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in name)
    return f"\u2068{name}\u2069" if from_the_right else name


def recoloured(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """The colours that are not played any more, and what their players play now.

    Both are names by colour, of two moments of one game.
    """
    new = {one_spelling(name): colour for colour, name in after.items() if colour not in before}
    gone = {colour: one_spelling(before[colour]) for colour in before.keys() - after.keys()}
    return {colour: new[name] for colour, name in gone.items() if name in new}
