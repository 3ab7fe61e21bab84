"""A rendered scene becomes another table: claims taken back, other plastic, another lamp."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.images.light import to_linear
from vision.training.other_tables import (
    UNPAINTED,
    OtherTable,
    other_table,
    painted,
    shows_plastic,
    told_painted,
    told_without,
    without,
)
from vision.training.render_scene import SHADES
from vision.training.scene_pair import Linear, Pair

HEIGHT, WIDTH = 60, 200
LIGHT, GLOSS = 0.8, 0.02
LEFT, RIGHT = (slice(20, 40), slice(20, 60)), (slice(20, 40), slice(140, 180))
"""Where a red wagon stands and a blue one, rows and columns."""

NOTHING = np.zeros((2, 3))


def _plain(level: float) -> Linear:
    return np.full((HEIGHT, WIDTH, 3), level, np.float32)


def _board(black: Linear, wagon: NDArray[np.bool_]) -> Pair:
    white = black + np.where(wagon[..., None], np.float32(0), np.float32(LIGHT))
    at_print = np.zeros((HEIGHT // 2, WIDTH // 2, 2), np.float32)
    return Pair(white, black, at_print, np.ones((HEIGHT, WIDTH), bool), wagon)


def _empty() -> Pair:
    return _board(_plain(0.01), np.zeros((HEIGHT, WIDTH), bool))


def _game() -> Pair:
    """Two wagons that reflect `LIGHT` by their plastic and `GLOSS` by none, the left one's shadow
    on the print beside it."""
    black, wagon = _plain(0.01), np.zeros((HEIGHT, WIDTH), bool)
    for place, colour in ((LEFT, "red"), (RIGHT, "blue")):
        black[place] = to_linear(np.array(SHADES[colour])) * LIGHT + GLOSS
        wagon[place] = True
    pair = _board(black, wagon)
    pair.white[20:40, 60:66] = 0.2
    return pair


def _standing(left: int, right: int) -> dict[str, Any]:
    quad_px = [[left, 20], [right, 20], [right, 40], [left, 40]]
    middle_px = [(left + right) / 2, 30]
    return {"quad_px": quad_px, "wagon_center_px": middle_px, "d_rot_deg": 0.0, "pose": "normal"}


def _told() -> dict[str, Any]:
    """What the renderer says of it; the board is 200 x 60 mm, a pixel a millimetre."""

    def space(route: int, label: str | None, **more: Any) -> dict[str, Any]:
        seen = {"visible_frac": 1.0, "occluded_by_object": 0.0}
        return {"route": route, "space": 0, "label": label, **seen, **more}

    return {
        "outer_mm": [200, 60],
        "outer_corners_px": [[0, 0], [200, 0], [200, 60], [0, 60]],
        "players": ["red", "blue"],
        "colours": ["red", "blue", "green"],
        "illum": [1.0, 1.0, 1.0],
        "spaces": [
            space(1, "red", **_standing(20, 60)),
            space(2, "blue", **_standing(140, 180)),
            space(3, None),
        ],
        "routes": [{"id": 1, "owner": "red"}, {"id": 2, "owner": "blue"}, {"id": 3, "owner": None}],
        "claim_order": [[1, "red"], [2, "blue"]],
        "oddities": [{"type": "misplaced", "route": 1, "color": "red"}],
    }


def test_a_claim_taken_back_leaves_the_empty_board() -> None:
    left = without(_game(), _empty(), _told(), {1})
    assert left.black[LEFT] == pytest.approx(_empty().black[LEFT])
    assert left.white[30, 63] == pytest.approx(0.81, abs=1e-3)  # nor does its shadow stay
    assert left.black[RIGHT] == pytest.approx(_game().black[RIGHT])
    assert not left.wagon[LEFT].any()
    assert left.wagon[RIGHT].all()


def test_of_two_wagons_that_touch_only_the_one_goes() -> None:
    """A long wagon's end is nearer to the middle of the one across it than to its own."""
    told, wagon = _told(), np.zeros((HEIGHT, WIDTH), bool)
    wagon[25:35, 100:124] = wagon[18:42, 124:134] = True
    lying = {"quad_px": [[100, 25], [124, 25], [124, 35], [100, 35]], "wagon_center_px": [112, 30]}
    across = {"quad_px": [[117, 25], [141, 25], [141, 35], [117, 35]], "wagon_center_px": [129, 30]}
    told["spaces"][0] |= {**lying, "d_rot_deg": 0.0}
    told["spaces"][1] |= {**across, "d_rot_deg": 90.0}
    left = without(_board(_plain(0.3), wagon), _empty(), told, {2})
    assert left.wagon[25:35, 100:123].all()
    assert not left.wagon[18:42, 126:134].any()


