"""Pictures of what was read: the straightened board with every space, and a crop of one route."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.angles import level_deg
from scoring.board.board import Board
from scoring.game.colours import HEX, rgb_of
from vision.reading import Reading, Registration, RouteReading
from vision.registration.geometry import corners_of_size, homography_of_quads, project

BOARD_LONG_SIDE_PX = 1600
CROP_LONG_SIDE_PX = 560
REVIEW_BGR = (255, 0, 255)
EMPTY_BGR = (235, 235, 235)

Point = tuple[float, float]

SYMBOL_OUTLINE: dict[str, list[Point]] = {
    "blue": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    "red": [(math.cos(k * math.pi / 8), math.sin(k * math.pi / 8)) for k in range(16)],
    "green": [(0, -1.1), (1.1, 0.9), (-1.1, 0.9)],
    "yellow": [
        (r * math.sin(k * math.pi / 5), -r * math.cos(k * math.pi / 5))
        for k, r in enumerate([1.25, 0.5] * 5)
    ],
    "black": [
        (-0.35, -1.1), (0.35, -1.1), (0.35, -0.35), (1.1, -0.35), (1.1, 0.35), (0.35, 0.35),
        (0.35, 1.1), (-0.35, 1.1), (-0.35, 0.35), (-1.1, 0.35), (-1.1, -0.35), (-0.35, -0.35),
    ],
    "white": [(math.cos(k * math.pi / 8), math.sin(k * math.pi / 8)) for k in range(16)],
    "purple": [(0, -1.2), (1.0, 0), (0, 1.2), (-1.0, 0)],
    "orange": [(0, 1.1), (1.1, -0.9), (-1.1, -0.9)],
    "pink": [(0, 1.1), (-1.1, -0.2), (-0.6, -1.0), (0, -0.5), (0.6, -1.0), (1.1, -0.2)],
    "grey": [(-1.2, -0.4), (1.2, -0.4), (1.2, 0.4), (-1.2, 0.4)],
}  # fmt: skip
"""The shapes of scoring.colours.SYMBOL as polygons within about -1..1."""


def draw_overlay(photo_bgr: NDArray[np.uint8], board: Board, reading: Reading) -> NDArray[np.uint8]:
    """The straightened board with every space outlined in its owner's colour.

    Claimed routes carry their colour's symbol on each space; doubtful ones are hatched in magenta.
    Returns an ndarray of shape (H, W, 3), uint8, BGR, long side BOARD_LONG_SIDE_PX.
    """
    to_flat, size_px = _straightening(reading.registration)
    flat = cv2.warpPerspective(photo_bgr, to_flat, size_px)
    canvas = np.asarray(flat, dtype=np.uint8)
    quads = project(to_flat, reading.registration.spaces_px)
    for name, spaces in board.spaces_of.items():
        _draw_route(canvas, quads[spaces], reading.routes[name])
    return canvas


def route_crop(
    photo_bgr: NDArray[np.uint8], board: Board, where: Registration, route_id: str
) -> NDArray[np.uint8]:
    """The part of the photo that shows one route, its spaces outlined, turned to lie level.

    `photo_bgr` is an ndarray of shape (H, W, 3), uint8, BGR, and `where` says where the board lies
    in it. Returns an ndarray of the same kind, long side CROP_LONG_SIDE_PX.
    Raises KeyError where the board has no such route.
    """
    quads = where.spaces_px[board.spaces_of[route_id]]
    matrix, size_px = _crop_frame(quads)
    turned = cv2.warpAffine(photo_bgr, matrix, size_px, flags=cv2.INTER_LINEAR)
    crop = np.asarray(turned, dtype=np.uint8)
    for quad in quads @ matrix[:, :2].T + matrix[:, 2]:
        _polygon(crop, quad, REVIEW_BGR, 2)
    return crop


def _straightening(registration: Registration) -> tuple[NDArray[np.float64], tuple[int, int]]:
    corners = registration.corners_px
    top, right, bottom, left = (
        float(np.linalg.norm(corners[(k + 1) % 4] - corners[k])) for k in range(4)
    )
    aspect = (top + bottom) / max(right + left, 1e-6)
    width = BOARD_LONG_SIDE_PX if aspect >= 1 else round(BOARD_LONG_SIDE_PX * aspect)
    height = round(BOARD_LONG_SIDE_PX / aspect) if aspect >= 1 else BOARD_LONG_SIDE_PX
    return homography_of_quads(corners, corners_of_size((width, height))), (width, height)


def _crop_frame(
    quads: NDArray[np.float64],
) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """Affine map from the photo to the crop: the route's longer direction lies level."""
    points = quads.reshape(-1, 2)
    (centre_x, centre_y), (side_a, side_b), angle = cv2.minAreaRect(points.astype(np.float32))
    if side_a < side_b:
        side_a, side_b, angle = side_b, side_a, angle + 90
    angle = level_deg(angle)
    wagon = float(np.linalg.norm(quads[0, 1] - quads[0, 0]))
    width, height = side_a + 1.6 * wagon, side_b + 1.6 * wagon
    scale = CROP_LONG_SIDE_PX / max(width, height)
    turn = cv2.getRotationMatrix2D((centre_x, centre_y), angle, scale)
    size_px = (round(width * scale), round(height * scale))
    matrix = np.asarray(turn, dtype=np.float64)
    matrix[:, 2] += np.array(size_px) / 2 - np.array([centre_x, centre_y])
    return matrix, size_px


