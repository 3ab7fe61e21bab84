"""The errors of this room: those that end a command, and the table's refusals."""

from scoring.language import SpokenError


class CompanionError(Exception):
    """Root of every error that this room raises."""


class CommandError(SpokenError, CompanionError, ValueError):
    """What ends a command, in the command's language."""


class UsageError(CommandError):
    """Wrong usage: an unknown board, a missing file, a bad option (exit code 2)."""


class UnusableInputError(CommandError):
    """The input was read but cannot be used (exit code 3)."""


class RefusalError(SpokenError, CompanionError, ValueError):
    """What was asked makes no sense now; `key` and `values` name the sentence that says why."""
