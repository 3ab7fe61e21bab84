"""The empty board of a calibration, straightened to the board's drawing, for the panel's map."""

import threading
from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.encode import jpeg_within
from vision.images.resize import shrunk
from vision.registration.board_geometry import board_centres_mm, outline_mm
from vision.registration.geometry import corners_of_size, homography_of_quads, project
from vision.registration.reference import Reference

LONG_SIDE_PX = 1600
"""Twice the map's width on a tablet: names can be read where it is enlarged."""

MOST_BYTES = 240_000
"""Half a second on a slow home network; only who asks for the photo loads it."""

QUALITIES = (80, 70, 60, 50, 40, 25)
"""JPEG qualities tried in turn."""

FIT_PX = 6.0
"""A space farther than that from where a flat board has it does not help to straighten."""

FEWEST_SPACES = 8


class TableBoardPhotos:
    """Straightens each reference once; fulfils `web.drawing.board_photo.BoardPhotos`."""

    def __init__(self, reference_of: Callable[[Board], Reference | None]) -> None:
        self._reference_of = reference_of
        self._lock = threading.Lock()
        self._made: Mapping[str, tuple[Reference, bytes]] = {}

    def has(self, board: Board) -> bool:
        """Whether photos of this board are read beside an empty one."""
        return self._reference_of(board) is not None

    def picture(self, board: Board) -> bytes | None:
        """The photo of the empty board as JPEG, its frame filling it."""
        reference = self._reference_of(board)
        if reference is None:
            return None
        with self._lock:
            known = self._made.get(board.id)
            if known is None or known[0] is not reference:
                straight = straight_board(reference, board)
                known = (reference, jpeg_within(straight, MOST_BYTES, QUALITIES))
                self._made = {**self._made, board.id: known}
            return known[1]


def straight_board(reference: Reference, board: Board) -> NDArray[np.uint8]:
    """The empty board as its drawing lies, (H, W, 3), uint8, BGR, no larger than the photo shows.

    The printed spaces say how it lies, for the drawing's boxes have to cover them; the corners
    where there are only a few.
    """
    width_mm, height_mm = board.frame.size_mm
    to_photo = _mm_to_photo(reference, board)
    corners = project(to_photo, corners_of_size(board.frame.size_mm))
    sides_px = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    seen_px_per_mm = float(max(sides_px[0], sides_px[2])) / width_mm
    px_per_mm = min(LONG_SIDE_PX / max(width_mm, height_mm), seen_px_per_mm)
    size = (max(1, round(width_mm * px_per_mm)), max(1, round(height_mm * px_per_mm)))
    # The warp takes single pixels: fine print would flicker in a larger photo.
    scale = min(1.0, 1.5 * px_per_mm / seen_px_per_mm)
    photo = shrunk(reference.image_bgr, scale)
    from_picture = np.diag([scale, scale, 1.0]) @ to_photo @ np.diag([1, 1, px_per_mm])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    straight = cv2.warpPerspective(
        photo, from_picture, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(straight, np.uint8)


def _mm_to_photo(reference: Reference, board: Board) -> NDArray[np.float64]:
    """The homography from the board's millimetres to the photo's pixels."""
    drawn = board_centres_mm(board)
    if len(drawn) == len(reference.spaces_px) >= FEWEST_SPACES:
        seen = reference.spaces_px.mean(axis=1)
        found, _ = cv2.findHomography(drawn, seen, cv2.RANSAC, FIT_PX)
        if found is not None:
            return np.asarray(found, np.float64)
    return homography_of_quads(outline_mm(board), reference.corners_px)
