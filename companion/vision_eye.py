"""The table's eye on `vision`: photos of one moment become a proposal, with a crop a route."""

from collections.abc import Sequence
from typing import Any

import cv2

from companion.events import Notice, Proposal, ReadingProposed
from companion.eye import Photo, Seen
from scoring.board import Board
from vision.overlay import route_crop
from vision.reader import read_photos
from vision.reading import Reading, RouteReading
from vision.reference import Reference


class VisionEye:
    """Reads with `vision`, against the empty board where the table has a picture of it.

    A reference of another board than the one in play is left out.
    """

    def __init__(self, reference: Reference | None = None) -> None:
        self._reference = reference

    def look(self, photos_bgr: Sequence[Photo], board: Board, colours: Sequence[str]) -> Seen:
        reference = self._reference
        if reference is not None and reference.board_id != board.id:
            reference = None
        reading = read_photos(photos_bgr, board, reference=reference, players=colours)
        first = photos_bgr[0]
        return Seen(
            proposal_of(reading), lambda route: encode_png(route_crop(first, board, reading, route))
        )


def proposal_of(reading: Reading) -> ReadingProposed:
    """A whole reading as the event for the log."""
    routes = {name: _proposal(route) for name, route in reading.routes.items()}
    notices = tuple(Notice(w.code, w.text, w.routes) for w in reading.warnings)
    return ReadingProposed(routes, whole=True, notices=notices)


def encode_png(image_bgr: Any) -> bytes:
    """An ndarray of shape (H, W, 3), uint8, BGR, as the bytes of a PNG file."""
    done, data = cv2.imencode(".png", image_bgr)
    if not done:
        raise ValueError("the image cannot be written as PNG")
    return bytes(data)


def _proposal(route: RouteReading) -> Proposal:
    return Proposal(route.owner, route.confidence, route.review, route.alternatives)
