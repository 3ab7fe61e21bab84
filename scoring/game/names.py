"""How games are called in a sentence: their titles instead of ids."""

from scoring.board.board import Board
from scoring.language import Phrase, catalogue


def game_name(game: str, board: Board | None = None) -> object:
    """The title of a board that a table taught, else the game's own in the sentence's language."""
    key = f"scoring.sheet.game.{game}"
    if key in catalogue("en"):
        return Phrase(key)
    return game if board is None else board.title
