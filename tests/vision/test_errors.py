"""An error about one photo among several says which, and stays as it was raised."""

import numpy as np
import pytest

from scoring.board.board import load_board
from vision.errors import BoardNotFoundError, ImageError
from vision.reader import read_photos
from vision.synthetic import draw_photo


def test_an_error_said_of_another_photo_is_a_new_one() -> None:
    error = BoardNotFoundError("vision.board.other", seen="Germany", wanted="USA")
    moved = error.of_photo(2)
    assert (type(moved), moved.photo, str(moved)) == (BoardNotFoundError, 2, str(error))
    assert error.photo == 0


def test_the_second_of_two_photos_is_named_where_it_is_the_dark_one() -> None:
    board = load_board("usa")
    photo = draw_photo(board, {}, seed=1, print_seed=1, rig_seed=1, size_px=(1014, 760))
    with pytest.raises(ImageError) as refused:
        read_photos([photo.image_bgr, np.zeros((760, 1014, 3), np.uint8)], board)
    assert refused.value.photo == 1
