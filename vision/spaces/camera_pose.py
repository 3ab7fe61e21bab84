"""Where the camera stood, worked out from where a board's spaces lie in its image.

Only the lean of the wagons is taken from it: how far a wagon's roof lies beside its foot.
"""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.registration.board_geometry import board_quads_mm

USUAL_FOCAL, WIDEST_FOCAL, LONGEST_FOCAL = 0.78, 0.36, 1.6
"""Focal lengths over the image's long side: phones; the widest Pi camera; a telephoto."""


WAGON_HEIGHT_MM = 9.0
"""Height of a wagon above the board: what makes it lean outwards in an oblique photo."""


def board_to_image(spaces_px: NDArray[np.float64], board: Board) -> NDArray[np.float64]:
    """Least-squares homography from board millimetres to image pixels, ndarray of shape (3, 3).

    `spaces_px` (N, 4, 2) is where the corners of all spaces of the board lie in the image.
    """
    centres_mm = board_quads_mm(board).mean(axis=1)
    matrix, _ = cv2.findHomography(centres_mm, spaces_px.mean(axis=1), 0)
    return np.asarray(matrix, dtype=np.float64)


def lean_mm(
    homography: NDArray[np.float64], board_mm: NDArray[np.float64], image_size_px: tuple[int, int]
) -> NDArray[np.float64]:
    """How far the top of a wagon leans from its foot, in the frame of each patch.

    `homography` maps board millimetres to image pixels; `board_mm` holds the corner points of the
    spaces, ndarray of shape (N, 4, 2). Returns an ndarray of shape (N, 2), millimetres along and
    across the space. The camera is recovered from the homography of a plane (Zhang 2000, two
    constraints), with square pixels and the principal point in the middle of the image.
    """
    lean = lean_at_mm(homography, board_mm.mean(axis=1), image_size_px)
    along = board_mm[:, 1] - board_mm[:, 0]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    return np.stack([(lean * along).sum(1), (lean * across).sum(1)], axis=1)


def lean_at_mm(
    homography: NDArray[np.float64], at_mm: NDArray[np.float64], image_size_px: tuple[int, int]
) -> NDArray[np.float64]:
    """The same at any points of the board (M, 2), in its own millimetres, x and y."""
    camera_mm = _camera_position_mm(homography, image_size_px)
    away = at_mm - camera_mm[:2]
    return np.asarray(away * WAGON_HEIGHT_MM / max(abs(camera_mm[2]) - WAGON_HEIGHT_MM, 1.0))


def _camera_position_mm(
    homography: NDArray[np.float64], image_size_px: tuple[int, int]
) -> NDArray[np.float64]:
    """Camera centre in board millimetres, ndarray of shape (3,); z is its height."""
    shift = np.array([[1, 0, -image_size_px[0] / 2], [0, 1, -image_size_px[1] / 2], [0, 0, 1.0]])
    h = shift @ homography
    focal_px = _focal_px(h, max(image_size_px))
    m = np.diag([1 / focal_px, 1 / focal_px, 1.0]) @ h
    scale = (np.linalg.norm(m[:, 0]) + np.linalg.norm(m[:, 1])) / 2
    r1, r2, t = m[:, 0] / scale, m[:, 1] / scale, m[:, 2] / scale
    u, _, vt = np.linalg.svd(np.stack([r1, r2, np.cross(r1, r2)], axis=1))
    return np.asarray(-(u @ vt).T @ t)


def _focal_px(h: NDArray[np.float64], side_px: int) -> float:
    """Focal length from the two constraints that a plane gives, kept to what cameras have.

    Seen from straight above, a plane says nothing of the focal length; the less it converges, the
    nearer the answer stays to a usual phone's.
    """
    h1, h2 = h[:, 0], h[:, 1]
    a = np.array([h1[0] * h2[0] + h1[1] * h2[1], h1[0] ** 2 + h1[1] ** 2 - h2[0] ** 2 - h2[1] ** 2])
    b = np.array([h1[2] * h2[2], h1[2] ** 2 - h2[2] ** 2])
    weight = float(b @ b)
    squared = -float(a @ b) / weight if weight > 0 else 0.0
    usual = USUAL_FOCAL * side_px
    if squared <= 0:
        return usual
    seen = float(np.clip(math.sqrt(squared), WIDEST_FOCAL * side_px, LONGEST_FOCAL * side_px))
    trust = float(np.clip((_convergence(h, side_px) - 0.15) / 0.25, 0.0, 1.0))
    return math.exp(trust * math.log(seen) + (1 - trust) * math.log(usual))


def _convergence(h: NDArray[np.float64], side_px: int) -> float:
    """How much the board's far side shrinks across the image: sine of the tilt over focal/side."""
    px_per_mm = (np.linalg.norm(h[:2, 0]) + np.linalg.norm(h[:2, 1])) / 2
    return float(np.linalg.norm(h[2, :2]) * side_px / px_per_mm)
