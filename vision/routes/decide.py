"""From space distributions to one owner a route, and to the routes a person must confirm.

Each route's owners are weighed by what its spaces show (`model.py`). Routes that constrain each
other (lines of one double, crossing lines) are decided together, by going through every combination
of their likely owners (`posterior.py`). `review.py` says which a person is asked about, and those
are guessed by whom they would serve (`connection_prior.py`).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, Route
from vision.reading import Owner, RouteReading, SpaceReading
from vision.routes.connection_prior import favour_connections, likeliest
from vision.routes.model import (
    WITH_EMPTY_BOARD,
    RouteModel,
    adapt_to_doubt,
    doubtful_share,
    log_likelihood,
    owner_prior,
)
from vision.routes.posterior import posterior
from vision.routes.review import (
    REVIEW_LIMITS,
    ReviewLimits,
    adapt_limits,
    ask_about_doubles,
    doubts_of,
    leave_sure_places,
    with_witnesses,
)
from vision.spaces.evidence import SpaceEvidence


def decide_routes(
    evidence: SpaceEvidence, board: Board, model: RouteModel = WITH_EMPTY_BOARD
) -> dict[str, RouteReading]:
    """The owner of every route with its probability and why it is asked about, in board order.

    `evidence` has one row for each of the board's spaces, in board order.
    """
    doubtful = doubtful_share(evidence.probabilities)
    model, limits = adapt_to_doubt(model, doubtful), adapt_limits(REVIEW_LIMITS, doubtful)
    owners: tuple[Owner, ...] = (None, *evidence.colours)
    rows = {name: evidence.probabilities[spaces] for name, spaces in board.spaces_of.items()}
    prior = owner_prior(evidence, model)
    scores = {name: prior + log_likelihood(rows[name], model) for name in board.route_by_id}
    found = posterior(scores, owners, board)
    routes = {
        route.id: _route_reading(
            route, owners, found.routes[route.id], rows[route.id], evidence.labels, limits
        )
        for route in board.routes
    }
    routes = ask_about_doubles(routes, board, limits)
    routes = leave_sure_places(routes, found.bags, limits)
    routes = with_witnesses(routes, evidence, board)
    return favour_connections(routes, found.routes, owners, np.exp(prior), board)


def _route_reading(
    route: Route,
    owners: Sequence[Owner],
    belief: NDArray[np.float64],
    spaces: NDArray[np.float64],
    labels: Sequence[str],
    limits: ReviewLimits,
) -> RouteReading:
    likely = likeliest(belief, owners)
    owner, confidence = likely[0]
    return RouteReading(
        route=route.id,
        owner=owner,
        confidence=confidence,
        why=tuple(doubts_of(likely[0], spaces, labels, limits)),
        spaces=tuple(_space_reading(row, labels) for row in spaces),
        alternatives=likely,
    )


def _space_reading(row: NDArray[np.float64], labels: Sequence[str]) -> SpaceReading:
    best = int(row.argmax())
    distribution = {label: float(p) for label, p in zip(labels, row, strict=True)}
    return SpaceReading(labels[best], float(row[best]), distribution)
