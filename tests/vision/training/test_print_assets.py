"""Prints of our own go to the renderer in place of a board's art, with wagons of any colours."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.board.board import Board, load_board
from vision.training.drawn_data import board_of
from vision.training.print_assets import draw_art, write_assets
from vision.training.render_print import SHADES

ROOT = Path(__file__).resolve().parents[3]

USA_ART_PX = (1744, 1125)

FAKE_RENDERER = """import json, sys
import boardtex, game
PLASTIC = {"blue": (0, 0, 0)}
def main():
    print(json.dumps([sys.argv[1:], game.COLORS, sorted(PLASTIC), PLASTIC["blue"], boardtex.STY]))
main()
"""


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


def test_assets_keep_the_renderers_data_and_hold_no_art_but_ours(tmp_path: Path) -> None:
    renderer, out = tmp_path / "renderer", tmp_path / "0000" / "assets"
    renderer.mkdir()
    (renderer / "usa-spaces.json").write_text("{}", "utf-8")
    for board in ("usa", "france"):
        art = np.zeros((1125, 1744, 3), np.uint8)
        cv2.imwrite(str(renderer / f"{board}-map.webp"), art)
    assert board_of(0) == "usa"
    write_assets(renderer, out, 0)
    assert sorted(path.name for path in out.iterdir()) == ["usa-map.webp", "usa-spaces.json"]
    drawn = cv2.imread(str(out / "usa-map.webp"))
    assert drawn is not None
    assert drawn.shape == (1125, 1744, 3)
    assert drawn.mean() > 20


def test_a_print_is_rendered_with_five_player_colours_of_ten(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text("COLORS = {'usa': [], 'france': ['red']}", "utf-8")
    (tmp_path / "boardtex.py").write_text("STY = {'usa': {}}", "utf-8")
    (tmp_path / "render.py").write_text(FAKE_RENDERER, "utf-8")
    script = ROOT / "vision" / "training" / "render_print.py"
    command = [sys.executable, str(script), str(tmp_path), "7", "--board", "usa", "--seed", "1"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    words, colours, plastic, blue, tracks = json.loads(done.stdout)
    assert words == ["--board", "usa", "--seed", "1"]
    assert len(set(colours["usa"])) == 5
    assert set(colours["usa"]) < set(SHADES)
    assert colours["france"] == ["red"]
    assert plastic == sorted(SHADES)
    assert blue[2] > blue[1] > blue[0]
    assert {"bg", "cell", "cell2", "edge", "fr", "txt", "five"} == set(tracks["usa"])
