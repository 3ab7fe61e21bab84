"""The empty board beside which photos are read: given on the command line, or kept by set-up."""

import logging
import threading

from calibration.errors import CalibrationError
from companion.errors import RefusalError
from companion.setup.kept import KeptCalibrations
from scoring.board.board import Board
from vision.registration.reference import Reference

log = logging.getLogger(__name__)


class TableReferences:
    """Gives each board its reference; `renew` after set-up, and a running table follows."""

    def __init__(self, kept: KeptCalibrations, given: Reference | None = None) -> None:
        self._kept = kept
        self._given = given
        self._lock = threading.Lock()
        self._loaded: dict[str, Reference | None] = {}

    def of(self, board: Board) -> Reference | None:
        """The empty board of that board, None where there is none that fits."""
        with self._lock:
            if self._given is not None and self._given.board_id == board.id:
                return self._given
            if board.id not in self._loaded:
                self._loaded[board.id] = self._load(board)
            return self._loaded[board.id]

    def is_given(self, board_id: str) -> bool:
        """Whether the command line gave the empty board that is in use for a board."""
        with self._lock:
            return self._given is not None and self._given.board_id == board_id

    def renew(self) -> None:
        """What is kept has changed, and somebody chose it: it comes before the command line's."""
        with self._lock:
            self._loaded.clear()
            if self._given is not None and self._given.board_id in self._kept.in_use():
                self._given = None

    def _load(self, board: Board) -> Reference | None:
        """A calibration that no longer fits its board's file is left out."""
        key = self._kept.used_for(board)
        if key is None:
            return None
        try:
            return self._kept.load(key).reference(board)
        except (RefusalError, CalibrationError) as error:
            log.warning("The calibration %s is not used: %s", key, error)
            return None
