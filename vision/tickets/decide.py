"""From what a card's names say to a ticket, its confidence, and whether a person is asked."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np

from vision.tickets.choice import RARELY_NO_TICKET, Claim
from vision.tickets.reading import Pair


@dataclass(frozen=True, slots=True)
class TicketLimits:
    """When a card is believed. Each figure says where it comes from."""

    doubtful_letter: float = -1.4
    """Cost of a letter at which a reading is as often wrong as right; rightly read names of drawn
    photos have 0 to -0.7."""
    steepness: float = 6.0
    """How fast trust falls with that cost."""
    agreement: float = 0.4
    """By how much more a letter may cost where the printed points are the ticket's."""
    review_below: float = 0.75
    """Confidence under which a person is asked: names printed without their last letter have 0.77
    to 0.93."""
    least_margin: float = 8.0
    """Log-score by which the best ticket must lead: clearly read cards had 18 or more."""
    margin_with_points: float = 4.0
    """The same where the printed points are the ticket's."""
    alternatives: int = 2


TICKET_LIMITS = TicketLimits()


@dataclass(frozen=True, slots=True)
class Decision:
    """A card's ticket, how sure that is, 0..1, and the next likely ones where a person is asked."""

    ticket: Pair
    confidence: float
    review: bool
    alternatives: tuple[Pair, ...]


def decide(
    claim: Claim, letters: int, points: Mapping[Pair, Set[int]], printed: int | None
) -> Decision:
    """The ticket of a plate. `letters` are those of its two names; `points` every ticket's values.

    The printed number never makes a ticket certain: it only makes one doubtful that it contradicts.
    """
    ticket, best = claim.tickets[0], float(claim.scores[0])
    rivals = [*(float(score) for score in claim.scores[1:]), claim.other_score - RARELY_NO_TICKET]
    share = 1 / (1 + sum(float(np.exp(min(rival - best, 50.0))) for rival in rivals))
    agrees = printed in points[ticket]
    limit = TICKET_LIMITS.doubtful_letter - TICKET_LIMITS.agreement * agrees
    trust = 1 / (1 + float(np.exp(-TICKET_LIMITS.steepness * (best / letters - limit))))
    confidence = share * trust
    contradicted = printed is not None and printed not in points[ticket]
    if contradicted:
        confidence = min(confidence, 0.5)
    margin = best - max(rivals)
    least_margin = TICKET_LIMITS.margin_with_points if agrees else TICKET_LIMITS.least_margin
    review = contradicted or margin < least_margin or confidence < TICKET_LIMITS.review_below
    others = _alternatives(claim, points, printed) if review else ()
    return Decision(ticket, confidence, review, others)


def _alternatives(
    claim: Claim, points: Mapping[Pair, Set[int]], printed: int | None
) -> tuple[Pair, ...]:
    """The next tickets by their names; those with the printed number come first."""
    near = list(claim.tickets[1 : 1 + 4 * TICKET_LIMITS.alternatives])
    near.sort(key=lambda pair: printed is not None and printed not in points[pair])
    return tuple(near[: TICKET_LIMITS.alternatives])
