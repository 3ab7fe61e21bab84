"""Whose network a doubtful route would extend: players build connected lines.

Only the order of the guesses for routes that a person is asked about comes from here. Routes that
were read with certainty are left alone: a wagon far from its owner's others is as real as any.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, Route
from vision.connected import connected
from vision.reading import OCCLUDED, RouteReading

JOINS, CLOSES_A_LOOP, GOES_ON, STANDS_ALONE = 0.9, 0.12, 0.2, 0.05
"""How likely a route is a colour's rather than nobody's where that colour's other wagons touch both
its ends (two lines, or one), one end or none: 300 simulated games a board in which everybody builds
short ways between cities, with a part of the board covered."""

SEEN_TOO = 0.5
"""Exponent of these odds where most of the route is seen: people also lay wagons out at random to
try the camera, and close loops more often than simulated players."""


def favour_connections(
    routes: Mapping[str, RouteReading],
    beliefs: Mapping[str, NDArray[np.float64]],
    owners: Sequence[str | None],
    prior: NDArray[np.float64],
    board: Board,
) -> dict[str, RouteReading]:
    """The routes; those up for review have their likely owners ordered by connections as well.

    `beliefs` are the probabilities of `owners` (the first is nobody) for each route, `prior` those
    of any route of this board, both ndarrays of shape (1 + colours,). Only wagons of routes that
    nobody is asked about count as a colour's others.
    """
    lines = [_lines(colour, routes, board) for colour in owners[1:]]
    revised = dict(routes)
    for name, reading in routes.items():
        if reading.review:
            route = board.route_by_id[name]
            odds = np.array([1.0, *(_odds(route, of_colour) for of_colour in lines)])
            hidden = sum(space.label == OCCLUDED for space in reading.spaces)
            weight = 1.0 if 2 * hidden > route.length else SEEN_TOO
            belief = beliefs[name] * (odds / prior) ** weight
            revised[name] = _with_belief(reading, belief / belief.sum(), owners)
    return revised


def likeliest(
    belief: NDArray[np.float64], owners: Sequence[str | None]
) -> tuple[tuple[str | None, float], ...]:
    """The three likeliest owners with their probabilities, of all in `belief` (owners,)."""
    return tuple((owners[k], float(belief[k])) for k in np.argsort(belief)[::-1][:3])


def _lines(
    colour: str | None, routes: Mapping[str, RouteReading], board: Board
) -> list[frozenset[str]]:
    """The places of every line that this colour's undoubted routes form together."""
    return connected(
        frozenset(board.route_by_id[name].ends)
        for name, reading in routes.items()
        if reading.owner == colour and not reading.review
    )


def _odds(route: Route, lines: Sequence[frozenset[str]]) -> float:
    touched = sum(any(end in line for line in lines) for end in route.ends)
    if touched < 2:
        return GOES_ON if touched else STANDS_ALONE
    return CLOSES_A_LOOP if any(line.issuperset(route.ends) for line in lines) else JOINS


def _with_belief(
    reading: RouteReading, belief: NDArray[np.float64], owners: Sequence[str | None]
) -> RouteReading:
    likely = likeliest(belief, owners)
    owner, confidence = likely[0]
    return replace(reading, owner=owner, confidence=confidence, alternatives=likely)
