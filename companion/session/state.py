"""What a session is at one moment: people's facts, the camera's proposals, and the way back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.session.events import Event, Notice, Player, Proposal, PutAway, Started


@dataclass(frozen=True, slots=True)
class RouteAnswer:
    """What a person said of a route, and what the camera had said when they did.

    `against` is that proposal's owner; `had_proposal` is False where there was none. The camera
    repeating the same misreading is then no news, but another proposal is.
    """

    owner: str | None
    against: str | None = None
    had_proposal: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """What one player has typed."""

    tickets: tuple[Any, ...] = ()
    passengers: Mapping[str, int] = field(default_factory=dict)
    typed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that people said; `number` counts the games of this log."""

    number: int = 0
    phase: str = "start"
    board: str | None = None
    camera: bool = False
    players: tuple[Player, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, RouteAnswer] = field(default_factory=dict)
    entries: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours in play, in seat order."""
        return tuple(player.colour for player in self.players)


@dataclass(frozen=True, slots=True)
class CameraProposals:
    """What the camera said last."""

    routes: Mapping[str, Proposal] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A state that undo or redo can come back to, and the event that led away from it.

    `step` is that event's number, by which an undo says what it means to take back.
    """

    facts: Facts
    proposed: CameraProposals
    left_by: Event
    step: int

    @property
    def crosses_games(self) -> bool:
        """Whether one game lies before the event and another one, or none, behind it."""
        return isinstance(self.left_by, Started | PutAway)


@dataclass(frozen=True, slots=True)
class State:
    """The whole session; `version` is the number of events folded into it."""

    version: int = 0
    facts: Facts = field(default_factory=Facts)
    proposed: CameraProposals = field(default_factory=CameraProposals)
    past: tuple[Checkpoint, ...] = ()
    future: tuple[Checkpoint, ...] = ()

    @property
    def undoes(self) -> Event | None:
        """The event that an undo would take back, or None."""
        return self.past[-1].left_by if self.past else None


def doubtful_routes(state: State) -> tuple[str, ...]:
    """The routes that wait for a person, in the order of the camera's proposals.

    A route is doubtful where the camera doubts and nobody has answered, or where it surely says
    something new about a route that a person had answered.
    """
    answers = state.facts.answers
    return tuple(
        route
        for route, proposal in state.proposed.routes.items()
        if (_is_news(answers[route], proposal) if route in answers else proposal.review)
    )


def owner_of(state: State, route: str) -> str | None:
    """Who holds the route: a person's answer first, then the camera's proposal."""
    answer = state.facts.answers.get(route)
    if answer is not None:
        return answer.owner
    proposal = state.proposed.routes.get(route)
    return proposal.owner if proposal is not None else None


def _is_news(answer: RouteAnswer, proposal: Proposal) -> bool:
    if proposal.review or proposal.owner == answer.owner:
        return False
    return not (answer.had_proposal and proposal.owner == answer.against)
