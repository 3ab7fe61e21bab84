"""Looks that are taken for wagons on an empty board: whether it is empty, and how to read them on.

A dark frame around a printed box, or a black print under a weak lamp, is now and then taken for a
black wagon by a network that has never met the print. A person who sees the table knows better:
what they have vouched for is print, and what nobody has vouched for is asked about.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import RouteReading, Why
from vision.registration.reference import Reference
from vision.spaces.classifier import Look, SpaceEvidence
from vision.spaces.patches import cut_patches, print_around

SAME_PRINT = 0.95
"""Least correlation with the empty photo of a look that a person vouched for. Of some 600 spaces
with wagons on 11 renders none has more than 0.91; free ones in sight mostly have 0.98 and more."""

LEFT_OF_READING = 0.001
"""What remains of the network's word about such a space: a single space needs 0.998 to be sure."""

OWN_SPACE = 0.8
"""Above this, the mask of the printed spaces shows the patch's own and no neighbour's."""


def heed_vouching(
    evidence: SpaceEvidence, photo: Look, reference: Reference | None, board: Board
) -> SpaceEvidence:
    """The evidence with what a person has vouched for read as empty while it looks the same.

    Only the routes that looked claimed on the empty photo are touched: a wagon laid there later
    covers the print, and is read as anywhere else.
    """
    if reference is None or not reference.vouched or not reference.looks_claimed:
        return evidence
    rows = _rows(reference.looks_claimed, board)
    same = rows[_likeness(photo, reference, rows, board) >= SAME_PRINT]
    probabilities = evidence.probabilities.copy()
    probabilities[same] *= LEFT_OF_READING
    probabilities[same, 0] += 1 - LEFT_OF_READING
    return replace(evidence, probabilities=probabilities)


def ask_unvouched(
    routes: Mapping[str, RouteReading], reference: Reference | None
) -> dict[str, RouteReading]:
    """The routes, with those asked about that looked claimed on an empty photo nobody vouched for.

    Wagons that stood there already would look like print beside it, and be read as none.
    """
    asked = () if reference is None or reference.vouched else reference.looks_claimed
    return {
        name: replace(route, why=(*route.why, Why.LOOKED_CLAIMED)) if name in asked else route
        for name, route in routes.items()
    }


def _rows(routes: tuple[str, ...], board: Board) -> NDArray[np.int64]:
    every = np.arange(board.space_count)
    return np.concatenate([every[board.spaces_of[name]] for name in routes])


def _likeness(
    photo: Look, reference: Reference, rows: NDArray[np.int64], board: Board
) -> NDArray[np.float64]:
    """Correlation of the printed boxes of some spaces (n,) with the empty photo, (n,), -1 to 1."""
    own = print_around(board)[rows, 0] > OWN_SPACE * 255
    pairs = zip(
        cut_patches(photo.image_bgr, photo.spaces_px[rows], board.space_size_mm),
        cut_patches(reference.image_bgr, reference.spaces_px[rows], board.space_size_mm),
        own,
        strict=True,
    )
    return np.array([_correlation(now[mask], then[mask]) for now, then, mask in pairs])


def _correlation(now: NDArray[np.uint8], then: NDArray[np.uint8]) -> float:
    """Of two looks (pixels, 3): blind to exposure; 0 where one of them shows nothing at all."""
    first, second = (look.astype(np.float64).ravel() - look.mean() for look in (now, then))
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / size if size > 0 else 0.0
