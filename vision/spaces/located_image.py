"""An image of a board and where its spaces lie in it, and the same as it is looked at."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.part_veil import without_part_veil
from vision.images.resize import shrunk_by
from vision.images.tones import in_plain_tones
from vision.registration.board_geometry import board_quads_mm, outline_mm
from vision.registration.geometry import project
from vision.spaces.camera_pose import board_to_image, lean_mm
from vision.spaces.patches import finer_than_patches


@dataclass(frozen=True, slots=True, eq=False)
class LocatedImage:
    """An image with where its spaces lie, ndarray of shape (N, 4, 2), pixels."""

    image_bgr: NDArray[np.uint8]
    spaces_px: NDArray[np.float64]


def as_fine_as_read(look: LocatedImage, size_mm: tuple[float, float]) -> LocatedImage:
    """The image so many whole times smaller as its patches are cut from it; often itself.

    `size_mm` is the printed box of a space. All that follows costs a quarter then, and the patches
    are the same.
    """
    times = finer_than_patches(look.spaces_px, size_mm)
    if times == 1:
        return look
    return LocatedImage(shrunk_by(look.image_bgr, times), (look.spaces_px + 0.5) / times - 0.5)


@dataclass(frozen=True, slots=True, eq=False)
class SeenBoard:
    """A board in a photo as both witnesses look at it.

    `lit_bgr` (H, W, 3) is the photo in plain tones; `clear_bgr` (H, W, 3) the same without what a
    window or a lamp, mirrored in a part of the board, adds, and `lit_bgr` itself where none is.
    `board_to_photo` (3, 3) takes board millimetres to photo pixels, `outline_px` (4, 2) are the
    board's outer corners, `leans_mm` (N, 2) is `lean_mm` of its spaces.
    """

    photo: LocatedImage
    lit_bgr: NDArray[np.uint8]
    clear_bgr: NDArray[np.uint8]
    board_to_photo: NDArray[np.float64]
    outline_px: NDArray[np.float64]
    leans_mm: NDArray[np.float64]

    @property
    def spaces_px(self) -> NDArray[np.float64]:
        return self.photo.spaces_px


def seen_board(photo: LocatedImage, board: Board) -> SeenBoard:
    """The board as it is looked at: veils are taken away, deep shadows opened."""
    board_to_photo = board_to_image(photo.spaces_px, board)
    outline_px = project(board_to_photo, outline_mm(board))
    lit_bgr = in_plain_tones(photo.image_bgr, outline_px)
    height_px, width_px = lit_bgr.shape[:2]
    return SeenBoard(
        photo=photo,
        lit_bgr=lit_bgr,
        clear_bgr=without_part_veil(lit_bgr, outline_px),
        board_to_photo=board_to_photo,
        outline_px=outline_px,
        leans_mm=lean_mm(board_to_photo, board_quads_mm(board), (width_px, height_px)),
    )
