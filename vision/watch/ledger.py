"""What watching knows of every route, and what is worth an event: pure, no pixels.

It is fed the evidence of one frame after another with what the pixels say about it: which spaces
are hidden and by how much each space's picture changed. The ledger keeps the last evidence of a
space while its picture stays the same, so a flicker of the reader can never claim anything; and it
keeps what it knows of a space while something hides it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import EMPTY, OCCLUDED, Owner, RouteReading, SpaceReading, Why
from vision.routes.decide import decide_routes
from vision.routes.model import WITH_EMPTY_BOARD, WITHOUT_EMPTY_BOARD
from vision.spaces.evidence import EMPTY_COLUMN, OCCLUDED_COLUMN, SpaceEvidence
from vision.watch.events import CLAIMED, DOUBT, REMOVED, WatchEvent


@dataclass(frozen=True, slots=True)
class LedgerLimits:
    """Shares are parts of a printed space's area."""

    read_again: float = 0.1
    """A route is read again where one of its spaces changed by more."""
    changed_route: float = 0.12
    """Least mean change of a route for a claim or a removal. Claims on the development sequences
    changed 0.25 to 1.0; unchanged routes away from hands and new wagons less than 0.1."""
    bare: float = 0.12
    """Without a picture of the empty board, one with a smaller part of its spaces under wagons may
    be empty: print alone reaches this on boards never seen."""
    misled: float = 0.25
    """It is, where claims are so few beside doubts: strange print makes many doubts and now and
    then a claim (at most 1 for 9), wagons make claims (at least 2 for 3 after the first turns)."""


LEDGER_LIMITS = LedgerLimits()


@dataclass(frozen=True, slots=True, eq=False)
class FrameEvidence:
    """One frame's evidence.

    `hidden` (N,) bool: something lies over the space. `changed` (N,): part of the space whose
    picture differs from when the board was last settled. `sure`: one frame is enough; otherwise a
    second one must agree. `settled`: nothing is over the board, so doubts may be voiced.
    `beside_empty`: the evidence was read beside a picture of the empty board.
    """

    evidence: SpaceEvidence
    hidden: NDArray[np.bool_]
    changed: NDArray[np.float64]
    sure: bool
    settled: bool
    beside_empty: bool = True


@dataclass(frozen=True, slots=True)
class _PendingEvent:
    """An event that waits for a second frame to agree."""

    kind: str
    owner: Owner


