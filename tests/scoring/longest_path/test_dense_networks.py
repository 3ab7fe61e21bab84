"""A network that is woven too densely is told in one sentence: no table waits for its path."""

from itertools import combinations
from typing import Any

import pytest

from scoring.board.board import board_from_json, load_board
from scoring.documents.game import parse_game
from scoring.errors import GameError
from scoring.longest_path.search import is_too_dense
from scoring.network import edges
from tests.support.small_board import station_board

CITIES = tuple(f"city-{number:02}" for number in range(25))
EVERYWHERE = tuple(combinations(CITIES, 2))
"""300 routes, from every city to every other: 24 junctions are open at once."""


def dense_board() -> dict[str, Any]:
    return station_board(
        places=[{"id": city, "name": city} for city in CITIES],
        routes=[
            {"id": f"{a}--{b}", "from": a, "to": b, "length": 1, "colour": "grey"}
            for a, b in EVERYWHERE
        ],
        tickets=[],
    )


def game_of(count: int) -> dict[str, Any]:
    held = [f"{a}--{b}" for a, b in EVERYWHERE[:count]]
    return {"game": "wood", "players": [{"name": "Ada", "colour": "red", "routes": held}]}


def test_three_hundred_routes_of_one_colour_are_refused_at_once() -> None:
    board = board_from_json(dense_board())
    with pytest.raises(GameError, match="Ada: routes: 300 routes are woven so densely"):
        parse_game(game_of(300), board)
    assert parse_game(game_of(60), board).players[0].name == "Ada"


@pytest.mark.parametrize("board_id", ["usa", "germany", "france"])
def test_no_position_of_a_printed_board_is(board_id: str) -> None:
    board = load_board(board_id)
    assert not is_too_dense(edges(board, board.route_by_id))
