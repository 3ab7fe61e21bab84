"""The empty board under the panel's map: straight, so that the drawn boxes cover the printed."""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.setup.board_photos import LONG_SIDE_PX, MOST_BYTES, TableBoardPhotos, straight_board
from scoring.board.board import Board, load_board
from vision.registration.reference import Reference

USA = load_board("usa")

ASKEW = np.array([[1.9, 0.22, 140.0], [-0.12, 1.7, 210.0], [0.00021, 0.00013, 1.0]])
"""How the camera sees the table: from millimetres of the board to pixels of the photo."""


def centres_mm(board: Board) -> NDArray[np.float64]:
    width_mm, height_mm = board.frame.size_mm
    spaces = [space for route in board.routes for space in route.spaces]
    return np.array([(one.x * width_mm, one.y * height_mm) for one in spaces])


def photographed(points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(points_mm[None], ASKEW)[0], np.float64)


def askew_reference(*, spaces: bool = True) -> Reference:
    """A grey photo with a red dot on the first space of each route."""
    width_mm, height_mm = USA.frame.size_mm
    corners = photographed(
        np.array([[0.0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]])
    )
    centres = photographed(centres_mm(USA))
    photo = np.full((1500, 1900, 3), 128, np.uint8)
    for x, y in centres[::9]:
        cv2.circle(photo, (round(x), round(y)), 5, (0, 0, 255), -1)
    around = centres[:, None, :] + np.array([[-3, -3], [3, -3], [3, 3], [-3, 3]])
    known = around if spaces else np.empty((0, 4, 2))
    return Reference("usa", photo, corners, known)


def assert_dots_lie_as_drawn(reference: Reference) -> None:
    picture = straight_board(reference, USA)
    px_per_mm = picture.shape[1] / USA.frame.size_mm[0]
    for x_mm, y_mm in centres_mm(USA)[::9]:
        blue, _, red = picture[round(y_mm * px_per_mm), round(x_mm * px_per_mm)].astype(int)
        assert red - blue > 80, (x_mm, y_mm)


def test_each_printed_space_lies_where_the_map_draws_it() -> None:
    assert_dots_lie_as_drawn(askew_reference())


def test_the_corners_do_where_the_spaces_are_not_known() -> None:
    assert_dots_lie_as_drawn(askew_reference(spaces=False))


def test_the_picture_is_light_and_made_once() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (1500, 1900, 3), np.uint8)
    plain = askew_reference()
    reference = Reference("usa", noise, plain.corners_px, plain.spaces_px)
    photos = TableBoardPhotos(lambda board: reference if board.id == "usa" else None)
    data = photos.picture(USA)
    assert data is not None
    seen = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    assert max(seen.shape) <= LONG_SIDE_PX
    assert photos.picture(USA) is data
    assert len(data) <= MOST_BYTES


def test_a_table_that_was_set_up_anew_shows_its_new_photo() -> None:
    known = [askew_reference()]
    photos = TableBoardPhotos(lambda board: known[-1])
    before = photos.picture(USA)
    known.append(Reference("usa", 255 - known[0].image_bgr, known[0].corners_px, np.empty(0)))
    assert photos.picture(USA) != before


def test_a_board_without_an_empty_photo_has_no_picture() -> None:
    photos = TableBoardPhotos(lambda board: None)
    assert not photos.has(USA)
    assert photos.picture(USA) is None
