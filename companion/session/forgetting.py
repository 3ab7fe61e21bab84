"""What a copy of the log makes undo and redo forget: games that are not finished; pure.

A copy holds their hands. Whoever has read it must not be able to bring such a game back.
"""

from dataclasses import replace

from companion.session.events import Started
from companion.session.state import Checkpoint, State


def leads_to_unfinished(state: State) -> bool:
    """Whether undo or redo leads out of the game in play into one that is not finished."""
    return without_unfinished(state) != state


def without_unfinished(state: State) -> State:
    """The state whose undo and redo stop before such a game."""
    left = [place for place, one in enumerate(state.past) if _leaves_unfinished(one)]
    begun = [place for place, one in enumerate(state.future) if isinstance(one.left_by, Started)]
    return replace(
        state,
        past=state.past[left[-1] + 1 :] if left else state.past,
        future=state.future[begun[-1] + 1 :] if begun else state.future,
    )


def _leaves_unfinished(checkpoint: Checkpoint) -> bool:
    return checkpoint.crosses_games and checkpoint.facts.phase not in ("start", "sheet")
