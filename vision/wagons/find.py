"""Finds every wagon on a board as a thing of its own: its place, direction, colour and pose.

The network sees the straightened board alone, never where spaces are printed: a wagon beside its
line is found like any other, and it errs otherwise than the reading of spaces does.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.board_light import in_daylight
from vision.network import image_input, load_network, sigmoid, softmax
from vision.registration.board_geometry import outline_mm
from vision.registration.geometry import Points, project
from vision.spaces.camera_pose import WAGON_HEIGHT_MM, board_to_image, lean_at_mm
from vision.spaces.located_image import SeenBoard
from vision.wagons.straighten import straighten

CELL_PX = 2
"""One cell of the network's output is so many pixels of the straightened board."""

LEAST_CHANCE = 0.1
"""Cells that are less surely the middle of a wagon are none."""

APART_MM = 6.0
"""Of two middles nearer to each other only the surer one is a wagon: wagons are 9 mm wide."""

MIDDLE_HEIGHT_MM = 5.0
"""How high above the board the middle lies that the network tells."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundWagons:
    """The wagons of one photo, and its printed spaces beside them, in board millimetres.

    `at_mm` (M, 2) is where each stands, `angles_rad` (M,) its direction (half a turn means
    nothing), `chances` (M,) how surely it is one, `colours` (M, 10) which of `COLOURS` it has,
    `lying` (M,) how surely it has toppled. `spaces_mm` (N, 4, 2) are the spaces where the photo
    shows them, which the board file's own places may miss by some millimetres.
    """

    at_mm: Points
    angles_rad: NDArray[np.float64]
    chances: NDArray[np.float64]
    colours: NDArray[np.float64]
    lying: NDArray[np.float64]
    spaces_mm: Points


def find_wagons(seen: SeenBoard, board: Board) -> FoundWagons:
    """All wagons on the board of a photo."""
    to_photo = seen.board_to_photo
    view = straighten(seen.clear_bgr, to_photo, outline_mm(board))
    answer = _answer(view.image_bgr)
    rows, columns, chances = _peaks(answer[0])
    told = answer[:, rows, columns]
    middles = view.to_mm(_refined(answer[0], rows, columns) * CELL_PX + (CELL_PX - 1) / 2)
    height, width = seen.clear_bgr.shape[:2]
    lean = lean_at_mm(to_photo, middles, (width, height)) * (MIDDLE_HEIGHT_MM / WAGON_HEIGHT_MM)
    return FoundWagons(
        at_mm=middles - lean,
        angles_rad=np.arctan2(told[2], told[1]) / 2,
        chances=chances,
        colours=softmax(told[3:-1].T),
        lying=sigmoid(told[-1]),
        spaces_mm=project(np.asarray(np.linalg.inv(to_photo), np.float64), seen.spaces_px),
    )


def wagon_quads_px(
    found: FoundWagons, board: Board, spaces_px: Points, photo_size_px: tuple[int, int]
) -> Points:
    """The found wagons in the photo of that width and height, at half their height; (M, 4, 2)."""
    to_photo = board_to_image(spaces_px, board)
    lean = lean_at_mm(to_photo, found.at_mm, photo_size_px) * (MIDDLE_HEIGHT_MM / WAGON_HEIGHT_MM)
    along = np.stack([np.cos(found.angles_rad), np.sin(found.angles_rad)], axis=1)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    length, width = board.space_size_mm
    corners = [
        found.at_mm + lean + x * length / 2 * along + y * width / 2 * across
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return project(to_photo, np.stack(corners, axis=1))


def _answer(image_bgr: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The network's output, (14, H / 2, W / 2), on a straightened board in balanced light."""
    pixels = image_input(in_daylight(image_bgr))
    answer = np.asarray(load_network("wagons").run_image(pixels)[0], np.float64)
    answer[0] = sigmoid(answer[0])
    return answer


def _peaks(
    chance: NDArray[np.float64],
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Rows, columns and chances of the cells that are middles of wagons, the surest first."""
    highest = cv2.dilate(chance, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((chance >= highest) & (chance > LEAST_CHANCE))
    order = np.argsort(-chance[rows, columns])
    rows, columns = rows[order], columns[order]
    at_mm = np.stack([columns, rows], axis=1) * CELL_PX
    kept: list[int] = []
    for k, spot in enumerate(at_mm):
        if not kept or np.hypot(*(at_mm[kept] - spot).T).min() >= APART_MM:
            kept.append(k)
    rows, columns = rows[kept], columns[kept]
    return rows, columns, chance[rows, columns]


def _refined(
    chance: NDArray[np.float64], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> Points:
    """Columns and rows (M, 2) of the peaks' centres of mass among their neighbours."""
    padded = np.pad(chance, 1)
    steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    weights = np.array([padded[rows + 1 + dy, columns + 1 + dx] for dx, dy in steps])
    moved = np.array(steps, np.float64).T @ weights / np.maximum(weights.sum(axis=0), 1e-9)
    return np.asarray((np.stack([columns, rows]) + moved).T)
