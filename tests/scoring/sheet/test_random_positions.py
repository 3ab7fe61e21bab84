"""Thousands of random legal end positions, scored by the program and by a second referee."""

import os
from random import Random
from typing import Any

import pytest

from scoring.board.board import Board, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.sheet.sheet import score_game
from tests.support.games import any_game
from tests.support.plain_scorer import plain_result

POSITIONS = int(os.environ.get("POSITIONS", "250"))
"""Of each board: 750 in all, and many more in `make torture`."""


@pytest.mark.parametrize("board_id", BOARDS_WITH_DATA)
def test_no_sheet_differs_from_the_second_referee(board_id: str) -> None:
    board, random = load_board(board_id), Random(2004)
    completed = failed = 0
    for _ in range(POSITIONS):
        game = any_game(board, random)
        sheet = score_game(game).to_json()
        assert figures(sheet) == plain_result(game), game
        assert sheet["violations"] == [], game
        check_evidence(sheet, game, board)
        for player in sheet["players"]:
            completed += player["tickets_completed"]
            failed += sum(line.get("completed") is False for line in player["lines"])
    assert completed > POSITIONS
    assert failed > POSITIONS


def figures(sheet: dict[str, Any]) -> list[dict[str, Any]]:
    """What the second referee works out too."""
    return [
        {
            "total": player["total"],
            "rank": player["rank"],
            "longest": player["longest_path"]["length"],
            "done": player["tickets_completed"],
        }
        for player in sheet["players"]
    ]


def check_evidence(sheet: dict[str, Any], game: dict[str, Any], board: Board) -> None:
    """The lines add up, and every path is made of the player's own routes."""
    for player, stated in zip(sheet["players"], game["players"], strict=True):
        own = set(stated["routes"])
        assert player["total"] == sum(line["points"] for line in player["lines"])
        assert own.issuperset(player["longest_path"]["path"])
        for line in player["lines"]:
            path = line["evidence"].get("path", [])
            assert own.issuperset(path)
            if line["kind"] == "ticket" and line["completed"]:
                check_path(path, line["ticket"], board)
            if line["kind"] == "ticket" and not line["completed"]:
                check_missing(line, own, board)


def check_path(path: list[str], places: list[str], board: Board) -> None:
    """The routes lead from the one place to the other and pass through no country."""
    here = places[0]
    for number, name in enumerate(path):
        assert number == 0 or not board.place_by_id[here].is_country
        first, second = board.route_by_id[name].ends
        assert here in (first, second)
        here = second if here == first else first
    assert here == places[1]


def check_missing(line: dict[str, Any], own: set[str], board: Board) -> None:
    """The routes that were missing are nobody's, and their wagons are counted."""
    missing = line["evidence"]["missing"]
    if missing is not None:
        assert own.isdisjoint(missing)
        wagons = sum(board.route_by_id[name].length for name in missing)
        assert line["evidence"]["missing_wagons"] == wagons > 0
