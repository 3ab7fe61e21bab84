"""The errors that the command line turns into exit codes."""


class CompanionError(Exception):
    """Root of every error that this room raises."""


class UsageError(CompanionError, ValueError):
    """Wrong usage: an unknown board, a missing file, a bad option (exit code 2)."""


class UnusableInputError(CompanionError, ValueError):
    """The input was read but cannot be used (exit code 3)."""
