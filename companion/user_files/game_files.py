"""Finds and reads what a user wrote: games to score, and the boards and card sets of a table."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, UnusableInputError, UsageError
from companion.typed_path import path_of
from scoring.board.board import Board, board_from_json
from scoring.board.edition import Bases
from scoring.board.shipped import shipped_document
from scoring.documents.card_set import card_set_from_json
from scoring.documents.game import Taught
from scoring.errors import BoardDataError
from scoring.game.rules import CARD_GAME_ID
from scoring.language import Message, SpokenError
from vision.images.headers import read_header
from vision.images.plain_file import read_plain

LARGEST_FILE_BYTES = 32 * 1024 * 1024
"""Larger than any game or board."""

STDIN = "-"

BOARDS = "boards"
"""The folder for boards and card sets in a data folder."""


def read_json(name: str) -> Any:
    """The JSON document of a file, or of stdin for `-`.

    Raises UsageError where there is no such file, UnusableInputError where it is no JSON.
    """
    return parse_json(read_bytes(name), "stdin" if name == STDIN else Path(name).name)


def parse_json(raw: bytes, name: str) -> Any:
    """A JSON document, `name` being what messages call it.

    Raises UnusableInputError where it is none, and for a key that stands twice, because one value
    would be lost.
    """
    try:
        return json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_unique_keys)
    except RecursionError:
        raise UnusableInputError("companion.error.nested", name=name) from None
    except UnicodeDecodeError:
        key = "photo-no-json" if _is_photo(raw) else "no-utf8"
        raise UnusableInputError(f"companion.error.{key}", name=name) from None
    except json.JSONDecodeError as error:
        at = Message("companion.error.json-at", line=error.lineno, column=error.colno)
        raise UnusableInputError("companion.error.no-json", name=name, reason=at) from None
    except _KeyTwiceError as error:
        raise UnusableInputError("companion.error.no-json", name=name, reason=error) from None
    except ValueError:  # Python's own limit, against numbers that take hours to be read
        raise UnusableInputError("companion.error.long-number", name=name) from None


def _is_photo(raw: bytes) -> bool:
    return read_header(raw) is not None or raw[4:8] == b"ftyp"


class _KeyTwiceError(SpokenError, ValueError):
    """One of the two values would be lost."""


def _unique_keys(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise _KeyTwiceError("companion.error.key-twice", key=repr(key[:40]))
        entries[key] = value
    return entries


def read_bytes(name: str) -> bytes:
    """A whole file, or stdin for `-`.

    Raises UsageError where there is none, UnusableInputError above LARGEST_FILE_BYTES.
    """
    raw = _read_stdin() if name == STDIN else _read_file(Path(name))
    if len(raw) > LARGEST_FILE_BYTES:
        raise UnusableInputError("companion.error.too-large", name=name)
    return raw


def _read_stdin() -> bytes:
    try:
        return sys.stdin.buffer.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:  # a terminal that is gone, or nothing that can be read
        raise UsageError("companion.error.cannot-read", path="stdin", reason=error) from None


def _read_file(path: Path) -> bytes:
    try:
        return read_plain(path, LARGEST_FILE_BYTES)
    except FileNotFoundError:
        raise UsageError("companion.error.no-file", path=path) from None
    except (OSError, ValueError) as error:
        raise UsageError("companion.error.cannot-read", path=path, reason=error) from None


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's data folder: $COMPANION_DATA, else ~/.local/share/companion."""
    named = environment.get("COMPANION_DATA")
    return Path(named) if named else path_of("~") / ".local" / "share" / "companion"


def taught_files(folder: Path) -> list[Path]:
    """What tables taught: every board and card-set file of a data folder, by name.

    Raises UsageError where its folder of boards cannot be read.
    """
    boards = folder / BOARDS
    try:
        return sorted(path for path in boards.iterdir() if path.suffix == ".json")
    except FileNotFoundError:
        return []
    except OSError as error:
        if isinstance(error, NotADirectoryError) and not boards.exists():
            return []  # there is no data folder at all
        raise UsageError("companion.error.boards-folder", path=boards, reason=error) from None


def read_taught(path: Path) -> Taught:
    """A board, or the Card Game's card set, from its file.

    Raises UsageError where there is no such file, UnusableInputError where it is no JSON, and
    scoring's BoardDataError with every problem of its format.
    """
    return taught_from(read_json(str(path)), bases_beside(path))


def taught_for(game: object, folder: Path) -> Taught | None:
    """What a data folder teaches about a game, if anything; a user's own file comes first.

    Raises UnusableInputError, which names the file, where that game's has problems. Files of other
    games are left alone, whatever is wrong with them.
    """
    for path in taught_files(folder):
        try:
            document = read_json(str(path))
        except CompanionError:
            continue
        if isinstance(document, dict) and game is not None and document.get("id") == game:
            try:
                return taught_from(document, bases_beside(path))
            except BoardDataError as error:
                raise UnusableInputError(
                    "companion.error.board-file", path=path, reason=error
                ) from error
    return None


def bases_beside(path: Path) -> Bases:
    """Finds the board that an edition is made of: one that ships, else one in the same folder."""

    def find(board: str) -> Any:
        shipped = shipped_document(board)
        return _document_in(path.parent, board) if shipped is None else shipped

    return find


def _document_in(folder: Path, board: str) -> Any:
    """The document of that id among a folder's files; files that cannot be read are left alone."""
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError:
        return None
    for path in files:
        try:
            document = read_json(str(path))
        except CompanionError:
            continue
        if isinstance(document, dict) and document.get("id") == board:
            return document
    return None


def taught_id(taught: Taught) -> str:
    """The game that a file teaches."""
    return taught.id if isinstance(taught, Board) else CARD_GAME_ID


def taught_from(document: object, bases: Bases = shipped_document) -> Taught:
    """What a parsed file teaches; raises BoardDataError with every problem of its format.

    `bases` finds the board that an edition is made of.
    """
    if isinstance(document, dict) and document.get("id") == CARD_GAME_ID:
        return card_set_from_json(document)
    return board_from_json(document, bases)
