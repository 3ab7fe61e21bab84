"""Printed ArUco markers at the board's four corners, for tables that want to be found by them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration_geometry import Points

MARKER_IDS = (10, 11, 12, 13)
"""Beside the board's top-left, top-right, bottom-right and bottom-left corner as printed."""

MARKER_MM = 30.0
DETECT_SIDE_PX = 1400
"""Photos are shrunk to this long side: a marker still has 40 pixels."""

SHEET_DPI = 300
SHEET_MM = (297.0, 210.0)
"""A4, landscape."""

_DICTIONARY = cv2.aruco.DICT_4X4_50

_TOUCHING_CORNER = (2, 3, 0, 1)
"""Which corner of each marker touches the board's: a marker stands diagonally off its corner,
upright as the board is, its white rim slid under it, so the top-left marker touches with its
bottom-right corner, and so on."""


def find_markers(photo_bgr: NDArray[np.uint8]) -> Points | None:
    """The board's outer corners by its four markers, photo pixels, (4, 2); None without all four.

    Top-left, top-right, bottom-right, bottom-left as printed.
    """
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_DICTIONARY))
    scale = min(1.0, DETECT_SIDE_PX / max(photo_bgr.shape[:2]))
    small = cv2.resize(photo_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    quads, ids, _ = detector.detectMarkers(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    if len(quads) < len(MARKER_IDS):
        return None
    found = {
        int(name): np.asarray(quad).reshape(4, 2)
        for name, quad in zip(ids.ravel(), quads, strict=True)
    }
    if not all(name in found for name in MARKER_IDS):
        return None
    touching = zip(MARKER_IDS, _TOUCHING_CORNER, strict=True)
    return np.array([found[name][corner] / scale for name, corner in touching], np.float64)


def markers_sheet() -> NDArray[np.uint8]:
    """A page with the four markers to cut out, ndarray of shape (H, W), uint8, at 300 dpi.

    Each stands where it belongs about the board, with the corner that touches the board marked.
    """
    width, height = (_px(side) for side in SHEET_MM)
    page = np.full((height, width), 255, np.uint8)
    side = _px(MARKER_MM)
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    for name, touching, (column, row) in zip(
        MARKER_IDS, _TOUCHING_CORNER, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True
    ):
        x = _px(60.0) + column * _px(SHEET_MM[0] - 120.0 - MARKER_MM)
        y = _px(45.0) + row * _px(SHEET_MM[1] - 90.0 - MARKER_MM)
        page[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, name, side)
        _mark_touching(page, x, y, side, touching)
    return page


def _mark_touching(page: NDArray[np.uint8], x: int, y: int, side: int, touching: int) -> None:
    """An angle drawn where the board's corner goes, and the cutting line about the marker."""
    quiet = _px(6.0)
    cv2.rectangle(page, (x - quiet, y - quiet), (x + side + quiet, y + side + quiet), 170, 2)
    right, low = touching in (1, 2), touching in (2, 3)
    corner = (x + side * right, y + side * low)
    reach = _px(12.0)
    for dx, dy in ((reach if right else -reach, 0), (0, reach if low else -reach)):
        cv2.line(page, corner, (corner[0] + dx, corner[1] + dy), 0, 3)


def _px(length_mm: float) -> int:
    return round(length_mm / 25.4 * SHEET_DPI)
