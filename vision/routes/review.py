"""What a person is asked about: the doubts of each route, of doubles, and of places."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import EMPTY, Owner, RouteReading, SpaceReading, Why
from vision.routes.model import CLEAR_SPACE, VERY_WARY_FROM
from vision.routes.places import Bag, bag_of
from vision.routes.rule_warnings import doubles_held_twice
from vision.spaces.evidence import OCCLUDED_COLUMN, SpaceEvidence


@dataclass(frozen=True, slots=True)
class ReviewLimits:
    """From what on a person is asked. Measured figures say where a value comes from."""

    review_below: float = 0.985
    """Routes less sure than this go to a person (risk-coverage curve in docs/reading.md)."""
    alone_below: float = 0.998
    """A route of one space needs that space to be this sure: a single wagon knocked aside, hidden
    or darkened by its neighbours has no second one to speak for it."""
    trace: float = 0.02
    """A doubtful single space that shows the neighbouring line's wagon with this probability is
    asked about together with that line."""
    traces: float = 0.5
    """Where this many spaces of a line, summed over parts, look covered by the neighbouring line's
    wagons, both are asked about: the wagons stand between the two."""
    traces_in_doubt: float = 0.2
    """The same for a line that is doubtful anyway: seen steeply, most of a free line is hidden."""
    white_trace: float = 0.01
    """A free line with this probability of white on a space is asked about: white plastic on pale
    print is what the network misses most, and most confidently (docs/reading.md)."""
    enough_seen: float = 0.5
    """A claimed or empty route needs this part of its spaces seen, or a person is asked."""
    wary_below: float = 0.0
    """`review_below` of a board of which much is doubtful; see `adapt_limits`."""


REVIEW_LIMITS = ReviewLimits()

VERY_WARY_BELOW = 0.993
"""`review_below` of a board of which more than `VERY_WARY_FROM` is doubtful."""


def adapt_limits(limits: ReviewLimits, doubtful: float) -> ReviewLimits:
    """The limits where this part of the visible spaces is doubtful: see `model.adapt_to_doubt`."""
    if doubtful <= VERY_WARY_FROM:
        return limits
    return replace(limits, wary_below=VERY_WARY_BELOW)


def ask_about_doubles(
    routes: dict[str, RouteReading], board: Board, limits: ReviewLimits
) -> dict[str, RouteReading]:
    """The routes; lines of a double whose wagons may belong to the other line are asked about.

    Either one colour holds two lines, or a doubtful line shows the wagons of its neighbour.
    """
    owned = {name: r.owner for name, r in routes.items() if r.owner is not None}
    held_twice = {name for warning in doubles_held_twice(owned, board) for name in warning.routes}
    beside: set[str] = set()
    for group in board.parallel_groups.values():
        for one, other in itertools.permutations([route.id for route in group], 2):
            if _shows(routes[other], owned.get(one), limits):
                beside |= {one, other}
    return asked_also(asked_also(routes, held_twice, Why.DOUBLE), beside, Why.NEIGHBOUR)


WHICH_LINE = frozenset({Why.UNSURE, Why.WARY_BOARD, Why.SINGLE_SPACE, Why.NEIGHBOUR})
"""Doubts that may be no more than which of a place's lines bears the wagons."""


def leave_sure_places(
    routes: dict[str, RouteReading],
    bags: Mapping[tuple[str, ...], Mapping[Bag, float]],
    limits: ReviewLimits,
) -> dict[str, RouteReading]:
    """The routes; places where the only doubt is which line is whose are not asked about."""
    settled = {
        name
        for place, chances in bags.items()
        if _is_sure([routes[name] for name in place], chances, limits)
        for name in place
    }
    return {n: replace(r, why=()) if n in settled else r for n, r in routes.items()}


