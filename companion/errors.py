"""The errors of this room: those that end a command, and the table's refusals."""

from collections.abc import Sequence

from scoring.language import SpokenError


class CompanionError(Exception):
    """Root of every error that this room raises."""


class CommandError(SpokenError, CompanionError, ValueError):
    """What ends a command, in the command's language."""


class UsageError(CommandError):
    """Wrong usage: an unknown board, a missing file, a bad option (exit code 2)."""

    @classmethod
    def of_all(cls, errors: Sequence["UsageError"]) -> "UsageError":
        """One error that tells all of these, which are one at least."""
        return errors[0] if len(errors) == 1 else cls("companion.error.several", reasons=errors)


class UnusableInputError(CommandError):
    """The input was read but cannot be used (exit code 3)."""


class RefusalError(SpokenError, CompanionError, ValueError):
    """What was asked makes no sense now; `key` and `values` name the sentence that says why."""
