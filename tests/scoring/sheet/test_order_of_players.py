"""A result never depends on the order in which a file lists the players."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.sheet.sheet import score_game
from tests.scoring.sheet.test_stations import figures
from tests.support.games import any_game


def both_ways(game: dict[str, Any], random: Any) -> tuple[Any, Any]:
    players = random.sample(game["players"], len(game["players"]))
    return figures(score_game(game)), figures(score_game({**game, "players": players}))


@pytest.mark.parametrize("board", BOARDS_WITH_DATA)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_on_every_board(board: str, seed: int) -> None:
    random = Random(seed)
    first, second = both_ways(any_game(load_board(board), random), random)
    assert first == second


CITIES = st.sampled_from(["chicago", "miami", "dallas", "omaha", "denver"])
RECIPES = st.dictionaries(st.sampled_from(["red", "blue"]), st.integers(1, 3), min_size=1)


@st.composite
def card_games(draw: st.DrawFn) -> dict[str, Any]:
    """Few cards and colours, so that big cities are close and the players' choices collide."""
    players = []
    for name in ("Ada", "Bo", "Chi", "Dan")[: draw(st.integers(2, 4))]:
        tickets = [
            {"from": a, "to": b, "points": draw(st.integers(1, 9)), "cards": draw(RECIPES)}
            for a, b in draw(st.lists(st.tuples(CITIES, CITIES), max_size=4))
            if a != b
        ]
        cards = {c: draw(st.integers(0, 2)) for c in ("red", "blue")}
        cards["locomotive"] = draw(st.integers(0, 1))
        players.append({"name": name, "cards": cards, "tickets": tickets})
    tie = draw(st.sampled_from(["all", "none"]))
    cities = {"chicago": 8, "miami": 6, "dallas": 3}
    return {
        "game": "card-game",
        "settings": {"big-cities": cities, "big-city-tie": tie},
        "players": players,
    }


@settings(max_examples=100, deadline=None)
@given(card_games(), st.randoms(use_true_random=False))
def test_in_the_card_game(game: dict[str, Any], random: Any) -> None:
    first, second = both_ways(game, random)
    assert first == second


def test_in_a_card_game_whose_players_would_each_like_to_choose_last() -> None:
    """Each has two selections and the cards of three cities hang on who changes their mind first.

    Ada's two blue cards do Dallas–Omaha or Miami–Chicago. Bo's do Chicago–Miami or Dallas–Chicago.
    """

    def ticket(a: str, b: str, points: int, **cards: int) -> dict[str, Any]:
        return {"from": a, "to": b, "points": points, "cards": cards}

    ada = {
        "name": "Ada",
        "cards": {"blue": 2},
        "tickets": [ticket("dallas", "omaha", 3, blue=2), ticket("miami", "chicago", 3, blue=1)],
    }
    bo = {
        "name": "Bo",
        "cards": {"red": 2, "blue": 2},
        "tickets": [
            ticket("chicago", "miami", 1, blue=1, red=2),
            ticket("dallas", "chicago", 0, red=2),
        ],
    }
    cities = {"chicago": 9, "miami": 8, "dallas": 9}
    agreed = {"big-cities": cities, "big-city-tie": "none"}
    one, other = (
        figures(score_game({"game": "card-game", "settings": agreed, "players": players}))
        for players in ([ada, bo], [bo, ada])
    )
    assert one == other


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.data())
def test_by_counts(random: Any, data: st.DataObject) -> None:
    lengths = st.dictionaries(st.sampled_from("12345678"), st.integers(0, 3))
    tickets = st.lists(
        st.builds(lambda p, d: {"points": p, "completed": d}, st.integers(0, 22), st.booleans()),
        max_size=5,
    )
    players = [
        {
            "name": name,
            "route_lengths": data.draw(lengths),
            "tickets": data.draw(tickets),
            "stations": data.draw(st.integers(0, 3)),
            "bonuses": {"longest-path": data.draw(st.integers(0, 10))},
        }
        for name in ("Ada", "Bo", "Chi")
    ]
    first, second = both_ways({"game": "any-map", "players": players}, random)
    assert first == second
    for player, (total, _, lines) in zip(players, first[0].values(), strict=True):
        assert total == sum(points for _, points in lines) == plain_total(player)


def plain_total(player: Any) -> int:
    """Written apart from the program: the table, the tickets, four a station, the bonuses."""
    table = {"1": 1, "2": 2, "3": 4, "4": 7, "5": 10, "6": 15, "7": 18, "8": 21}
    routes = sum(table[length] * count for length, count in player["route_lengths"].items())
    tickets = sum(t["points"] if t["completed"] else -t["points"] for t in player["tickets"])
    return int(routes + tickets + 4 * player["stations"] + sum(player["bonuses"].values()))
