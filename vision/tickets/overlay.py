"""The photo of a hand with what was read: each card outlined, its ticket beside it."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tickets.reading import HandReading

SURE_BGR, ASKED_BGR, UNREAD_BGR = (60, 160, 60), (255, 0, 255), (0, 0, 255)
LONG_SIDE_PX = 1600
"""Of the picture that is written."""


def draw_tickets(
    photo_bgr: NDArray[np.uint8], reading: HandReading, photo: int, name: Callable[[str], str]
) -> NDArray[np.uint8]:
    """A copy of one photo, of shape (H, W, 3), long side at most `LONG_SIDE_PX`, marked.

    Sure cards have a plain line, those under review a double one and "?", unread ones a cross.
    """
    scale = min(1.0, LONG_SIDE_PX / max(photo_bgr.shape[:2]))
    small = cv2.resize(photo_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    canvas = np.asarray(small, np.uint8)
    for seen in reading.tickets:
        if seen.photo == photo:
            words = " - ".join(name(place) for place in seen.ticket) + f" {seen.points}"
            corners = seen.corners_px * scale
            _outline(canvas, corners, ASKED_BGR if seen.review else SURE_BGR, seen.review)
            _write(canvas, corners, words + (" ?" if seen.review else ""))
    for card in reading.unread_cards:
        if card.photo == photo:
            corners = card.corners_px * scale
            _outline(canvas, corners, UNREAD_BGR, False)
            for one, other in ((0, 2), (1, 3)):
                cv2.line(canvas, _at(corners[one]), _at(corners[other]), UNREAD_BGR, 2, cv2.LINE_AA)
    return canvas


def _outline(
    canvas: NDArray[np.uint8], corners: NDArray[np.float64], bgr: tuple[int, int, int], double: bool
) -> None:
    middle = corners.mean(axis=0)
    for grown in (1.0, 1.06) if double else (1.0,):
        points = np.round((corners - middle) * grown + middle).astype(np.int32)
        cv2.polylines(canvas, [points.reshape(-1, 1, 2)], True, bgr, 2, cv2.LINE_AA)


def _write(canvas: NDArray[np.uint8], corners: NDArray[np.float64], words: str) -> None:
    """White on black, at the card's middle; OpenCV's letters have no accents."""
    plain = words.encode("ascii", "replace").decode()
    (width, height), _ = cv2.getTextSize(plain, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
    x, y = _at(corners.mean(axis=0) - (width / 2, 0))
    cv2.rectangle(canvas, (x - 3, y - height - 4), (x + width + 3, y + 5), (0, 0, 0), -1)
    cv2.putText(
        canvas, plain, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA
    )


def _at(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
