"""One button's contact: edges in, debounced changes out; pure.

An edge carries the time at which the system saw it, and may be handed over much later, after levels
that were looked at meanwhile. What was known before is then worked out anew with it, so that no
press is lost and none is counted twice, however late the edges come.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import attrgetter

PRESS_STEADY_S = 0.010
"""Closed for so long without an edge is a press. A common pushbutton bounces for 10 ms at most, in
pieces of a few milliseconds; a tap of 30 ms leaves twice as much, a glitch on a long wire less."""

RELEASE_STEADY_S = 0.025
"""Open for so long is a release: a worn contact may open for a moment while it is held down."""

BELIEVE_S = 0.02
"""An edge may be on its way for so long before a level that disagrees with it is believed."""

LATE_S = 10.0
"""Edges are told of later than they happened, but not by more than this."""

NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Change:
    """A debounced change: whether the button went down or up, and since when that is so."""

    is_down: bool
    at_s: float


@dataclass(slots=True)
class _Debounced:
    """What a contact is by the edges up to some time: the level, and the button's state."""

    is_down: bool
    is_closed: bool
    since_s: float = -NEVER
    """When the last edge came; `is_closed` is the level since then."""

    @property
    def due_s(self) -> float:
        """When the change that is under way will be complete; never if there is none."""
        if self.is_closed == self.is_down:
            return NEVER
        return self.since_s + (PRESS_STEADY_S if self.is_closed else RELEASE_STEADY_S)

    def settle(self, now_s: float) -> Iterator[Change]:
        """The change that is complete by now, if there is one."""
        if now_s >= self.due_s:
            self.is_down = self.is_closed
            yield Change(self.is_down, self.since_s)

    def edge(self, at_s: float, is_closed: bool) -> Iterator[Change]:
        """Take an edge; the change that was complete before it."""
        yield from self.settle(at_s)
        if is_closed != self.is_closed:
            self.is_closed, self.since_s = is_closed, at_s


@dataclass(frozen=True, slots=True)
class _Edge:
    """The contact closed or opened; `is_looked` where its level showed that, and nobody told."""

    at_s: float
    is_closed: bool
    is_looked: bool = False


@dataclass(slots=True)
class Contact:
    """The debounced state of one button. A button held down at power-on is no press."""

    is_closed_at_first: bool = False
    _before: _Debounced = field(init=False)
    """How it was before the edges that are kept."""
    _now: _Debounced = field(init=False)
    _now_s: float = field(init=False, default=-NEVER)
    _edges: list[_Edge] = field(init=False, default_factory=list)
    """Those of the last `LATE_S`, by their time."""
    _is_news: bool = field(init=False, default=False)
    """Whether an edge has come since the last `settle`."""
    _told: int = field(init=False, default=0)
    """How many of the changes that follow from the edges were told."""

    def __post_init__(self) -> None:
        self._before = _Debounced(self.is_closed_at_first, self.is_closed_at_first)
        self._now = replace(self._before)

    def edge(self, is_closed: bool, at_s: float) -> None:
        """Take an edge, which may have happened before others that were taken already."""
        self._insert(_Edge(at_s, is_closed))

    def look(self, is_closed: bool, at_s: float) -> None:
        """Take a level that was looked at: an edge that was lost leaves no button stuck.

        To be called before `settle`. A contact that opened, and is closed before that has become a
        release, has only bounced.
        """
        known, _ = _follow(self._before, self._edges, self._now_s)
        if is_closed != known.is_closed and at_s > known.since_s + BELIEVE_S:
            bounced = known.is_down and is_closed
            self._insert(_Edge(known.since_s if bounced else at_s, is_closed, is_looked=True))

    def settle(self, now_s: float) -> list[Change]:
        """The changes that are complete by now, as far as edges have come, and not yet told."""
        self._now_s = max(self._now_s, now_s)
        if not self._is_news and self._now_s < self._now.due_s:
            return []
        self._now, changes = _follow(self._before, self._edges, self._now_s)
        self._is_news = False
        if len(changes) < self._told:
            return self._take_back(len(changes))
        untold, self._told = changes[self._told :], len(changes)
        return untold

    def _take_back(self, count: int) -> list[Change]:
        """More was told than there has been, before a late edge came; a button is let go at most.

        While the contact is still moving it is left open how many there will have been.
        """
        moves = self._now_s < self._now.since_s + RELEASE_STEADY_S
        if moves or self._now.due_s < NEVER:
            self._is_news = True
            return []
        told_down = self._before.is_down != bool(self._told % 2)
        self._told = count
        if told_down and not self._now.is_down:
            return [Change(is_down=False, at_s=self._now.since_s)]
        return []

    @property
    def due_s(self) -> float:
        """When the change that is under way will be complete; never if there is none."""
        return self._now.due_s

    @property
    def down_since_s(self) -> float:
        """Since when the button is held down without an edge; never if it is not."""
        return self._now.since_s if self._now.is_down else NEVER

    def _insert(self, edge: _Edge) -> None:
        """Put an edge in its place; one that was only looked at gives way to what it was."""
        if edge.at_s <= self._now_s - LATE_S:
            return
        self._forget(self._now_s - LATE_S)
        place = bisect_right(self._edges, edge.at_s, key=attrgetter("at_s"))
        before = self._edges[place - 1] if place else edge
        if before.is_looked and not edge.is_looked and before.is_closed == edge.is_closed:
            self._edges[place - 1] = edge
        else:
            self._edges.insert(place, edge)
        self._is_news = True

    def _forget(self, before_s: float) -> None:
        """Let go of old edges, and of the changes that followed from them."""
        old = [edge for edge in self._edges if edge.at_s < before_s]
        if old:
            self._before, changes = _follow(self._before, old, before_s)
            self._told -= len(changes)
            del self._edges[: len(old)]


def _follow(
    start: _Debounced, edges: list[_Edge], until_s: float
) -> tuple[_Debounced, list[Change]]:
    """How a contact is after these edges, and the changes on the way."""
    state, changes = replace(start), list[Change]()
    for edge in edges:
        changes += state.edge(edge.at_s, edge.is_closed)
    changes += state.settle(until_s)
    return state, changes
