"""The simulated game of the demo keeps the rules."""

from collections import Counter

import pytest

from companion.demo.demo import GAME_SEED, PLAYERS
from companion.demo.simulated_game import SimulatedGame, simulate_game
from scoring.board.board import load_board
from scoring.sheet.sheet import score_game


def simulated(seed: int) -> SimulatedGame:
    return simulate_game(load_board("usa"), PLAYERS, seed)


def game_json(made: SimulatedGame) -> dict[str, object]:
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
    assert score_game(game_json(simulated(seed))).to_json()["violations"] == []


@pytest.mark.parametrize("seed", range(6))
def test_it_goes_on_until_somebody_has_two_wagons_or_fewer(seed: int) -> None:
    board, made = load_board("usa"), simulated(seed)
    used: Counter[str] = Counter()
    for route in board.routes:
        if owner := made.owners[route.id]:
            used[owner] += route.length
    assert max(used.values()) >= board.wagons_per_player - 2
    assert max(used.values()) <= board.wagons_per_player


def test_nobody_holds_a_ticket_of_somebody_else() -> None:
    tickets = [ticket for hand in simulated(1).tickets.values() for ticket in hand]
    assert len(set(tickets)) == len(tickets) >= 12


def test_the_same_seed_makes_the_same_game() -> None:
    assert simulated(4) == simulated(4)
    assert simulated(4) != simulated(5)


def test_the_demos_game_is_won_by_one_point() -> None:
    sheet = score_game(game_json(simulated(GAME_SEED))).to_json()
    assert sorted(player["total"] for player in sheet["players"]) == [122, 122, 123]
    assert sheet["winners"] == ["Ada"]
