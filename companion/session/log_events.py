"""What happens to the log itself: undo and redo, old evenings and their people, copies."""

from dataclasses import dataclass

from companion.session.event_base import EventBase
from companion.session.event_fields import Alias, EveningId, EveningIds, PersonName, Seconds


@dataclass(frozen=True, slots=True)
class EveningDeleted(EventBase, kind="evening-deleted", action="delete-evening"):
    """An old evening goes into the bin: it is listed and counted no longer, and may come back."""

    evening: EveningId


@dataclass(frozen=True, slots=True)
class EveningRestored(EventBase, kind="evening-restored", action="restore-evening"):
    """An old evening comes back from the bin."""

    evening: EveningId


@dataclass(frozen=True, slots=True)
class NamesJoined(EventBase, kind="names-joined", action="join-names"):
    """Two names of old evenings are one person, who is called by one of them from now on."""

    alias: Alias
    person: PersonName


@dataclass(frozen=True, slots=True)
class NamesParted(EventBase, kind="names-parted", action="part-names"):
    """A name that was joined with another is a person of its own again."""

    alias: Alias


@dataclass(frozen=True, slots=True)
class ClockSet(EventBase, kind="clock-set", action="clock-set", is_offered=False):
    """The clock of the box was set: these games were played so much later than was noted so far."""

    games: EveningIds
    behind_s: Seconds


@dataclass(frozen=True, slots=True)
class Copied(EventBase, kind="copied", action="copied", is_offered=False):
    """A copy was taken: undo leads to no other game that is unfinished, for its hands are known."""


@dataclass(frozen=True, slots=True)
class Undone(EventBase, kind="undone", action="undo", is_offered=False):
    """The last thing a person did is taken back."""


@dataclass(frozen=True, slots=True)
class Redone(EventBase, kind="redone", action="redo"):
    """The last thing taken back is done again."""
