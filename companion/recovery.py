"""Coming back after a restart: the state that the log leads to, and what to tell of it."""

from collections.abc import Collection, Sequence

from companion.event_store import EventStore
from companion.events import Event, PutAway
from companion.refusals import RefusalError
from companion.session import NOTHING_YET, advance
from companion.state import State
from web.ports import Message


def resume(store: EventStore, boards: Collection[str]) -> tuple[State, tuple[Message, ...]]:
    """The state after a log, and its notices; `boards` are the ids that can be played here.

    A game on a board that is no longer here is put away, which can be undone like anything else.
    """
    state, skipped = _replay(store.events())
    notices = [*_rescue(store), *_skipped(skipped)]
    board = state.facts.board
    if board is not None and board not in boards:
        notices.append(Message(key="companion.store.board-gone", values={"board": board}))
        store.append(PutAway())
        state = advance(state, PutAway())
    return state, tuple(notices)


def _replay(events: Sequence[Event]) -> tuple[State, int]:
    """The state after the events, and how many of them were refused.

    All of them were accepted when they were written: only a change of the rules since can refuse
    one now, and then the rest of the evening still counts.
    """
    state, skipped = NOTHING_YET, 0
    for event in events:
        try:
            state = advance(state, event)
        except RefusalError:
            skipped += 1
    return state, skipped


def _rescue(store: EventStore) -> list[Message]:
    if store.rescue is None:
        return []
    values = {"path": str(store.rescue.kept_at), "count": store.rescue.events}
    return [Message(key="companion.store.rescued", values=values)]


def _skipped(count: int) -> list[Message]:
    values = {"count": count}
    return [Message(key="companion.store.skipped", values=values)] if count else []
