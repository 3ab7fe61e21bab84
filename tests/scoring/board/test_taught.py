"""Games that a table teaches once: a Paris with a map, and the Card Game's own tickets."""

from typing import Any

import pytest

from scoring.board.board import Board, board_from_json
from scoring.documents.card_set import card_set_from_json
from scoring.errors import BoardDataError, GameError
from scoring.sheet.sheet import score_game
from tests.support.documents import changed


@pytest.fixture
def paris() -> Board:
    """An invented map of three places; the real one is not public."""
    return board_from_json(
        {
            "format": 1,
            "id": "paris",
            "title": "Paris of our own",
            "version": 1,
            "players": [2, 4],
            "player_colours": ["red", "blue", "green", "white"],
            "wagons_per_player": 15,
            "route_points": {"1": 1, "2": 2, "3": 5},
            "places": [
                {"id": "bakery", "name": "Bakery"},
                {"id": "market", "name": "Market"},
                {"id": "tower", "name": "Tower"},
            ],
            "routes": [
                {
                    "id": f"bakery--market-{number}",
                    "from": "bakery",
                    "to": "market",
                    "length": 3,
                    "colour": "red",
                    "parallel_group": "bakery--market",
                }
                for number in (1, 2)
            ]
            + [
                {
                    "id": "market--tower",
                    "from": "market",
                    "to": "tower",
                    "length": 1,
                    "colour": "blue",
                }
            ],
            "tickets": [{"id": "bakery--tower", "from": "bakery", "to": "tower", "points": 6}],
        }
    )


def paris_game(*names: str) -> dict[str, Any]:
    routes = [["bakery--market-1", "market--tower"], ["bakery--market-2"], []]
    return {
        "game": "paris",
        "players": [
            {"name": name, "routes": held, "tickets": [], "flags": 0}
            for name, held in zip(names, routes, strict=False)
        ],
    }


def test_a_taught_paris_is_scored_from_its_routes_and_its_own_table(paris: Board) -> None:
    """5 + 1 for the routes, 6 for the ticket, a flag of 4; Paris pays for no longest path."""
    game = changed(paris_game("Ada"), "players", 0, "tickets", to=[["bakery", "tower"]])
    game["players"][0]["flags"] = 1
    (ada,) = score_game(game, paris).to_json()["players"]
    assert [(line["kind"], line["points"]) for line in ada["lines"]] == [
        ("routes", 6),
        ("ticket", 6),
        ("flags", 4),
    ]
    assert ada["wagons_used"] == 4
    assert ada["longest_path"]["length"] == 4


def test_in_paris_both_lines_of_a_double_are_open_to_three(paris: Board) -> None:
    two = score_game(paris_game("Ada", "Bo"), paris)
    three = score_game(paris_game("Ada", "Bo", "Cyd"), paris)
    assert [violation.code for violation in two.violations] == ["double-closed"]
    assert three.violations == ()


def test_a_taught_paris_may_still_be_typed_as_lengths_with_the_board_s_table(paris: Board) -> None:
    game = {"game": "paris", "players": [{"name": "Ada", "route_lengths": {"3": 2}}]}
    assert score_game(game, paris).players[0].total == 10
    assert score_game(game).players[0].total == 8


def test_by_lengths_a_ticket_is_completed_as_the_players_say_though_the_map_is_known(
    paris: Board,
) -> None:
    """Two routes of 3 are 5 each; which they are nobody said, so no path is known either."""
    named = {"from": "bakery", "to": "tower", "points": 6}
    told = [{**named, "completed": True}, {"points": 2, "completed": False}]
    ada = {"name": "Ada", "route_lengths": {"3": 2}, "tickets": told}
    (one,) = score_game({"game": "paris", "players": [ada]}, paris).players
    assert (one.total, one.longest_path) == (10 + 6 - 2, None)


def test_by_lengths_a_ticket_of_the_map_needs_the_players_word(paris: Board) -> None:
    ada = {"name": "Ada", "route_lengths": {"3": 2}, "tickets": [["bakery", "tower"]]}
    with pytest.raises(GameError, match="completed"):
        score_game({"game": "paris", "players": [ada]}, paris)


def test_by_lengths_the_flags_are_bounded_by_the_spaces_though_the_map_is_known(
    paris: Board,
) -> None:
    """Two lines of 3 are 6 spaces, of whatever colours: two flags at most."""

    def codes(flags: int) -> list[str]:
        ada = {"name": "Ada", "route_lengths": {"3": 2}, "flags": flags}
        return [one.code for one in score_game({"game": "paris", "players": [ada]}, paris).remarks]

    assert "flags" not in codes(2)
    assert "flags" in codes(3)