def test_what_is_told_of_a_claim_goes_with_it() -> None:
    told = told_without(_told(), {1})
    assert [space["label"] for space in told["spaces"]] == [None, "blue", None]
    assert ["wagon_center_px" in space for space in told["spaces"]] == [False, True, False]
    assert [route["owner"] for route in told["routes"]] == [None, "blue", None]
    assert told["claim_order"] == [[2, "blue"]]
    assert told["oddities"] == []


def test_a_painted_wagon_keeps_its_light_and_its_gloss() -> None:
    yellow = to_linear(np.array(SHADES["yellow"]))
    pair = painted(_game(), _told(), {"red": ("yellow", yellow)})
    assert pair.black[30, 40] == pytest.approx(yellow * LIGHT + GLOSS, abs=0.03)
    assert pair.black[RIGHT] == pytest.approx(_game().black[RIGHT])  # blue was not to be painted
    assert pair.white[30, 63] == pytest.approx(0.2)  # nor the shadow on the print


def test_under_a_coloured_lamp_plastic_is_painted_as_it_would_look_there() -> None:
    lamp = np.array([1.6, 1.0, 0.4], np.float32)
    game, told = _game(), _told() | {"illum": lamp.tolist()}
    lit = Pair(game.white * lamp, game.black * lamp, game.at_print, game.board, game.wagon)
    green = to_linear(np.array(SHADES["green"]))
    pair = painted(lit, told, {"blue": ("green", green)})
    assert pair.black[30, 160] == pytest.approx((green * LIGHT + GLOSS) * lamp, abs=0.04)


def test_plastic_that_does_not_look_so_by_this_lamp_is_not_painted() -> None:
    """The lamp is redder than is told of it: a blue wagon shows hardly any blue."""
    plastic = {"blue": ("orange", to_linear(np.array(SHADES["orange"])))}
    lamp = np.array([3.0, 1.0, 0.06], np.float32)
    game = _game()
    lit = Pair(game.white * lamp, game.black * lamp, game.at_print, game.board, game.wagon)
    assert shows_plastic(game, _told(), plastic)
    assert shows_plastic(lit, _told() | {"illum": lamp.tolist()}, plastic)
    assert not shows_plastic(lit, _told() | {"illum": [2.9, 1.0, 0.24]}, plastic)


def test_a_wagon_under_a_hand_is_neither_painted_nor_learnt_from() -> None:
    told = _told()
    told["spaces"][0] |= {"visible_frac": 0.7, "occluded_by_object": 0.3}
    plastic = {"red": ("yellow", to_linear(np.array(SHADES["yellow"])))}
    assert painted(_game(), told, plastic).black[LEFT] == pytest.approx(_game().black[LEFT])
    hidden = told_painted(told, plastic)["spaces"][0]
    assert (hidden["label"], hidden["visible_frac"]) == ("yellow", 0.5)
    assert [UNPAINTED in space for space in told_painted(told, plastic)["spaces"]] == [
        True,
        False,
        False,
    ]


def test_everything_told_of_a_painted_player_has_the_new_colour() -> None:
    told = told_painted(_told(), {"red": ("blue", np.ones(3)), "blue": ("red", np.ones(3))})
    assert [space["label"] for space in told["spaces"]] == ["blue", "red", None]
    assert [route["owner"] for route in told["routes"]] == ["blue", "red", None]
    assert told["claim_order"] == [[1, "blue"], [2, "red"]]
    assert told["oddities"][0]["color"] == "blue"
    assert told["players"] == told["colours"] == ["blue", "red"]


def test_light_changes_across_the_table_by_as_much_as_said() -> None:
    across = np.array([[np.log(2.0)] * 3, [0.0] * 3])
    table = OtherTable(frozenset(), {}, np.array([2.0, 1.0, 0.5]), across, False, 1)
    light = table.light(3, 5)
    assert light[1, 2] == pytest.approx((2.0, 1.0, 0.5))
    assert light[1, 4] / light[1, 2] == pytest.approx(2.0)
    assert light[1, 0] / light[1, 2] == pytest.approx(0.5)
    assert light[0] == pytest.approx(light[2])


@pytest.mark.parametrize("seed", range(40))
def test_a_table_by_chance_has_a_colour_for_each_player(seed: int) -> None:
    told = _told() | {"players": ["red", "blue", "black", "white"]}
    table = other_table(np.random.default_rng(seed), told)
    assert table.taken_back <= {1, 2}
    now = told_painted(told, table.plastic)["players"]
    assert len(set(now)) == 4
    assert "black" in now
    assert set(now) <= set(SHADES)
    assert 0.05 < table.lamp.min() <= 1 <= table.lamp.max() < 6
