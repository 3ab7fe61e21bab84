"""The reference made from an empty board's photo."""

import numpy as np
import pytest

from scoring.board.board import load_board
from tests.support.drawn_table import SMALL_PX
from vision.empty_board import make_reference
from vision.errors import BoardNotFoundError, NotEmptyError
from vision.synthetic import DrawnPhoto, Oddities, draw_photo, random_owners


def _empty(board_id: str, seed: int) -> DrawnPhoto:
    return draw_photo(
        load_board(board_id), {}, seed=seed, size_px=SMALL_PX, oddities=Oddities.none()
    )


@pytest.mark.parametrize(("board_id", "seed"), [("usa", 81), ("germany", 82), ("france", 83)])
def test_the_printed_boxes_are_found_without_help(board_id: str, seed: int) -> None:
    board, photo = load_board(board_id), _empty(board_id, seed)
    reference = make_reference(photo.image_bgr, board)
    along = np.hypot(*(photo.spaces_px[:, 1] - photo.spaces_px[:, 0]).T)
    apart = np.hypot(*(reference.spaces_px.mean(axis=1) - photo.spaces_px.mean(axis=1)).T)
    assert reference.board_id == board_id
    assert np.median(apart / along) < 0.08  # of a box of 25 mm: 2 mm
    assert (apart / along).max() < 0.35


def test_corners_marked_by_hand_are_kept() -> None:
    board, photo = load_board("usa"), _empty("usa", 81)
    reference = make_reference(photo.image_bgr, board, photo.corners_px)
    assert np.array_equal(reference.corners_px, photo.corners_px)


def test_another_boards_photo_makes_no_reference() -> None:
    with pytest.raises(BoardNotFoundError, match="looks like Ticket to Ride Germany"):
        make_reference(_empty("germany", 82).image_bgr, load_board("usa"))


def test_a_board_in_the_middle_of_a_game_makes_no_reference() -> None:
    """Beside it, what stands there already would look like print from then on."""
    board = load_board("usa")
    owners = random_owners(board, seed=7)
    photo = draw_photo(board, owners, seed=81, size_px=SMALL_PX, oddities=Oddities.none())
    with pytest.raises(NotEmptyError, match="not a photo of the empty board: wagons are seen on"):
        make_reference(photo.image_bgr, board)