class RouteLedger:
    """Owners of all routes as far as they are known, fed with the evidence of frames."""

    def __init__(self, board: Board, colours: Sequence[str]) -> None:
        self._board = board
        self._labels = (EMPTY, OCCLUDED, *colours)
        self._known: dict[str, Owner] = dict.fromkeys(board.route_by_id)
        self._doubts: dict[str, tuple[Owner, ...]] = {}
        self._pending: dict[str, _PendingEvent] = {}
        self._readings: dict[str, RouteReading] = {}
        self._answered_unseen: set[str] = set()
        self._rows = np.zeros((board.space_count, len(self._labels)))
        self._rows[:, OCCLUDED_COLUMN] = 1.0
        self._changed = np.ones(board.space_count)
        self._hidden = np.zeros(board.space_count, bool)
        self._model = WITH_EMPTY_BOARD

    @property
    def owners(self) -> dict[str, Owner]:
        """The announced owner of every route, in board order."""
        return dict(self._known)

    @property
    def is_waiting(self) -> bool:
        """Whether a second frame could confirm something."""
        return bool(self._pending)

    @property
    def doubtful(self) -> tuple[str, ...]:
        """Routes whose doubt was voiced and not settled, in board order."""
        return tuple(name for name in self._known if name in self._doubts)

    def start_empty(self) -> None:
        """Nothing is claimed yet: only what changes from here on is read."""
        self._rows[:] = 0.0
        self._rows[:, EMPTY_COLUMN] = 1.0
        self._changed[:] = 0.0
        self._decide()

    def observe(self, seen: FrameEvidence, t: float) -> list[WatchEvent]:
        """Take in a frame's evidence; returns what it makes certain, in board order."""
        self._remember(seen)
        self._model = WITH_EMPTY_BOARD if seen.beside_empty else WITHOUT_EMPTY_BOARD
        self._decide()
        events: list[WatchEvent] = []
        pending: dict[str, _PendingEvent] = {}
        for name, due in self._events_due(seen.settled):
            if seen.sure or self._pending.get(name) == due:
                events.append(self._tell(name, due, t))
            else:
                pending[name] = due
        self._pending = pending
        return events

    def finish(self, t: float) -> list[WatchEvent]:
        """After the last frame no second one comes: tell what was waiting for it."""
        waiting, self._pending = self._pending, {}
        return [self._tell(name, due, t) for name, due in waiting.items()]

    def settle(self, route: str, owner: Owner) -> None:
        """A person said who owns a route: believe it, and don't announce it.

        Before the board is first read (a game that goes on) the answer may be out of date: then a
        sure reading that contradicts it is still told, but no doubt.
        """
        self._known[route] = owner
        self._doubts.pop(route, None)
        self._pending.pop(route, None)
        if self._readings:
            self._changed[self._board.spaces_of[route]] = 0.0
        else:
            self._answered_unseen.add(route)

    def readings(self) -> dict[str, RouteReading]:
        """Every route as announced, its spaces as last seen, hidden ones as occluded."""
        return {name: self._reading(name) for name in self._known if name in self._readings}

    def _remember(self, seen: FrameEvidence) -> None:
        """Take the new rows of routes that changed, or were never seen, or are in doubt."""
        rows = seen.evidence.probabilities
        self._hidden = seen.hidden
        changed = np.where(seen.hidden, 0.0, seen.changed)
        self._changed = np.maximum(self._changed, changed)
        for name, spaces in self._board.spaces_of.items():
            again = self._changed[spaces].max() > LEDGER_LIMITS.read_again or name in self._doubts
            unseen = self._rows[spaces, OCCLUDED_COLUMN] > 0.5
            fresh = ~seen.hidden[spaces] & (unseen | again | (name in self._pending))
            self._rows[spaces] = np.where(fresh[:, None], rows[spaces], self._rows[spaces])

    def _decide(self) -> None:
        evidence = SpaceEvidence(self._labels, self._rows.copy())
        self._readings = decide_routes(evidence, self._board, self._model)

    def _events_due(self, settled: bool) -> Iterator[tuple[str, _PendingEvent]]:
        for name, reading in self._readings.items():
            hidden = self._hidden[self._board.spaces_of[name]].any()
            due = None if hidden else self._event_due(reading)
            if due is not None and (settled or due.kind != DOUBT):
                yield name, due

    def _event_due(self, reading: RouteReading) -> _PendingEvent | None:
        """What a route that is wholly in sight should be announced as, if anything."""
        name, spaces = reading.route, self._board.spaces_of[reading.route]
        answered = reading.review and name in self._answered_unseen
        self._answered_unseen.discard(name)
        if answered or (not reading.review and reading.owner == self._known[name]):
            self._doubts.pop(name, None)
            self._changed[spaces] = 0.0
            return None
        if self._changed[spaces].mean() < LEDGER_LIMITS.changed_route:
            return None
        if reading.review:
            told = self._doubts.get(name) == _likelier(reading)
            return None if told else _PendingEvent(DOUBT, reading.owner)
        return _PendingEvent(CLAIMED if reading.owner else REMOVED, reading.owner)

    def _tell(self, name: str, due: _PendingEvent, t: float) -> WatchEvent:
        reading = self._readings[name]
        if due.kind == DOUBT:
            self._doubts[name] = _likelier(reading)
            return WatchEvent(DOUBT, t, name, due.owner, reading.confidence, reading.alternatives)
        before = self._known[name]
        self.settle(name, due.owner)
        owner = due.owner if due.kind == CLAIMED else before
        return WatchEvent(due.kind, t, name, owner, reading.confidence)

    def _reading(self, name: str) -> RouteReading:
        reading, spaces = self._readings[name], self._board.spaces_of[name]
        seen = tuple(
            _hidden_space(space) if hidden else space
            for space, hidden in zip(reading.spaces, self._hidden[spaces], strict=True)
        )
        known = self._known[name]
        confidence = dict(reading.alternatives).get(known, 1 - reading.confidence)
        in_doubt = name in self._doubts
        return RouteReading(
            route=name,
            owner=known,
            confidence=confidence,
            why=(reading.why or (Why.UNSURE,)) if in_doubt else (),
            spaces=seen,
            alternatives=reading.alternatives,
        )


def _likelier(reading: RouteReading) -> tuple[Owner, ...]:
    """The two likeliest owners, whatever their order: a doubt between them is one doubt."""
    owners = [owner for owner, _ in reading.alternatives[:2]]
    return tuple(sorted(owners, key=lambda owner: owner or ""))


def _hidden_space(space: SpaceReading) -> SpaceReading:
    others = dict.fromkeys(space.probabilities, 0.0)
    return SpaceReading(OCCLUDED, 1.0, others | {OCCLUDED: 1.0})


def looks_bare(evidence: SpaceEvidence, board: Board) -> bool:
    """Whether an empty board explains a reading without reference better than wagons do."""
    routes = decide_routes(evidence, board).values()
    sure = sum(route.owner is not None and not route.review for route in routes)
    doubtful = sum(route.review for route in routes)
    few = sure <= LEDGER_LIMITS.misled * doubtful
    return few and _wagon_share(evidence) < LEDGER_LIMITS.bare


def _wagon_share(evidence: SpaceEvidence) -> float:
    """Expected part of all spaces under a wagon, 0..1."""
    rows = evidence.probabilities
    return float((1 - rows[:, EMPTY_COLUMN] - rows[:, OCCLUDED_COLUMN]).mean())
