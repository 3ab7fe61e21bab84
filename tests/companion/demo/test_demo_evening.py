"""The made-up evening of the demo is a game that could have been played."""

from collections import Counter

import pytest

from companion.demo.demo import EVENING_SEED, PLAYERS
from companion.demo.evening import Evening, make_up_evening
from scoring.board.board import load_board
from scoring.sheet.sheet import score_game


def evening(seed: int) -> Evening:
    return make_up_evening(load_board("usa"), PLAYERS, seed)


def game_json(made: Evening) -> dict[str, object]:
    players = [
        {
            "name": player.name,
            "colour": player.colour,
            "routes": [name for name, owner in made.owners.items() if owner == player.colour],
            "tickets": list(made.tickets[player.colour]),
        }
        for player in made.players
    ]
    return {"game": "usa", "players": players}


@pytest.mark.parametrize("seed", range(6))
def test_it_breaks_no_rule(seed: int) -> None:
    assert score_game(game_json(evening(seed))).to_json()["violations"] == []


@pytest.mark.parametrize("seed", range(6))
def test_it_goes_on_until_somebody_has_two_wagons_or_fewer(seed: int) -> None:
    board, made = load_board("usa"), evening(seed)
    used: Counter[str] = Counter()
    for route in board.routes:
        if owner := made.owners[route.id]:
            used[owner] += route.length
    assert max(used.values()) >= board.wagons_per_player - 2
    assert max(used.values()) <= board.wagons_per_player


def test_nobody_holds_a_ticket_of_somebody_else() -> None:
    tickets = [ticket for hand in evening(1).tickets.values() for ticket in hand]
    assert len(set(tickets)) == len(tickets) >= 12


def test_the_same_seed_makes_the_same_evening() -> None:
    assert evening(4) == evening(4)
    assert evening(4) != evening(5)


def test_the_demos_evening_is_won_by_one_point() -> None:
    sheet = score_game(game_json(evening(EVENING_SEED))).to_json()
    assert sorted(player["total"] for player in sheet["players"]) == [122, 122, 123]
    assert sheet["winners"] == ["Ada"]
