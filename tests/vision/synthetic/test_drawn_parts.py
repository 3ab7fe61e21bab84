"""The parts of the drawing: camera, light, shapes, legal games, prints."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from scoring.board.board import load_board
from vision.synthetic.border import track_cells
from vision.synthetic.camera import View, stand
from vision.synthetic.games import random_owners
from vision.synthetic.light import LightSource, reaching, shadow_points
from vision.synthetic.printing import make_print, rectangles
from vision.synthetic.relief import Relief
from vision.synthetic.solids import WagonShape, disc, wagon

BOARD_MM = (800.0, 500.0)


def test_a_camera_straight_above_sees_a_rectangle_of_the_boards_proportions() -> None:
    camera = stand(View(fill=0.8), BOARD_MM, (2000, 1500))
    corners = np.array([(0, 0, 0), (800, 0, 0), (800, 500, 0), (0, 500, 0)], float)
    assert camera.project(corners) == pytest.approx(
        np.array([(200, 250), (1800, 250), (1800, 1250), (200, 1250)]), abs=0.1
    )


def test_what_is_nearer_to_the_camera_is_larger() -> None:
    camera = stand(View(), BOARD_MM, (2000, 1500))

    def length(height: float) -> float:
        ends = camera.project(np.array([(300, 250, height), (500, 250, height)], float))
        return float(np.linalg.norm(ends[1] - ends[0]))

    assert length(9.0) / length(0.0) == pytest.approx(
        camera.height_mm / (camera.height_mm - 9.0), rel=1e-6
    )


@pytest.mark.parametrize("tilt", [0.0, 17.0, 34.0])
@pytest.mark.parametrize("k1", [-0.04, 0.0, 0.04])
def test_rays_come_back_to_where_they_started(tilt: float, k1: float) -> None:
    camera = stand(
        View(tilt_deg=tilt, azimuth_deg=70.0, roll_deg=120.0, k1=k1), BOARD_MM, (1200, 900)
    )
    flat = np.array([(10.0, 20.0), (400.0, 250.0), (790.0, 30.0)])
    for height in (-2.2, 0.0, 30.0):
        points = np.concatenate([flat, np.full((3, 1), height)], axis=1)
        assert camera.on_plane(camera.project(points), height) == pytest.approx(flat, abs=0.05)


def test_a_point_100_mm_up_throws_its_shadow_a_ninth_of_its_distance_from_the_lamp_further() -> (
    None
):
    """Lamp 1000 mm up at the origin: by similar triangles 450 + 450 * 100 / (1000 - 100) = 500."""
    lamp = LightSource((0.0, 0.0, 1000.0), (1.0, 1.0, 1.0), 1.0, 10.0)
    assert shadow_points(lamp, np.array([[450.0, 0.0, 100.0]])) == pytest.approx(
        np.array([[500.0, 0.0]])
    )


def test_a_lamp_lights_what_is_below_it_most() -> None:
    lamp = LightSource((0.0, 0.0, 500.0), (1.0, 1.0, 1.0), 0.6, 10.0)
    points = np.array([(0.0, 0.0), (400.0, 250.0), (800.0, 500.0)])
    near, middle, far = reaching(lamp, BOARD_MM, points)
    assert near > middle > far
    assert middle == pytest.approx(0.6)


def test_wagons_are_as_large_as_real_ones_and_closed_to_the_outside() -> None:
    mesh = wagon(WagonShape(length=24.0, width=9.0, height=9.0))
    assert np.ptp(mesh.hull, axis=0) == pytest.approx(np.array([24.0, 9.0, 9.0]))
    middle = mesh.hull.mean(axis=0)
    outward = np.sum(mesh.normals[:13] * (mesh.quads[:13].mean(axis=1) - middle), axis=1)
    assert (outward > 0).all()


def test_a_disc_has_a_top_that_looks_up() -> None:
    mesh = disc(6.0, 8.0)
    tops = mesh.quads[:, :, 2].min(axis=1) > 7.9
    assert tops.any()
    assert (mesh.normals[tops, 2] > 0.99).all()


def test_a_fold_stands_up_and_the_board_between_lies_flat() -> None:
    relief = Relief((0.5,), (), 3.0, 0.0, BOARD_MM)
    heights = relief.height(np.array([(400.0, 100.0), (100.0, 100.0)]))
    assert heights == pytest.approx(np.array([3.0, 0.0]))


def test_rectangles_start_top_left_as_printed_and_go_clockwise() -> None:
    box = rectangles(np.array([(100.0, 50.0)]), np.array([0.0]), (24.0, 9.0))[0]
    assert box == pytest.approx(np.array([(88, 45.5), (112, 45.5), (112, 54.5), (88, 54.5)]))
    turned = rectangles(np.array([(0.0, 0.0)]), np.array([90.0]), (24.0, 9.0))[0]
    assert turned[0] == pytest.approx(np.array([4.5, -12.0]))


def test_the_score_track_runs_once_around_the_board_in_even_steps() -> None:
    cells = track_cells((800.0, 500.0), 20.0)
    assert cells[0] == pytest.approx(np.array([10.0, 490.0]))
    steps = [float(np.abs(b - a).sum()) for a, b in pairwise([*cells, cells[0]])]
    assert steps == pytest.approx([2 * (780 + 480) / 100] * 100)


def test_prints_of_two_seeds_look_different_and_keep_the_spaces_on_the_board() -> None:
    board = load_board("usa")
    one, other = make_print(board, 3), make_print(board, 12)
    assert float(np.abs(one.image - other.image).mean()) > 0.05
    for printed in (one, other):
        spaces = printed.layout.spaces_mm.reshape(-1, 2)
        assert (spaces > 0).all()
        assert (spaces < np.array(printed.layout.outer_mm)).all()


@pytest.mark.parametrize("name", ["usa", "germany", "france"])
@pytest.mark.parametrize("seed", range(8))
def test_random_games_keep_the_rules(name: str, seed: int) -> None:
    board = load_board(name)
    owners = random_owners(board, seed=seed)
    players = {owner for owner in owners.values() if owner}
    used: Counter[str] = Counter()
    for route in board.routes:
        if owner := owners[route.id]:
            used[owner] += route.length
    assert all(count <= board.wagons_per_player for count in used.values())
    for lines in board.parallel_groups.values():
        taken = [owners[line.id] for line in lines if owners[line.id]]
        assert len(set(taken)) == len(taken)
        assert len(taken) <= 1 or len(players) >= board.doubles_open_from
    for first, second in board.crossings:
        assert not (owners[first] and owners[second])


def test_a_full_game_leaves_few_wagons() -> None:
    board = load_board("usa")
    owners = random_owners(board, seed=3, players=3, fullness=1.0)
    used: Counter[str] = Counter()
    for route in board.routes:
        if owner := owners[route.id]:
            used[owner] += route.length
    assert len(used) == 3
    assert min(used.values()) >= 35
