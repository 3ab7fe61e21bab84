"""The studio's proposals for boards of our own drawing, in maps and styles no network has seen."""

import numpy as np
import pytest

from calibration.errors import StudioError
from calibration.evaluate_score import Repeatability, Score, repeatability, score
from calibration.studio.proposal import BoardProposal, propose
from scoring.board.board import Board
from tests.support.drawn_table import SMALL_PX
from tests.support.taught_map import photo_of_map, twenty_places
from vision.errors import BoardNotFoundError
from vision.registration.geometry import homography_of_quads, project
from vision.synthetic import DrawnPhoto, Oddities, draw_photo, random_owners
from vision.synthetic.maps import make_map


@pytest.fixture(scope="module")
def taught() -> tuple[Board, DrawnPhoto, BoardProposal]:
    board = make_map(3)
    photo = draw_photo(board, {}, seed=3, oddities=Oddities.none(), size_px=SMALL_PX)
    return board, photo, propose(photo.image_bgr, photo.corners_px, board.frame.size_mm)


def scored(board: Board, photo: DrawnPhoto, proposal: BoardProposal) -> Score:
    width, height = board.frame.size_mm
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    truth_mm = project(homography_of_quads(photo.corners_px, flat), photo.spaces_px)
    lengths = [route.length for route in board.routes]
    colours = [route.colour for route in board.routes]
    return score(proposal, truth_mm, lengths, colours, board.frame.size_mm)


Taught = tuple[Board, DrawnPhoto, BoardProposal]


def test_nearly_all_spaces_are_proposed_and_hardly_a_false_one(taught: Taught) -> None:
    found = scored(*taught)
    assert found.spaces >= 0.95
    assert found.false <= 0.05


def test_most_routes_are_strung_whole(taught: Taught) -> None:
    assert scored(*taught).routes >= 0.9


def test_the_space_size_is_measured(taught: Taught) -> None:
    board, _, proposal = taught
    assert proposal.space_size_mm[0] == pytest.approx(board.space_size_mm[0], rel=0.1)
    assert proposal.space_size_mm[1] == pytest.approx(board.space_size_mm[1], rel=0.2)


def test_every_space_is_in_exactly_one_line(taught: Taught) -> None:
    proposal = taught[2]
    told = sorted(space for line in proposal.lines for space in line.spaces)
    assert told == list(range(len(proposal.spaces)))


def test_the_document_has_the_promised_shape(taught: Taught) -> None:
    document = taught[2].to_json()
    assert np.shape(document["frame"]["corners"]) == (4, 2)
    assert len(document["frame"]["size_mm"]) == 2
    assert len(document["space_size_mm"]) == 2
    assert np.shape(document["spaces"]) == (len(taught[2].spaces), 3)
    for route in document["routes"]:
        assert {"spaces", "colour", "parallel_to"} <= set(route)
        other = route["parallel_to"]
        assert other is None or document["routes"][other]["parallel_to"] is None
        assert all(0 <= place < len(document["places"]) for place in route["places"])


@pytest.fixture(scope="module")
def unknown() -> tuple[Board, DrawnPhoto, BoardProposal]:
    """Neither corners nor size are told."""
    photo = photo_of_map({})
    return twenty_places(), photo, propose(photo.image_bgr)


def test_without_a_size_spaces_are_taken_to_be_25_mm_long(unknown: Taught) -> None:
    board, _, proposal = unknown
    # Nobody can tell which way up an unknown print is.
    short, long = sorted(proposal.size_mm)
    true_short, true_long = sorted(board.frame.size_mm)
    assert long / short == pytest.approx(true_long / true_short, rel=0.03)
    assert proposal.space_size_mm[0] == pytest.approx(25.0, rel=0.03)


def test_the_board_is_found_without_corners(unknown: Taught) -> None:
    _, photo, proposal = unknown
    turned = [np.roll(proposal.corners_px, turn, axis=0) for turn in range(4)]
    off = min(np.hypot(*(corners - photo.corners_px).T).max() for corners in turned)
    assert off < 0.01 * photo.image_bgr.shape[1]


def test_how_well_a_space_is_found_again_is_told_apart_from_its_label() -> None:
    # One space lies 1 and 3 mm right of its label: 2 on average, 1 from that. The other was missed.
    nowhere = (np.nan, np.nan)
    offsets = [np.array([(1.0, 0.0), (5.0, 5.0)]), np.array([(3.0, 0.0), nowhere])]
    assert repeatability(offsets) == Repeatability(2, spread_mm=1.0, beside_mm=2.0, far=1)


def refusal(*arguments: object) -> str:
    with pytest.raises((StudioError, BoardNotFoundError)) as caught:
        propose(*arguments)  # type: ignore[arg-type]
    return str(caught.value.key)


def noise(shape: tuple[int, int]) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 255, (*shape, 3)).astype(np.uint8)


def test_a_photo_under_1000_pixels_is_too_small() -> None:
    assert refusal(noise((700, 999))) == "calibration.studio.too-small"


def test_a_photo_without_a_board_is_refused() -> None:
    table = np.full((1200, 1600, 3), (60, 90, 120), np.uint8) + noise((1200, 1600)) // 16
    assert refusal(table) == "vision.board.none"


def test_corners_round_no_boxes_are_refused() -> None:
    table = np.full((1200, 1600, 3), (60, 90, 120), np.uint8) + noise((1200, 1600)) // 16
    corners = np.array([[100, 100], [1500, 100], [1500, 1100], [100, 1100]], float)
    assert refusal(table, corners) == "calibration.studio.no-boxes"


def test_a_wall_of_bricks_is_refused_before_it_fills_the_memory() -> None:
    """82 rows of 47 bricks: the proposal of so many boxes took six gigabytes."""
    wall = np.full((3000, 4000, 3), (200, 220, 230), np.uint8)
    for row in range(82):
        for x in range(20 + 30 * (row % 2), 3900, 84):
            wall[20 + 36 * row : 44 + 36 * row, x : x + 72] = 0
            wall[22 + 36 * row : 42 + 36 * row, x + 2 : x + 70] = (30, 30, 200)
    corners = np.array([[0, 0], [3999, 0], [3999, 2999], [0, 2999]], np.float64)
    with pytest.raises(StudioError, match="no lines of printed spaces"):
        propose(wall, corners, (800, 600))


def test_corners_in_a_wrong_order_are_refused() -> None:
    corners = np.array([[100, 100], [1500, 1100], [1500, 100], [100, 1100]], float)
    assert refusal(noise((1200, 1600)), corners) == "vision.board.corners"


def test_wagons_on_the_board_are_named() -> None:
    owners = random_owners(twenty_places(), seed=8)
    photo = photo_of_map(owners)
    key = refusal(photo.image_bgr, photo.corners_px, twenty_places().frame.size_mm)
    assert key == "calibration.studio.wagons"
