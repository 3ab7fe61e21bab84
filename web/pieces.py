"""Whether the game in play has buses instead of wagons, which every sentence then names."""

from scoring.board.board import Board
from scoring.game.mapless import MaplessGame
from scoring.language.pieces import GAMES_WITH_BUSES


def has_buses(board: Board | None) -> bool:
    """Whether the pieces of this game are buses."""
    if board is None:
        return False
    return (board.game if isinstance(board, MaplessGame) else board.id) in GAMES_WITH_BUSES
