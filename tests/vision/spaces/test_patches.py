"""Patches show each space level and in the middle; wagons lean away from the camera."""

import numpy as np
import pytest

from scoring.board.board import load_board
from scoring.board.inspection.words import PRINTED
from vision.registration.board_geometry import board_quads_mm, quads_mm
from vision.spaces.camera_pose import board_to_image, lean_mm
from vision.spaces.patches import (
    PATCH_PX,
    PRINT_BGR,
    PX_PER_MM,
    cut_patches,
    roofs_around,
    spaces_around,
)

USA = load_board("usa")


def test_a_turned_space_lies_level_in_the_middle_of_its_patch() -> None:
    """A box painted white at 30 degrees becomes an upright white box of the printed size."""
    image_bgr = np.zeros((400, 400, 3), np.uint8)
    y, x = np.mgrid[0:400, 0:400]
    turn = np.radians(30.0)
    along = (x - 200) * np.cos(turn) + (y - 200) * np.sin(turn)
    across = -(x - 200) * np.sin(turn) + (y - 200) * np.cos(turn)
    image_bgr[(abs(along) < 25) & (abs(across) < 9)] = 255  # 25 x 9 mm at 2 pixels a mm
    quad = quads_mm(np.array([[100.0, 100.0]]), np.array([turn]), (25.0, 9.0)) * 2
    patch = cut_patches(image_bgr, quad, (25.0, 9.0))[0]
    white = patch[:, :, 0] > 127
    assert white.any(axis=0).sum() == pytest.approx(25 * PX_PER_MM, abs=1.5)
    assert white.any(axis=1).sum() == pytest.approx(9 * PX_PER_MM, abs=1.5)
    assert white[PATCH_PX[1] // 2, PATCH_PX[0] // 2]


@pytest.mark.parametrize("px_per_mm", [1.5, 2.3, 3.4, 5.0, 8.0])
def test_a_space_lies_in_the_middle_however_large_the_photo(px_per_mm: float) -> None:
    """A box of 25 x 9 mm about (60, 40) mm, in photos that are shrunk once, twice or not at all."""
    side_px = round(120 * px_per_mm)
    image_bgr = np.zeros((side_px, side_px, 3), np.uint8)
    y, x = (np.mgrid[0:side_px, 0:side_px] + 0.5) / px_per_mm
    image_bgr[(abs(x - 60) < 12.5) & (abs(y - 40) < 4.5)] = 255
    quad_mm = quads_mm(np.array([[60.0, 40.0]]), np.zeros(1), (25.0, 9.0))
    patch = cut_patches(image_bgr, quad_mm * px_per_mm - 0.5, (25.0, 9.0))[0, :, :, 0].astype(float)
    rows, columns = np.mgrid[: PATCH_PX[1], : PATCH_PX[0]]
    middle = (patch * columns).sum() / patch.sum(), (patch * rows).sum() / patch.sum()
    assert middle == pytest.approx(((PATCH_PX[0] - 1) / 2, (PATCH_PX[1] - 1) / 2), abs=0.3)


def test_the_mask_marks_the_space_itself_and_its_neighbour_line() -> None:
    """Two boxes 10 mm apart: each sees itself white and the other grey, 10 mm away."""
    quads = quads_mm(np.array([[50.0, 50.0], [50.0, 60.0]]), np.zeros(2), (25.0, 9.0))
    around = spaces_around(quads, (25.0, 9.0), [(10, 20, 30), (40, 50, 60)])
    own, other = around[:, 0]
    middle_x, middle_y = PATCH_PX[0] // 2, PATCH_PX[1] // 2
    step = round(10 * PX_PER_MM)
    assert own[middle_y, middle_x] == 255
    assert own[middle_y + step, middle_x] == 128
    assert other[middle_y - step, middle_x] == 128
    assert own[middle_y - step, middle_x] == 0
    assert around[0, 1:, middle_y, middle_x].tolist() == [10, 20, 30]
    assert around[0, 1:, middle_y + step, middle_x].tolist() == [40, 50, 60]
    assert around[0, 1:, middle_y - step, middle_x].tolist() == [0, 0, 0]


def test_a_roof_is_expected_where_a_wagon_leans_to() -> None:
    """Leaning 4 mm along and 8 mm across, a box is marked that far off, and no more on itself."""
    quads = quads_mm(np.array([[50.0, 50.0]]), np.zeros(1), (25.0, 9.0))
    mask = spaces_around(quads, (25.0, 9.0), [(10, 20, 30)])[:, 0]
    roof = roofs_around(mask, np.array([[4.0, 8.0]]))[0] > 127
    y, x = np.nonzero(roof)
    middle_x, middle_y = (PATCH_PX[0] - 1) / 2, (PATCH_PX[1] - 1) / 2
    assert x.mean() == pytest.approx(middle_x + 4 * PX_PER_MM, abs=0.6)
    assert y.mean() == pytest.approx(middle_y + 8 * PX_PER_MM, abs=0.6)
    assert roof.sum() == pytest.approx(25 * 9 * PX_PER_MM**2, rel=0.1)


def test_a_wagon_leans_away_from_a_camera_straight_above() -> None:
    """Camera 1 m above (0, 0), focal length 1000 px: at 500 mm a roof 9 mm up lies 4.54 mm out.

    From straight above the focal length is taken as 0.78 of the long side, here 1282 px.
    """
    homography = np.array([[1.0, 0, 641], [0, 1.0, 500], [0, 0, 1.0]])
    flat = quads_mm(np.array([[500.0, 0.0], [0.0, 0.0]]), np.zeros(2), (25.0, 9.0))
    lean = lean_mm(homography, flat, (1282, 1000))
    assert lean[0] == pytest.approx([500 * 9 / 991, 0.0], abs=0.01)
    assert lean[1] == pytest.approx([0.0, 0.0], abs=0.01)


def test_lean_is_told_along_and_across_the_space() -> None:
    """The same wagon on a space that runs down the board leans across it, to its left."""
    homography = np.array([[1.0, 0, 641], [0, 1.0, 500], [0, 0, 1.0]])
    upright = quads_mm(np.array([[500.0, 0.0]]), np.array([np.pi / 2]), (25.0, 9.0))
    along, across = lean_mm(homography, upright, (1282, 1000))[0]
    assert along == pytest.approx(0.0, abs=0.01)
    assert across == pytest.approx(-500 * 9 / 991, abs=0.01)


def test_the_board_homography_is_found_from_the_spaces() -> None:
    truth = np.array([[2.0, 0.1, 30], [-0.05, 1.9, 40], [1e-4, 2e-4, 1.0]])
    boxes = board_quads_mm(USA)
    flat = np.concatenate([boxes.reshape(-1, 2), np.ones((boxes.size // 2, 1))], axis=1) @ truth.T
    spaces_px = (flat[:, :2] / flat[:, 2:]).reshape(boxes.shape)
    centres = boxes.mean(axis=1)
    found = board_to_image(spaces_px, USA)
    moved = np.concatenate([centres, np.ones((len(centres), 1))], axis=1) @ found.T
    assert np.abs(moved[:, :2] / moved[:, 2:] - spaces_px.mean(axis=1)).max() < 0.2


def test_every_colour_word_of_the_board_format_has_a_printed_colour() -> None:
    assert set(PRINT_BGR) == set(PRINTED)
