"""Who won, who came second, and which rule decided it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SHARED = "shared"
"""Said of a tie that no rule breaks."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The order of the players: `ranks` in the players' order, the best is 1, ties share one."""

    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    tie_break: str | None
    """The rule that decided the victory, SHARED, or None where points alone did."""


def rank(
    totals: Sequence[int], measures: Mapping[str, Sequence[int]], tie_breaks: Sequence[str]
) -> Standing:
    """Order players by points, then by each tie-break's measure (more is better) in turn."""
    columns = (totals, *(measures[name] for name in tie_breaks))
    keys = list(zip(*columns, strict=True))
    ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
    winners = tuple(index for index, place in enumerate(ranks) if place == 1)
    return Standing(ranks, winners, _decider(totals, measures, tie_breaks))


def _decider(
    totals: Sequence[int], measures: Mapping[str, Sequence[int]], tie_breaks: Sequence[str]
) -> str | None:
    """The last rule that sent somebody away from the top; SHARED if more than one stays there."""
    top = [index for index, total in enumerate(totals) if total == max(totals)]
    decider: str | None = None
    for name in tie_breaks:
        best = max(measures[name][index] for index in top)
        left = [index for index in top if measures[name][index] == best]
        if len(left) < len(top):
            decider, top = name, left
    return SHARED if len(top) > 1 else decider
