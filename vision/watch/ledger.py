"""What watching knows of every route, and what is worth an event: pure, no pixels.

It is fed the evidence of one frame after another with what the pixels say about it: which spaces
are hidden and by how much each space's picture changed. The ledger keeps the last evidence of a
space while its picture stays the same, so a flicker of the reader can never claim anything; and it
keeps what it knows of a space while something hides it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import EMPTY, OCCLUDED, Owner, RouteReading, SpaceReading, Why
from vision.routes.account import Account
from vision.routes.decide import decide_routes
from vision.routes.judge import judge_places
from vision.routes.model import WITH_EMPTY_BOARD, WITHOUT_EMPTY_BOARD
from vision.routes.places import bag_of
from vision.routes.settling import settled_by_both
from vision.routes.tinted import tinted_routes
from vision.routes.witness import missed
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
    `beside_empty`: the evidence was read beside a picture of the empty board. `find_wagons` finds
    the frame's wagons, and is only called for where they may settle a doubt.
    """

    evidence: SpaceEvidence
    hidden: NDArray[np.bool_]
    changed: NDArray[np.float64]
    sure: bool
    settled: bool
    beside_empty: bool = True
    find_wagons: Callable[[], Account | None] = lambda: None


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
        self._answers: dict[str, Owner] = {}
        self._answered_unseen: set[str] = set()
        self._rows = np.zeros((board.space_count, len(self._labels)))
        self._rows[:, OCCLUDED_COLUMN] = 1.0
        self._by_route: NDArray[np.float64] | None = None
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

    def observe(self, seen: FrameEvidence, t_s: float) -> list[WatchEvent]:
        """Take in a frame's evidence; returns what it makes certain, in board order."""
        self._remember(seen)
        self._model = WITH_EMPTY_BOARD if seen.beside_empty else WITHOUT_EMPTY_BOARD
        self._decide()
        due_now = dict(self._events_due(seen.settled))
        find_wagons = cache(seen.find_wagons)
        has_doubt = any(due.kind == DOUBT for due in due_now.values())
        if has_doubt and self._settle_doubts(seen, find_wagons()):
            due_now = dict(self._events_due(seen.settled))
        claims = [name for name, due in due_now.items() if due.kind == CLAIMED]
        if claims and self._doubt_claims(claims, seen.evidence, find_wagons()):
            due_now = dict(self._events_due(seen.settled))
        events: list[WatchEvent] = []
        pending: dict[str, _PendingEvent] = {}
        for name, due in due_now.items():
            if seen.sure or self._pending.get(name) == due:
                events.append(self._tell(name, due, t_s))
            else:
                pending[name] = due
        self._pending = pending
        self._answered_unseen -= set(self._in_sight())
        return events

    def uncover(self, spaces: NDArray[np.bool_]) -> None:
        """What lay over these spaces, (N,), is gone, and they look as they did before it."""
        self._hidden = self._hidden & ~spaces

    def finish(self, t_s: float) -> list[WatchEvent]:
        """After the last frame no second one comes: tell what was waiting for it."""
        waiting, self._pending = self._pending, {}
        return [self._tell(name, due, t_s) for name, due in waiting.items()]

    def settle(self, route: str, owner: Owner) -> None:
        """A person said who owns a route: believe it, don't announce it, and don't ask again.

        Only a sure reading can contradict it then, or, where nobody held the route, a doubtful one
        of wagons that came afterwards. Before the board is first read (a game that goes on) the
        answer may be out of date: the first look asks nothing of what it was given for.
        """
        self._answers[route] = owner
        self._believe(route, owner)
        if not self._readings:
            self._answered_unseen.add(route)

    def _believe(self, route: str, owner: Owner) -> None:
        self._known[route] = owner
        self._doubts.pop(route, None)
        self._pending.pop(route, None)
        if self._readings:
            self._changed[self._board.spaces_of[route]] = 0.0

    def readings(self) -> dict[str, RouteReading]:
        """Every route as announced, its spaces as last seen, hidden ones as occluded."""
        return {name: self._reading(name) for name in self._known if name in self._readings}

    def sure(self) -> dict[str, RouteReading]:
        """The routes wholly in sight whose sure reading is what was announced, in board order."""
        return {
            name: reading
            for name in self._in_sight()
            if (reading := self._readings.get(name)) is not None
            and not reading.review
            and reading.owner == self._known[name]
        }

    def _remember(self, seen: FrameEvidence) -> None:
        """Take the new rows of routes that changed, or were never seen.

        A route in doubt is among them: it stays changed until it is known.
        """
        rows, by_route = seen.evidence.probabilities, seen.evidence.by_route
        if by_route is not None and self._by_route is None:
            self._by_route = self._of_whole_routes(by_route.shape[1])
        self._hidden = seen.hidden
        changed = np.where(seen.hidden, 0.0, seen.changed)
        self._changed = np.maximum(self._changed, changed)
        for k, (name, spaces) in enumerate(self._board.spaces_of.items()):
            again = self._changed[spaces].max() > LEDGER_LIMITS.read_again
            unseen = self._rows[spaces, OCCLUDED_COLUMN] > 0.5
            fresh = ~seen.hidden[spaces] & (unseen | again | (name in self._pending))
            self._rows[spaces] = np.where(fresh[:, None], rows[spaces], self._rows[spaces])
            if self._by_route is not None and by_route is not None and fresh.any():
                self._by_route[k] = by_route[k]

    def _of_whole_routes(self, owners: int) -> NDArray[np.float64]:
        """What is known of whole routes before the first look at them: nobody's where the board
        began empty, else nothing."""
        table = np.full((len(self._board.routes), owners), 1 / owners)
        for k, spaces in enumerate(self._board.spaces_of.values()):
            if self._rows[spaces, EMPTY_COLUMN].min() == 1:
                table[k] = np.eye(owners)[0]
        return table

    def _evidence(self) -> SpaceEvidence:
        by_route = None if self._by_route is None else self._by_route.copy()
        return SpaceEvidence(self._labels, self._rows.copy(), by_route=by_route)

    def _decide(self) -> None:
        self._readings = decide_routes(self._evidence(), self._board, self._model)

    def _settle_doubts(self, seen: FrameEvidence, account: Account | None) -> bool:
        """Settle doubts by the frame's wagons and by the judge, as a single photo's are; False
        where no wagons were looked for.

        Nothing is doubted that was not before: while a game goes on, wagons lie about.
        """
        if account is None:
            return False
        evidence, with_empty = self._evidence(), seen.beside_empty
        settled, weighed = settled_by_both(
            self._readings, evidence, self._board, [account], with_empty=with_empty
        )
        settled = judge_places(
            settled, evidence, self._board, weighed, [account], with_empty=with_empty
        )
        for name, reading in self._readings.items():
            if reading.review:
                self._readings[name] = settled[name]
        return True

    def _doubt_claims(
        self, claims: Sequence[str], evidence: SpaceEvidence, account: Account | None
    ) -> bool:
        """Doubt the claims that are about to be told whose colour may be that of a mirrored window,
        or of which hardly a wagon is found; whether there is one. Stray wagons of two players on
        one route have been read as a claim."""
        tinted = tinted_routes(self._readings, evidence, self._board)
        doubted = {name: Why.TINTED for name in claims if name in tinted}
        if account is not None:
            lacking = missed(claims, self._readings, self._board, [account])
            doubted |= dict.fromkeys(lacking, Why.NO_WAGON)
        for name, why in doubted.items():
            self._readings[name] = replace(self._readings[name], why=(why,))
        return bool(doubted)

    def _events_due(self, settled: bool) -> Iterator[tuple[str, _PendingEvent]]:
        for name in self._in_sight():
            due = self._event_due(self._readings[name])
            if due is not None and (settled or due.kind != DOUBT):
                yield name, due

    def _in_sight(self) -> Iterator[str]:
        """The routes of which nothing is hidden."""
        for name, spaces in self._board.spaces_of.items():
            if not self._hidden[spaces].any():
                yield name

    def _event_due(self, reading: RouteReading) -> _PendingEvent | None:
        """What a route that is wholly in sight should be announced as, if anything."""
        name, spaces = reading.route, self._board.spaces_of[reading.route]
        known = self._is_answered(reading) if reading.review else reading.owner == self._known[name]
        if known:
            self._doubts.pop(name, None)
            self._changed[spaces] = 0.0
            return None
        if self._changed[spaces].mean() < LEDGER_LIMITS.changed_route:
            return None
        if reading.review:
            told = self._doubts.get(name) == _likelier(reading)
            return None if told else _PendingEvent(DOUBT, reading.owner)
        return _PendingEvent(CLAIMED if reading.owner else REMOVED, reading.owner)

    def _is_answered(self, doubtful: RouteReading) -> bool:
        """Whether a person has said already what a doubtful reading would ask."""
        name = doubtful.route
        if name not in self._answers:
            return False
        told = self._answers[name]
        return told is not None or doubtful.owner is None or name in self._answered_unseen

    def _tell(self, name: str, due: _PendingEvent, t_s: float) -> WatchEvent:
        reading = self._readings[name]
        if due.kind == DOUBT:
            self._doubts[name] = _likelier(reading)
            return WatchEvent(DOUBT, t_s, name, due.owner, reading.confidence, reading.alternatives)
        before = self._known[name]
        self._answers.pop(name, None)
        self._believe(name, due.owner)
        owner = due.owner if due.kind == CLAIMED else before
        return WatchEvent(due.kind, t_s, name, owner, reading.confidence)

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
    return bag_of(owner for owner, _ in reading.alternatives[:2])


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