def _is_sure(
    lines: Sequence[RouteReading], chances: Mapping[Bag, float], limits: ReviewLimits
) -> bool:
    """Whether a place's bag of owners is as read, whichever of its lines is whose.

    Its likelihood must be that of any sure route. A single space still has to show surely nobody's
    wagon or one of the bag's: then a wagon of the other line is all that it may be.
    """
    owners = {line.owner for line in lines}
    chance = chances.get(bag_of(line.owner for line in lines), 0.0)
    shown = min(_shown(space, owners) for line in lines for space in line.spaces)
    return (
        WHICH_LINE.issuperset(why for line in lines for why in line.why)
        and chance >= max(limits.review_below, limits.wary_below)
        and (len(lines[0].spaces) > 1 or shown >= limits.alone_below)
    )


def _shown(space: SpaceReading, owners: Iterable[Owner]) -> float:
    """How surely a space shows nobody's wagon or that of one of these owners."""
    labels = {EMPTY, *(owner for owner in owners if owner is not None)}
    return sum(space.probabilities[label] for label in labels)


def asked_also(
    routes: Mapping[str, RouteReading], names: Iterable[str], why: Why
) -> dict[str, RouteReading]:
    """The routes, those of these names with one more reason to ask."""
    anew = [routes[name] for name in names if why not in routes[name].why]
    return {**routes, **{one.route: replace(one, why=(*one.why, why)) for one in anew}}


def with_witnesses(
    routes: dict[str, RouteReading], evidence: SpaceEvidence, board: Board
) -> dict[str, RouteReading]:
    """The routes; those asked about also say what was doubted of their spaces (roofs, shadow)."""
    for why, doubted in evidence.doubts.items():
        names = [
            name
            for name, spaces in board.spaces_of.items()
            if routes[name].review and not doubted.isdisjoint(range(spaces.start, spaces.stop))
        ]
        routes = asked_also(routes, names, why)
    return routes


def _shows(route: RouteReading, owner: Owner, limits: ReviewLimits) -> bool:
    """Whether a line that isn't this owner's looks partly covered by their wagons.

    Of a doubtful line less is enough, and of a single space a trace: its neighbour's one wagon may
    stand between them.
    """
    if owner is None or route.owner == owner:
        return False
    shown = sum(space.probabilities[owner] for space in route.spaces)
    if not route.review:
        return shown > limits.traces
    return shown > (limits.trace if len(route.spaces) == 1 else limits.traces_in_doubt)


def doubts_of(
    likeliest: tuple[Owner, float],
    spaces: NDArray[np.float64],
    labels: Sequence[str],
    limits: ReviewLimits,
) -> Iterator[Why]:
    """Why a route with this likeliest owner is asked about, by its own spaces (n, labels) alone."""
    owner, confidence = likeliest
    seen = spaces[spaces[:, OCCLUDED_COLUMN] < CLEAR_SPACE]
    if len(seen) < limits.enough_seen * len(spaces):
        yield Why.HIDDEN
    elif _contradicts(owner, seen, labels):
        yield Why.STRAY_WAGON if owner is None else Why.DISAGREE
    if confidence < limits.review_below:
        yield Why.UNSURE
    elif confidence < limits.wary_below:
        yield Why.WARY_BOARD
    if len(spaces) == 1 and float(spaces.max()) < limits.alone_below:
        yield Why.SINGLE_SPACE
    if owner is None and _shows_white(spaces, labels, limits):
        yield Why.WHITE_TRACE


def _shows_white(spaces: NDArray[np.float64], labels: Sequence[str], limits: ReviewLimits) -> bool:
    if "white" not in labels:
        return False
    return float(spaces[:, labels.index("white")].max()) > limits.white_trace


def _contradicts(owner: Owner, seen: NDArray[np.float64], labels: Sequence[str]) -> bool:
    """Whether too many of the spaces that are seen speak against the owner."""
    wanted = labels.index(owner if owner is not None else EMPTY)
    against = float(((1 - seen[:, wanted] - seen[:, OCCLUDED_COLUMN]) > 0.5).sum())
    return against > 0 and (owner is None or against / len(seen) > 0.34)
