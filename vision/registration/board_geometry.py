"""Where a board's outline and spaces are printed, in the millimetres of its file.

The origin is the frame's top left corner, x to the right and y down.
"""

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.registration.geometry import Points

ART_BORDER_MM = 25.0
"""Border assumed round a board whose file knows only the picture inside it; snapping mends it."""


def outline_mm(board: Board) -> Points:
    """The printed board's outer corners in the millimetres of its file; shape (4, 2).

    Top-left, top-right, bottom-right, bottom-left.
    """
    width, height = board.frame.size_mm
    border = 0.0 if board.frame.reference == "outer" else ART_BORDER_MM
    low, right, bottom = -border, width + border, height + border
    return np.array([[low, low], [right, low], [right, bottom], [low, bottom]], np.float64)


def board_centres_mm(board: Board) -> NDArray[np.float64]:
    """Centres of all spaces in board order, ndarray of shape (N, 2), millimetres."""
    size = np.array(board.frame.size_mm)
    points = [(space.x, space.y) for route in board.routes for space in route.spaces]
    return np.asarray(np.array(points, dtype=np.float64).reshape(-1, 2) * size)


def board_angles_rad(board: Board) -> NDArray[np.float64]:
    """Directions of all spaces in board order, ndarray of shape (N,), radians."""
    degrees = [space.angle_deg for route in board.routes for space in route.spaces]
    return np.radians(np.array(degrees, dtype=np.float64))


def quads_mm(
    centres_mm: NDArray[np.float64], angles_rad: NDArray[np.float64], size_mm: tuple[float, float]
) -> NDArray[np.float64]:
    """Corner points of boxes, ndarray of shape (N, 4, 2): back left, front left, and so on round.

    The first edge (corner 0 to 1) runs along the route, the second across it.
    """
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    cos, sin = np.cos(angles_rad), np.sin(angles_rad)
    turn = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], -2)
    return np.asarray(centres_mm[:, None, :] + half[None] @ turn)


def board_quads_mm(board: Board) -> NDArray[np.float64]:
    """Corners of all printed spaces in board order, ndarray of shape (N, 4, 2), millimetres."""
    return quads_mm(board_centres_mm(board), board_angles_rad(board), board.space_size_mm)


def board_size_mm(board: Board) -> tuple[float, float]:
    """Width and height of the outer board as printed."""
    outline = outline_mm(board)
    width, height = outline[2] - outline[0]
    return float(width), float(height)
