"""Patches of printed spaces, cut straight from a photo, all in one frame of their own.

A patch shows a window of `WINDOW_MM` around one space, the route running along its x axis. It is
cut at `PX_PER_MM`, with no other warp in between, so that an oblique or small photo loses as
little as possible.
"""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.images.resize import shrunk, shrunk_by

WINDOW_MM = (56.0, 40.0)
"""Width (along the route) and height (across it) of the part of the board that a patch shows."""

PX_PER_MM = 1.25
"""Sampling of a patch: a wagon of 24 x 9 mm covers 30 x 11 px."""

PATCH_PX = (round(WINDOW_MM[0] * PX_PER_MM), round(WINDOW_MM[1] * PX_PER_MM))
"""Patch size in pixels, (width, height)."""

GREY_BGR = (150, 150, 150)
PRINT_BGR: Mapping[str, tuple[int, int, int]] = MappingProxyType(
    {
        "blue": (190, 130, 60),
        "red": (50, 50, 190),
        "green": (60, 150, 110),
        "yellow": (60, 200, 225),
        "black": (70, 65, 65),
        "white": (225, 225, 225),
        "orange": (60, 130, 220),
        "pink": (190, 130, 200),
        "purple": (150, 80, 130),
        "track-bed": (90, 130, 160),
        "grey": GREY_BGR,
    }
)
"""Rough colour of a printed space by the word of the board file: a hint, not a measurement."""

USUAL_FOCAL, WIDEST_FOCAL, LONGEST_FOCAL = 0.78, 0.36, 1.6
"""Focal lengths over the image's long side: phones; the widest Pi camera; a telephoto."""

WAGON_HEIGHT_MM = 9.0
"""Height of a wagon above the board: what makes it lean outwards in an oblique photo."""


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


