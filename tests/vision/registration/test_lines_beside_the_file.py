"""How far the spaces of a line are taken to lie beside the board file's, from made-up heatmaps."""

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board.board import Board, load_board
from vision.registration.board_geometry import board_quads_mm, board_size_mm
from vision.registration.heatmaps import (
    CELL_MM,
    MARGIN_MM,
    SpaceHeatmaps,
    doubled_direction,
    rectangle,
)
from vision.registration.laying import lay
from vision.registration.snapping import PatternFit

USA = load_board("usa")
SCATTER_MM = 0.8
REACH_MM = 6.0


def _lines(board: Board) -> list[NDArray[np.intp]]:
    """The spaces of each line; those of two lines side by side together."""
    names = np.array([r.parallel_group or r.id for r in board.routes for _ in r.spaces])
    return [np.flatnonzero(names == name) for name in np.unique(names)]


def _laid(board: Board) -> NDArray[np.float64]:
    return board_quads_mm(board) + MARGIN_MM


def _seen(board: Board, centres_mm: NDArray[np.float64]) -> SpaceHeatmaps:
    """Heatmaps as of a network that sees a space at each of these points."""
    size_mm = board_size_mm(board)
    width, height = (int((side + 2 * MARGIN_MM) / CELL_MM) + 1 for side in size_mm)
    rows, columns = np.mgrid[0:height, 0:width]
    cells = np.stack([columns, rows], axis=-1) * CELL_MM + (CELL_MM - 1) / 2
    apart = np.linalg.norm(cells[:, :, None] - centres_mm, axis=-1)
    nearest = apart.argmin(axis=2)
    near = apart.min(axis=2) < REACH_MM
    double = doubled_direction(_laid(board))[nearest]
    return SpaceHeatmaps(
        to_photo=np.eye(3),
        size_mm=size_mm,
        board=np.ones((height, width), np.float32),
        centre=near.astype(np.float32),
        double=double.astype(np.float32),
        votes_mm=centres_mm[nearest].astype(np.float32),
    )


def _found(board: Board, centres_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    heatmaps = _seen(board, centres_mm)
    fit = PatternFit(board, 0, 1.0, _laid(board), rectangle(heatmaps.size_mm))
    return lay(heatmaps, fit).quads_mm.mean(axis=1)


def test_wagons_beside_their_line_do_not_move_the_boxes_of_a_print_like_the_file() -> None:
    """A player who lays a whole route 3 mm beside its boxes: what is cut out is where it was."""
    dice = np.random.default_rng(1)
    true = _laid(USA).mean(axis=1)
    line = USA.spaces_of["duluth--helena"]
    seen = true + dice.normal(0, SCATTER_MM, true.shape)
    seen[line] += (0.0, 3.0)
    off = np.linalg.norm(_found(USA, seen) - true, axis=1)
    assert off[line].max() < 1.0
    assert np.median(off) < 0.3


@pytest.mark.parametrize("far_mm", [1.5, 2.5])
def test_lines_of_a_print_unlike_the_file_are_found_each_where_it_lies(far_mm: float) -> None:
    """Another edition, or a board that was taught by eye: every line lies somewhat elsewhere."""
    dice = np.random.default_rng(2)
    true = _laid(USA).mean(axis=1)
    for line in _lines(USA):
        true[line] += dice.normal(0, far_mm / np.sqrt(2), 2)
    seen = true + dice.normal(0, SCATTER_MM, true.shape)
    beside_file = np.median(np.linalg.norm(true - _laid(USA).mean(axis=1), axis=1))
    off = np.linalg.norm(_found(USA, seen) - true, axis=1)
    assert np.median(off) < 0.6 * beside_file
