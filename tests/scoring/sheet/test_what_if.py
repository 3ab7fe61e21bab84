"""Which doubtful routes could change the ranking: only those are asked."""

import itertools
from random import Random
from typing import Any

import pytest

from scoring.board.board import load_board
from scoring.documents.game import parse_game
from scoring.errors import AssumptionError
from scoring.sheet.sheet import score_game
from scoring.sheet.what_if import Decisive, DecisivePlaces, decisive_places, decisive_routes
from tests.support.games import any_game


def game_of(*players: tuple[str, list[str]], game: str = "usa") -> dict[str, Any]:
    rows = [{"name": c.title(), "colour": c, "routes": held} for c, held in players]
    return {"game": game, "players": rows}


def test_a_route_that_turns_the_game_is_asked_and_one_that_can_t_is_not() -> None:
    """Red 15 + 10, blue 10: blue's doubtful 1 changes nothing; red's own 6 decides everything."""
    game = parse_game(game_of(("red", ["miami--new-orleans"]), ("blue", ["atlanta--miami"])))
    doubtful = {
        "dallas--houston-1": ["blue", None],
        "miami--new-orleans": ["red", "blue", None],
    }
    assert decisive_routes(game, doubtful) == Decisive(("miami--new-orleans",), exact=True)


def test_two_routes_that_only_turn_the_game_together_are_both_asked() -> None:
    """Red has 15 and a path of 6. Blue has 4 and a path of 3; one route of 2 more makes it 5,
    both make it 7: then blue has 4 + 2 + 2 + 10 = 18 against 15."""
    game = parse_game(game_of(("red", ["miami--new-orleans"]), ("blue", ["montreal--toronto"])))
    one, other = {"boston--montreal-1": ["blue", None]}, {"pittsburgh--toronto": ["blue", None]}
    assert decisive_routes(game, one).routes == ()
    assert decisive_routes(game, other).routes == ()
    assert decisive_routes(game, {**one, **other}).routes == (*one, *other)


def test_of_a_double_nobody_can_hold_both_lines_so_one_of_them_may_decide_nothing() -> None:
    """Red has 15 and the longest path, 25. Blue has 10 + 10 + 2; a line of 2 more makes it 24, and
    only both lines of the double, which the rules forbid, would make it 26."""
    lead = ["atlanta--miami", "helena--omaha", "denver--santa-fe"]
    game = parse_game(game_of(("red", ["miami--new-orleans"]), ("blue", lead)))
    double = ("chicago--saint-louis-1", "chicago--saint-louis-2")
    together = {double: [("blue", None), (None, None)]}
    assert decisive_places(game, together) == DecisivePlaces((), exact=True)
    line_by_line = {line: ["blue", None] for line in double}
    assert decisive_routes(game, line_by_line).routes == double


def test_with_one_possible_owner_there_is_nothing_to_ask() -> None:
    game = parse_game(game_of(("red", []), ("blue", [])))
    assert decisive_routes(game, {"atlanta--miami": ["red"]}).routes == ()


def test_an_owner_who_does_not_play_and_a_route_that_is_not_there_are_refused() -> None:
    game = parse_game(game_of(("red", [])))
    with pytest.raises(AssumptionError):
        decisive_routes(game, {"atlanta--miami": ["green"]})
    with pytest.raises(AssumptionError):
        decisive_routes(game, {"atlanta--mars": ["red"]})


@pytest.mark.parametrize("seed", range(6))
def test_what_is_not_asked_never_changes_a_rank(seed: int) -> None:
    """Against the definition: score every combination and see which routes matter."""
    random = Random(seed)
    document = any_game(load_board(random.choice(["usa", "germany", "france"])), random)
    doubtful = doubts(document, random, routes=4)
    expected = tuple(route for route in doubtful if matters(document, doubtful, route))
    assert decisive_routes(parse_game(document), doubtful) == Decisive(expected, exact=True)


@pytest.mark.parametrize("seed", range(6))
def test_bounds_never_leave_out_a_route_that_matters(seed: int) -> None:
    random = Random(100 + seed)
    document = any_game(load_board(random.choice(["usa", "germany", "france"])), random)
    game, doubtful = parse_game(document), doubts(document, random, routes=5)
    exact = decisive_routes(game, doubtful)
    bounded = decisive_routes(game, doubtful, most_scored=0)
    assert not bounded.exact
    assert set(exact.routes) <= set(bounded.routes)


def test_bounds_settle_a_game_that_is_not_close() -> None:
    """Red leads by more than fourteen doubtful routes of 1 and 2 could be worth."""
    lead = ["miami--new-orleans", "helena--seattle", "duluth--helena", "calgary--winnipeg"]
    game = parse_game(game_of(("red", lead), ("blue", [])))
    short = [route.id for route in load_board("usa").routes if route.length == 1][:13]
    decided = decisive_routes(game, {route: ["red", "blue", None] for route in short})
    assert decided == Decisive((), exact=False)


def doubts(document: dict[str, Any], random: Random, routes: int) -> dict[str, list[str | None]]:
    """Some held routes, each perhaps somebody else's or nobody's."""
    held = [name for player in document["players"] for name in player["routes"]]
    colours = [player["colour"] for player in document["players"]]
    return {name: [*random.sample(colours, 2), None] for name in random.sample(held, routes)}


def matters(document: dict[str, Any], doubtful: dict[str, list[str | None]], route: str) -> bool:
    others = [name for name in doubtful if name != route]
    for owners in itertools.product(*(doubtful[name] for name in others)):
        assumed = dict(zip(others, owners, strict=True))
        ranks = {
            tuple(
                player.rank
                for player in score_game(document, assumptions={**assumed, route: owner}).players
            )
            for owner in doubtful[route]
        }
        if len(ranks) > 1:
            return True
    return False
