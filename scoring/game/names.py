"""How games are called in a sentence: their titles instead of ids."""

from scoring.board.board import Board
from scoring.language import Message, has_text


def game_name(game: str, board: Board | None = None) -> Message | str:
    """The title of a board that a table taught, else the game's own in the sentence's language.

    >>> str(game_name("france")), game_name("our-own-map")
    ('Ticket to Ride France', 'our-own-map')
    """
    key = f"scoring.sheet.game.{game}"
    if has_text(key):
        return Message(key)
    return game if board is None else board.title
