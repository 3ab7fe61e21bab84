"""The reference made from an empty board's photo."""

import numpy as np
import pytest
from numpy.typing import NDArray

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


def _by_a_lamp(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Half as bright, nearly without blue, grainy: a warm bulb and an old phone."""
    light = (image_bgr / 255) ** 2.2 * np.array([0.01, 0.3, 1.0]) * 0.5
    grain = np.random.default_rng(1).normal(0, 0.02, light.shape) * np.array([2, 1, 1])
    return (np.clip(light + grain, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)


def test_an_empty_board_is_found_by_a_lamp_as_one_in_play_is() -> None:
    """What is photographed at the beginning of an evening is lit as the game is."""
    board, photo = load_board("germany"), _empty("germany", 82)
    reference = make_reference(_by_a_lamp(photo.image_bgr), board)
    off_px = np.hypot(*(reference.corners_px - photo.corners_px).T)
    assert off_px.max() < 15  # 11 mm here


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
