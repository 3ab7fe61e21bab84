"""The evening as it is kept: the log, the state that it leads to and its sheet, under one lock."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

from companion.errors import RefusalError
from companion.log.file import StoreError
from companion.log.replay import resume
from companion.log.store import LOG_NAME, EventStore
from companion.session.board_check import check_event, check_number_of_players, check_state
from companion.session.events import (
    ANSWERS,
    ClockSet,
    Event,
    EventError,
    Finished,
    PlaceAnswered,
    PlayerAdded,
    PlayerRemoved,
    ReadingProposed,
    Redone,
    Shown,
    Started,
    Undone,
)
from companion.session.reducer import advance, is_step
from companion.session.state import Facts, State, last_look
from companion.table.clock import ClockJumps
from companion.table.entry_words import at_the_table
from companion.table.history.chronicle import Chronicle, EveningsNow
from companion.table.live_score import LiveScore, Reckoning
from companion.table.questions import Questions
from scoring.board.board import Board
from scoring.errors import GameError
from scoring.game.mapless import MaplessGame
from scoring.language import Message
from scoring.referee.last_round import last_round
from web.days import CLOCK_SET_S
from web.errors import ActionRefusedError

LEFT_H = 8.0
"""Hours without anybody's hand after which a game was left: a night lies between, and no meal."""

OnEvent = Callable[[State], None]
"""Hears of every event that was recorded; it is given the state before it."""


def was_asked_by_watching(event: Event, before: State) -> bool:
    """Whether somebody answers what the camera asked about by itself, and no look: they still play,
    or have just played."""
    if not isinstance(event, ANSWERS):
        return False
    then, now = last_look(before), before.proposed.routes
    lines = event.routes if isinstance(event, PlaceAnswered) else (event.route,)
    asked = [line for line in lines if line in now and now[line].review]
    return any(now[line] != then.get(line) for line in asked)


def settled(event: Event, before: State, after: State) -> bool:
    """Whether the last question was answered, or a look left none."""
    turned = (before.facts.phase, after.facts.phase) == ("doubts", "tickets")
    return turned and isinstance(event, ANSWERS | ReadingProposed)


