"""Whether a game has buses instead of wagons, which every sentence about it then names."""

from scoring.board.board import Board
from scoring.game.mapless import MaplessGame
from scoring.language.pieces import GAMES_WITH_BUSES, with_buses


def has_buses(board: Board | None) -> bool:
    """Whether the pieces of this game are buses."""
    if board is None:
        return False
    return (board.game if isinstance(board, MaplessGame) else board.id) in GAMES_WITH_BUSES


def by_its_pieces(said: str, board: Board | None, language: str) -> str:
    """What is said of wagons, said of buses where the game has those."""
    return with_buses(said, language) if has_buses(board) else said
