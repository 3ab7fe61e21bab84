"""From space distributions to one owner a route, and to the routes a person must confirm.

A route has one owner. Given an owner, each of its spaces shows a wagon of that colour, now and then
none (fallen off), or something lies over it. Routes that constrain each other (lines of one double,
crossing lines) are decided together, by going through every combination of their likely owners
(of too many, by the likeliest; `joint.py`).
What is left in doubt is guessed by whom the route would serve (`connection_prior.py`).
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, Route
from vision.reading import (
    EMPTY,
    OCCLUDED,
    Owner,
    ReadingWarning,
    RouteReading,
    SpaceReading,
    Why,
)
from vision.routes.connection_prior import favour_connections, likeliest
from vision.routes.joint import PairRules, joint
from vision.routes.places import Bag, bag_of
from vision.spaces.evidence import SpaceEvidence


@dataclass(frozen=True, slots=True)
class Decisions:
    """How evidence becomes owners. Measured figures say where a value comes from."""

    wagon_missing: float = 0.02
    """Part of a claimed route's spaces without their wagon (renders and photos: 1 to 2 %)."""
    stray_wagon: float = 0.004
    """Part of an unclaimed route's spaces that look covered by a wagon (knocked over, leaning)."""
    wrong_colour: float = 0.002
    """Part of a route's wagons that look like another colour."""
    floor: float = 0.002
    """Least probability the network is trusted with: no single space may decide alone."""
    shared_cause: float = 0.45
    """n spaces count as n to this power: those of one route share print, light and lean. Higher
    values left more silent errors on renders held apart for this choice (see docs/reading.md)."""
    same_owner_in_double: float = 0.02
    """Prior factor where one colour would hold two lines of a double: forbidden, but staged."""
    crossing_built_over: float = 0.02
    """Prior factor where two crossing lines of France would both be claimed."""
    claimed: float = 0.45
    """Prior probability that a route is claimed."""
    review_below: float = 0.985
    """Routes less sure than this go to a person (risk-coverage curve in docs/reading.md)."""
    alone_below: float = 0.998
    """A route of one space needs that space to be this sure: a single wagon knocked aside, hidden
    or darkened by its neighbours has no second one to speak for it."""
    trace: float = 0.02
    """So likely a doubtful single space shows the wagon of the line beside it, which is asked about
    too then."""
    traces: float = 0.5
    """Where so many spaces of a line, in parts, look covered by wagons of the line beside it, both
    are asked about: the wagons stand between the two."""
    traces_in_doubt: float = 0.2
    """The same for a line that is doubtful anyway: seen steeply, most of a free line is hidden."""
    white_trace: float = 0.01
    """A line that seems free but for so much of white on a space is asked about: white plastic on
    pale print is what the network misses most, and surest (docs/reading.md)."""
    clear_space: float = 0.5
    """A space counts as seen when less than this much of its probability is "occluded"."""
    enough_seen: float = 0.5
    """A claimed or empty route needs this part of its spaces seen, or a person is asked."""
    wary_below: float = 0.0
    """`review_below` of a board of which much is doubtful; see `adapt_to_doubt`."""
    doubtful_space: float = 0.95
    """A visible space less sure than this is doubtful; see `adapt_to_doubt`."""


DECISIONS = Decisions()
WITHOUT_EMPTY_BOARD = Decisions(shared_cause=0.2)
"""Where there is no empty board to compare with, a print is more often taken for a wagon."""

WARY_FROM, VERY_WARY_FROM = 0.045, 0.09
"""Parts of the visible spaces that are doubtful. Of 57 readings of prints that the network knew
beside their empty boards 2 have more than the first; of 62 of boards left out of its training 51
have, and with them most of the sure mistakes (see docs/reading.md)."""

VERY_WARY_BELOW = 0.993
"""`review_below` of a board of which so much is doubtful."""


