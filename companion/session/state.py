"""What a session is at one moment: people's facts, the camera's proposals, and the way back."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.session.events import (
    Event,
    Notice,
    ProposedPlace,
    PutAway,
    ReadingProposed,
    RouteProposal,
    SeatedPlayer,
    Started,
)
from scoring.game.rules import CARD_GAME_ID


@dataclass(frozen=True, slots=True)
class RouteAnswer:
    """What a person said of a route, and what the camera had said when they did.

    `against` is that proposal's owner; `had_proposal` is False where there was none. The camera
    repeating the same misreading is then no news, but another proposal is.
    """

    owner: str | None
    against: str | None = None
    had_proposal: bool = False
    track: bool = False
    """Whether a track piece lies there (France): built, but nobody's."""
    later: tuple[str, ...] = ()
    """Colours that came into play afterwards: nobody could answer with them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one player has typed."""

    tickets: tuple[Any, ...] = ()
    passengers: Mapping[str, int] = field(default_factory=dict)
    typed: Mapping[str, Any] = field(default_factory=dict)
    wagons: int | None = None
    """Wagons left, as somebody counted them."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that people said; `number` counts the games of this log.

    No two games have the same, also where the start of one was taken back.
    """

    number: int = 0
    phase: str = "start"
    board: str | None = None
    camera: bool = False
    has_map: bool = True
    players: tuple[SeatedPlayer, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, RouteAnswer] = field(default_factory=dict)
    entries: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours in play, in seat order."""
        return tuple(player.colour for player in self.players)

    def is_same_game(self, other: "Facts") -> bool:
        """Whether what the camera sees in one is about the other: the game, and who plays it."""
        return self.number == other.number and set(self.colours) == set(other.colours)


@dataclass(frozen=True, slots=True)
class CameraProposals:
    """What the camera said last."""

    routes: Mapping[str, RouteProposal] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    places: Mapping[str, ProposedPlace] = field(default_factory=dict)
    """By each of its lines."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A state that undo or redo can come back to, and the event that led away from it.

    `step` is that event's number, by which an undo says what it means to take back.
    """

    facts: Facts
    proposed: CameraProposals
    left_by: Event
    step: int
    undone_to: CameraProposals | None = None
    """What the camera had said when the event was taken back, where it was."""

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
    deleted_evenings: frozenset[str] = frozenset()
    """Old evenings in the bin, by id; no undo of a game touches them."""
    joined_names: tuple[tuple[str, str], ...] = ()
    """Names and, for each, another name of the same person; no undo of a game touches them."""
    games: int = 0
    """The highest number that a game of this log has had; no undo goes behind it."""

    @property
    def undoes(self) -> Event | None:
        """The event that an undo would take back, or None."""
        return self.past[-1].left_by if self.past else None


PLAYERS_OF_TWO_PASSES = 4
"""With so many players the Card Game is scored in two passes (rulebook 003)."""


def first_pass_is_on(facts: Facts) -> bool:
    """Whether completed tickets are still to be set aside, before the Card Game's second pass."""
    is_of_two = facts.board == CARD_GAME_ID and len(facts.players) == PLAYERS_OF_TWO_PASSES
    return is_of_two and not any("first_pass" in one.typed for one in facts.entries.values())


def doubtful_routes(state: State) -> tuple[str, ...]:
    """The routes that wait for a person, in the order of the camera's proposals.

    A route is doubtful where the camera doubts and nobody has answered, or where it says something
    new about a route that a person had answered: surely, or with a colour that came later.
    """
    answers = state.facts.answers
    return tuple(
        route
        for route, proposal in state.proposed.routes.items()
        if (_is_news(state, route) if route in answers else proposal.review)
    )


def last_look(state: State) -> Mapping[str, RouteProposal]:
    """What the camera said of each route when somebody last had it look; nothing before that."""
    steps = (checkpoint.left_by for checkpoint in reversed(state.past))
    look = next((step for step in steps if isinstance(step, ReadingProposed)), None)
    return {} if look is None else look.routes


def track_pieces(state: State) -> tuple[str, ...]:
    """The lines that a track piece lies on, as people said."""
    return tuple(route for route, answer in state.facts.answers.items() if answer.track)


def lines_with(state: State, route: str) -> tuple[str, ...]:
    """The lines that score as one place with this route, itself included."""
    place = state.proposed.places.get(route)
    return (route,) if place is None else place.routes


def by_place(state: State, routes: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The places of these routes, each once, by their lines."""
    return tuple(dict.fromkeys(lines_with(state, route) for route in routes))


def owner_of(state: State, route: str) -> str | None:
    """Who holds the route: a person's answer first, then the camera's proposal."""
    answer = state.facts.answers.get(route)
    if answer is not None:
        return answer.owner
    proposal = state.proposed.routes.get(route)
    return proposal.owner if proposal is not None else None


def _is_news(state: State, route: str) -> bool:
    """Whether the camera says something new about a route that a person has answered."""
    answer, proposal = state.facts.answers[route], state.proposed.routes[route]
    is_doubted = proposal.review and proposal.owner not in answer.later
    if is_doubted or proposal.owner == answer.owner or has_seen_owners(state, route):
        return False
    return not (answer.had_proposal and proposal.owner == answer.against)


def has_seen_owners(state: State, route: str) -> bool:
    """Whether a place has the owners that the camera saw, be it on another line of it."""
    lines = lines_with(state, route)
    proposals = state.proposed.routes
    seen = [proposals[line].owner for line in lines if line in proposals]
    return Counter(seen) == Counter(owner_of(state, line) for line in lines)
