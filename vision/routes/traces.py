"""Asks about free routes that may be claimed by a player whose wagons look like the board's print.

On a print that the networks never met, smooth boxes of a colour may be printed or be wagons. The
network that looks at all spaces together then takes every wagon of one player for print, and is
sure, where the one that looks at each space alone was in doubt. What gives it away is that board or
that player: much of the board was doubtful alone, or the player has far fewer wagons than others.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.board.board import Board
from vision.reading import RouteReading, Why
from vision.routes.model import doubtful_share
from vision.routes.places import places_of
from vision.routes.witness import with_colour
from vision.spaces.evidence import FIRST_COLOUR_COLUMN, SpaceEvidence


@dataclass(frozen=True, slots=True)
class TraceLimits:
    """From what on a trace is asked about; measured in docs/decisions/0056."""

    few_wagons: float = 0.6
    """A player has few wagons with less than this part of those of the player with most."""
    trace_of_few: float = 0.05
    """A trace of such a player's, in the mean of a route's spaces."""
    doubtful: float = 0.08
    """The part of the spaces doubtful alone from which a whole board is hard to tell."""
    trace_in_doubt: float = 0.12
    """A trace of any player's there."""


LIMITS = TraceLimits()


def ask_about_traces(
    routes: Mapping[str, RouteReading],
    evidence: SpaceEvidence,
    board: Board,
    limits: TraceLimits = LIMITS,
) -> dict[str, RouteReading]:
    """The routes, free ones asked about whose spaces alone show a trace of wagons.

    Places that are asked about already stay as they are; without `evidence.alone` all do.
    """
    if evidence.alone is None:
        return dict(routes)
    doubtful = doubtful_share(evidence.alone) > limits.doubtful
    few = _players_with_few_wagons(routes, evidence, board, limits)
    sure_places = (p for p in places_of(board) if not any(routes[name].review for name in p))
    asked = {}
    for name in itertools.chain.from_iterable(sure_places):
        shown = evidence.alone[board.spaces_of[name], FIRST_COLOUR_COLUMN:].mean(axis=0)
        colour, trace = evidence.colours[shown.argmax()], float(shown.max())
        overlooked = (colour in few and trace > limits.trace_of_few) or (
            doubtful and trace > limits.trace_in_doubt
        )
        if overlooked and routes[name].owner is None:
            alternatives = with_colour(routes[name], colour)
            asked[name] = replace(routes[name], why=(Why.TRACE,), alternatives=alternatives)
    return {**routes, **asked}


def _players_with_few_wagons(
    routes: Mapping[str, RouteReading],
    evidence: SpaceEvidence,
    board: Board,
    limits: TraceLimits,
) -> frozenset[str]:
    wagons = dict.fromkeys(evidence.colours, 0)
    for name, route in routes.items():
        if route.owner is not None:
            wagons[route.owner] += board.route_by_id[name].length
    most = max(wagons.values(), default=0)
    return frozenset(c for c, number in wagons.items() if number < limits.few_wagons * most)
