"""The finished games that were worked out by hand, and the boards that they were played on."""

import json
from pathlib import Path
from typing import Any

from scoring.board.board import Board, board_from_json, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.sheet.sheet import Sheet, score_game

FOLDER = Path(__file__).parents[1] / "scoring" / "sheet" / "golden"

GOLDEN = sorted(FOLDER.glob("*.json"))
"""One file a game: the arithmetic in words, the game, and the sheet that must come out."""


def read_golden(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


def taught_board(document: dict[str, Any]) -> Board | None:
    """The board that the file names from `golden/boards`, where it is none of the program's."""
    if "board" not in document:
        return None
    return board_from_json(read_golden(FOLDER / "boards" / f"{document['board']}.json"))


def golden_sheet(path: Path) -> tuple[Sheet, Board | None]:
    """A finished game's sheet, and the board whose names it is told with."""
    document = read_golden(path)
    board = taught_board(document)
    sheet = score_game(document["game"], board)
    return sheet, load_board(sheet.game) if sheet.game in BOARDS_WITH_DATA else board
