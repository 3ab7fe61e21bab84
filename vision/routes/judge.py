"""Says of every place how likely its reading is wrong, and asks about it or not by that.

Rules (`review.py`, `witness.py`, `settling.py`) say what is doubtful and why. How much a doubt
weighs depends on everything else that is known of the place and of the whole board, which no rule
can hold: so trees, fitted on games that the networks were not trained on (`vision/training/judge`),
put it all together. They withdraw questions about what is almost surely right, and ask about what
no rule doubts though it is not sure; see docs/decisions/0059, 0069 and 0070.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.board.board import Board
from vision.network import load_network
from vision.reading import RouteReading, Why
from vision.routes.account import Account
from vision.routes.place_figures import figures, seen_alone
from vision.routes.places import places_of
from vision.routes.posterior import Posterior
from vision.routes.witness import with_colour
from vision.spaces.evidence import FIRST_COLOUR_COLUMN, SpaceEvidence


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """How likely a wrong reading must be; see docs/decisions/0059, 0069 and 0074."""

    withdrawn: float = 0.03
    """A question is withdrawn below this."""
    withdrawn_missed: float = 0.0075
    """The same where hardly a wagon of its owner was found."""
    asked: float = 0.034
    """What no rule doubts is asked about above this."""
    trace: float = 0.02
    """A free line that shows a colour with this probability, in the mean of its spaces each seen
    alone, is said to show a trace of that player."""


LIMITS = JudgeLimits()

STAYS = frozenset({Why.HIDDEN, Why.NOT_PLAYING, Why.LOOSE_WAGON, Why.TOO_MANY_WAGONS})
"""Questions that are never withdrawn: what lies under a hand, in a colour that nobody plays or of
which there are far more wagons than a set holds, or beside the line is for a person to look at,
however likely it is what it seems."""

WARIER = {
    Why.NO_WAGON: LIMITS.withdrawn_missed,
    Why.ROOF_COLOUR: LIMITS.withdrawn_missed,
    **dict.fromkeys(STAYS, 0.0),
}
"""What is doubted for these reasons must be surer than `LIMITS.withdrawn`."""


def withdrawn_below(doubts: Iterable[Why]) -> float:
    """How likely wrong a place must be for its question to stay that was doubted for these."""
    return min((WARIER.get(why, LIMITS.withdrawn) for why in doubts), default=LIMITS.withdrawn)


def judge_places(
    routes: Mapping[str, RouteReading],
    evidence: SpaceEvidence,
    board: Board,
    weighed: Posterior,
    accounts: Sequence[Account],
    *,
    with_empty: bool,
) -> dict[str, RouteReading]:
    """The routes; asked about are those of the places that are likely enough wrong.

    `weighed` is the posterior by both witnesses, `accounts` the wagons of each photo. What is
    hidden stays as it is.
    """
    told = [
        figures(routes, evidence, board, weighed, account, with_empty=with_empty)
        for account in accounts
    ]
    network = load_network("judge")
    wrong = np.mean([network.run_image(rows) for rows in told], axis=0).ravel()
    judged = dict(routes)
    for place, chance in zip(places_of(board), wrong, strict=True):
        lines = [routes[name] for name in place]
        doubts = {why for line in lines for why in line.why}
        if doubts and chance < withdrawn_below(doubts):
            judged |= {line.route: replace(line, why=()) for line in lines}
        elif not doubts and chance > LIMITS.asked:
            least = min(lines, key=lambda line: float(weighed.routes[line.route].max()))
            judged[least.route] = _asked(least, evidence, board)
    return judged


def _asked(line: RouteReading, evidence: SpaceEvidence, board: Board) -> RouteReading:
    """The line with a question, the player named of whom a free one shows a trace."""
    shown = seen_alone(evidence)[board.spaces_of[line.route], FIRST_COLOUR_COLUMN:].mean(axis=0)
    if line.owner is not None or shown.max(initial=0.0) < LIMITS.trace:
        return replace(line, why=(Why.UNSURE,))
    colour = evidence.colours[int(shown.argmax())]
    return replace(line, why=(Why.TRACE,), alternatives=with_colour(line, colour))
