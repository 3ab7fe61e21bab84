"""The table's eye on `vision`: photos of one moment become a proposal, with a crop a route."""

from collections.abc import Sequence
from typing import Any

import cv2

from companion.events import Notice, Proposal, ReadingProposed
from companion.eye import Photo, Seen
from companion.watching import Glimpse, glimpse_of
from scoring.board import Board
from scoring.placing import UnplacedError, can_be_read, refuse_unplaced
from vision.errors import VisionError
from vision.overlay import route_crop
from vision.reader import read_photos
from vision.reading import Reading, RouteReading, Why
from vision.reference import Reference
from vision.watch import Watcher


class VisionEye:
    """Reads with `vision`, against the empty board where the table has a picture of it.

    A reference of another board than the one in play is left out.
    """

    def __init__(self, reference: Reference | None = None) -> None:
        self._reference = reference

    def look(self, photos_bgr: Sequence[Photo], board: Board, colours: Sequence[str]) -> Seen:
        _require_positions(board)
        reference = _same_board(self._reference, board)
        reading = read_photos(photos_bgr, board, reference=reference, players=colours)
        first = photos_bgr[0]
        return Seen(
            proposal_of(reading), lambda route: encode_png(route_crop(first, board, reading, route))
        )


class VisionWatcher:
    """Follows one game with `vision.watch`, against the empty board where there is a picture.

    Of a board that can only be scored it never has anything to tell.
    """

    def __init__(self, board: Board, colours: Sequence[str], reference: Reference | None) -> None:
        self._board = board
        self._watcher: Watcher | None = None
        if can_be_read(board):
            self._watcher = Watcher(board, _same_board(reference, board), colours)

    def feed(self, image_bgr: Photo, t_s: float) -> Glimpse:
        """Take in the next frame; raises VisionError where it cannot be read."""
        if self._watcher is None:
            return Glimpse()
        events = self._watcher.feed(image_bgr, t_s)
        reading = self._watcher.reading

        def crop(route: str) -> bytes:
            assert reading is not None, "a route was told of, so the board was seen"
            return encode_png(route_crop(image_bgr, self._board, reading, route))

        return glimpse_of(events, crop)


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


def _require_positions(board: Board) -> None:
    try:
        refuse_unplaced(board)
    except UnplacedError as error:
        raise VisionError(error.key, **error.values) from error


def _same_board(reference: Reference | None, board: Board) -> Reference | None:
    return reference if reference is not None and reference.board_id == board.id else None


def _proposal(route: RouteReading) -> Proposal:
    # The panel asks line by line: one that is sure by itself is no question there.
    review = any(why is not Why.OTHER_LINE for why in route.why)
    return Proposal(route.owner, route.confidence, review, route.alternatives)
