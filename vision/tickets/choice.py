"""Which plates a photo shows: those that together explain its letters best."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.connected import connected
from vision.tickets.names import Lexicon
from vision.tickets.plates import Plate
from vision.tickets.reading import Pair
from vision.tickets.spotting import IMPOSSIBLE, STRAY

COST_OF_A_CARD = 4.0
"""So that two plates are seen only where they explain clearly more than one."""
COST_OF_NO_TICKET = 8.0
"""Two names that are no ticket of this board need much better evidence than two that are."""
COST_OF_A_LINE = 0.5
"""An ornament that was read as letters explains nothing, in a plate or beside it: beside it."""
RARELY_NO_TICKET = 4.0
"""By how much two names that are no ticket count less as a rival of one."""
MOST_STATES = 20_000
"""Sets of lines looked at in one photo before the search takes what it has."""


@dataclass(frozen=True)
class Claim:
    """What a plate says: log-scores of every ticket's two places, and of all other pairs.

    `tickets` are the pairs, `scores` theirs, best first; `other` is the best pair that is no
    ticket, with `other_score`.
    """

    plate: Plate
    tickets: tuple[Pair, ...]
    scores: NDArray[np.float32]
    other: Pair
    other_score: float

    @property
    def is_ticket(self) -> bool:
        return float(self.scores[0]) >= self.other_score - COST_OF_NO_TICKET

    @cached_property
    def worth(self) -> float:
        """How much better the names explain the letters than strays would."""
        best = max(float(self.scores[0]), self.other_score - COST_OF_NO_TICKET)
        lines = COST_OF_A_LINE * len(self.plate.lines)
        return best - STRAY * self.plate.letters - COST_OF_A_CARD - self.plate.gap_cost - lines


def make_claim(plate: Plate, lexicon: Lexicon, tickets: Sequence[Pair]) -> Claim:
    """Judge one plate against the board's tickets, each given once, its places in any order."""
    index = {place: number for number, place in enumerate(lexicon.place_ids)}
    pairs = plate.spots.pairs.copy()
    ends = np.array([[index[a], index[b]] for a, b in tickets])
    scores = pairs[ends[:, 0], ends[:, 1]]
    order = np.argsort(-scores, kind="stable")
    pairs[ends[:, 0], ends[:, 1]] = pairs[ends[:, 1], ends[:, 0]] = IMPOSSIBLE
    np.fill_diagonal(pairs, IMPOSSIBLE)
    one, two = np.unravel_index(int(pairs.argmax()), pairs.shape)
    other = lexicon.place_ids[int(one)], lexicon.place_ids[int(two)]
    ranked = tuple(tickets[int(k)] for k in order)
    return Claim(plate, ranked, scores[order], other, float(pairs[one, two]))


def choose(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that are worth most together, no line in two of them.

    Lines are taken in order: each is left out, or belongs to one of the plates that hold it.
    """
    useful = [(claim, frozenset(claim.plate.lines)) for claim in claims if claim.worth > 0]
    lines = sorted({line for _, group in useful for line in group})
    first = {line: [u for u in useful if min(u[1]) == line] for line in lines}
    known: dict[frozenset[int], tuple[float, list[Claim]]] = {}

    def best(free: frozenset[int]) -> tuple[float, list[Claim]]:
        if not free:
            return 0.0, []
        if free not in known:
            line = min(free)
            options = [best(free - {line})]
            for claim, group in first[line] if len(known) < MOST_STATES else []:
                if group <= free:
                    value, rest = best(free - group)
                    options.append((value + claim.worth, [claim, *rest]))
            known[free] = max(options, key=lambda option: option[0])
        return known[free]

    chosen = []
    for group in connected([lines for _, lines in useful]):
        known.clear()
        chosen += best(group)[1]
    return chosen
