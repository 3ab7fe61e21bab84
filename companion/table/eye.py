"""The port through which the table has its photos read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.session.events import ReadingProposed
from scoring.board.board import Board

Photo = NDArray[np.uint8]
"""An ndarray of shape (H, W, 3), uint8, BGR."""


def nothing() -> None:
    """Does nothing."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look gave: the proposal, and a function from a route's id to its crop, a picture.

    `put_away` is called once the crops that are needed at once are cut: the photo may become small.
    """

    proposed: ReadingProposed
    crop: Callable[[str], bytes]
    put_away: Callable[[], None] = nothing


class Eye(Protocol):
    """Reads a board from photos."""

    def look(self, photos_bgr: Sequence[Photo], board: Board, colours: Sequence[str]) -> Seen:
        """Read photos of one moment; raises VisionError where they cannot be read."""
        ...