class Evening:
    """The log's state, which changes only through `record`.

    `lock` is the table's one lock: whoever reads the state and acts on it holds it meanwhile. `now`
    tells the seconds since 1970 at which events happen, `steady` the same by a clock that nobody
    sets: where they part, the games that began under the old time are dated anew.
    Raises StoreError where the log in the folder cannot be used.
    """

    def __init__(
        self,
        data: Path,
        boards: Sequence[Board],
        on_event: OnEvent,
        now: Callable[[], float],
        steady: Callable[[], float] | None = None,
    ) -> None:
        self.lock = threading.Condition(threading.RLock())
        self.boards = {board.id: board for board in boards}
        self._waiting: dict[str, Board] = {}
        self._store = EventStore(data / LOG_NAME, now, may_wait=True)
        self._on_event = on_event
        self._request_id = ""
        self._score = LiveScore()
        self._chronicle = Chronicle(self.boards)
        self._began_s: dict[str | None, float] = {}
        """When games began by the monotonic clock, by their ids."""
        self._jumps = None if steady is None else ClockJumps(now, steady)
        self._begun_here: tuple[str, ...] = ()
        """Games that began since the program was started."""
        self._to_date: list[ClockSet] = []
        self.state, self.notices = resume(self._store, self.boards, self._chronicle.follow)
        self._now, self._left_at_s = now, self._store.last_at_s
        self._by_hand_s: float | None = None
        """When somebody last did something since the program was started, by a clock that nobody
        sets. What was done before has only its date, and the box may learn today's after a while.
        """

    def evenings_now(self) -> EveningsNow:
        """The finished evenings at this moment."""
        with self.lock:
            self._note_clock()
            return EveningsNow(
                kept=tuple(self._chronicle.evenings(self.state)),
                deleted=self.state.deleted_evenings,
                current=self.game_id,
                joined_names=self.state.joined_names,
                playing=tuple(player.name for player in self.facts.players),
            )

    @property
    def left(self) -> Message | None:
        """That the game in play was left, as yesterday's that is on when the box is switched on."""
        if self._by_hand_s is not None:
            hours = (monotonic() - self._by_hand_s) / 3600
        elif self._left_at_s < CLOCK_SET_S:  # nobody knows when that was
            return None
        else:
            hours = (self._now() - self._left_at_s) / 3600
        if self.facts.board is None or self.facts.phase == "sheet" or hours < LEFT_H:
            return None
        if hours < 48:
            return Message("companion.notice.left-hours", count=int(hours))
        return Message("companion.notice.left-days", count=int(hours / 24))

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever played or set here."""
        with self.lock:
            return self._store.is_empty

    @property
    def no_room(self) -> Message | None:
        """What is to be said where the disk was full at the start, or could only be read, until it
        takes an event."""
        return self._store.why_it_waits

    @property
    def game_id(self) -> str | None:
        """The id of the game in play, None without one."""
        return self._chronicle.id_of(self.state)

    @property
    def game_began_s(self) -> float | None:
        """When that was by the monotonic clock; None where the program has been started since."""
        return self._began_s.get(self.game_id)

    @property
    def facts(self) -> Facts:
        """What people said."""
        return self.state.facts

    @property
    def board(self) -> Board | None:
        """The board in play, None without a game."""
        return self.boards.get(self.facts.board or "")

    @property
    def reckoning(self) -> Reckoning | None:
        """The sheet as it would be now, None without a game."""
        return None if self.board is None else self._score.reckoning(self.state, self.board)

    @property
    def questions(self) -> Questions:
        """The open questions in the order in which they are asked."""
        return self._score.questions(self.state, self.board)

    @property
    def offered(self) -> Mapping[str, Board]:
        """The boards that a new game may be played on, by id."""
        return {**self.boards, **self._waiting}

    def offer(self, board: Board) -> None:
        """Take a board for new games; the game that is on keeps its own until it is over."""
        with self.lock:
            if self.facts.board == board.id:
                self._waiting[board.id] = board
            else:
                self.boards[board.id] = board

    def start(self, event: Started) -> None:
        """Begin a game; the board says whether there is a map. Raises ActionRefusedError."""
        board = self.boards.get(event.board)
        self.record(replace(event, has_map=not isinstance(board, MaplessGame)))

    def was_done(self, request_id: str) -> bool:
        """Whether a request of this name has led to an event."""
        return request_id in self._store.request_ids

    @contextmanager
    def on_behalf_of(self, request_id: str) -> Iterator[None]:
        """What is recorded meanwhile comes from this request; the lock is held."""
        with self.lock:
            before, self._request_id = self._request_id, request_id
            try:
                yield
            finally:
                self._request_id = before

    def record(self, event: Event) -> None:
        """Check, write, then believe: in this order, so that a crash loses an event whole.

        Raises ActionRefusedError.
        """
        with self.lock:
            self._note_clock()
            before = self.state
            try:
                after = advance(before, event)
                self._check(event, after)
                self._store.append(event, self._request_id)
            except (RefusalError, StoreError) as error:
                raise ActionRefusedError.saying(error) from error
            except EventError as error:
                raise ActionRefusedError("companion.refused.not-an-event", reason=error) from error
            self.state = after
            if is_step(event) or isinstance(event, Shown | Undone | Redone):
                self._by_hand_s = monotonic()
            self._chronicle.follow(self._store.last_at_s, before, event, after)
            if isinstance(event, Started):
                self._began_s[self.game_id] = monotonic()
                self._begun_here += (str(self.game_id),)
            self._take_waiting(is_begun=isinstance(event, Started))
            self._on_event(before)
            if settled(event, before, after) and not self._may_be_over(event, before):
                self.record(Shown("look"))

    def _note_clock(self) -> None:
        """Date the games of this start anew where the clock was set meanwhile."""
        behind_s = 0 if self._jumps is None else self._jumps.take_s()
        if behind_s and self._begun_here:
            self._to_date.append(ClockSet(self._begun_here, behind_s))
        if not self._to_date:
            return
        event = self._to_date.pop()
        try:
            with self.on_behalf_of(""):
                self.record(event)
        except ActionRefusedError:  # the disk is full, say: whatever is done now tells of it
            self._to_date.append(event)

    def _may_be_over(self, event: Event, before: State) -> bool:
        """Whether the tally has begun already, or somebody has begun the last round and the table
        has stopped for a look: everybody has one more turn, which is played on the board."""
        if any(entry.tickets for entry in self.facts.entries.values()):
            return True
        if was_asked_by_watching(event, before):
            return False
        game = None if self.reckoning is None else self.reckoning.game
        return game is None or last_round(game) is not None

    def close(self) -> None:
        """Let go of the log."""
        with self.lock:
            self._note_clock()
            self._store.close()

    def _take_waiting(self, *, is_begun: bool) -> None:
        """Boards that were offered while a game was on them, unless that game is still on."""
        for name in [name for name in self._waiting if is_begun or name != self.facts.board]:
            self.boards[name] = self._waiting.pop(name)

    def _check(self, event: Event, after: State) -> None:
        """Refuse what the board in play does not know, and entries that contradict the game."""
        if after.facts.board is None:
            return
        boards = self.offered if isinstance(event, Started) else self.boards
        board = boards.get(after.facts.board)
        if board is None:
            raise RefusalError("companion.refused.unknown-board", board=after.facts.board)
        check_event(event, board)
        if isinstance(event, PlayerAdded | PlayerRemoved):
            check_number_of_players(after, board)
        if after.facts.number != self.facts.number:  # an undo may lead to a board changed since
            check_state(after, board)
        if event.can_contradict:
            self._check_entry(event, self._score.reckoning(after, board).error)

    def _check_entry(self, event: Event, error: GameError | None) -> None:
        """Only a new contradiction is the entry's own fault; a sheet has to be free of any."""
        if error is None:
            return
        before = self.reckoning
        known = before.error.messages if before is not None and before.error is not None else ()
        if isinstance(event, Finished) or not set(error.messages) <= set(known):
            raise ActionRefusedError.saying(at_the_table(error))
