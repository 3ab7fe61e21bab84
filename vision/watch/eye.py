"""The costly things a watcher asks for: where the board lies, its spaces, and its wagons."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.empty_board import read_vouched_as_empty
from vision.reading import Registration
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.routes.account import Account, account_of
from vision.spaces.classifier import read_spaces
from vision.spaces.evidence import SpaceEvidence
from vision.spaces.located_image import LocatedImage, seen_board
from vision.spaces.told import ToldSpaces
from vision.wagons.find import find_wagons


class WatchEye(Protocol):
    """Whoever finds boards and reads spaces; tests bring one that knows the truth."""

    @property
    def empty_board(self) -> LocatedImage | None:
        """A picture of the empty board to compare with, if there is one."""
        ...

    def find(self, frame_bgr: NDArray[np.uint8]) -> Registration:
        """Where the board lies in a frame (H, W, 3); raises BoardNotFoundError or ImageError."""
        ...

    def read(self, frame_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64]) -> SpaceEvidence:
        """What every space shows; `spaces_px` has shape (N, 4, 2)."""
        ...

    def wagons(
        self, frame_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64]
    ) -> Account | None:
        """Where the frame's wagons stand beside the spaces; None if the eye finds no wagons."""
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
        self._told = ToldSpaces()

    @property
    def empty_board(self) -> LocatedImage | None:
        return self._empty

    def find(self, frame_bgr: NDArray[np.uint8]) -> Registration:
        return register(frame_bgr, self._board, reference=self._reference)

    def read(self, frame_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64]) -> SpaceEvidence:
        seen = LocatedImage(frame_bgr, spaces_px)
        # Frames are compared with each other, and a lamp is mirrored in the empty board as well.
        evidence = read_spaces(
            seen_board(seen, self._board),
            self._board,
            self._colours,
            self._empty,
            before=self._told,
            is_frame=True,
        )
        return read_vouched_as_empty(evidence, seen, self._reference, self._board)

    def wagons(
        self, frame_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64]
    ) -> Account | None:
        seen = seen_board(LocatedImage(frame_bgr, spaces_px), self._board)
        return account_of(find_wagons(seen, self._board))

    def learn_empty(self, frame_bgr: NDArray[np.uint8], where: Registration) -> None:
        picture = frame_bgr.copy()
        self._reference = Reference(self._board.id, picture, where.corners_px, where.spaces_px)
        self._empty = LocatedImage(picture, where.spaces_px)
        self._told = ToldSpaces()