def decide_routes(
    evidence: SpaceEvidence, board: Board, decisions: Decisions = DECISIONS
) -> dict[str, RouteReading]:
    """The owner of every route with its probability, in board order."""
    decisions = adapt_to_doubt(evidence, decisions)
    owners: tuple[Owner, ...] = (None, *evidence.labels[2:])
    rows = {name: evidence.probabilities[spaces] for name, spaces in board.spaces_of.items()}
    prior = _owner_prior(evidence, decisions)
    scores = {name: prior + _log_likelihood(rows[name], decisions) for name in board.route_by_id}
    rules = PairRules(decisions.same_owner_in_double, decisions.crossing_built_over)
    found = joint(scores, owners, board, rules)
    routes = {
        route.id: _route_reading(
            route, owners, found.routes[route.id], rows[route.id], evidence.labels, decisions
        )
        for route in board.routes
    }
    routes = _ask_about_doubles(routes, board, decisions)
    routes = _leave_sure_places(routes, found.bags, decisions)
    routes = _with_witnesses(routes, evidence, board)
    return favour_connections(routes, found.routes, owners, np.exp(prior), board)


def adapt_to_doubt(evidence: SpaceEvidence, decisions: Decisions) -> Decisions:
    """The decisions for a board that as a whole is read well, or is a puzzle to the network.

    What it doubts about many spaces (a print it never met, a very steep view, a strange light)
    misleads it about some that it is sure of, too. So where much is doubted, spaces of one route
    count as fewer witnesses, and more has to be sure.
    """
    visible = evidence.probabilities[evidence.probabilities[:, 1] < decisions.clear_space]
    doubtful = float((visible.max(axis=1) < decisions.doubtful_space).mean()) if len(visible) else 0
    if doubtful > WARY_FROM:
        least = min(decisions.shared_cause, WITHOUT_EMPTY_BOARD.shared_cause)
        decisions = replace(decisions, shared_cause=least)
    if doubtful > VERY_WARY_FROM:
        decisions = replace(decisions, wary_below=VERY_WARY_BELOW)
    return decisions


def _ask_about_doubles(
    routes: dict[str, RouteReading], board: Board, decisions: Decisions
) -> dict[str, RouteReading]:
    """Where wagons of one line may be taken for another line's, a person says whose they are.

    One colour holds two lines of a double; or a doubtful line shows the wagons of its neighbour.
    """
    owned = {name: r.owner for name, r in routes.items() if r.owner is not None}
    held_twice = {name for warning in _doubles(owned, board) for name in warning.routes}
    beside: set[str] = set()
    for group in board.parallel_groups.values():
        for one, other in itertools.permutations([route.id for route in group], 2):
            if _shows(routes[other], owned.get(one), decisions):
                beside |= {one, other}
    return _asked_also(_asked_also(routes, held_twice, Why.DOUBLE), beside, Why.NEIGHBOUR)


WHICH_LINE = frozenset({Why.UNSURE, Why.WARY_BOARD, Why.SINGLE_SPACE, Why.NEIGHBOUR})
"""Doubts that may be no more than which of a place's lines bears the wagons."""


def _leave_sure_places(
    routes: dict[str, RouteReading],
    bags: Mapping[tuple[str, ...], Mapping[Bag, float]],
    decisions: Decisions,
) -> dict[str, RouteReading]:
    """The routes, those of places in doubt only which line is whose asked about no more."""
    settled = {
        name
        for place, chances in bags.items()
        if _is_sure([routes[name] for name in place], chances, decisions)
        for name in place
    }
    return {n: replace(r, why=()) if n in settled else r for n, r in routes.items()}


def _is_sure(
    lines: Sequence[RouteReading], chances: Mapping[Bag, float], decisions: Decisions
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
        and chance >= max(decisions.review_below, decisions.wary_below)
        and (len(lines[0].spaces) > 1 or shown >= decisions.alone_below)
    )


def _shown(space: SpaceReading, owners: Iterable[Owner]) -> float:
    """How surely a space shows nobody's wagon or that of one of these owners."""
    labels = {EMPTY, *(owner for owner in owners if owner is not None)}
    return sum(space.probabilities[label] for label in labels)


