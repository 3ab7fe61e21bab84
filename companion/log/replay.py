"""Coming back after a restart: the state that the log leads to, and what to tell of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.errors import RefusalError
from companion.log.rescue import Rescue
from companion.log.salvage import Span
from companion.log.store import EventStore, Unusable
from companion.session.board_check import check_event
from companion.session.events import Event, PutAway, Undone
from companion.session.reducer import NOTHING_YET, advance, is_step
from companion.session.state import State
from scoring.board.board import Board
from scoring.language import Message


@dataclass(frozen=True, slots=True)
class _Left:
    """How many entries were left out: unreadable, of a newer program, refused today."""

    damaged: int = 0
    newer: int = 0
    refused: int = 0


DatedEntry = tuple[float, Event | Unusable]
"""When an entry of a log was written, and what it says."""

Follow = Callable[[float, State, Event, State], None]
"""Hears of an event: when it was written, the state before, the event, and the state after."""


def resume(
    store: EventStore, boards: Mapping[str, Board], follow: Follow = lambda *step: None
) -> tuple[State, tuple[Message, ...]]:
    """The state after a log, and its notices; `boards` are those that can be played here, by id.

    `follow` hears of every event that counts, in order.
    A game on a board that is no longer here is put away, which can be undone like anything else.
    """
    state, left = replay(store.dated_entries(), boards, follow)
    notices = [*rescue_notices(store), *_left_out(left)]
    board = state.facts.board
    if board is not None and board not in boards:
        notices.append(Message("companion.store.board-gone", board=board))
        store.append(PutAway())
        before, state = state, advance(state, PutAway())
        follow(store.last_at_s, before, PutAway(), state)
    return state, tuple(notices)


def replay(
    entries: Sequence[DatedEntry], boards: Mapping[str, Board], follow: Follow
) -> tuple[State, _Left]:
    """The state after the entries that make sense, and how many others there were.

    Only the game that is on has to fit its board as it is now: those before it stay as they were
    played, whatever became of their boards.
    """
    begun = beginning_of_the_last_game(entries)
    state = NOTHING_YET

    def take(place: int, at_s: float, event: Event) -> None:
        nonlocal state
        before, state = state, step(state, event, boards if place >= begun else {})
        follow(at_s, before, event, state)

    left = _each_usable(entries, take)
    return state, left


def beginning_of_the_last_game(entries: Sequence[DatedEntry]) -> int:
    """Where the game begins that is on at the end; behind all entries where none is."""
    state, places = NOTHING_YET, {0: 0}

    def take(place: int, _: float, event: Event) -> None:
        nonlocal state
        state = advance(state, event)
        places.setdefault(state.facts.number, place)

    _each_usable(entries, take)
    return len(entries) if state.facts.board is None else places[state.facts.number]


class LostSteps:
    """Entries that cannot be used, or that are refused today, and the undos right behind them.

    Those took them back: they are left out as well, or they would take back something else.
    """

    def __init__(self) -> None:
        self._count = 0

    def lose(self, entry: Event | Unusable) -> None:
        """An entry is left out."""
        self._count += isinstance(entry, Unusable) or is_step(entry)

    def are_undone_by(self, event: Event) -> bool:
        """Whether an event took back one of them, which then is lost no more."""
        is_theirs = isinstance(event, Undone) and self._count > 0
        self._count -= is_theirs
        return is_theirs

    def forget(self) -> None:
        """An event counted: an undo is meant for that one now."""
        self._count = 0


def _each_usable(entries: Sequence[DatedEntry], take: Callable[[int, float, Event], None]) -> _Left:
    """Hand on every event with its place and time; `take` raises RefusalError for what can't be."""
    damaged, newer, refused = 0, 0, 0
    lost = LostSteps()
    for place, (at_s, entry) in enumerate(entries):
        if isinstance(entry, Unusable):
            damaged, newer = damaged + (not entry.is_newer), newer + entry.is_newer
            lost.lose(entry)
        elif not lost.are_undone_by(entry):
            try:
                take(place, at_s, entry)
                lost.forget()
            except RefusalError:
                refused += 1
                lost.lose(entry)
    return _Left(damaged, newer, refused)


def step(state: State, event: Event, boards: Mapping[str, Board]) -> State:
    """All events were accepted when they were written; damage and other rules can change that."""
    after = advance(state, event)
    board = boards.get(after.facts.board or "")
    if board is not None:
        check_event(event, board)
    return after


def rescue_notices(store: EventStore) -> list[Message]:
    """What opening the log had to save or renew, nothing where it was whole."""
    if store.rescue is not None:
        return [_rescue(store.rescue)]
    return [Message("companion.store.copy-renewed")] if store.copy_renewed else []


def _rescue(rescue: Rescue) -> Message:
    """What was saved, and what is missing as far as that is known."""
    values: dict[str, object] = {"path": rescue.kept_at.name, "count": rescue.events}
    if rescue.missing:
        missing = ", ".join(span_text(span) for span in rescue.missing)
        return Message("companion.store.missing", **values, missing=missing)
    key = "companion.store.restored" if rescue.knows_end else "companion.store.rescued"
    return Message(key, **values)


def span_text(span: Span) -> str:
    """Numbers in a row as both languages write them."""
    first, last = span
    return str(first) if first == last else f"{first}–{last}"


def _left_out(left: _Left) -> list[Message]:
    counts = {"unusable": left.damaged, "from-newer": left.newer, "skipped": left.refused}
    return [
        Message(f"companion.store.{name}.{'one' if n == 1 else 'many'}", count=n)
        for name, n in counts.items()
        if n
    ]
