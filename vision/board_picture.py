"""Draws a board from its file alone, lines and names, with what looks wrong marked by number."""

import unicodedata
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from scoring.board.inspection.finding import Finding
from vision.registration.board_geometry import quads_mm
from vision.registration.geometry import corners_of_size
from vision.spaces.patches import GREY_BGR, PRINT_BGR

Picture = NDArray[np.uint8]
"""An ndarray of shape (H, W, 3), uint8, BGR."""

PX_PER_MM = 2.0
MARGIN_MM = 30.0
FARTHEST_MM = 400.0
"""Spaces farther outside the frame than this are drawn at the picture's edge."""

PAPER_BGR, FRAME_BGR, INK_BGR = (250, 250, 250), (190, 190, 190), (60, 60, 60)
WRONG_BGR, ODD_BGR = (0, 0, 230), (0, 140, 255)
SAME_SPOT_PX = 16
"""Boxes nearer than this, which lie on each other, have their numbers in one place."""

FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw_findings(board: Board, findings: Sequence[Finding]) -> Picture:
    """The board's prints in which something was found, else its own alone, one under another.

    Each finding's spaces are outlined thickly and carry its number: its place in `findings` from 1.
    Errors are red, remarks orange.
    """
    shown = sorted({finding.in_print for finding in findings if finding.boxes}) or [0]
    sheets = []
    for number in shown:
        here = [
            (mark, finding)
            for mark, finding in enumerate(findings, start=1)
            if finding.in_print == number
        ]
        sheets.append(_Sheet(board.as_printed[number]).drawn(here))
    return np.asarray(np.concatenate(sheets))


class _Sheet:
    """One print of the board as a drawing."""

    def __init__(self, board: Board) -> None:
        self._board = board
        size = np.array(board.frame.size_mm)
        self._boxes_mm = {route.id: _boxes_mm(board, route.id) for route in board.routes}
        points = [
            np.zeros((1, 2)),
            size[None],
            *(b.reshape(-1, 2) for b in self._boxes_mm.values()),
        ]
        seen = np.clip(np.concatenate(points), -FARTHEST_MM, size + FARTHEST_MM)
        self._origin = seen.min(axis=0) - MARGIN_MM
        self._range = (seen.min(axis=0), seen.max(axis=0))
        width, height = np.ceil((seen.max(axis=0) + MARGIN_MM - self._origin) * PX_PER_MM)
        self._canvas = np.full((int(height), int(width), 3), PAPER_BGR, np.uint8)

    def drawn(self, findings: Sequence[tuple[int, Finding]]) -> Picture:
        """The finished drawing."""
        self._outline(corners_of_size(self._board.frame.size_mm), FRAME_BGR, 2)
        for route in self._board.routes:
            self._draw_route(self._boxes_mm[route.id], PRINT_BGR.get(route.colour, GREY_BGR))
        self._draw_places()
        for _, finding in findings:
            self._outline_boxes(finding)
        self._draw_numbers(findings)
        return self._canvas

    def _draw_route(self, boxes_mm: NDArray[np.float64], colour: Sequence[int]) -> None:
        for box in boxes_mm:
            cv2.fillConvexPoly(self._canvas, self._px(box), tuple(colour), cv2.LINE_AA)
            self._outline(box, INK_BGR, 1)
        line = self._px(boxes_mm.mean(axis=1)) if len(boxes_mm) else np.zeros((0, 2), np.int32)
        cv2.polylines(self._canvas, [line.reshape(-1, 1, 2)], False, INK_BGR, 1, cv2.LINE_AA)

    def _draw_places(self) -> None:
        for place in self._board.places:
            if place.x is not None and place.y is not None:
                at = self._px(np.array([[place.x, place.y]]) * self._board.frame.size_mm)[0]
                cv2.circle(self._canvas, at.tolist(), 6, INK_BGR, -1, cv2.LINE_AA)
                self._write(place.name, at + np.array([9, 5]), 0.5, INK_BGR)

    def _outline_boxes(self, finding: Finding) -> None:
        for route, number in finding.boxes:
            self._outline(self._boxes_mm[route][number - 1], _colour_of(finding), 4)

    def _draw_numbers(self, findings: Sequence[tuple[int, Finding]]) -> None:
        """Beside each place where something is wrong the numbers of all findings about it."""
        marks: dict[tuple[int, ...], list[tuple[int, Finding]]] = {}
        for mark, finding in findings:
            for route, number in finding.boxes[:1]:
                centre = self._px(self._boxes_mm[route][number - 1].mean(axis=0)[None])[0]
                marks.setdefault(tuple((centre // SAME_SPOT_PX).tolist()), []).append(
                    (mark, finding)
                )
        for spot, about in marks.items():
            words = ",".join(str(mark) for mark, _ in about)
            beside = (np.array(spot) * SAME_SPOT_PX + SAME_SPOT_PX).astype(np.int32)
            self._write(words, beside, 0.8, _colour_of(about[0][1]))

    def _write(
        self, words: str, at: NDArray[np.int32], scale: float, colour: Sequence[int]
    ) -> None:
        """OpenCV's own letters know no accents: they are left out."""
        plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
        for ink, thickness in ((PAPER_BGR, 5), (tuple(colour), 2 if scale > 0.6 else 1)):
            cv2.putText(self._canvas, plain, at.tolist(), FONT, scale, ink, thickness, cv2.LINE_AA)

    def _outline(self, box_mm: NDArray[np.float64], colour: Sequence[int], thickness: int) -> None:
        corners = self._px(box_mm).reshape(-1, 1, 2)
        cv2.polylines(self._canvas, [corners], True, tuple(colour), thickness, cv2.LINE_AA)

    def _px(self, points_mm: NDArray[np.float64]) -> NDArray[np.int32]:
        inside = np.clip(points_mm, *self._range)
        return np.asarray(np.round((inside - self._origin) * PX_PER_MM), np.int32)


def _colour_of(finding: Finding) -> Sequence[int]:
    return WRONG_BGR if finding.is_error else ODD_BGR


def _boxes_mm(board: Board, route_id: str) -> NDArray[np.float64]:
    """Corners of one route's boxes, ndarray of shape (n, 4, 2), millimetres."""
    spaces = board.route_by_id[route_id].spaces
    centres = np.array([(s.x, s.y) for s in spaces], np.float64).reshape(-1, 2)
    angles = np.radians(np.array([s.angle_deg for s in spaces], np.float64))
    return quads_mm(centres * board.frame.size_mm, angles, board.space_size_mm)
