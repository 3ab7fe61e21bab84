"""The errors that the command line turns into exit codes."""

from collections.abc import Sequence
from typing import Self

from scoring.errors import BoardDataError
from scoring.language import SpokenError, text


class CompanionError(Exception):
    """Root of every error that this room raises."""


class CommandError(SpokenError, CompanionError, ValueError):
    """What ends a command: a sentence of the catalogue, said in the command's language."""

    @classmethod
    def saying(cls, words: object) -> Self:
        """An error with these words: a plain sentence, or another error in its own languages."""
        return cls("companion.error.plain", words=words)


class UsageError(CommandError):
    """Wrong usage: an unknown board, a missing file, a bad option (exit code 2)."""


class UnusableInputError(CommandError):
    """The input was read but cannot be used (exit code 3)."""


class Problems:
    """Every problem of a board's file as one text, to stand within a sentence."""

    def __init__(self, error: BoardDataError) -> None:
        self._error = error

    def sentence(self, language: str) -> str:
        """All of them in that language."""
        return "; ".join(self._error.in_language(language))

    def __str__(self) -> str:
        return self.sentence("en")


class ColourNames:
    """Colours as options take them, each with its name in the sentence's language."""

    def __init__(self, colours: Sequence[str]) -> None:
        self._colours = colours

    def sentence(self, language: str) -> str:
        """All of them in that language."""
        return ", ".join(_named(colour, language) for colour in self._colours)

    def __str__(self) -> str:
        return self.sentence("en")


def _named(colour: str, language: str) -> str:
    name = text(f"scoring.colour.{colour}", language)
    return colour if name == colour else f"{colour} ({name})"
