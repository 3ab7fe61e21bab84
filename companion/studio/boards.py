"""The board files of this table: written by the studio, brought in, taken out."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, RefusalError, UnusableInputError
from companion.user_files.game_files import (
    LARGEST_FILE_BYTES,
    bases_beside,
    parse_json,
    read_json,
    read_taught,
    taught_files,
    taught_from,
)
from companion.whole_file import write_whole
from scoring.board.board import Board
from scoring.board.format import is_newer
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.errors import BoardDataError
from scoring.game.rules import GAMES_WITHOUT_A_MAP
from scoring.language import Message
from vision.images.plain_file import read_plain

LARGEST_BOARD = 4_000_000
"""Bytes of a board file: ten times what the largest map takes."""

NO_BOARD = Message("companion.studio.no-board")
CUT_SHORT = Message("companion.studio.cut-short")


class TaughtBoards:
    """The folder `boards` of the data folder; what cannot be done is refused with RefusalError."""

    def __init__(self, data: Path, offer: Callable[[Board], None] = lambda board: None) -> None:
        self._data = data
        self._offer = offer

    def all(self) -> list[tuple[Path, Board]]:
        """Every file that is a good board."""
        found = []
        for path in self._files():
            try:
                taught = read_taught(path)
            except (BoardDataError, CompanionError):
                continue
            if isinstance(taught, Board):
                found.append((path, taught))
        return found

    def ids(self) -> set[str]:
        """Ids that a new board may not have."""
        return {*BOARDS_WITH_DATA, "paris", *GAMES_WITHOUT_A_MAP, *self._by_id()}

    def write(self, document: Mapping[str, Any]) -> Board:
        """Write a board's file whole or not at all, and offer the board for a new game."""
        board = self._checked(document)
        self._write(document, board.id)
        self._offer(board)
        return board

    def file(self, board: str) -> tuple[str, bytes]:
        """The file of a board, by its name."""
        for path, taught in self.all():
            if taught.id == board:
                return f"{board}.json", read_plain(path, LARGEST_FILE_BYTES)
        raise RefusalError("companion.studio.gone")

    def bring_in(self, data: bytes) -> Board:
        """Keep a board file from elsewhere, over one of its id; no shipped board is replaced."""
        if len(data) > LARGEST_BOARD:  # parsed, it would take twenty times as much memory
            raise RefusalError("companion.studio.foreign", reason=NO_BOARD)
        try:
            document = parse_json(data, "file")
        except UnusableInputError as error:
            raise RefusalError("companion.studio.foreign", reason=CUT_SHORT) from error
        if not isinstance(document, dict):
            raise RefusalError("companion.studio.foreign", reason=NO_BOARD)
        if is_newer(document):
            raise RefusalError("companion.studio.newer-board")
        board = self._checked(document)
        if board.id in BOARDS_WITH_DATA:
            raise RefusalError("companion.studio.shipped", board=board.name)
        return self.write(document)

    def _checked(self, document: Mapping[str, Any]) -> Board:
        try:
            taught = taught_from(document, bases_beside(self._data / "boards" / "x.json"))
            json.dumps(document, ensure_ascii=False).encode()
        except BoardDataError as error:
            raise RefusalError("companion.studio.foreign", reason=error) from error
        except UnicodeEncodeError:  # half a character can stand in JSON, but in no file
            raise RefusalError("companion.studio.foreign", reason=NO_BOARD) from None
        if not isinstance(taught, Board):
            raise RefusalError("companion.studio.foreign", reason=NO_BOARD)
        return taught

    def _write(self, document: Mapping[str, Any], name: str) -> None:
        """Over the file that has this id now, whatever it is called, and over no other."""
        path = self._by_id().get(name) or self._free_path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(document, ensure_ascii=False, indent=1).encode())
        except OSError as error:
            raise RefusalError("companion.setup.disk", reason=error) from error

    def _by_id(self) -> dict[str, Path]:
        """Every file that names an id, whether or not it is a good board."""
        found: dict[str, Path] = {}
        for path in self._files():
            try:
                document = read_json(str(path))
            except CompanionError:
                continue
            if isinstance(document, dict) and isinstance(document.get("id"), str):
                found.setdefault(document["id"], path)
        return found

    def _free_path(self, name: str) -> Path:
        """A file that is not there yet: somebody may have given a board's file any name."""
        folder, number = self._data / "boards", 1
        path = folder / f"{name}.json"
        while path.exists() or path.is_symlink():
            number += 1
            path = folder / f"{name}-{number}.json"
        return path

    def _files(self) -> list[Path]:
        try:
            return taught_files(self._data)
        except CompanionError:
            return []