def _asked_also(
    routes: Mapping[str, RouteReading], names: Iterable[str], why: Why
) -> dict[str, RouteReading]:
    """The routes, those of these names with one more reason to ask."""
    return {**routes, **{n: replace(routes[n], why=(*routes[n].why, why)) for n in names}}


def _with_witnesses(
    routes: dict[str, RouteReading], evidence: SpaceEvidence, board: Board
) -> dict[str, RouteReading]:
    """The routes, those that are asked about with what a witness doubted of their spaces."""
    for why, doubted in evidence.doubts.items():
        names = [
            name
            for name, spaces in board.spaces_of.items()
            if routes[name].review and not doubted.isdisjoint(range(spaces.start, spaces.stop))
        ]
        routes = _asked_also(routes, names, why)
    return routes


def _shows(route: RouteReading, owner: Owner, decisions: Decisions) -> bool:
    """Whether a line that isn't this owner's looks partly covered by their wagons, all in all.

    Of a doubtful line less is enough, and of a single space a trace: its neighbour's one wagon may
    stand between them.
    """
    if owner is None or route.owner == owner:
        return False
    shown = sum(space.probabilities[owner] for space in route.spaces)
    if not route.review:
        return shown > decisions.traces
    return shown > (decisions.trace if len(route.spaces) == 1 else decisions.traces_in_doubt)


def _owner_prior(evidence: SpaceEvidence, decisions: Decisions) -> NDArray[np.float64]:
    """Log prior of nobody and of each colour; one with no wagons anywhere is hardly in play."""
    wagons = evidence.probabilities[:, 2:].sum(axis=0)
    share = (wagons + 0.5) / (wagons + 0.5).sum()
    prior = np.concatenate([[1 - decisions.claimed], decisions.claimed * share])
    return np.asarray(np.log(prior))


def _log_likelihood(spaces: NDArray[np.float64], decisions: Decisions) -> NDArray[np.float64]:
    """Log likelihood of a route's spaces for each owner, ndarray of shape (1 + colours,)."""
    colours = spaces.shape[1] - 2
    label_given_owner = _label_given_owner(colours, len(spaces), decisions)
    empty, occluded, wagon = spaces[:, :1], spaces[:, 1:2], spaces[:, 2:]
    seen = np.concatenate([empty, wagon], axis=1)
    # The network saw about as many wagons as empty spaces, its colours equally often.
    training_prior = np.concatenate([[0.5], np.full(colours, 0.5 / colours)])
    ratio = (seen / training_prior) @ label_given_owner.T
    # An occluded space says nothing: it leaves every owner as likely as before.
    likelihood = (1 - decisions.floor) * (ratio + occluded) + decisions.floor
    logs = np.log(likelihood)
    return np.asarray(logs.sum(axis=0) * len(logs) ** (decisions.shared_cause - 1))


def _label_given_owner(colours: int, length: int, decisions: Decisions) -> NDArray[np.float64]:
    """P(empty or colour seen | owner), rows: nobody, then each colour.

    A route that has lost all its wagons is nobody's, so short routes hardly miss any.
    """
    missing = max(decisions.wagon_missing * min(1.0, (length - 1) / 2), 0.001)
    table = np.zeros((1 + colours, 1 + colours))
    table[0, 0] = 1 - decisions.stray_wagon
    table[0, 1:] = decisions.stray_wagon / colours
    table[1:, 0] = missing
    others = max(colours - 1, 1)
    table[1:, 1:] = decisions.wrong_colour / others
    np.fill_diagonal(table[1:, 1:], 1 - missing - decisions.wrong_colour)
    return table


