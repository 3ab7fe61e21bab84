"""Printed ArUco markers at the board's four corners: an optional, surer way to find a board."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images.resize import shrunk_to_side
from vision.registration.geometry import Points

MARKER_IDS = (10, 11, 12, 13)
"""Beside the board's top-left, top-right, bottom-right and bottom-left corner as printed."""

MARKER_MM = 30.0
"""Side of a marker's black square."""

RIM_MM = 6.0
"""White rim about it: a marker is found by the step from white to black."""

DETECT_SIDE_PX = 1400
"""Photos are shrunk to this long side: a marker still has 40 pixels."""

_DICTIONARY = cv2.aruco.DICT_4X4_50

TOUCHING_CORNER = (2, 3, 0, 1)
"""Which corner of each marker touches the board's: a marker stands diagonally off its corner,
upright as the board is, its white rim slid under it, so the top-left marker touches with its
bottom-right corner, and so on."""


def find_markers(photo_bgr: NDArray[np.uint8]) -> Points | None:
    """The board's outer corners by its four markers, photo pixels, (4, 2); None without all four.

    Top-left, top-right, bottom-right, bottom-left as printed.
    """
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    detector = cv2.aruco.ArucoDetector(dictionary, settings)
    small, scale = shrunk_to_side(photo_bgr, DETECT_SIDE_PX)
    quads, ids, _ = detector.detectMarkers(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    if len(quads) < len(MARKER_IDS):
        return None
    found = {
        int(name): np.asarray(quad).reshape(4, 2)
        for name, quad in zip(ids.ravel(), quads, strict=True)
    }
    if not all(name in found for name in MARKER_IDS):
        return None
    touching = zip(MARKER_IDS, TOUCHING_CORNER, strict=True)
    return np.array([found[name][corner] / scale for name, corner in touching], np.float64)


def marker_picture(index: int, side_px: int) -> NDArray[np.uint8]:
    """One marker without its white rim, ndarray of shape (side_px, side_px), uint8, grey.

    `index` counts the board's corners: top-left, top-right, bottom-right, bottom-left as printed.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, MARKER_IDS[index], side_px))
