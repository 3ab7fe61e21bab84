"""Prints of our own take the place of a board's art, their spaces where the board has them."""

import numpy as np
import pytest

from scoring.board.board import Board, load_board
from vision.training.print_art import draw_art

USA_ART_PX = (1744, 1125)


def _median_bgr(art: np.ndarray, board: Board, colour: str) -> np.ndarray:
    """Of the middles of all spaces printed in a colour.

    The art covers 0.93953 x 0.91352 of the board file's frame, from 0.02873, 0.04075 on (the
    renderer's own notes).
    """
    pixels = []
    for route in board.routes:
        if route.colour == colour:
            for space in route.spaces:
                x = (space.x - 0.02873) / 0.93953 * USA_ART_PX[0]
                y = (space.y - 0.04075) / 0.91352 * USA_ART_PX[1]
                pixels.append(art[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2])
    return np.asarray(np.median(np.concatenate([p.reshape(-1, 3) for p in pixels]), axis=0))


@pytest.mark.parametrize("number", [0, 3])
def test_spaces_are_printed_where_the_renderer_sets_its_wagons(number: int) -> None:
    board = load_board("usa")
    art = draw_art(board, number, USA_ART_PX)
    assert art.shape == (1125, 1744, 3)
    blue, red = _median_bgr(art, board, "blue"), _median_bgr(art, board, "red")
    assert blue[0] > blue[2] + 30
    assert red[2] > red[0] + 30


def test_every_number_is_another_print_and_the_same_one_each_time() -> None:
    board = load_board("usa")
    first, again, other = (draw_art(board, n, USA_ART_PX) for n in (0, 0, 3))
    assert np.array_equal(first, again)
    assert np.abs(first.astype(int) - other).mean() > 10