def _draw_route(canvas: NDArray[np.uint8], quads: NDArray[np.float64], route: RouteReading) -> None:
    colour_bgr = EMPTY_BGR if route.owner is None else _bgr(route.owner)
    for quad in quads:
        if route.owner is not None:
            _polygon(canvas, quad, (255, 255, 255), 5)
            _polygon(canvas, quad, colour_bgr, 3)
            _symbol(canvas, quad, route.owner)
        else:
            _polygon(canvas, quad, colour_bgr, 1)
        if route.review:
            _hatch(canvas, quad)


def _polygon(
    canvas: NDArray[np.uint8],
    points: NDArray[np.float64],
    colour_bgr: tuple[int, int, int],
    width_px: int,
) -> None:
    fixed = np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [fixed], True, colour_bgr, width_px, cv2.LINE_AA, 4)


def _symbol(canvas: NDArray[np.uint8], quad: NDArray[np.float64], colour: str) -> None:
    """The colour's shape in the middle of a space, on a disc that contrasts with it."""
    centre = quad.mean(axis=0)
    size = 0.32 * float(np.linalg.norm(quad[2] - quad[1]))
    disc = (255, 255, 255) if colour != "white" else (60, 60, 60)
    middle = (round(float(centre[0])), round(float(centre[1])))
    cv2.circle(canvas, middle, round(1.6 * size) + 1, disc, -1, cv2.LINE_AA)
    outline = np.round((np.array(SYMBOL_OUTLINE[colour]) * size + centre) * 16).astype(np.int32)
    cv2.fillPoly(canvas, [outline.reshape(-1, 1, 2)], _bgr(colour), cv2.LINE_AA, 4)


def _hatch(canvas: NDArray[np.uint8], quad: NDArray[np.float64]) -> None:
    """Slanting lines across a space."""
    _polygon(canvas, quad, REVIEW_BGR, 2)
    for part in np.linspace(0.1, 0.9, 5):
        start = quad[0] + (quad[1] - quad[0]) * part
        end = quad[3] + (quad[2] - quad[3]) * min(part + 0.15, 1.0)
        a = (round(float(start[0])), round(float(start[1])))
        b = (round(float(end[0])), round(float(end[1])))
        cv2.line(canvas, a, b, REVIEW_BGR, 1, cv2.LINE_AA)


def _bgr(colour: str) -> tuple[int, int, int]:
    red, green, blue = rgb_of(HEX[colour])
    return blue, green, red