def _route_reading(
    route: Route,
    owners: Sequence[Owner],
    belief: NDArray[np.float64],
    spaces: NDArray[np.float64],
    labels: Sequence[str],
    decisions: Decisions,
) -> RouteReading:
    likely = likeliest(belief, owners)
    owner, confidence = likely[0]
    return RouteReading(
        route=route.id,
        owner=owner,
        confidence=confidence,
        why=tuple(_doubts(likely[0], spaces, labels, decisions)),
        spaces=tuple(_space_reading(row, labels) for row in spaces),
        alternatives=likely,
    )


def _doubts(
    likeliest: tuple[Owner, float],
    spaces: NDArray[np.float64],
    labels: Sequence[str],
    decisions: Decisions,
) -> Iterator[Why]:
    """Why a route with this likeliest owner is asked about, by its own spaces alone."""
    owner, confidence = likeliest
    seen = spaces[spaces[:, 1] < decisions.clear_space]
    if len(seen) < decisions.enough_seen * len(spaces):
        yield Why.HIDDEN
    elif _contradicts(owner, seen, labels):
        yield Why.STRAY_WAGON if owner is None else Why.DISAGREE
    if confidence < decisions.review_below:
        yield Why.UNSURE
    elif confidence < decisions.wary_below:
        yield Why.WARY_BOARD
    if len(spaces) == 1 and float(spaces.max()) < decisions.alone_below:
        yield Why.SINGLE_SPACE
    if owner is None and _shows_white(spaces, labels, decisions):
        yield Why.WHITE_TRACE


def _shows_white(spaces: NDArray[np.float64], labels: Sequence[str], decisions: Decisions) -> bool:
    if "white" not in labels:
        return False
    return float(spaces[:, labels.index("white")].max()) > decisions.white_trace


def _contradicts(owner: Owner, seen: NDArray[np.float64], labels: Sequence[str]) -> bool:
    """Whether too many of the spaces that are seen speak against the owner."""
    wanted = labels.index(owner if owner is not None else EMPTY)
    against = float(((1 - seen[:, wanted] - seen[:, 1]) > 0.5).sum())
    return against > 0 and (owner is None or against / len(seen) > 0.34)


def _space_reading(row: NDArray[np.float64], labels: Sequence[str]) -> SpaceReading:
    best = int(row.argmax())
    distribution = {label: float(p) for label, p in zip(labels, row, strict=True)}
    return SpaceReading(labels[best], float(row[best]), distribution)


def rule_warnings(routes: Mapping[str, RouteReading], board: Board) -> list[ReadingWarning]:
    """What the rules forbid in a reading: usually a misreading, so a person should look."""
    owned = {name: r.owner for name, r in routes.items() if r.owner is not None}
    warnings = [*_too_many_wagons(owned, board), *_doubles(owned, board), *_crossings(owned, board)]
    hidden = [n for n, r in routes.items() if any(s.label == OCCLUDED for s in r.spaces)]
    if hidden:
        warnings.append(ReadingWarning("covered", tuple(hidden), {"count": len(hidden)}))
    return warnings


def _too_many_wagons(owned: Mapping[str, str], board: Board) -> Iterable[ReadingWarning]:
    for colour in sorted(set(owned.values())):
        names = tuple(name for name, owner in owned.items() if owner == colour)
        wagons = sum(board.route_by_id[name].length for name in names)
        if wagons > board.wagons_per_player:
            values = {"colour": colour, "used": wagons, "most": board.wagons_per_player}
            yield ReadingWarning("too-many-wagons", names, values)


def _doubles(owned: Mapping[str, str], board: Board) -> Iterable[ReadingWarning]:
    for group in board.parallel_groups.values():
        names = [route.id for route in group if route.id in owned]
        holders = [owned[name] for name in names]
        held_twice = tuple(n for n in names if holders.count(owned[n]) > 1)
        if held_twice:
            yield ReadingWarning("double-held-twice", held_twice, {"routes": ", ".join(held_twice)})


def _crossings(owned: Mapping[str, str], board: Board) -> Iterable[ReadingWarning]:
    for first, second in board.crossings:
        if first in owned and second in owned:
            values = {"first": first, "second": second}
            yield ReadingWarning("crossing-built-over", (first, second), values)
