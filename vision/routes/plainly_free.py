"""Asks about what is read as nobody's though no space of it is plainly empty.

A route is claimed as a whole, so one space that is seen to be empty proves that it is free. Under a
hand or a card there may be none: what is seen around it then speaks for a free route all the same,
because most routes are free, and a claim that is covered would go unasked.
"""

from collections.abc import Mapping
from dataclasses import replace

from scoring.board.board import Board
from vision.reading import RouteReading, Why
from vision.routes.place_figures import seen_alone
from vision.routes.places import places_of
from vision.spaces.evidence import EMPTY_COLUMN, OCCLUDED_COLUMN, SpaceEvidence

PLAIN = 0.8
"""A space is plainly empty from this on, seen without those around it."""

SURE = 0.98
"""A free route that is surer by its own spaces together needs no such proof. 609 readings: 15
questions, of which 4 find a silent mistake; see docs/decisions/0063."""

MOSTLY_HIDDEN = 0.5
"""Part of a route's spaces from which on something lies over it."""


def ask_about_unproven(
    routes: Mapping[str, RouteReading], evidence: SpaceEvidence, board: Board
) -> dict[str, RouteReading]:
    """The routes; asked about are places read as nobody's of which nothing is seen to be free."""
    alone = seen_alone(evidence)
    asked = dict(routes)
    for place in places_of(board):
        lines = [routes[name] for name in place]
        if any(line.review or line.owner is not None for line in lines):
            continue
        for line in lines:
            own = alone[board.spaces_of[line.route]]
            if line.confidence < SURE and own[:, EMPTY_COLUMN].max() < PLAIN:
                hidden = own[:, OCCLUDED_COLUMN].mean() > MOSTLY_HIDDEN
                why = Why.HIDDEN if hidden else Why.UNSURE
                asked[line.route] = replace(line, why=(why,))
    return asked
