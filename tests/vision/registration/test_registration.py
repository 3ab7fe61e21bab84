"""Where the board and its spaces are found in drawn photos, and what is refused instead."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from scoring.board.board import load_board
from tests.support.drawn_table import SMALL_PX, full_photo
from vision.empty_board import make_reference
from vision.errors import BoardNotFoundError, ImageError
from vision.reading import Registration
from vision.registration.outline import find_turned_outline
from vision.registration.recognition import which_board
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.synthetic import DrawnPhoto, Oddities, View, draw_photo, random_owners

BOARDS = ("usa", "germany", "france")
PRINT = 11

OBLIQUE = View(tilt_deg=28.0, azimuth_deg=40.0, roll_deg=97.0, fill=0.85)
ABOVE = View(tilt_deg=3.0, azimuth_deg=0.0, roll_deg=2.0, fill=0.9)


@cache
def _played(board_id: str, view: View = OBLIQUE) -> DrawnPhoto:
    board = load_board(board_id)
    owners = random_owners(board, seed=5, fullness=0.9)
    return draw_photo(
        board, owners, seed=71, print_seed=PRINT, rig_seed=72, camera=view, size_px=SMALL_PX
    )


@cache
def _empty(board_id: str) -> DrawnPhoto:
    board = load_board(board_id)
    return draw_photo(
        board,
        {},
        seed=73,
        print_seed=PRINT,
        rig_seed=74,
        camera=ABOVE,
        size_px=SMALL_PX,
        oddities=Oddities.none(),
    )


@cache
def _reference(board_id: str) -> Reference:
    return make_reference(_empty(board_id).image_bgr, load_board(board_id))


@cache
def _found_by_reference(board_id: str) -> Registration:
    """Where the board of the played photo lies, against its own empty photo."""
    photo, board = _played(board_id), load_board(board_id)
    return register(photo.image_bgr, board, reference=_reference(board_id))


def _off_mm(found: np.ndarray, photo: DrawnPhoto, width_mm: float) -> np.ndarray:
    """Distance of each space's centre from the truth, in millimetres."""
    sides = np.hypot(*(np.roll(photo.corners_px, -1, axis=0) - photo.corners_px).T)
    scale = (sides[0] + sides[2]) / 2 / width_mm
    apart = found.mean(axis=1) - photo.spaces_px.mean(axis=1)
    return np.asarray(np.hypot(*apart.T) / scale)


@pytest.mark.parametrize("board_id", BOARDS)
def test_a_full_board_is_found_against_its_own_empty_photo(board_id: str) -> None:
    board, photo, found = load_board(board_id), _played(board_id), _found_by_reference(board_id)
    assert found.method == "reference"
    assert found.spaces_px.shape == (board.space_count, 4, 2)
    off = _off_mm(found.spaces_px, photo, board.frame.size_mm[0])
    assert np.median(off) < 1.5
    assert np.percentile(off, 95) < 4.0


@pytest.mark.parametrize("degrees", [20.0, -20.0])
def test_a_board_is_outlined_in_the_same_place_when_the_photo_is_looked_at_askew(
    degrees: float,
) -> None:
    photo = _played("germany", ABOVE)
    found = find_turned_outline(photo.image_bgr, degrees)
    assert found is not None
    side = np.hypot(*(photo.corners_px[1] - photo.corners_px[0]))
    apart = [np.hypot(*(found.corners_px - corner).T).min() for corner in photo.corners_px]
    assert max(apart) < 0.06 * side


