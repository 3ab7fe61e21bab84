"""The empty board as this table sees it: photo, corners and where each space is printed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board import Board
from vision.decide import WITHOUT_EMPTY_BOARD, decide_routes
from vision.errors import ImageError
from vision.photo import check_quality
from vision.registration_pattern import by_corners, by_itself
from vision.spaces import Look, read_spaces

NOT_EMPTY = 4
"""So many surely claimed routes make a board that isn't empty: none of 41 empty ones shows one,
none of 13 with wagons fewer than 8."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A photo of the empty board, with the places of everything on it.

    `image_bgr` is an ndarray of shape (H, W, 3), uint8, BGR. `corners_px` has shape (4, 2): the
    board's outer corners in its pixels, top-left, top-right, bottom-right, bottom-left as printed.
    `spaces_px` has shape (N, 4, 2): the corners of every printed space, routes in board order and
    spaces in route order, in the order of `Registration.spaces_px`.
    """

    board_id: str
    image_bgr: NDArray[np.uint8]
    corners_px: NDArray[np.float64]
    spaces_px: NDArray[np.float64]


def make_reference(
    image_bgr: NDArray[np.uint8], board: Board, corners_px: NDArray[np.float64] | None = None
) -> Reference:
    """The reference of an empty board's photo: the board is found and its spaces snapped.

    `image_bgr` is an ndarray of shape (H, W, 3), uint8, BGR; `corners_px` (4, 2) are the outer
    corners as printed where a person has marked them. Raises BoardNotFoundError where the board
    isn't found, ImageError where the photo is too dark or blurred, or shows wagons: a board that
    isn't empty would hide what is built on it from then on.
    """
    check_quality(image_bgr)
    if corners_px is None:
        found = by_itself(image_bgr, board)
    else:
        found = by_corners(image_bgr, board, np.asarray(corners_px, np.float64))
    _refuse_wagons(Look(image_bgr, found.spaces_px), board)
    return Reference(board.id, image_bgr, found.corners_px, found.spaces_px)


def _refuse_wagons(look: Look, board: Board) -> None:
    evidence = read_spaces(look, board, board.player_colours)
    routes = decide_routes(evidence, board, WITHOUT_EMPTY_BOARD).values()
    claimed = sum(route.owner is not None and not route.review for route in routes)
    if claimed >= NOT_EMPTY:
        raise ImageError("vision.reference.not-empty", count=claimed)
