"""How likely each owner makes what a route's spaces show.

A route has one owner. Given an owner, each of its spaces shows a wagon of that colour, now and then
none (fallen off), or something lies over it.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.spaces.evidence import (
    FIRST_COLOUR_COLUMN,
    OCCLUDED_COLUMN,
    SpaceEvidence,
)


@dataclass(frozen=True, slots=True)
class RouteModel:
    """Probabilities of what a route shows. Measured figures say where a value comes from."""

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
    claimed: float = 0.45
    """Prior probability that a route is claimed."""


CLEAR_SPACE = 0.5
"""A space counts as seen when less than this much of its probability is "occluded"."""

DOUBTFUL_SPACE = 0.95
"""A visible space less sure than this is doubtful; see `adapt_to_doubt`."""

WITH_EMPTY_BOARD = RouteModel()
WITHOUT_EMPTY_BOARD = RouteModel(shared_cause=0.2)
"""Where there is no empty board to compare with, a print is more often taken for a wagon."""

WARY_FROM, VERY_WARY_FROM = 0.045, 0.09
"""Parts of the visible spaces that are doubtful. Of 57 readings of prints that the network knew
beside their empty boards 2 have more than the first; of 62 of boards left out of its training 51
have, and with them most of the sure mistakes (see docs/reading.md)."""


def doubtful_share(spaces: NDArray[np.float64]) -> float:
    """Part of the visible ones of these spaces (N, labels) that are doubtful, 0..1; 0 where none is
    visible."""
    visible = spaces[spaces[:, OCCLUDED_COLUMN] < CLEAR_SPACE]
    return float((visible.max(axis=1) < DOUBTFUL_SPACE).mean()) if len(visible) else 0.0


def adapt_to_doubt(model: RouteModel, doubtful: float) -> RouteModel:
    """The model for a board of whose visible spaces this part is doubtful.

    Whatever makes the network doubt many spaces (a print it never met, a very steep view, a strange
    light) misleads it about some that it is sure of, too. So spaces of one route then count as
    fewer witnesses; `review.adapt_limits` asks for more certainty besides.
    """
    if doubtful <= WARY_FROM:
        return model
    least = min(model.shared_cause, WITHOUT_EMPTY_BOARD.shared_cause)
    return replace(model, shared_cause=least)


def owner_prior(evidence: SpaceEvidence, model: RouteModel) -> NDArray[np.float64]:
    """Log prior of nobody and of each colour, ndarray of shape (1 + colours,).

    A colour without wagons anywhere is hardly in play.
    """
    wagons = evidence.probabilities[:, FIRST_COLOUR_COLUMN:].sum(axis=0)
    share = (wagons + 0.5) / (wagons + 0.5).sum()
    prior = np.concatenate([[1 - model.claimed], model.claimed * share])
    return np.asarray(np.log(prior))


def log_likelihood(spaces: NDArray[np.float64], model: RouteModel) -> NDArray[np.float64]:
    """Log likelihood of a route's spaces for each owner, ndarray of shape (1 + colours,)."""
    colours = spaces.shape[1] - FIRST_COLOUR_COLUMN
    label_given_owner = _label_given_owner(colours, len(spaces), model)
    occluded = spaces[:, [OCCLUDED_COLUMN]]
    seen = np.delete(spaces, OCCLUDED_COLUMN, axis=1)
    # The network saw about as many wagons as empty spaces, its colours equally often.
    training_prior = np.concatenate([[0.5], np.full(colours, 0.5 / colours)])
    ratio = (seen / training_prior) @ label_given_owner.T
    # An occluded space says nothing: it leaves every owner as likely as before.
    likelihood = (1 - model.floor) * (ratio + occluded) + model.floor
    logs = np.log(likelihood)
    return np.asarray(logs.sum(axis=0) * len(logs) ** (model.shared_cause - 1))


def _label_given_owner(colours: int, length: int, model: RouteModel) -> NDArray[np.float64]:
    """P(empty or colour seen | owner), rows: nobody, then each colour.

    A route that has lost all its wagons is nobody's, so short routes hardly miss any.
    """
    missing = max(model.wagon_missing * min(1.0, (length - 1) / 2), 0.001)
    table = np.zeros((1 + colours, 1 + colours))
    table[0, 0] = 1 - model.stray_wagon
    table[0, 1:] = model.stray_wagon / colours
    table[1:, 0] = missing
    others = max(colours - 1, 1)
    table[1:, 1:] = model.wrong_colour / others
    np.fill_diagonal(table[1:, 1:], 1 - missing - model.wrong_colour)
    return table
