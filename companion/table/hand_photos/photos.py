"""Photos of hands at a table in play: who may send them now, and the camera's own."""

from collections.abc import Callable, Sequence

from companion.table.camera_feed import CameraFeed
from companion.table.evening import Evening
from companion.table.eye import Photo
from companion.table.hand_photos.hands import read_hand
from companion.table.hand_photos.reader import HandReader
from hardware.errors import HardwareError
from scoring.board.board import Board
from scoring.board.readable_print import can_be_read
from vision.errors import VisionError
from vision.images.encode import jpeg
from web.errors import ActionRefusedError
from web.ports import HandSeen, Turn

QUALITY = 95
"""Of the camera's own picture, as a phone sends its."""

CoverBoard = Callable[[Photo, Board], Photo]
"""Covers the board in a photo; raises VisionError where it is not found."""


class HandPhotos:
    """Reads outside the evening's lock, so that nothing at the table waits for it."""

    def __init__(
        self,
        evening: Evening,
        reader: HandReader | None,
        feed: CameraFeed | None,
        cover_board: CoverBoard | None,
    ) -> None:
        self._evening = evening
        self._reader = reader
        self._feed = feed
        self._cover_board = cover_board

    @property
    def status(self) -> str | None:
        """The field `hand_photos` of `web.table_state.TableState`, None where that is left out."""
        board = self._evening.board
        if self._reader is None or board is None or not board.tickets:
            return None
        return "ready" if self._reader.is_installed else "missing"

    @property
    def has_camera(self) -> bool:
        """Whether the table's camera may take the photo: cards that lie beside the board."""
        board, is_on = self._evening.board, self._evening.facts.camera
        if self._feed is None or self._cover_board is None or board is None:
            return False
        return is_on and can_be_read(board)

    def expect(self) -> None:
        """Photos may come soon."""
        if self._reader is not None and self.status == "ready":
            self._reader.prepare()

    def close(self) -> None:
        """Nothing more is read."""
        if self._reader is not None:
            self._reader.close()

    def read(self, images: Sequence[bytes], earlier: HandSeen | None, turn: Turn) -> HandSeen:
        """The tickets in these photos, or in one of the camera's; raises ActionRefusedError."""
        reader, board = self._ready()
        photos = images or (self._photograph(board),)
        known = None if earlier is None else earlier.evidence
        return read_hand(reader, board, photos, known, turn)

    def _ready(self) -> tuple[HandReader, Board]:
        with self._evening.lock:
            board, facts = self._evening.board, self._evening.facts
        if board is None:
            raise ActionRefusedError("companion.refused.no-game")
        if facts.phase == "sheet":
            raise ActionRefusedError("companion.refused.finished")
        if self._reader is None or not board.tickets:
            raise ActionRefusedError("vision.tickets.board-without-tickets", board=board.name)
        if not self._reader.is_installed:
            raise ActionRefusedError("vision.tickets.no-networks")
        return self._reader, board

    def _photograph(self, board: Board) -> bytes:
        """The camera's next frame as a JPEG, the board covered."""
        if self._feed is None or self._cover_board is None or not self.has_camera:
            raise ActionRefusedError("companion.refused.no-camera")
        try:
            image_bgr = self._cover_board(self._feed.photograph(), board)
        except HardwareError as error:
            raise ActionRefusedError.saying(error) from error
        except VisionError as error:
            raise ActionRefusedError("companion.camera.unreadable", reason=error) from error
        return jpeg(image_bgr, QUALITY)
