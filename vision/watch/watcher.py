"""Watching: frames of a fixed camera become events, by one state machine.

no board → empty → stable → hand over the board → changed → asking. Most frames differ in nothing
from the last settled one and cost one small comparison; a frame is read only where something
changed and the picture holds still.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import VisionError
from vision.reading import Owner, Reading, Registration, RouteReading
from vision.registration.reference import Reference
from vision.routes.rule_warnings import rule_warnings
from vision.watch.changes import is_blind
from vision.watch.events import (
    BLOCKED,
    EMPTY_BOARD,
    HAND,
    LIGHT,
    MOVED,
    SETTLED,
    WatchEvent,
)
from vision.watch.eye import FrameReading, ReadingEye, WatchEye
from vision.watch.ledger import FrameEvidence, RouteLedger, looks_bare
from vision.watch.tracker import BoardTracker, FrameImage, FramePace, Hidden, TrackedFrame


class WatchState(StrEnum):
    """What the watcher believes is going on."""

    NO_BOARD = "no board"
    EMPTY = "empty"
    STABLE = "stable"
    HAND = "hand"
    CHANGED = "changed"
    ASKING = "asking"


AT_REST = (WatchState.EMPTY, WatchState.STABLE, WatchState.ASKING)
"""States in which nothing moves over the board."""

UNTOLD = ("vision.board.none", "vision.photo.dark")
"""Reasons that add nothing to "the camera sees no board"."""


@dataclass(frozen=True, slots=True)
class WatchLimits:
    """Times in seconds, lengths in millimetres."""

    search_again_s: float = 2.0
    """Pause between two searches for a board that isn't found in a stream."""
    lying_s: float = 4.0
    """What has lain still over the board for this long is an object, not a hand."""
    moved_mm: float = 0.8
    """A shift since the last event about it that is worth another (a nudge moves 1 to 3 mm)."""
    hand_spaces: int = 3
    """Newly hidden spaces that count as a hand where no broad change was seen."""
    newly: float = 0.25
    """Part of a space that must have changed for its being hidden to be news."""
    whole_view: float = 0.85
    """What covers more of the board than this is in front of the lens."""
    light_gain: float = 1.12
    """Change of brightness worth an event; exposure wavers within 1.07 (sequences, a hand)."""
    light_area: float = 0.25
    """Changed part of the board from which on the light is taken to come from elsewhere."""
    same_light: float = 0.15
    """Where less than this of the board differs from its empty picture, the rest is empty."""


WATCH_LIMITS = WatchLimits()


