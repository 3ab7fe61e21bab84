"""From a state to a sheet: who holds what as `GAME.json` says it, and what that scores; pure."""

from dataclasses import dataclass
from typing import Any

from companion.session.events import Player
from companion.session.state import State, owner_of
from scoring.board.board import Board
from scoring.errors import GameError
from scoring.sheet.sheet import Sheet, score_game


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The sheet of a state, or the error that says why it cannot be written."""

    sheet: Sheet | None
    error: GameError | None = None


def reckon(state: State, board: Board) -> Reckoning:
    """Score the state as if the game ended now."""
    try:
        return Reckoning(score_game(game_json(state, board), board, shared_tickets=True))
    except GameError as error:
        return Reckoning(None, error)


def game_json(state: State, board: Board) -> dict[str, Any]:
    """The state as the document that `companion score` reads."""
    document: dict[str, Any] = {
        "game": board.id,
        "players": [_player_json(state, board, player) for player in state.facts.players],
    }
    if state.facts.settings:
        document["settings"] = dict(state.facts.settings)
    return document


def routes_of(state: State, board: Board, colour: str) -> tuple[str, ...]:
    """The routes that a player holds, in board order."""
    return tuple(route.id for route in board.routes if owner_of(state, route.id) == colour)


def _player_json(state: State, board: Board, player: Player) -> dict[str, Any]:
    entry = state.facts.entries[player.colour]
    document: dict[str, Any] = {"name": player.name, "colour": player.colour}
    if "route_lengths" not in entry.typed:
        document["routes"] = list(routes_of(state, board, player.colour))
    document["tickets"] = list(entry.tickets)
    if board.passengers_in_bag:
        document["passengers"] = dict(entry.passengers)
    return {**document, **entry.typed}
