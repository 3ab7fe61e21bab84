"""One thing that looks wrong in a board's file."""

from dataclasses import dataclass

from scoring.language import Message


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that looks wrong.

    `is_error`: photos would be read wrongly; else it is only odd. `boxes` are the spaces meant,
    each a route and a number from 1; `in_print` is 0 for the board's own spaces, else the number
    of its other print.
    """

    message: Message
    is_error: bool
    boxes: tuple[tuple[str, int], ...] = ()
    in_print: int = 0