def cut_patches(
    image_bgr: NDArray[np.uint8],
    spaces_px: NDArray[np.float64],
    size_mm: tuple[float, float],
    margin_px: int = 0,
) -> NDArray[np.uint8]:
    """Cut the patch of each space.

    `spaces_px` is an ndarray of shape (N, 4, 2), the corners of the spaces in image pixels;
    `size_mm` is the printed box. Returns an ndarray of shape (N, H, W, 3), uint8, BGR, where
    (W, H) is PATCH_PX grown by the margin on each side.
    """
    scaled, factor = _near_patch_scale(image_bgr, spaces_px, size_mm)
    spaces_px = (spaces_px + 0.5) * factor - 0.5
    width, height = (side + 2 * margin_px for side in PATCH_PX)
    patches = np.empty((len(spaces_px), height, width, 3), np.uint8)
    for patch, matrix in zip(patches, patch_to_image(spaces_px, size_mm, margin_px), strict=True):
        cv2.warpAffine(
            scaled,
            matrix,
            (width, height),
            dst=patch,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return patches


def patch_to_image(
    spaces_px: NDArray[np.float64], size_mm: tuple[float, float], margin_px: int = 0
) -> NDArray[np.float64]:
    """Affine maps from patch pixels to image pixels, ndarray of shape (N, 2, 3)."""
    along, across = _axes_px_per_mm(spaces_px, size_mm)
    centre = spaces_px.mean(axis=1)
    middle = (np.array(PATCH_PX) - 1) / 2 + margin_px
    linear = np.stack([along, across], axis=-1) / PX_PER_MM
    offset = centre - linear @ middle
    return np.concatenate([linear, offset[..., None]], axis=-1)


def _axes_px_per_mm(
    spaces_px: NDArray[np.float64], size_mm: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Image pixels a millimetre along and across each space, two ndarrays of shape (N, 2)."""
    c0, c1, c2, c3 = (spaces_px[:, corner] for corner in range(4))
    along = (c1 + c2 - c0 - c3) / (2 * size_mm[0])
    across = (c3 + c2 - c0 - c1) / (2 * size_mm[1])
    return along, across


def _near_patch_scale(
    image_bgr: NDArray[np.uint8], spaces_px: NDArray[np.float64], size_mm: tuple[float, float]
) -> tuple[NDArray[np.uint8], float]:
    """The image shrunk (area mean) where a patch would skip pixels, and by which factor."""
    along, across = _axes_px_per_mm(spaces_px, size_mm)
    area = np.abs(along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0])
    finest = float(np.median(np.sqrt(area)))
    factor = 1.35 * PX_PER_MM / finest
    times = max(1, int(1 / factor))
    scaled, rest = shrunk_by(image_bgr, times), factor * times
    return (scaled, 1 / times) if rest > 0.85 else (shrunk(scaled, rest), factor)


def print_around(board: Board) -> NDArray[np.uint8]:
    """What the board file says is printed around each space, as it lies in the space's patch.

    Returns an ndarray of shape (N, 4, H, W), uint8. Channel 0 is 255 inside the space itself, 128
    in other spaces, 0 elsewhere; channels 1 to 3 are the spaces' printed colours, BGR, 0 elsewhere.
    """
    colours_bgr = [PRINT_BGR.get(r.colour, GREY_BGR) for r in board.routes for _ in range(r.length)]
    return spaces_around(board_quads_mm(board), board.space_size_mm, colours_bgr)


def spaces_around(
    quads: NDArray[np.float64],
    size_mm: tuple[float, float],
    colours_bgr: Sequence[tuple[int, int, int]],
) -> NDArray[np.uint8]:
    """Like `print_around`, for spaces given by corner points in any common frame."""
    centres = quads.mean(axis=1)
    to_plane = patch_to_image(quads, size_mm)
    unit = np.linalg.norm(to_plane[:, :, 0], axis=1) * PX_PER_MM
    reach = math.hypot(*WINDOW_MM) / 2 + max(size_mm) / 2
    around = np.zeros((len(quads), PATCH_PX[1], PATCH_PX[0], 4), np.uint8)
    from_plane = np.linalg.inv(to_plane[:, :, :2]).transpose(0, 2, 1)
    distances = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    for index, patch in enumerate(around):
        near = np.flatnonzero(distances[index] < reach * unit[index])
        # The space itself comes last, over any neighbour that overlaps it.
        near = np.append(near[near != index], index)
        points = (quads[near] - to_plane[index, :, 2]) @ from_plane[index]
        seen = (points.max(axis=1) > -1).all(axis=1) & (points.min(axis=1) < PATCH_PX).all(axis=1)
        # OpenCV takes sixteenths of a pixel.
        sixteenths = np.round(points[seen] * 16).astype(np.int32)
        for polygon, space in zip(sixteenths, near[seen].tolist(), strict=True):
            value = (255 if space == index else 128, *colours_bgr[space])
            cv2.fillConvexPoly(patch, polygon, value, cv2.LINE_8, 4)
    return np.ascontiguousarray(around.transpose(0, 3, 1, 2))


def roofs_around(mask: NDArray[np.uint8], lean: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Where the roofs of wagons would be seen that stand on the spaces of a mask.

    `mask` is channel 0 of `print_around`, ndarray of shape (N, H, W), uint8; `lean` (N, 2) is
    `lean_mm`. A roof is the space moved by the lean: neighbours in one patch lean alike. Returns
    an ndarray of shape (N, H, W), uint8.
    """
    roofs = np.empty_like(mask)
    for roof, space, (along, across) in zip(roofs, mask, lean * PX_PER_MM, strict=True):
        move = np.array([[1.0, 0.0, along], [0.0, 1.0, across]])
        cv2.warpAffine(space, move, (mask.shape[2], mask.shape[1]), dst=roof)
    return roofs


def board_to_image(
    spaces_px: NDArray[np.float64], board_mm: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Least-squares homography from board millimetres to image pixels, ndarray of shape (3, 3).

    `spaces_px` and `board_mm` are the same corner points, ndarrays of shape (N, 4, 2).
    """
    matrix, _ = cv2.findHomography(board_mm.mean(axis=1), spaces_px.mean(axis=1), 0)
    return np.asarray(matrix, dtype=np.float64)


def leans_of_spaces_mm(
    spaces_px: NDArray[np.float64], board: Board, image_bgr: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """`lean_mm` of all spaces of a board, (N, 2), from where they lie in an image, (N, 4, 2)."""
    board_mm = board_quads_mm(board)
    height_px, width_px = image_bgr.shape[:2]
    return lean_mm(board_to_image(spaces_px, board_mm), board_mm, (width_px, height_px))


def lean_mm(
    homography: NDArray[np.float64], board_mm: NDArray[np.float64], image_size_px: tuple[int, int]
) -> NDArray[np.float64]:
    """How far the top of a wagon leans from its foot, in the frame of each patch.

    `homography` maps board millimetres to image pixels; `board_mm` holds the corner points of the
    spaces, ndarray of shape (N, 4, 2). Returns an ndarray of shape (N, 2), millimetres along and
    across the space. The camera is recovered from the homography of a plane (Zhang 2000, two
    constraints), with square pixels and the principal point in the middle of the image.
    """
    camera_mm = _camera_position_mm(homography, image_size_px)
    centres = board_mm.mean(axis=1)
    away = centres - camera_mm[:2]
    lean = away * WAGON_HEIGHT_MM / max(abs(camera_mm[2]) - WAGON_HEIGHT_MM, 1.0)
    along = board_mm[:, 1] - board_mm[:, 0]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    return np.stack([(lean * along).sum(1), (lean * across).sum(1)], axis=1)


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
