"""Whether a board is empty, and what follows for the reading where its photo looked claimed.

A dark frame around a printed box, or a black print under a weak lamp, is now and then taken for a
black wagon by a network that has never met the print. A person who sees the table knows better:
what they have vouched for is print, and what nobody has vouched for is asked about.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.board.readable_print import named
from vision.errors import NotEmptyError
from vision.reading import Registration, RouteReading, Why, route_name
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.routes.decide import decide_routes
from vision.routes.model import WITHOUT_EMPTY_BOARD
from vision.spaces.classifier import OWN_SPACE, read_spaces
from vision.spaces.evidence import EMPTY_COLUMN, SpaceEvidence
from vision.spaces.located_image import LocatedImage, seen_board
from vision.spaces.patches import cut_patches, print_around

DARK = "black"
"""The only colour that a dark print on an empty board may be taken for without a refusal."""


FEW = 0.05
"""Part of a board's routes that may look claimed by black on a board that may still be empty.
Known boards: none of 32 empty photos, each at a gamma of 0.8, 0.9, 1, 1.1 and 1.25, shows a single
claim; the recorded games show one by another colour from three routes on (36 of 36 looks). Drawn
boards with dark frames that the network never met (54 looks): 1 to 9 claims, all black, on 19."""


MOST_FOR_A_DOUBT = 1 / 3
"""And at most so many for each route in doubt: a print that misleads the network makes it doubt at
least five routes for one that it is wrongly sure of; wagons make claims, at least two for three
doubts after the first turns."""


def make_reference(
    image_bgr: NDArray[np.uint8],
    board: Board,
    corners_px: NDArray[np.float64] | None = None,
    *,
    really_empty: bool = False,
) -> Reference:
    """The reference of an empty board's photo: the board is found and its spaces snapped.

    `image_bgr` is an ndarray of shape (H, W, 3), uint8, BGR; `corners_px` (4, 2) are the outer
    corners as printed where a person has marked them; `really_empty` says that a person vouches
    for it. Raises BoardNotFoundError where the board isn't found, ImageError where the photo is too
    dark or blurred, and NotEmptyError where it shows wagons and nobody vouches: a board that isn't
    empty would hide what is built on it from then on. A few routes that look black are no reason
    to refuse it (see `FEW`): they are named in `looks_claimed`.
    """
    found = register(image_bgr, board, corners_px=corners_px)
    return reference_of(image_bgr, board, found, really_empty=really_empty)


def reference_of(
    image_bgr: NDArray[np.uint8], board: Board, found: Registration, *, really_empty: bool = False
) -> Reference:
    """The reference of a photo in which the board was found; raises NotEmptyError."""
    reference = Reference(board.id, image_bgr, found.corners_px, found.spaces_px)
    routes = _routes_alone(LocatedImage(image_bgr, found.spaces_px), board)
    seeming = [r for r in routes if r.owner is not None]
    claimed = [r for r in seeming if not r.review]
    doubts = sum(route.review for route in routes)
    if not really_empty and not _may_be_print(claimed, doubts, board):
        names = named_routes([route.route for route in claimed], board)
        error = NotEmptyError("vision.reference.not-empty", count=len(claimed), routes=names)
        error.claimed = tuple(route.route for route in claimed)
        raise error
    looks_claimed = tuple(route.route for route in (seeming if really_empty else claimed))
    return replace(reference, looks_claimed=looks_claimed, vouched=really_empty)


def named_routes(routes: Collection[str], board: Board) -> str:
    """Routes by their places, as they may stand in a sentence; the first few of many."""
    return named([route_name(board, board.route_by_id[route]) for route in routes])


def _routes_alone(look: LocatedImage, board: Board) -> Collection[RouteReading]:
    evidence = read_spaces(seen_board(look, board), board, board.player_colours)
    return decide_routes(evidence, board, WITHOUT_EMPTY_BOARD).values()


def _may_be_print(claimed: Collection[RouteReading], doubts: int, board: Board) -> bool:
    """Whether dark print explains the claims: few, all black, and beside many doubts.

    A print that misleads the network makes it doubt more routes than it is wrongly sure of; on one
    that it reads well, what looks like a wagon is one.
    """
    dark = all(route.owner == DARK for route in claimed)
    return dark and len(claimed) <= min(MOST_FOR_A_DOUBT * doubts, FEW * len(board.routes))


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
    first, second = (look.astype(np.float64).ravel() - look.mean() for look in (now, then))
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / size if size > 0 else 0.0
