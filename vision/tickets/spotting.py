"""How well a line's letters bear every name of the board: CTC alignment with the names given.

A name costs what its letters are less probable than the likeliest letters there; a letter that
stands outside the names costs `STRAY`. So 0 is a perfect fit and every doubt counts as it should.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tickets.names import BLANK, Lexicon
from vision.tickets.reading_lines import Script

STRAY = -2.5
"""Cost of a letter that belongs to neither name."""
IMPOSSIBLE = np.float32(-1e4)
"""Score of a step that no reading takes."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Log-scores of every place, shape (P, T + 1) each.

    `ending[p, t]`: one name of place p and strays explain the frames before t. `starting[p, t]`:
    the same of the frames from t on.
    """

    ending: NDArray[np.float32]
    starting: NDArray[np.float32]

    @property
    def pairs(self) -> NDArray[np.float32]:
        """Best score of two places in either order: symmetric, of shape (P, P)."""
        count = len(self.ending)
        best = np.full((count, count), IMPOSSIBLE, np.float32)
        for place in range(count):
            best[place] = (self.ending[place] + self.starting).max(axis=1)
        return np.maximum(best, best.T)

    @property
    def singles(self) -> NDArray[np.float32]:
        """Best score of one place alone: shape (P,)."""
        return np.asarray(self.ending[:, -1], np.float32)


def spot(scripts: list[Script], lexicon: Lexicon) -> Spots:
    """The names on these lines, read one after the other."""
    logs = np.concatenate([script.logs for script in scripts])
    strays = np.concatenate([script.letter_at for script in scripts]) * np.float32(STRAY)
    relative = logs - logs.max(axis=1, keepdims=True)
    ending = _best_of_places(_align(relative, strays, lexicon, False), lexicon)
    backwards = _align(relative[::-1], strays[::-1], lexicon, True)
    return Spots(ending, _best_of_places(backwards, lexicon)[:, ::-1])


def _best_of_places(scores: NDArray[np.float32], lexicon: Lexicon) -> NDArray[np.float32]:
    best = np.full((len(lexicon.place_ids), scores.shape[1]), IMPOSSIBLE, np.float32)
    np.maximum.at(best, lexicon.places, scores)
    return best


def _align(
    relative: NDArray[np.float32], strays: NDArray[np.float32], lexicon: Lexicon, backwards: bool
) -> NDArray[np.float32]:
    """For each spelling the score that it has ended before frame t: shape (S, T + 1).

    State 2k is the blank before letter k, state 2k + 1 the letter; strays before and after.
    """
    signs = _reversed(lexicon) if backwards else lexicon.spellings
    count, longest = signs.shape
    rows = np.arange(count)
    last = 2 * lexicon.lengths - 1
    state_signs = np.full((count, 2 * longest), BLANK, np.int64)
    state_signs[:, 1::2] = np.maximum(signs, 0)
    # A letter may follow the one before it at once, unless it is the same.
    may_skip = np.zeros((count, 2 * longest), bool)
    may_skip[:, 3::2] = signs[:, 1:] != signs[:, :-1]
    states = np.full((count, 2 * longest), IMPOSSIBLE, np.float32)
    done = np.full(count, IMPOSSIBLE, np.float32)
    ended = np.full((count, len(relative) + 1), IMPOSSIBLE, np.float32)
    before = np.float32(0.0)
    skipping = np.where(may_skip, np.float32(0), IMPOSSIBLE)
    moved = np.full_like(states, IMPOSSIBLE)
    for frame, levels in enumerate(relative):
        moved[:, 1:] = states[:, :-1]
        arriving = np.maximum(states, moved)
        arriving[:, 2:] = np.maximum(arriving[:, 2:], states[:, :-2] + skipping[:, 2:])
        arriving[:, :2] = np.maximum(arriving[:, :2], before)
        states = arriving + levels[state_signs]
        done = np.maximum(done + strays[frame], states[rows, last])
        ended[:, frame + 1] = done
        before += strays[frame]
    return ended


def _reversed(lexicon: Lexicon) -> NDArray[np.int64]:
    turned = np.full_like(lexicon.spellings, -1)
    for row, length in enumerate(lexicon.lengths):
        turned[row, :length] = lexicon.spellings[row, :length][::-1]
    return turned
