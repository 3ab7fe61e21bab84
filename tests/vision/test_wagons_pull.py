"""Where wagons lean far, the spaces of a board are laid without what these pull."""

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board.board import Board, load_board
from vision.reader import find_board
from vision.reading import Registration
from vision.registration.register import register
from vision.synthetic import DrawnPhoto, View, draw_photo, random_owners


@pytest.fixture(scope="module")
def usa() -> Board:
    return load_board("usa")


def photographed(board: Board, hfov_deg: float, fullness: float) -> DrawnPhoto:
    return draw_photo(
        board,
        random_owners(board, seed=42, fullness=fullness),
        seed=142,
        print_seed=22,
        rig_seed=242,
        camera=View(
            tilt_deg=2, azimuth_deg=180, roll_deg=3, hfov_deg=hfov_deg, k1=-0.03, fill=0.95
        ),
        size_px=(1280, 960),
    )


def beside_mm(found: Registration, photo: DrawnPhoto, board: Board) -> NDArray[np.float64]:
    """How far each space was found from its place."""
    top, bottom = photo.corners_px[:2], photo.corners_px[2:]
    width_px = (np.hypot(*(top[1] - top[0])) + np.hypot(*(bottom[0] - bottom[1]))) / 2
    off_px = found.spaces_px.mean(axis=1) - photo.spaces_px.mean(axis=1)
    return np.hypot(*off_px.T) * board.frame.size_mm[0] / width_px


def test_a_wide_lens_near_the_board_moves_no_line_to_its_leaning_wagons(usa: Board) -> None:
    photo = photographed(usa, hfov_deg=102, fullness=0.6)
    pulled = beside_mm(register(photo.image_bgr, usa), photo, usa)
    free = beside_mm(find_board(photo.image_bgr, usa).where, photo, usa)
    assert (pulled > 2).sum() > 40
    assert (free > 2).sum() < 20


def test_without_wagons_and_from_afar_the_board_lies_as_it_was_found(usa: Board) -> None:
    for photo in (
        photographed(usa, hfov_deg=102, fullness=0.0),
        photographed(usa, hfov_deg=40, fullness=0.6),
    ):
        found, first = find_board(photo.image_bgr, usa).where, register(photo.image_bgr, usa)
        assert np.array_equal(found.spaces_px, first.spaces_px)
