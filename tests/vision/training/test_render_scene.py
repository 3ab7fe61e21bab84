"""A scene is rendered on a white and on a black print, with the players' colours it is told."""

import sys
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision.training.render_scene import (
    SHADES,
    beside_claims,
    hulls,
    load_renderer,
    plain_prints,
    print_of_pixels,
)

FAKE_RENDERER = """PLASTIC = {"blue": (0, 0, 0)}
def main():
    raise AssertionError("main must not be called")
main()
"""


@pytest.fixture
def renderer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "renderer"
    (folder / "assets").mkdir(parents=True)
    (folder / "render.py").write_text(FAKE_RENDERER, "utf-8")
    (folder / "assets" / "usa-spaces.json").write_text("{}", "utf-8")
    cv2.imwrite(str(folder / "assets" / "usa-map.webp"), np.full((40, 60, 3), 90, np.uint8))
    game = SimpleNamespace(COLORS={"usa": ["red"], "france": ["blue"]})
    monkeypatch.setitem(sys.modules, "game", game)
    monkeypatch.setitem(sys.modules, "boardtex", SimpleNamespace(STY={"usa": {}}))
    return folder


def test_both_prints_are_plain_and_nothing_of_the_art_is_left(
    renderer: Path, tmp_path: Path
) -> None:
    folders = plain_prints(renderer / "assets", tmp_path / "out", "usa")
    for name, value in (("white", 255), ("black", 0)):
        names = sorted(path.name for path in folders[name].iterdir())
        assert names == ["usa-map.webp", "usa-spaces.json"]
        print_bgr = cv2.imread(str(folders[name] / "usa-map.webp"))
        assert print_bgr is not None
        assert print_bgr.shape == (40, 60, 3)
        assert (print_bgr == value).all()


def test_a_number_chooses_five_colours_of_ten_and_their_shades(renderer: Path) -> None:
    import boardtex
    import game

    names = load_renderer(renderer, "usa", "7")
    assert len(set(game.COLORS["usa"])) == 5
    assert set(game.COLORS["usa"]) < set(SHADES)
    assert game.COLORS["france"] == ["blue"]
    assert sorted(names["PLASTIC"]) == sorted(SHADES)
    blue = names["PLASTIC"]["blue"]
    assert blue[2] > blue[1] > blue[0]
    assert {"bg", "cell", "cell2", "edge", "fr", "txt", "five"} == set(boardtex.STY["usa"])


def test_a_board_may_keep_its_own_colours(renderer: Path) -> None:
    import game

    names = load_renderer(renderer, "usa", "own")
    assert game.COLORS["usa"] == ["red"]
    assert names["PLASTIC"] == {"blue": (0, 0, 0)}


def test_on_a_crowded_board_players_claim_lines_beside_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Forty doubles 0-1, 2-3, … of one space, of each of which red has the first line; then a line
    # of its own, and a double across the second line of the first.
    lines = [{"id": k, "a": k // 2, "b": 100} for k in range(80)]
    lines += [{"id": 80, "a": 90, "b": 100}, *({"id": k, "a": 91, "b": 100} for k in (81, 82))]
    crossing = {1: {81}, 81: {1}}
    fake = SimpleNamespace(load=lambda _: (lines, [], []), crossings=lambda _: crossing)
    monkeypatch.setitem(sys.modules, "game", fake)
    played = {
        "players": ["red", "blue"],
        "order": [*((k, "red") for k in range(0, 80, 2)), (81, "blue")],
    }
    added = beside_claims("france", 5, played)
    assert 10 < len(added) < 38  # six of ten of the 39 free lines that nothing crosses
    assert {route for route, _ in added} <= {*range(3, 80, 2), 82}
    assert {owner for route, owner in added if route < 80} == {"blue"}
    assert all(owner == "red" for route, owner in added if route == 82)
    assert added == beside_claims("france", 5, played)


class _FlatScene:
    """A flat board of 60 x 40 print pixels of 1 cm, seen from straight above at 4 pixels a
    centimetre, the print's first pixel at (20, 10)."""

    W, H = 60, 40

    def __init__(self) -> None:
        self.cam = {"w": 300, "h": 200}

    def hz(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 0 * x

    def project(self, points: np.ndarray) -> np.ndarray:
        return np.stack([20 + 4 * (points[:, 0] + 30), 10 + 4 * (20 - points[:, 1])], axis=1)


def test_pixels_know_what_they_show_of_the_print() -> None:
    at_print = print_of_pixels(_FlatScene(), 1.0)
    assert at_print.shape == (100, 150, 2)
    # Pixel (100, 50) is (100 - 20) / 4 = 20 and (50 - 10) / 4 = 10 of the print.
    assert at_print[25, 50] == pytest.approx((20, 10), abs=0.01)


def test_a_wagon_covers_what_it_hides() -> None:
    stands = np.eye(4)
    stands[:3, 3] = (0, 0, 0)  # the middle of the board: pixel (140, 90)
    mask = hulls(_FlatScene(), [{"obj": SimpleNamespace(matrix_world=stands)}])
    assert mask[90, 140] == 1
    assert mask[90, 140 + 4] == 1  # 1 cm along it: its half length is 1.24 cm
    assert mask[90, 140 + 8] == 0
    assert mask[90 + 4, 140] == 0  # 1 cm across: its half width is 0.45 cm