def _on_checked_cloth(photo: DrawnPhoto) -> np.ndarray:
    """The photo with a cloth of sharp small squares about the board."""
    height, width = photo.image_bgr.shape[:2]
    squares = np.random.default_rng(3).integers(0, 2, (height // 9 + 1, width // 9 + 1))
    cloth = np.kron(squares, np.ones((9, 9)))[:height, :width].astype(np.uint8) * 200 + 25
    board = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(board, np.round(photo.corners_px).astype(np.int32), 1)
    return np.where(board[..., None] == 1, photo.image_bgr, cloth[..., None])


def test_a_cloth_with_far_sharper_marks_than_the_board_does_not_draw_the_eye_away() -> None:
    usa, photo, empty = load_board("usa"), _played("usa"), _empty("usa")
    reference = make_reference(_on_checked_cloth(empty), usa)
    found = register(_on_checked_cloth(photo), usa, reference=reference)
    assert found.method == "reference"
    assert np.median(_off_mm(found.spaces_px, photo, usa.frame.size_mm[0])) < 2.0


@pytest.mark.parametrize(
    ("board_id", "view"), [("usa", OBLIQUE), ("germany", ABOVE), ("france", OBLIQUE)]
)
def test_a_board_on_such_a_cloth_is_found_by_itself(board_id: str, view: View) -> None:
    board, photo = load_board(board_id), _played(board_id, view)
    found = register(_on_checked_cloth(photo), board)
    off = _off_mm(found.spaces_px, photo, board.frame.size_mm[0])
    assert np.median(off) < 2.0
    assert np.percentile(off, 95) < 5.0


def _on_gingham(photo: DrawnPhoto) -> np.ndarray:
    """On a red and white cloth with checks of 14 pixels, which lies askew."""
    height, width = photo.image_bgr.shape[:2]
    y, x = np.mgrid[:height, :width]
    stripes = [(way // (14 * np.sqrt(2))) % 2 for way in (x + y, x - y)]
    red = (stripes[0] + stripes[1])[..., None] / 2
    cloth = red * (40, 40, 200) + (1 - red) * (240, 240, 240)
    board = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(board, np.round(photo.corners_px).astype(np.int32), 1)
    on_cloth = np.where(board[..., None] == 1, photo.image_bgr, cloth)
    return np.asarray(on_cloth, np.uint8)


@pytest.mark.parametrize("board_id", BOARDS)
def test_a_board_on_a_red_and_white_checked_cloth_is_found(board_id: str) -> None:
    board = load_board(board_id)
    view = View(tilt_deg=20.0, azimuth_deg=100.0, roll_deg=30.0, fill=0.7)
    owners = random_owners(board, seed=62, fullness=0.3)
    photo = draw_photo(
        board, owners, seed=162, print_seed=32, rig_seed=262, camera=view, size_px=SMALL_PX
    )
    on_cloth = _on_gingham(photo)
    assert which_board(on_cloth, [load_board(name) for name in BOARDS]) == board
    found = register(on_cloth, board)
    assert np.percentile(_off_mm(found.spaces_px, photo, board.frame.size_mm[0]), 95) < 3.0


def _by_a_lamp(photo: DrawnPhoto, scale: float) -> np.ndarray:
    """From farther off, by a dim warm lamp: a soft picture with the grain of a phone."""
    small = cv2.resize(photo.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lit = cv2.GaussianBlur(small * np.array([0.12, 0.3, 0.48]), (0, 0), 0.9)
    grain = np.random.default_rng(3).normal(0, 10, lit.shape)
    return np.asarray(np.clip(lit + grain, 0, 255), np.uint8)


def test_a_board_by_a_dim_lamp_is_found_though_its_spaces_are_hardly_seen() -> None:
    usa, photo = load_board("usa"), full_photo()
    found = register(_by_a_lamp(photo, 0.5), usa)
    assert found.is_faint
    spaces = (found.spaces_px + 0.5) / 0.5 - 0.5
    assert np.percentile(_off_mm(spaces, photo, usa.frame.size_mm[0]), 95) < 3.0


def test_a_blurred_board_of_which_as_little_is_seen_is_refused() -> None:
    """Players in it would be taken for each other."""
    photo = full_photo().image_bgr
    blurred = cv2.GaussianBlur(photo, (0, 0), photo.shape[1] / 280)
    with pytest.raises(BoardNotFoundError, match="hold the camera still"):
        register(np.asarray(blurred, np.uint8), load_board("usa"))


def test_a_small_board_of_ones_own_is_found_by_itself() -> None:
    """Every sixth route of USA, 50 spaces: no part of it has many."""
    usa = load_board("usa")
    small = replace(usa, routes=usa.routes[::6])
    photo = draw_photo(
        small,
        random_owners(small, seed=3),
        seed=81,
        print_seed=PRINT,
        rig_seed=82,
        camera=ABOVE,
        size_px=SMALL_PX,
    )
    found = register(photo.image_bgr, small)
    assert found.spaces_px.shape == (50, 4, 2)
    assert _off_mm(found.spaces_px, photo, usa.frame.size_mm[0]).max() < 6.0


def test_no_part_of_a_board_lies_astray_where_the_outline_was_far_off() -> None:
    """Here the first outline misses a corner by a fifth of the board."""
    usa = load_board("usa")
    owners = random_owners(usa, seed=24)
    photo = draw_photo(usa, owners, seed=24, print_seed=324, rig_seed=524, oddities=Oddities.none())
    found = register(photo.image_bgr, usa)
    assert _off_mm(found.spaces_px, photo, usa.frame.size_mm[0]).max() < 6.0


@pytest.mark.parametrize("board_id", BOARDS)
def test_a_full_board_is_found_by_itself_whichever_way_it_lies(board_id: str) -> None:
    board, photo = load_board(board_id), _played(board_id)
    found = register(photo.image_bgr, board)
    assert found.method == "outline"
    off = _off_mm(found.spaces_px, photo, board.frame.size_mm[0])
    assert np.median(off) < 2.0
    assert np.percentile(off, 95) < 5.0
    side = np.hypot(*(photo.corners_px[1] - photo.corners_px[0]))
    assert np.hypot(*(found.corners_px - photo.corners_px).T).max() < 0.03 * side


@pytest.mark.parametrize("number", [0, 1])
def test_each_print_of_a_board_is_told_by_its_boxes(number: int) -> None:
    """Between Denver and Salt Lake City the two prints differ by up to 7 mm; a line is 9 wide."""
    usa = load_board("usa")
    printed = usa.as_printed[number]
    owners = random_owners(usa, seed=6, fullness=0.5)
    photo = draw_photo(
        printed, owners, seed=75, print_seed=PRINT, rig_seed=76, camera=ABOVE, size_px=SMALL_PX
    )
    found = register(photo.image_bgr, usa)
    off = _off_mm(found.spaces_px, photo, usa.frame.size_mm[0])
    assert np.median(off) < 1.5
    names = [route.id for route in usa.routes for _ in route.spaces]
    assert off[[name.startswith("denver--salt-lake-city") for name in names]].max() < 2.5
    edges = [quads[:, 1] - quads[:, 0] for quads in (found.spaces_px, photo.spaces_px)]
    turned = np.degrees(np.subtract(*(np.arctan2(edge[:, 1], edge[:, 0]) for edge in edges)))
    assert np.median(np.abs((turned + 180) % 360 - 180)) < 1.0


def test_corners_given_a_little_off_are_mended_by_the_printed_boxes() -> None:
    board, photo = load_board("france"), _played("france")
    dragged = photo.corners_px + np.array([[4, -3], [-3, 4], [3, 3], [-4, -2]])
    found = register(photo.image_bgr, board, corners_px=dragged)
    assert found.method == "corners"
    assert np.percentile(_off_mm(found.spaces_px, photo, 664.3), 95) < 5.0


def test_corners_given_from_another_corner_on_still_find_the_print() -> None:
    board, photo = load_board("usa"), _played("usa")
    found = register(photo.image_bgr, board, corners_px=np.roll(photo.corners_px, 2, axis=0))
    assert np.allclose(found.corners_px, photo.corners_px)


def test_corners_that_go_round_no_board_are_refused() -> None:
    photo = _played("usa")
    with pytest.raises(BoardNotFoundError, match="four corners"):
        register(photo.image_bgr, load_board("usa"), corners_px=photo.corners_px[[0, 2, 1, 3]])


def test_corners_given_of_something_else_are_blamed_themselves() -> None:
    photo = _played("usa")
    elsewhere = (photo.corners_px - photo.corners_px.mean(axis=0)) * 0.4 + photo.corners_px[0]
    with pytest.raises(BoardNotFoundError, match="between the four corners that were given"):
        register(photo.image_bgr, load_board("usa"), corners_px=elsewhere)


@pytest.mark.parametrize("board_id", ["usa", "mine"])
def test_a_board_file_with_wrong_sizes_is_blamed_and_no_other_board(board_id: str) -> None:
    usa = load_board("usa")
    wrong = replace(usa, id=board_id, frame=replace(usa.frame, size_mm=(1400.0, 500.0)))
    with pytest.raises(BoardNotFoundError, match="are not where the board file says"):
        register(_played("usa", ABOVE).image_bgr, wrong)


def test_a_blur_is_named_where_no_board_is_found_in_it() -> None:
    photo = cv2.resize(_played("usa", ABOVE).image_bgr, None, fx=0.5, fy=0.5)
    blurred = cv2.GaussianBlur(photo, (0, 0), max(photo.shape) / 200)
    with pytest.raises(BoardNotFoundError, match="may be blurred; hold the camera still"):
        register(np.asarray(blurred, np.uint8), load_board("usa"))


def test_the_estimated_error_is_of_the_true_size() -> None:
    photo, found = _played("usa"), _found_by_reference("usa")
    true_px = np.median(np.hypot(*(found.spaces_px.mean(axis=1) - photo.spaces_px.mean(axis=1)).T))
    assert 0.1 * true_px < found.error_px < 4 * true_px + 0.5


def test_another_board_is_named() -> None:
    with pytest.raises(BoardNotFoundError, match=r"looks like Ticket to Ride Germany.*, not .*USA"):
        register(_played("germany").image_bgr, load_board("usa"))


def test_another_board_is_named_against_a_reference_too() -> None:
    france, usa = _played("france"), load_board("usa")
    with pytest.raises(BoardNotFoundError, match="looks like Ticket to Ride France"):
        register(france.image_bgr, usa, reference=_reference("usa"))


def test_a_mirrored_photo_is_called_so() -> None:
    mirrored = np.ascontiguousarray(_played("usa").image_bgr[:, ::-1])
    with pytest.raises(BoardNotFoundError, match="mirrored"):
        register(mirrored, load_board("usa"))


def test_half_a_board_is_refused() -> None:
    photo = _played("usa", ABOVE)
    middle = int(photo.corners_px[:, 0].mean())
    with pytest.raises(BoardNotFoundError, match=r"outside the photo|no board"):
        register(np.ascontiguousarray(photo.image_bgr[:, :middle]), load_board("usa"))


def test_the_upper_half_of_a_board_is_said_to_run_on_beyond_the_photo() -> None:
    photo = _played("usa", ABOVE)
    middle = int(photo.corners_px[:, 1].mean())
    with pytest.raises(BoardNotFoundError, match=r"outside the photo|beyond the photo's edge"):
        register(np.ascontiguousarray(photo.image_bgr[:middle]), load_board("usa"))


def test_half_a_board_is_refused_against_a_reference() -> None:
    board, photo = load_board("usa"), _played("usa", ABOVE)
    middle = int(photo.corners_px[:, 0].mean())
    half = np.ascontiguousarray(photo.image_bgr[:, :middle])
    with pytest.raises(BoardNotFoundError, match="outside the photo"):
        register(half, board, reference=_reference("usa"))


def test_a_table_without_a_board_is_refused() -> None:
    rng = np.random.default_rng(1)
    table = cv2.resize(rng.integers(90, 160, (30, 40, 3), np.uint8), (1600, 1200))
    table = np.asarray(table + rng.integers(0, 30, table.shape, np.uint8), np.uint8)
    with pytest.raises(BoardNotFoundError, match="no board"):
        register(table, load_board("usa"))


def test_a_photo_in_the_dark_is_refused() -> None:
    dark = np.asarray(_played("usa").image_bgr // 16, np.uint8)
    with pytest.raises(ImageError, match="too dark"):
        register(dark, load_board("usa"))
