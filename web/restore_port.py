"""What the page of a new box needs: the copies of a table that can be put on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Protocol

from scoring.language import Message


@dataclass(frozen=True, slots=True)
class FoundCopy:
    """A copy in a place; `table` and `at` as its name says, "" and None where it does not."""

    key: str
    place: str
    file: str
    table: str
    at: datetime | None


class RestorePort(Protocol):
    """Copies for a new box. Every method may be called from several threads at once."""

    @property
    def trouble(self) -> Message | None:
        """Why the box did not take the copy with which it was started anew."""
        ...

    @property
    def is_under_way(self) -> bool:
        """Whether the program is about to start anew with a copy."""
        ...

    def in_the_way(self) -> Message | None:
        """Why this box takes no copy; None where it takes one: nothing was played on it."""
        ...

    def found(self) -> Sequence[FoundCopy]:
        """The copies that are plugged in, the newest first."""
        ...

    def restore(self, key: str) -> None:
        """Keep a copy; the program starts anew with it soon after this returns.

        Raises ActionRefusedError with what is in the way, and BusyError.
        """
        ...

    def restore_sent(self, name: str, file: IO[bytes]) -> None:
        """The same with a copy that a device has sent, by its file's name; raises the same."""
        ...
