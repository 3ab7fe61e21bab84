"""One button's contact: edges in, debounced changes out; pure.

An edge carries the time at which the system saw it, so that no press is lost and none is counted
twice however late the edges are looked at.
"""

from dataclasses import dataclass

PRESS_STEADY_S = 0.010
"""Closed for so long without an edge is a press. A common pushbutton bounces for 10 ms at most, in
pieces of a few milliseconds; a tap of 30 ms leaves twice as much, a glitch on a long wire less."""

RELEASE_STEADY_S = 0.025
"""Open for so long is a release: a worn contact may open for a moment while it is held down."""

NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Change:
    """A debounced change: whether the button went down or up, and since when that is so."""

    is_down: bool
    at_s: float


@dataclass(slots=True)
class Contact:
    """The debounced state of one button. A button held down at power-on is no press."""

    is_down: bool = False
    is_closed: bool = False
    since_s: float = -NEVER
    """When the last edge came; `is_closed` is the level since then."""
    other_since_s: float = -NEVER
    """Since when the other level was there before."""

    def edge(self, is_closed: bool, at_s: float) -> Change | None:
        """Take an edge, or a level that was looked at; returns the change complete before it.

        A look may be quicker than the edges of what it saw. Those only say since when it is so.
        """
        if at_s < self.since_s:
            if is_closed == self.is_closed and at_s > self.other_since_s:
                self.since_s = at_s
            return None
        complete = self.settle(at_s)
        if is_closed != self.is_closed:
            self.other_since_s = self.since_s
        self.is_closed, self.since_s = is_closed, at_s
        return complete

    def settle(self, now_s: float) -> Change | None:
        """The change that is complete by now, given that no edge has come since the last one."""
        if now_s < self.due_s:
            return None
        self.is_down = self.is_closed
        return Change(self.is_down, self.since_s)

    @property
    def due_s(self) -> float:
        """When the change that is under way will be complete; never if there is none."""
        if self.is_closed == self.is_down:
            return NEVER
        return self.since_s + (PRESS_STEADY_S if self.is_closed else RELEASE_STEADY_S)
