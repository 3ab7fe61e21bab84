"""Drawn photos show what they say they show: the truth beside them is the truth in them."""

from functools import cache

import numpy as np
import pytest

from scoring.board.board import load_board
from vision.reading import OCCLUDED
from vision.synthetic import DrawnPhoto, Oddities, View, draw_photo, random_owners
from vision.synthetic.camera import stand
from vision.synthetic.printing import make_print

SIZE = (1014, 760)
PLAIN = Oddities.none()
RIG = 4
CLAIMED = {"el-paso--los-angeles": "yellow", "chicago--pittsburgh-1": "black"}


@cache
def usa(claimed: bool, tilt_deg: float = 20.0) -> DrawnPhoto:
    """One print under one camera, empty or with two routes claimed."""
    owners = CLAIMED if claimed else {}
    view = View(tilt_deg=tilt_deg, azimuth_deg=40.0, roll_deg=10.0)
    return draw_photo(
        load_board("usa"),
        owners,
        seed=1,
        print_seed=3,
        rig_seed=RIG,
        camera=view,
        size_px=SIZE,
        oddities=PLAIN,
    )


def spaces_of(route_id: str) -> list[int]:
    """Indices of a route's spaces in board order."""
    board = load_board("usa")
    return list(range(board.space_count))[board.spaces_of[route_id]]


def change_in(space: int) -> float:
    """Mean change between the empty and the claimed photo about a space's centre."""
    before, after = usa(False), usa(True)
    x, y = np.round(before.spaces_px[space].mean(axis=0)).astype(int)
    window = np.s_[y - 3 : y + 4, x - 3 : x + 4]
    changed = np.abs(before.image_bgr[window].astype(int) - after.image_bgr[window].astype(int))
    return float(changed.mean())


def test_the_same_seeds_draw_the_same_photo() -> None:
    first, again = usa(True), usa.__wrapped__(True)
    assert np.array_equal(first.image_bgr, again.image_bgr)
    assert first.labels == again.labels


def test_photos_of_another_seed_differ() -> None:
    board = load_board("usa")
    one, other = (draw_photo(board, {}, seed=s, print_seed=3, size_px=SIZE) for s in (5, 6))
    assert not np.array_equal(one.image_bgr, other.image_bgr)


def test_the_image_has_the_size_asked_for() -> None:
    assert usa(False).image_bgr.shape == (760, 1014, 3)
    assert usa(False).image_bgr.dtype == np.uint8


def test_wagons_change_the_spaces_they_stand_on_and_no_others() -> None:
    for route in CLAIMED:
        assert all(change_in(space) > 15 for space in spaces_of(route))
    for route in ("helena--winnipeg", "seattle--vancouver-1", "boston--montreal-1"):
        assert all(change_in(space) < 15 for space in spaces_of(route))


def test_labels_name_the_owner_on_claimed_routes_and_empty_elsewhere() -> None:
    labels = usa(True).labels
    yellow, black = spaces_of("el-paso--los-angeles"), spaces_of("chicago--pittsburgh-1")
    assert {labels[i] for i in yellow} == {"yellow"}
    assert {labels[i] for i in black} == {"black"}
    assert sum(label != "empty" for label in labels) == len(yellow) + len(black)
    assert usa(True).players == ("yellow", "black")


def test_an_empty_board_has_nobody_on_it() -> None:
    assert set(usa(False).labels) == {"empty"}
    assert usa(False).players == ()


def test_printed_boxes_lie_where_the_truth_says() -> None:
    """A red route's boxes are redder than blue, a blue route's bluer than red."""
    photo, board = usa(False), load_board("usa")
    for route in board.routes:
        if route.colour in ("red", "blue"):
            for quad in photo.spaces_px[board.spaces_of[route.id]]:
                x, y = np.round(quad.mean(axis=0)).astype(int)
                blue, _, red = photo.image_bgr[y - 2 : y + 3, x - 2 : x + 3].mean(axis=(0, 1))
                assert (red > blue) == (route.colour == "red"), route.id


def test_wagons_stand_up_from_the_board() -> None:
    """Seen obliquely, a wagon's roof is shifted off its printed box, away from the camera."""
    photo, printed = usa(True, 33.0), make_print(load_board("usa"), 3)
    camera = stand(photo.view, printed.layout.outer_mm, SIZE)
    route = spaces_of("el-paso--los-angeles")
    middle = np.append(printed.layout.centres_mm[route].mean(axis=0), 0.0)
    lean = camera.project(middle + np.array([0.0, 0.0, 9.0])) - camera.project(middle)
    box = photo.spaces_px[route].reshape(-1, 2)
    left, top = (box.min(axis=0) - 10).astype(int)
    right, bottom = (box.max(axis=0) + 10).astype(int)
    area = photo.image_bgr[top:bottom, left:right].astype(int)
    yellow = (area[..., 2] > 2 * area[..., 0]) & (area[..., 1] > 1.6 * area[..., 0])
    rows, columns = np.nonzero(yellow)
    seen = np.array([columns.mean() + left, rows.mean() + top])
    assert float((seen - box.mean(axis=0)) @ lean) > 0


def test_spaces_under_a_hand_are_occluded_and_never_called_empty() -> None:
    board = load_board("usa")
    hand = Oddities(hand_per_photo=1.0, cards_per_photo=0.0, cups_per_photo=0.0, dice_per_photo=0.0)
    photo = draw_photo(board, {}, seed=8, print_seed=3, rig_seed=RIG, size_px=SIZE, oddities=hand)
    assert "hand" in photo.oddities
    hidden = [i for i, label in enumerate(photo.labels) if label == OCCLUDED]
    assert 0 < len(hidden) < 150
    assert set(photo.labels) == {"empty", OCCLUDED}
    assert set(photo.wagons) == {"empty"}


def test_corners_are_in_the_picture_and_turn_clockwise_as_printed() -> None:
    for seed in range(6):
        photo = draw_photo(load_board("usa"), {}, seed=seed, print_seed=3, size_px=SIZE)
        corners = photo.corners_px
        assert (corners > 0).all()
        assert (corners < SIZE).all()
        after = np.roll(corners, -1, axis=0)
        assert np.sum(corners[:, 0] * after[:, 1] - after[:, 0] * corners[:, 1]) > 0


def test_track_pieces_lie_on_unclaimed_routes_and_belong_to_nobody() -> None:
    board = load_board("france")
    owners = random_owners(board, seed=2)
    strips = Oddities(track_pieces_per_route=0.5, hand_per_photo=0.0, cards_per_photo=0.0)
    photo = draw_photo(board, owners, seed=2, size_px=SIZE, oddities=strips)
    assert photo.tracks
    for route in photo.tracks:
        assert owners[route] is None
        assert set(photo.wagons[board.spaces_of[route]]) == {"empty"}


@pytest.mark.parametrize("name", ["usa", "germany", "france"])
def test_every_board_is_drawn_with_all_its_spaces(name: str) -> None:
    board = load_board(name)
    photo = draw_photo(board, random_owners(board, seed=1), seed=1, size_px=SIZE)
    assert photo.spaces_px.shape == (board.space_count, 4, 2)
    assert len(photo.labels) == board.space_count
    assert photo.image_bgr.std() > 10
