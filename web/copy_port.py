"""What the page of copies needs: the places that a copy of the table can be written to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Protocol

from scoring.language import Message


@dataclass(frozen=True, slots=True)
class CopyPlace:
    """A stick that is plugged in, or a folder of the box's owner."""

    key: str
    name: str
    is_stick: bool
    free_bytes: int | None
    """None where nobody knows."""


@dataclass(frozen=True, slots=True)
class CopySaved:
    """A copy that was written: to which place, under which name, with how many events."""

    place: str
    file: str
    events: int
    is_stick: bool
    left_out: Message | None = None
    """What of the table the box's disk does not give any more."""


@dataclass(frozen=True, slots=True)
class PackedTable:
    """A copy to be sent; whoever takes it closes the file."""

    name: str
    file: IO[bytes]


class CopyPort(Protocol):
    """Copies of the table. Every method may be called from several threads at once."""

    def places(self) -> Sequence[CopyPlace]:
        """Where a copy can be written now."""
        ...

    def forgets(self) -> bool:
        """Whether undo leads back to an unfinished game, which it no longer does after a copy."""
        ...

    def save(self, key: str) -> CopySaved:
        """Write a copy to a place; it lasts when this returns.

        Raises ActionRefusedError with what is in the way, and BusyError.
        """
        ...

    def packed(self) -> PackedTable:
        """The copy itself. Raises ActionRefusedError, BusyError."""
        ...