CARD_SET: dict[str, Any] = {
    "format": 1,
    "id": "card-game",
    "title": "Our cards",
    "tickets": [
        {"from": "chicago", "to": "miami", "points": 5, "cards": {"red": 1}},
        {"id": "north", "from": "omaha", "to": "duluth", "points": 4, "cards": {"blue": 2}},
    ],
    "big_cities": {"chicago": 8},
}


def test_taught_tickets_are_named_and_bring_their_recipes_and_bonuses() -> None:
    player = {
        "name": "Ada",
        "cards": {"red": 1, "blue": 1},
        "tickets": [["Miami", "Chicago"], "north"],
    }
    sheet = score_game({"game": "card-game", "players": [player]}, card_set_from_json(CARD_SET))
    lines = [(line.kind, line.points) for line in sheet.players[0].lines]
    assert lines == [("ticket", 5), ("ticket", -4), ("big-city", 8)]
    assert sheet.settings["big-cities"] == {"chicago": 8}


def test_a_file_s_cities_are_known_however_they_are_written() -> None:
    """NY and N.Y.C. are New York: 6 and its card, 8. The ticket keeps the id of before."""
    ticket = {"from": "NY", "to": "L.A.", "points": 6, "cards": {"red": 1}}
    document = {**CARD_SET, "tickets": [ticket], "big_cities": {"New York City": 8}}
    player = {"name": "Ada", "cards": {"red": 1}, "tickets": ["ny--l.a."]}
    sheet = score_game({"game": "card-game", "players": [player]}, card_set_from_json(document))
    lines = [(line.kind, line.points) for line in sheet.players[0].lines]
    assert lines == [("ticket", 6), ("big-city", 8)]
    assert sheet.settings["big-cities"] == {"new-york": 8}


def test_a_taught_ticket_is_one_card() -> None:
    players = [{"name": name, "completed": ["north"]} for name in ("Ada", "Bo")]
    with pytest.raises(
        GameError, match="Ada, Bo: tickets: Omaha – Duluth can be held by one of them only"
    ):
        score_game({"game": "card-game", "players": players}, card_set_from_json(CARD_SET))


def test_a_table_s_setting_comes_before_the_file_s_bonuses() -> None:
    game = {
        "game": "card-game",
        "settings": {"big-cities": {"miami": 3}},
        "players": [{"name": "Ada", "completed": [["chicago", "miami"]]}],
    }
    assert score_game(game, card_set_from_json(CARD_SET)).players[0].total == 5 + 3


@pytest.mark.parametrize(
    ("path", "to", "problem"),
    [
        (["format"], 9, "card-game: format: must be 1"),
        (["title"], None, "card-game: title: must be a text on one line, not null"),
        (["tickets"], {}, "card-game: tickets: must be a list"),
        (["tickets", 0, "cards"], {}, "card-game: tickets.1.cards: a ticket needs at least one"),
        (["tickets", 0, "cards"], {"red": -1}, "card-game: tickets.1.cards.red: must be a whole"),
        (["tickets", 0, "points"], None, "card-game: tickets.1.points: must be a whole number"),
        (["tickets", 0, "to"], "chicago", "card-game: tickets.1: a ticket joins two different"),
        (["tickets", 0], {"points": 3}, "card-game: tickets.1: a ticket of the set needs from"),
        (["tickets", 1, "id"], "chicago--miami", 'card-game: tickets: "chicago--miami" appears 2'),
        (
            ["tickets", 0, "to"],
            "Miamy",
            'card-game: tickets.1: "Miamy" is no place of the cards',
        ),
        (
            ["big_cities"],
            {"Chicagoo": 3},
            'card-game: big_cities: "Chicagoo" is no place of',
        ),
        (["big_cities"], {"NY": 3, "new-york": 4}, 'card-game: big_cities: "new-york" appears 2'),
        (["big_cities"], {"boston": 3}, 'card-game: big_cities: "boston" is none of seattle'),
    ],
)
def test_a_broken_card_game_file_says_where(path: list[Any], to: Any, problem: str) -> None:
    with pytest.raises(BoardDataError) as caught:
        card_set_from_json(changed(CARD_SET, *path, to=to))
    assert any(found.startswith(problem) for found in caught.value.problems), caught.value
