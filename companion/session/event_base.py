"""What every kind of event has, and what is no event.

An event class is the one place that knows its word in the log, the panel's action behind it and
its fields; `event_json` reads and writes it by these, `board_check` checks it against the board,
and `companion.table.actions` offers it to the panel.
"""

from typing import ClassVar

from companion.errors import CompanionError
from scoring.language import SpokenError


class EventError(SpokenError, CompanionError, ValueError):
    """A document is no event that this program knows."""


class UnknownEventError(EventError):
    """The kind of an event is not known here: a newer program may have written it."""


class EventBase:
    """What is known of every kind of event, beside its fields."""

    __slots__ = ()

    kind: ClassVar[str]
    """Its word in the log, which never changes."""
    action: ClassVar[str]
    """What the panel calls the action behind it."""
    is_offered: ClassVar[bool] = True
    """Whether the panel may send it as an action; the others come about in another way."""
    turns_page: ClassVar[bool] = False
    """Whether it leads to another phase, whose page one then wants to see."""
    can_contradict: ClassVar[bool] = False
    """Whether it can make a game contradict itself, so that the sheet must be tried first."""
    is_for_players: ClassVar[bool] = False
    """Whether a club's players may do it, those with a `colour` for themselves; else the host."""

    def __init_subclass__(
        cls,
        kind: str = "",
        action: str = "",
        is_offered: bool = True,
        turns_page: bool = False,
        can_contradict: bool = False,
        is_for_players: bool = False,
    ) -> None:
        """Take these from the head of the class.

        A dataclass with slots is made a second time, without them: it then has them already.
        """
        if kind:
            cls.kind, cls.action, cls.is_offered = kind, action, is_offered
            cls.turns_page, cls.can_contradict = turns_page, can_contradict
            cls.is_for_players = is_for_players
