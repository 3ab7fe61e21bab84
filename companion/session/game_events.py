"""The course of a game: its start, its players and settings, its sheet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from companion.session.event_base import EventBase
from companion.session.event_fields import (
    BoardId,
    CameraUsed,
    FieldType,
    FreeColour,
    Markers,
    Phase,
    PlayerColour,
    PlayerName,
    Settings,
)
from companion.session.json_values import boolean


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """Who sits at the table."""

    name: str
    colour: str


HasMap = Annotated[bool, FieldType("has_map", boolean)]
Players = Annotated[tuple[SeatedPlayer, ...], FieldType("players", sent_as="players")]
PointsByName = Annotated[Mapping[str, int], FieldType("points")]


@dataclass(frozen=True, slots=True)
class Started(EventBase, kind="started", action="start", turns_page=True, can_contradict=True):
    """A new game on a board, with or without a camera; the players in seat order."""

    board: BoardId
    players: Players
    settings: Settings = field(default_factory=dict)
    camera: CameraUsed = True
    has_map: HasMap = True
    """Without a map there is nothing to look at: the players' entries come at once."""


@dataclass(frozen=True, slots=True)
class PutAway(EventBase, kind="put-away", action="new-game", turns_page=True):
    """The game is put away: nothing is being played."""


@dataclass(frozen=True, slots=True)
class Shown(EventBase, kind="shown", action="show", turns_page=True):
    """Pages and box moved to another phase of the tally (one of PHASES but the first, the last)."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class MarkersSet(EventBase, kind="markers-set", action="set-markers", can_contradict=True):
    """Where each wooden marker stands, all at once; one that is left out has not been looked at."""

    markers: Markers


@dataclass(frozen=True, slots=True)
class SettingsSet(EventBase, kind="settings-set", action="set-settings", can_contradict=True):
    """The table's choices where the rulebook is silent, all at once."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class TablePointsSet(
    EventBase, kind="table-points-set", action="set-points", is_offered=False, can_contradict=True
):
    """One setting that holds points printed on the table's own board or cards; the others stay."""

    name: str
    points: PointsByName


@dataclass(frozen=True, slots=True)
class PlayerRenamed(EventBase, kind="player-renamed", action="rename-player"):
    """A player's name is corrected, or somebody else takes the seat; another's name is swapped.

    Colours, seats and hands stay.
    """

    colour: PlayerColour
    name: PlayerName


@dataclass(frozen=True, slots=True)
class PlayerAdded(EventBase, kind="player-added", action="add-player"):
    """A player who was forgotten at the start sits down in a free colour, last in the order."""

    colour: FreeColour
    name: PlayerName


@dataclass(frozen=True, slots=True)
class PlayerRemoved(EventBase, kind="player-removed", action="remove-player"):
    """A player who is named by mistake, and holds nothing yet, leaves the game."""

    colour: PlayerColour


@dataclass(frozen=True, slots=True)
class PlayerMoved(EventBase, kind="player-moved", action="move-player"):
    """A player sits one place further forward in the order of play."""

    colour: PlayerColour


@dataclass(frozen=True, slots=True)
class ColourChanged(EventBase, kind="colour-changed", action="change-colour"):
    """A player plays another colour than was said; all that people entered goes along."""

    colour: PlayerColour
    to: FreeColour


@dataclass(frozen=True, slots=True)
class Finished(EventBase, kind="finished", action="finish", turns_page=True, can_contradict=True):
    """The sheet stands."""


@dataclass(frozen=True, slots=True)
class Reopened(EventBase, kind="reopened", action="reopen", turns_page=True):
    """The sheet is open for corrections again."""
