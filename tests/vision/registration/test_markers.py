"""The board is found by the four printed markers at its corners."""

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_table import USA, empty_photo, full_photo
from vision.empty_board import make_reference
from vision.errors import BoardNotFoundError
from vision.registration.board_geometry import outline_mm
from vision.registration.geometry import homography_of_quads
from vision.registration.markers import (
    MARKER_IDS,
    MARKER_MM,
    RIM_MM,
    TOUCHING_CORNER,
    find_markers,
    marker_picture,
)
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.synthetic import DrawnPhoto

MARGIN_PX = 160
"""Table added about the drawn photos, for the markers to lie on."""


def _with_markers(photo: DrawnPhoto, off_mm: float = 0.0) -> NDArray[np.uint8]:
    """The drawn photo with a marker at each corner; the first one `off_mm` away from it."""
    sides = [MARGIN_PX] * 4
    image = np.asarray(cv2.copyMakeBorder(photo.image_bgr, *sides, cv2.BORDER_REPLICATE), np.uint8)
    to_photo = homography_of_quads(outline_mm(USA), photo.corners_px + MARGIN_PX)
    for index, corner in enumerate(outline_mm(USA)):
        away = off_mm if index == 0 else 0.0
        _lay(image, to_photo, index, (float(corner[0]) - away, float(corner[1]) - away))
    return image


def _lay(
    image: NDArray[np.uint8], to_photo: NDArray[np.float64], index: int, at_mm: tuple[float, float]
) -> None:
    """A marker with its rim, 4 px a millimetre, laid beside a corner of the board."""
    scale, side, rim = 4.0, round(4 * MARKER_MM), round(4 * RIM_MM)
    card = np.full((side + 2 * rim, side + 2 * rim), 235, np.uint8)
    card[rim:-rim, rim:-rim] = np.maximum(marker_picture(index, side), 25)
    touching = TOUCHING_CORNER[index]
    left = at_mm[0] - (MARKER_MM if touching in (1, 2) else 0.0) - RIM_MM
    top = at_mm[1] - (MARKER_MM if touching in (2, 3) else 0.0) - RIM_MM
    to_mm = np.array([[1 / scale, 0, left], [0, 1 / scale, top], [0, 0, 1]])
    size = (image.shape[1], image.shape[0])
    laid = cv2.warpPerspective(card, to_photo @ to_mm, size, flags=cv2.INTER_AREA)
    where = cv2.warpPerspective(np.full_like(card, 255), to_photo @ to_mm, size) > 128
    image[where] = laid[where][:, None]


@cache
def _marked_full() -> NDArray[np.uint8]:
    return _with_markers(full_photo())


def test_the_four_markers_give_the_boards_corners() -> None:
    corners = find_markers(_marked_full())
    assert corners is not None
    np.testing.assert_allclose(corners, full_photo().corners_px + MARGIN_PX, atol=1.5)


def test_a_marked_board_is_found_by_its_markers_and_every_space_with_it() -> None:
    found = register(_marked_full(), USA)
    assert found.method == "markers"
    off = found.spaces_px.mean(axis=1) - (full_photo().spaces_px.mean(axis=1) + MARGIN_PX)
    assert np.median(np.hypot(*off.T)) < 3.0  # a space is 13 pixels wide here


def test_a_board_turned_upside_down_between_fixed_markers_is_still_read_upright() -> None:
    board = full_photo().image_bgr
    turned = DrawnPhoto(
        **{name: getattr(full_photo(), name) for name in DrawnPhoto.__slots__}
        | {"image_bgr": np.ascontiguousarray(board[::-1, ::-1])}
        | {"corners_px": _turned(full_photo().corners_px, board)}
    )
    found = register(_with_markers(turned), USA)
    assert found.method == "markers"
    truth = (board.shape[1] - 1, board.shape[0] - 1) - full_photo().corners_px + MARGIN_PX
    np.testing.assert_allclose(found.corners_px, truth, atol=2.0)


def _turned(corners_px: NDArray[np.float64], image: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The corners after half a turn, named as they now lie."""
    return np.roll((image.shape[1] - 1, image.shape[0] - 1) - corners_px, 2, axis=0)


def test_markers_serve_where_the_reference_is_not_recognised() -> None:
    empty = empty_photo()
    fogged = np.full_like(empty.image_bgr, 200)
    reference = Reference("usa", fogged, empty.corners_px, empty.spaces_px)
    assert register(_marked_full(), USA, reference=reference).method == "markers"


def test_a_calibration_between_markers_serves_a_photo_between_markers() -> None:
    reference = make_reference(_with_markers(empty_photo()), USA)
    np.testing.assert_allclose(reference.corners_px, empty_photo().corners_px + MARGIN_PX, atol=1.5)
    assert register(_marked_full(), USA, reference=reference).method == "reference"


@pytest.mark.parametrize("lost", range(len(MARKER_IDS)))
def test_with_three_markers_there_is_no_guess_at_the_fourth(lost: int) -> None:
    image = _marked_full().copy()
    x, y = np.round(full_photo().corners_px[lost] + MARGIN_PX).astype(int)
    image[max(0, y - 80) : y + 80, max(0, x - 80) : x + 80] = 128
    assert find_markers(image) is None


@pytest.mark.parametrize("off_mm", [25.0, 60.0])
def test_a_marker_pushed_off_its_corner_misleads_nobody(off_mm: float) -> None:
    image = _with_markers(full_photo(), off_mm=off_mm)
    try:
        found = register(image, USA)
    except BoardNotFoundError:
        return
    np.testing.assert_allclose(found.corners_px, full_photo().corners_px + MARGIN_PX, atol=12.0)
