"""A print is laid under a scene that was rendered on a white and on a black one."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.evaluate.labelled import OWN_ART, use_renderer
from vision.training.lay_prints import complete_labels, linear_print, on_print, prints_for
from vision.training.other_tables import UNPAINTED
from vision.training.scene_pair import Pair


def _pair(wagon: bool = False) -> Pair:
    """A board of 64 x 48 that fills the view, in light of 0.8 with gloss of 0.1; perhaps with a
    wagon of 0.3 in the middle, onto which a white print throws 0.05."""
    black = np.full((48, 64, 3), 0.1, np.float32)
    white = np.full((48, 64, 3), 0.9, np.float32)
    mask = np.zeros((48, 64), bool)
    if wagon:
        mask[16:32, 16:48] = True
        black[mask], white[mask] = 0.3, 0.35
    rows, columns = np.mgrid[0:48:2, 0:64:2].astype(np.float32)
    at_print = np.stack([columns, rows], axis=-1)
    return Pair(white, black, at_print, np.ones((48, 64), bool), mask)


@pytest.mark.parametrize(("albedo", "seen"), [(1.0, 0.9), (0.0, 0.1), (0.25, 0.1 + 0.25 * 0.8)])
def test_a_plain_print_is_lit_as_the_white_one_was(albedo: float, seen: float) -> None:
    picture = on_print(_pair(), np.full((48, 64, 3), albedo, np.float32))
    assert picture == pytest.approx(seen, abs=1e-5)


def test_the_print_lies_where_the_view_shows_it() -> None:
    print_rgb = np.zeros((48, 64, 3), np.float32)
    print_rgb[:, 32:, 0] = 1.0  # its right half is red
    picture = on_print(_pair(), print_rgb)
    assert picture[24, 10] == pytest.approx((0.1, 0.1, 0.1), abs=0.01)
    assert picture[24, 54] == pytest.approx((0.9, 0.1, 0.1), abs=0.01)


def test_no_edge_of_the_print_shows_through_a_wagon() -> None:
    print_rgb = np.zeros((48, 64, 3), np.float32)
    print_rgb[:, 32:] = 1.0
    on_roof = on_print(_pair(wagon=True), print_rgb)[24, 20:44, 0]
    assert on_roof == pytest.approx(0.325, abs=0.026)  # between no light thrown and all of it
    assert np.abs(np.diff(on_roof)).max() < 0.003


def test_a_pictures_levels_become_linear_light(tmp_path: Path) -> None:
    art = np.zeros((8, 8, 3), np.uint8)
    art[:] = (0, 188, 255)  # BGR
    cv2.imwrite(str(tmp_path / "art.png"), art)
    linear = linear_print(tmp_path / "art.png", saturation=1.0, scale=1.0)
    # sRGB 188 is 0.503 of the light (IEC 61966-2-1), 255 all of it.
    assert linear[4, 4] == pytest.approx((1.0, 0.503, 0.0), abs=0.002)


def _scene(folder: Path, *colours: str) -> Path:
    folder.mkdir()
    (folder / "normal.json").write_text(json.dumps({"colours": colours}), "utf-8")
    return folder


def test_a_scene_is_laid_on_prints_of_its_own_board(tmp_path: Path) -> None:
    scene = _scene(tmp_path / "germany-1-2", "white", "red")
    numbers = prints_for(scene, range(1, 60))
    assert numbers == prints_for(scene, range(1, 60))
    assert numbers[0] == OWN_ART
    assert len(set(numbers)) == 6
    # Prints take the boards in turn: USA, Germany, France.
    assert {number % 3 for number in numbers[1:]} == {1}


def _labelled(folder: Path, told: dict[str, Any], routes: dict[str, Any]) -> dict[str, Any]:
    """The entry of a picture of the USA board, completed by what is told of it; the renderer
    numbers Atlanta – Charleston 1, its two spaces from Charleston."""
    use_renderer(folder)
    (folder / "assets").mkdir()
    ids = {"usa": {"1": ["atlanta--charleston", [1, 0]]}}
    (folder / "assets" / "ids.json").write_text(json.dumps(ids), "utf-8")
    entry = {"a.jpg": {"players": ["pink"], "routes": routes}}
    (folder / "labels.json").write_text(json.dumps(entry), "utf-8")
    (folder / "a.json").write_text(json.dumps({"board": "usa", **told}), "utf-8")
    complete_labels(folder)
    completed: dict[str, Any] = json.loads((folder / "labels.json").read_text("utf-8"))["a.jpg"]
    return completed


def test_labels_say_which_colours_a_set_has(tmp_path: Path) -> None:
    told = {"colours": ["pink", "violet"], "spaces": []}
    completed = _labelled(tmp_path, told, {})
    assert completed == {"players": ["pink"], "routes": {}, "player_colours": ["pink", "purple"]}


def test_a_reading_is_not_held_to_a_colour_that_a_wagon_under_a_hand_does_not_show(
    tmp_path: Path,
) -> None:
    spaces = [{"route": 1, "space": 0, UNPAINTED: True}, {"route": 1, "space": 1}]
    told = {"colours": ["pink"], "spaces": spaces}
    routes = {"atlanta--charleston": {"owner": "pink"}}
    completed = _labelled(tmp_path, told, routes)
    assert completed["routes"] == {
        "atlanta--charleston": {"owner": "pink", "ambiguous_spaces": [1]}
    }


def test_where_prints_are_few_all_are_taken(tmp_path: Path) -> None:
    scene = _scene(tmp_path / "usa-1-2", "red", "blue")
    assert sorted(prints_for(scene, range(1, 10))) == [OWN_ART, 3, 6, 9]