class Watcher:
    """Feed it the frames of one fixed camera in order; it says what happened.

    `players` are the colours in play, all of the board's if None. Without a `reference` the first
    frame that shows an empty board becomes it. `eye` finds and reads boards; the program's own
    networks if None.
    """

    def __init__(
        self,
        board: Board,
        reference: Reference | None = None,
        players: Sequence[str] | None = None,
        eye: WatchEye | None = None,
    ) -> None:
        self.board = board
        self.state = WatchState.NO_BOARD
        self._eye = eye or ReadingEye(board, reference, players)
        colours = tuple(players or board.player_colours)
        self._ledger = RouteLedger(board, colours)
        self._tracker: BoardTracker | None = None
        self._pace = FramePace()
        self._blocked = False
        self._reason = ""
        self._unexplained = 0
        self._searched_s: float | None = None
        self._disturbed = False
        self._over: Hidden | None = None
        self._lying: Hidden | None = None
        self._missed: VisionError | None = None

    @property
    def routes(self) -> dict[str, Owner]:
        """The announced owner of every route, in board order."""
        return self._ledger.owners

    @property
    def where(self) -> Registration | None:
        """Where the board lies in the last frame; None before it was first seen."""
        return None if self._tracker is None else self._tracker.where

    @property
    def reading(self) -> Reading | None:
        """What is known of the board now; None before it was first seen.

        Owners are the announced ones, spaces under a hand are occluded, and routes in doubt are
        marked for review.
        """
        if self._tracker is None:
            return None
        routes = self._ledger.readings()
        warnings = tuple(rule_warnings(routes, self.board))
        return Reading(self.board.id, self._tracker.where, routes, warnings, {})

    @property
    def sure(self) -> dict[str, RouteReading]:
        """The routes whose owner a board at rest shows for sure, as announced; else none."""
        return self._ledger.sure() if self.state in AT_REST else {}

    def confirm(self, route: str, owner: Owner) -> None:
        """A person said who owns a route: believe it, and don't announce it."""
        self._ledger.settle(route, owner)
        if self.state in AT_REST:
            self.state = self._rest_state()

    def finish(self) -> list[WatchEvent]:
        """After a recording's last frame: what still waited for a second frame to agree."""
        return self._ledger.finish(self._pace.now_s)

    def feed(self, image_bgr: FrameImage, t_s: float) -> list[WatchEvent]:
        """Take in the next frame, shape (H, W, 3), uint8, BGR, at `t_s` seconds.

        Returns the events in the order in which they happened. A frame in which no board is found
        becomes an event too; nothing is raised for it.
        """
        self._pace.tick(t_s)
        if is_blind(image_bgr):
            return self._lose(t_s)
        if self._tracker is None:
            return self._search(image_bgr, t_s)
        tracked = self._tracker.compare_frame(image_bgr)
        self._pace.see(tracked.moving)
        if self._is_as_settled(tracked):
            return self._rest(self._tracker, tracked, t_s)
        if tracked.moving and self._pace.is_live:
            return self._wait(self._tracker, image_bgr, tracked, t_s)
        if tracked.read_before and not self._ledger.is_waiting:
            return self._lie(self._tracker, tracked, t_s)
        return self._follow(self._tracker, image_bgr, tracked, t_s)

    def _is_as_settled(self, tracked: TrackedFrame) -> bool:
        """Whether nothing differs, and nothing was read since that could have gone again."""
        return not (tracked.change.is_any or self._disturbed or self._ledger.is_waiting)

    def _lose(self, t_s: float, error: VisionError | None = None) -> list[WatchEvent]:
        """No board is seen; said again only where the reason is another one.

        A reason is dropped when two frames in a row don't show it: a single one may be a blur.
        """
        self.state = WatchState.NO_BOARD
        reason = None if error is None or error.key in UNTOLD else error.message
        self._unexplained = self._unexplained + 1 if reason is None else 0
        same = str(reason or "") == self._reason
        if self._blocked and (same or self._unexplained == 1):
            return []
        self._blocked = True
        self._reason = str(reason or "")
        return [WatchEvent(BLOCKED, t_s, reason=reason)]

    def _search(self, frame_bgr: FrameImage, t_s: float) -> list[WatchEvent]:
        """Find the board for the first time and read what is on it already."""
        if self._searched_s is not None and t_s - self._searched_s < WATCH_LIMITS.search_again_s:
            return []
        self._searched_s = t_s if self._pace.is_live else None
        try:
            where = self._eye.find(frame_bgr)
        except VisionError as error:
            return self._lose(t_s, error)
        self._tracker = BoardTracker(self.board, where, frame_bgr)
        if self._eye.empty_board is None:
            read = self._eye.read(frame_bgr, where.spaces_px)
            if not looks_bare(read.evidence, self.board):
                tracked = self._tracker.compare_frame(frame_bgr)
                return self._take(self._tracker, tracked, read, t_s)
            self._eye.learn_empty(frame_bgr, where)
        return self._compare_with_empty(frame_bgr, where, t_s)

    def _compare_with_empty(
        self, frame_bgr: FrameImage, where: Registration, t_s: float
    ) -> list[WatchEvent]:
        """The first reading: in the same light, what looks like the empty board is empty."""
        tracker = BoardTracker(self.board, where, frame_bgr, self._eye.empty_board)
        tracked = tracker.compare_frame(frame_bgr)
        if tracked.change.share < WATCH_LIMITS.same_light:
            self._tracker = tracker
            self._ledger.start_empty()
        else:
            tracker = self._tracker = BoardTracker(self.board, where, frame_bgr)
            tracked = tracker.compare_frame(frame_bgr)
        return self._take(tracker, tracked, self._eye.read(frame_bgr, where.spaces_px), t_s)

    def _rest(self, tracker: BoardTracker, tracked: TrackedFrame, t_s: float) -> list[WatchEvent]:
        """The board looks as it did when it last settled, except for the light."""
        events = []
        if _is_other_light(tracked):
            tracker.settle(tracked.view)
            events.append(WatchEvent(LIGHT, t_s))
        if self._lying is not None:  # it was taken away: the settled board is the one without it
            self._ledger.uncover(tracker.under(self._lying.broad))
            return events + self._settle(t_s)
        return events + (self._settle(t_s) if self.state not in AT_REST else [])

    def _wait(
        self, tracker: BoardTracker, frame_bgr: FrameImage, tracked: TrackedFrame, t_s: float
    ) -> list[WatchEvent]:
        """The board or something over it moves: a reading now would be blurred."""
        self._disturbed = True
        if self.state is WatchState.HAND:
            return []
        # A board that slides differs everywhere too, until its shift is taken out.
        followed = tracker.follow(frame_bgr, tracked) if tracked.change.thick.any() else tracked
        if followed is None or followed.change.thick.any():
            return self._raise_hand(t_s)
        self.state = WatchState.CHANGED
        return []

    def _raise_hand(self, t_s: float) -> list[WatchEvent]:
        self._blocked = False
        if self.state is WatchState.HAND:
            return []
        self.state = WatchState.HAND
        return [WatchEvent(HAND, t_s)]

    def _lie(self, tracker: BoardTracker, tracked: TrackedFrame, t_s: float) -> list[WatchEvent]:
        """What was already read still lies there: after a while it counts as part of the table.

        Where the board was not found it never does: this view would be taken for the board's.
        """
        if self.state in AT_REST or self._pace.still_s < WATCH_LIMITS.lying_s:
            return []
        if self._missed is not None:
            return self._lose(t_s, self._missed)
        tracker.settle(tracked.view, self._over)
        events = self._settle(t_s)
        self._lying = self._over
        return events

    def _follow(
        self, tracker: BoardTracker, frame_bgr: FrameImage, tracked: TrackedFrame, t_s: float
    ) -> list[WatchEvent]:
        """Make sure where the board lies, then read it."""
        followed = tracker.follow(frame_bgr, tracked)
        if followed is None:
            try:
                followed = tracker.place(frame_bgr, self._eye.find(frame_bgr))
            except VisionError as error:
                return self._miss(tracker, tracked, t_s, error)
        self._missed = None
        events = []
        if tracker.drift_mm() > WATCH_LIMITS.moved_mm:
            tracker.tell_drift()
            events.append(WatchEvent(MOVED, t_s))
        read = self._eye.read(frame_bgr, tracker.where.spaces_px)
        return events + self._take(tracker, followed, read, t_s)

    def _miss(
        self, tracker: BoardTracker, tracked: TrackedFrame, t_s: float, error: VisionError
    ) -> list[WatchEvent]:
        """The board is not found where it was, nor elsewhere."""
        self._missed = error
        tracker.mark_read(tracked.view)
        hidden = 0 < tracked.change.thick_share < WATCH_LIMITS.whole_view
        return self._raise_hand(t_s) if hidden else self._lose(t_s, error)

    def _take(
        self, tracker: BoardTracker, tracked: TrackedFrame, read: FrameReading, t_s: float
    ) -> list[WatchEvent]:
        """Let the ledger judge what was read, and settle where nothing is over the board."""
        hidden = tracker.hidden(read.evidence, tracked)
        changed = tracker.share_of_spaces(tracked)
        over = self._is_hand(hidden, changed)
        tracker.mark_read(tracked.view)
        sure = not (self._pace.is_live and self._disturbed)
        known = self.state is not WatchState.NO_BOARD
        lit = known and not over and _is_other_light(tracked)
        events = [WatchEvent(LIGHT, t_s)] if lit else []
        compared = self._eye.empty_board is not None
        seen = FrameEvidence(
            read.evidence, hidden.spaces, changed, sure, not over, compared, read.find_wagons
        )
        events += self._ledger.observe(seen, t_s)
        if over or self._ledger.is_waiting:
            return self._stay_awake(over, hidden, t_s) + events
        tracker.settle(tracked.view, hidden)
        return events + (self._settle(t_s) if events or self.state not in AT_REST else [])

    def _is_hand(self, hidden: Hidden, changed: NDArray[np.float64]) -> bool:
        newly = hidden.spaces & ((changed > WATCH_LIMITS.newly) | (self.state not in AT_REST))
        return bool(hidden.broad.any()) or int(newly.sum()) >= WATCH_LIMITS.hand_spaces

    def _stay_awake(self, over: bool, hidden: Hidden, t_s: float) -> list[WatchEvent]:
        """A hand is over the board, or a second frame must agree: nothing is settled yet."""
        self._disturbed = True
        self._over = hidden
        if over:
            return self._raise_hand(t_s)
        self.state = WatchState.CHANGED
        return []

    def _settle(self, t_s: float) -> list[WatchEvent]:
        self.state = self._rest_state()
        self._disturbed = False
        self._blocked = False
        self._lying = None
        empty = self.state is WatchState.EMPTY
        return [WatchEvent(EMPTY_BOARD if empty else SETTLED, t_s)]

    def _rest_state(self) -> WatchState:
        if self._ledger.doubtful:
            return WatchState.ASKING
        claimed = any(self._ledger.owners.values())
        return WatchState.STABLE if claimed else WatchState.EMPTY


def _is_other_light(tracked: TrackedFrame) -> bool:
    """Whether the whole picture got brighter, darker or another tint, or much of it lies shaded."""
    gain = np.abs(np.log(np.maximum(tracked.change.gain, 1e-3))).max()
    return bool(
        gain > np.log(WATCH_LIMITS.light_gain)
        or tracked.change.thick_share > WATCH_LIMITS.light_area
    )
