"""The empty board as this table sees it: photo, corners and where each space is printed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
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
