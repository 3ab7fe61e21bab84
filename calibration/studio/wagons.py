"""Tells whether wagons lie on a board that should be empty, before anybody knows the board."""

import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import Boxes
from calibration.studio.straightening import Straight
from scoring.board.board import Board, BoardFrame, Route, Space
from scoring.game.colours import COLOURS
from vision.reading import EMPTY, OCCLUDED
from vision.spaces.classifier import read_spaces
from vision.spaces.located_image import LocatedImage, seen_board

SURE = 0.95
"""Likeness from which on a space is said to hold a wagon."""


def count_wagons(photo_bgr: NDArray[np.uint8], straight: Straight, boxes: Boxes) -> int:
    """How many of the supposed boxes surely have wagons on them."""
    if not len(boxes):
        return 0
    spaces_px = straight.to_photo(boxes.quads)
    board = _board(straight, boxes)
    seen = seen_board(LocatedImage(photo_bgr, spaces_px), board)
    evidence = read_spaces(seen, board, tuple(COLOURS))
    wagons = [k for k, name in enumerate(evidence.labels) if name not in (EMPTY, OCCLUDED)]
    return int((evidence.probabilities[:, wagons].sum(axis=1) > SURE).sum())


def _board(straight: Straight, boxes: Boxes) -> Board:
    """A board of nothing but those boxes, each a route of its own."""
    at = boxes.centres / straight.size
    length, width = np.median(boxes.sizes, axis=0)
    routes = tuple(
        Route(f"a--b-{k}", ("a", "b"), 1, "grey", None, 0, (Space(float(x), float(y), float(a)),))
        for k, ((x, y), a) in enumerate(zip(at, boxes.angles_deg, strict=True))
    )
    return Board(
        id="unknown",
        title="unknown",
        edition="",
        version=1,
        frame=BoardFrame("outer", straight.size),
        players=(2, 5),
        player_colours=tuple(COLOURS),
        wagons_per_player=45,
        doubles_open_from=4,
        route_points={1: 1},
        space_size_mm=(float(length), float(width)),
        places=(),
        routes=routes,
        tickets=(),
    )
