"""Paths as people type them: `~` is their own home, and `~name` another user's."""

from pathlib import Path

from companion.errors import UsageError


def path_of(words: str) -> Path:
    """The path that somebody typed; raises UsageError where its user has no home here."""
    try:
        return Path(words).expanduser()
    except RuntimeError:
        raise UsageError("companion.error.no-home", path=words) from None
