"""The empty board as this table sees it: photo, corners and where each space is printed."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.board.readable_print import named
from vision.errors import NotEmptyError
from vision.images.photo import check_quality
from vision.reading import RouteReading
from vision.registration.without_reference import by_corners, by_itself
from vision.routes.decide import WITHOUT_EMPTY_BOARD, decide_routes
from vision.spaces.classifier import Look, read_spaces
from vision.watch.events import route_name

DARK = "black"
"""The only colour that a dark print on an empty board may be taken for without a refusal."""

FEW = 0.05
"""Part of a board's routes that may look claimed by black for a board that may be empty still.
Known boards: none of 32 empty photos, each at a gamma of 0.8, 0.9, 1, 1.1 and 1.25, shows a single
claim; the recorded games show one by another colour from three routes on (36 of 36 looks). Drawn
boards with dark frames that the network never met (54 looks): 1 to 9 claims, all black, on 19."""

MOST_FOR_A_DOUBT = 1 / 3
"""And so many for each route in doubt: a print that misleads the network makes it doubt at least
five routes for one that it is wrongly sure of; wagons make claims, at least two for three doubts
after the first turns."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A photo of the empty board, with the places of everything on it.

    `image_bgr` is an ndarray of shape (H, W, 3), uint8, BGR. `corners_px` has shape (4, 2): the
    board's outer corners in its pixels, top-left, top-right, bottom-right, bottom-left as printed.
    `spaces_px` has shape (N, 4, 2): the corners of every printed space, routes in board order and
    spaces in route order, in the order of `Registration.spaces_px`. `looks_claimed` are the routes
    on which the photo surely seems to show wagons; `vouched` says that a person knows it shows
    none, and then they are all on which it seems to.
    """

    board_id: str
    image_bgr: NDArray[np.uint8]
    corners_px: NDArray[np.float64]
    spaces_px: NDArray[np.float64]
    looks_claimed: tuple[str, ...] = ()
    vouched: bool = False


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
    check_quality(image_bgr)
    if corners_px is None:
        found = by_itself(image_bgr, board)
    else:
        found = by_corners(image_bgr, board, np.asarray(corners_px, np.float64))
    reference = Reference(board.id, image_bgr, found.corners_px, found.spaces_px)
    routes = _routes_alone(Look(image_bgr, found.spaces_px), board)
    seeming = [r for r in routes if r.owner is not None]
    claimed = [r for r in seeming if not r.review]
    doubts = sum(route.review for route in routes)
    if not really_empty and not _may_be_print(claimed, doubts, board):
        names = named_routes([route.route for route in claimed], board)
        raise NotEmptyError("vision.reference.not-empty", count=len(claimed), routes=names)
    looks_claimed = tuple(route.route for route in (seeming if really_empty else claimed))
    return replace(reference, looks_claimed=looks_claimed, vouched=really_empty)


def named_routes(routes: Collection[str], board: Board) -> str:
    """Routes by their places, as they may stand in a sentence; the first few of many."""
    return named([route_name(board, board.route_by_id[route]) for route in routes])


def _routes_alone(look: Look, board: Board) -> Collection[RouteReading]:
    evidence = read_spaces(look, board, board.player_colours)
    return decide_routes(evidence, board, WITHOUT_EMPTY_BOARD).values()


def _may_be_print(claimed: Collection[RouteReading], doubts: int, board: Board) -> bool:
    """Whether dark print explains the claims: few, all black, and beside many doubts.

    A print that misleads the network makes it doubt more routes than it is wrongly sure of; on one
    that it reads well, what looks like a wagon is one.
    """
    dark = all(route.owner == DARK for route in claimed)
    return dark and len(claimed) <= min(MOST_FOR_A_DOUBT * doubts, FEW * len(board.routes))
