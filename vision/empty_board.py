"""Whether a photo shows an empty board.

A dark frame around a printed box, or a black print under a weak lamp, is now and then taken for a
black wagon by a network that has never met the print. A person who sees the table knows better:
what they have vouched for is print, and what nobody has vouched for is asked about
(`vision.vouching`).
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.board.readable_print import named
from vision.errors import NotEmptyError
from vision.reader import FoundBoard, decide, evidence_of, found_at
from vision.reading import Registration, RouteReading, route_name
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.routes.decide import decide_routes
from vision.routes.model import WITHOUT_EMPTY_BOARD
from vision.spaces.classifier import read_spaces
from vision.spaces.located_image import LocatedImage, seen_board

DARK = "black"
"""What a dark print on an empty board is taken for; a box in a dark frame also for wagons of its
own colour. Anything else is refused."""


FEW = 0.05
"""Part of a board's routes that may look claimed like that on a board that may still be empty.
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
    look = LocatedImage(image_bgr, found.spaces_px)
    routes = _routes_alone(look, board)
    seeming = [r for r in routes if r.owner is not None]
    claimed = [r for r in seeming if not r.review]
    doubts = sum(route.review for route in routes)
    if not really_empty and not _may_be_print(claimed, doubts, board):
        seen = found_at(found, image_bgr, board)
        _refuse_wagons(_as_sure_by_both(claimed, seen, board), doubts, board)
    looks_claimed = tuple(route.route for route in (seeming if really_empty else claimed))
    return replace(reference, looks_claimed=looks_claimed, vouched=really_empty)


def named_routes(routes: Collection[str], board: Board) -> str:
    """Routes by their places, as they may stand in a sentence; the first few of many."""
    return named([route_name(board, board.route_by_id[route]) for route in routes])


def _routes_alone(look: LocatedImage, board: Board) -> Collection[RouteReading]:
    evidence = read_spaces(seen_board(look, board), board, board.player_colours)
    return decide_routes(evidence, board, WITHOUT_EMPTY_BOARD).values()


def _as_sure_by_both(
    claimed: Collection[RouteReading], found: FoundBoard, board: Board
) -> list[RouteReading]:
    """The claims that are as sure where the wagons that are found are heard as well: print that is
    drawn like wagons misleads the reading of spaces alone."""
    evidence = evidence_of([found.look], board, board.player_colours, None)
    by_both, _ = decide(evidence, board, None, [found.account])
    return [
        route
        for route in claimed
        if by_both[route.route].owner == route.owner and not by_both[route.route].review
    ]


def _refuse_wagons(claimed: Collection[RouteReading], doubts: int, board: Board) -> None:
    """Raise NotEmptyError, which names the claims, where dark print does not explain them."""
    if _may_be_print(claimed, doubts, board):
        return
    names = named_routes([route.route for route in claimed], board)
    error = NotEmptyError("vision.reference.not-empty", count=len(claimed), routes=names)
    error.claimed = tuple(route.route for route in claimed)
    raise error


def _may_be_print(claimed: Collection[RouteReading], doubts: int, board: Board) -> bool:
    """Whether dark print explains the claims: few, all black or as printed, beside many doubts.

    A print that misleads the network makes it doubt more routes than it is wrongly sure of; on one
    that it reads well, what looks like a wagon is one.
    """
    as_printed = all(
        claim.owner in (DARK, board.route_by_id[claim.route].colour) for claim in claimed
    )
    return as_printed and len(claimed) <= min(MOST_FOR_A_DOUBT * doubts, FEW * len(board.routes))
