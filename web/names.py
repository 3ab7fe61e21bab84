"""How names that somebody typed are written, and how those of players and tables are compared."""

import unicodedata


def one_spelling(words: str) -> str:
    """What names are compared by: capitals and small letters are the same, and so is a letter with
    its accent whether the device that typed it sent one sign or two (Unicode's NFC)."""
    return unicodedata.normalize("NFC", words.casefold())


def one_line(words: str) -> str:
    """Words without needless spaces; a letter with its accent is one sign, whichever device typed
    it (NFC)."""
    return " ".join(unicodedata.normalize("NFC", words).split())
