"""What follows for the reading where the photo of the empty board looked claimed.

What a person has vouched for is print, and what nobody has vouched for is asked about: see
`vision.empty_board`, which says when a photo is taken for an empty board.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.cosine import cosine
from vision.reading import RouteReading, Why
from vision.registration.reference import Reference
from vision.spaces.classifier import OWN_SPACE
from vision.spaces.evidence import EMPTY_COLUMN, SpaceEvidence
from vision.spaces.located_image import LocatedImage
from vision.spaces.patches import cut_patches, print_around

SAME_PRINT = 0.95
"""Least correlation with the empty photo for a space to count as unchanged. Of some 600 spaces
with wagons on 11 renders none has more than 0.91; free ones in sight mostly have 0.98 and more."""


LEFT_OF_READING = 0.001
"""Weight left to the network on such a space: a single space needs 0.998 to be sure."""


def read_vouched_as_empty(
    evidence: SpaceEvidence, photo: LocatedImage, reference: Reference | None, board: Board
) -> SpaceEvidence:
    """The evidence; spaces that a person vouched for are read as empty while they look the same.

    Only the routes that looked claimed on the empty photo are touched: a wagon laid there later
    covers the print, and is read as anywhere else.
    """
    if reference is None or not reference.vouched or not reference.looks_claimed:
        return evidence
    rows = _rows(reference.looks_claimed, board)
    same = rows[_likeness(photo, reference, rows, board) >= SAME_PRINT]
    probabilities = evidence.probabilities.copy()
    probabilities[same] *= LEFT_OF_READING
    probabilities[same, EMPTY_COLUMN] += 1 - LEFT_OF_READING
    return replace(evidence, probabilities=probabilities)


def ask_about_unvouched(
    routes: Mapping[str, RouteReading], reference: Reference | None
) -> dict[str, RouteReading]:
    """The routes; those that looked claimed on an empty photo nobody vouched for are asked about.

    Wagons that stood there already look the same in both photos and would be read as print.
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
    photo: LocatedImage, reference: Reference, rows: NDArray[np.int64], board: Board
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
    """Correlation of two sets of pixels (n, 3), whatever their exposure; 0 where one is uniform."""
    return cosine(*(look.astype(np.float64) - look.mean() for look in (now, then)))
