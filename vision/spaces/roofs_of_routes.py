"""Holds the colours that were read against the wagons' roofs, route by route (`roof_check`)."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import Why
from vision.spaces.evidence import FIRST_COLOUR_COLUMN, SpaceEvidence
from vision.spaces.print_light import PrintLight
from vision.spaces.roof_check import (
    dark_below,
    darkest_black,
    doubt_by_roofs,
    doubt_by_shadows,
    doubt_dark_colours,
    light_of_wagons_bgr,
    roofs_ab,
)

LEAST_DIFFERENCE = 0.01
"""A check that changes no probability of a space by as much as this has not doubted it."""

SURELY_BLACK = 0.98
"""Black wagons surer than this tell how dark black is in this light."""


def check_roofs(
    evidence: SpaceEvidence,
    board: Board,
    seen_bgr: NDArray[np.float64],
    light: PrintLight,
    is_cleared: NDArray[np.bool_],
) -> SpaceEvidence:
    """The evidence, less sure of the colours of wagons whose roofs show another.

    `seen_bgr` (N, 3), 0..255, is what is seen where each space's roof would be, NaN where nothing
    is; `light` is the print's, `is_cleared` (N,) as for `doubt_dark_colours`. The roofs of a
    route are judged together. Of a single one, which may lie beside its space, only how dark it is
    counts.
    """
    routes_bgr = np.full((len(board.routes), 3), np.nan)
    read = [evidence.colours[0]] * len(board.routes)
    for index, spaces in enumerate(board.spaces_of.values()):
        told = seen_bgr[spaces][~np.isnan(seen_bgr[spaces]).any(axis=1)]
        if len(told) > 1:
            routes_bgr[index] = np.median(told, axis=0)
            likeliest = int(
                evidence.probabilities[spaces, FIRST_COLOUR_COLUMN:].sum(axis=0).argmax()
            )
            read[index] = evidence.colours[likeliest]
    light_bgr = light_of_wagons_bgr(routes_bgr, read, light.all_bgr)
    lengths = [route.length for route in board.routes]
    told_bgr = np.repeat(routes_bgr, lengths, axis=0)
    darkest = darkest_black(routes_bgr[_surely_black(evidence, board)], light.all_bgr)
    seen_bgr = np.where(np.isnan(told_bgr), seen_bgr, told_bgr)
    return _doubt_by_roofs_and_shadows(
        evidence, told_bgr, seen_bgr, light_bgr, light, darkest, is_cleared
    )


def _surely_black(evidence: SpaceEvidence, board: Board) -> NDArray[np.bool_]:
    """Which routes, in board order, show surely black wagons on every space."""
    if "black" not in evidence.labels:
        return np.zeros(len(board.routes), bool)
    black = evidence.probabilities[:, evidence.labels.index("black")]
    return np.array([black[spaces].min() > SURELY_BLACK for spaces in board.spaces_of.values()])


def _doubt_by_roofs_and_shadows(
    evidence: SpaceEvidence,
    told_bgr: NDArray[np.float64],
    seen_bgr: NDArray[np.float64],
    light_bgr: NDArray[np.float64],
    light: PrintLight,
    darkest: float,
    is_cleared: NDArray[np.bool_],
) -> SpaceEvidence:
    """The evidence after the roofs' colours `told_bgr` (N, 3) were held against it.

    `seen_bgr` (N, 3) has single roofs as well.
    """
    wagons = evidence.shows_wagon
    colours, rows = evidence.colours, evidence.probabilities
    by_colour = rows.copy()
    told = rows[wagons, FIRST_COLOUR_COLUMN:]
    by_colour[wagons, FIRST_COLOUR_COLUMN:] = doubt_dark_colours(
        doubt_by_roofs(told, colours, roofs_ab(told_bgr[wagons], light_bgr)),
        colours,
        seen_bgr[wagons],
        light.around_bgr[wagons],
        light.black_bgr,
        dark_below(told, colours),
        is_cleared[wagons],
    )
    by_shadow = by_colour.copy()
    by_shadow[wagons] = doubt_by_shadows(
        by_colour[wagons], colours, told_bgr[wagons], light.all_bgr, darkest
    )
    doubts = {
        Why.ROOF_COLOUR: _differ(rows, by_colour),
        Why.SHADOW: _differ(by_colour, by_shadow),
    }
    return replace(evidence, probabilities=by_shadow, doubts={**evidence.doubts, **doubts})


def _differ(before: NDArray[np.float64], after: NDArray[np.float64]) -> frozenset[int]:
    """The spaces whose rows a check has changed by more than rounding."""
    changed = np.abs(after - before).max(axis=1) > LEAST_DIFFERENCE
    return frozenset(np.flatnonzero(changed).tolist())
