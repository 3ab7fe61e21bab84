"""The costly things a watcher asks for: where the board lies, its spaces, and its wagons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import Registration
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.routes.account import Account, account_of
from vision.spaces.classifier import read_spaces
from vision.spaces.evidence import SpaceEvidence
from vision.spaces.located_image import LocatedImage, seen_board
from vision.spaces.space_cache import SpaceCache
from vision.vouching import read_vouched_as_empty
from vision.wagons.find import find_wagons


@dataclass(frozen=True, slots=True, eq=False)
class FrameReading:
    """What an eye reads in one frame: what every space shows, and where its wagons stand.

    `find_wagons` looks for these only when it is asked; None if the eye finds no wagons.
    """

    evidence: SpaceEvidence
    find_wagons: Callable[[], Account | None] = lambda: None


class WatchEye(Protocol):
    """Whoever finds boards and reads spaces; tests bring one that knows the truth."""

    @property
    def empty_board(self) -> LocatedImage | None:
        """A picture of the empty board to compare with, if there is one."""
        ...

    def find(self, frame_bgr: NDArray[np.uint8]) -> Registration:
        """Where the board lies in a frame (H, W, 3); raises BoardNotFoundError or ImageError."""
        ...

    def read(self, frame_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64]) -> FrameReading:
        """What a frame (H, W, 3), BGR, shows; `spaces_px` has shape (N, 4, 2)."""
        ...

    def learn_empty(self, frame_bgr: NDArray[np.uint8], where: Registration) -> None:
        """Take a frame (H, W, 3), BGR, as the picture of the empty board."""
        ...


class ReadingEye:
    """Registers and reads with the program's own networks."""

    def __init__(
        self, board: Board, reference: Reference | None, players: Sequence[str] | None
    ) -> None:
        self._board = board
        self._reference = reference
        self._empty: LocatedImage | None = None
        if reference is not None:
            self._empty = LocatedImage(reference.image_bgr, reference.spaces_px)
        self._colours = tuple(players or board.player_colours)
        self._cache = SpaceCache()

    @property
    def empty_board(self) -> LocatedImage | None:
        return self._empty

    def find(self, frame_bgr: NDArray[np.uint8]) -> Registration:
        return register(frame_bgr, self._board, reference=self._reference)

    def read(self, frame_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64]) -> FrameReading:
        board = self._board
        seen = seen_board(LocatedImage(frame_bgr, spaces_px), board)
        # Frames are compared with each other, and a lamp is mirrored in the empty board as well.
        evidence = read_spaces(
            seen, board, self._colours, self._empty, cache=self._cache, is_frame=True
        )
        evidence = read_vouched_as_empty(evidence, seen.photo, self._reference, board)
        return FrameReading(evidence, lambda: account_of(find_wagons(seen, board)))

    def learn_empty(self, frame_bgr: NDArray[np.uint8], where: Registration) -> None:
        picture = frame_bgr.copy()
        self._reference = Reference(self._board.id, picture, where.corners_px, where.spaces_px)
        self._empty = LocatedImage(picture, where.spaces_px)
        self._cache = SpaceCache()
