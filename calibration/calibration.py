"""What vision must know about one table: its empty board, and how its wagons look there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import WrongBoardError
from scoring.board.board import Board
from vision.registration.board_geometry import board_centres_mm
from vision.registration.geometry import corners_of_size, homography_of_quads, project
from vision.registration.reference import Reference

BENDS_MM, SWAPPED_MM = 10.0, 40.0
"""A wide lens and a fold move spaces by the first; what lies the second off is another space."""

Lab = tuple[float, float, float]
"""A colour in CIE L*a*b* (L 0 to 100, a and b about -100 to 100)."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """One table's calibration.

    `image_bgr` is an ndarray of shape (H, W, 3), uint8, BGR: the empty board. `corners_px` has
    shape (4, 2): its outer corners there, top-left, top-right, bottom-right, bottom-left as
    printed. `spaces_px` has shape (N, 4, 2): the corners of every printed space, routes in board
    order and spaces in route order. `created` is the time as `moment_now` tells it.
    `wagon_colours` are the mean colours of the players' wagons under this lamp, if a photo with
    wagons was given.
    `looks_claimed` are the routes on which the empty photo seems to show wagons; `vouched` says
    that a person knows that it shows none. `name` is what people call this table, if they said.
    """

    board_id: str
    board_version: int
    created: str
    image_bgr: NDArray[np.uint8]
    corners_px: NDArray[np.float64]
    spaces_px: NDArray[np.float64]
    wagon_colours: Mapping[str, Lab] = field(default_factory=dict)
    looks_claimed: tuple[str, ...] = ()
    vouched: bool = False
    name: str = ""

    @property
    def homography(self) -> NDArray[np.float64]:
        """Shape (3, 3): from board units (x, y in 0..1) to pixels of the image."""
        return homography_of_quads(corners_of_size((1, 1)), self.corners_px)

    def reference(self, board: Board) -> Reference:
        """The empty board as the reader wants it; raises WrongBoardError for another board."""
        if board.id != self.board_id:
            raise WrongBoardError("calibration.wrong-board", found=self.board_id, wanted=board.id)
        if board.version != self.board_version or not self._lies_as(board):
            raise WrongBoardError("calibration.board-changed", board=board.id)
        return Reference(
            self.board_id,
            self.image_bgr,
            self.corners_px,
            self.spaces_px,
            tuple(name for name in self.looks_claimed if name in board.route_by_id),
            self.vouched,
        )

    def _lies_as(self, board: Board) -> bool:
        """Whether each space lies where one camera can see that of this board, bends included."""
        if board.space_count != len(self.spaces_px):
            return False
        own_mm, seen_px = board_centres_mm(board), self.spaces_px.mean(axis=1)
        to_mm: object = cv2.findHomography(seen_px, own_mm, cv2.RHO, BENDS_MM)[0]
        if not isinstance(to_mm, np.ndarray):  # all in one place, or in a line
            return False
        apart_mm = np.hypot(*(project(to_mm, seen_px) - own_mm).T)
        return bool(apart_mm.max() < SWAPPED_MM)


def moment_now() -> str:
    """This moment as ISO 8601, in UTC and to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
