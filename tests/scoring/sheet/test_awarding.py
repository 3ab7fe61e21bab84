"""The points given one after another: nothing is lost, nothing is given twice, the end is right."""

from pathlib import Path
from typing import Any

import pytest

from scoring.board.board import load_board
from scoring.sheet.awarding import Award, awards, tie_of
from scoring.sheet.sheet import Sheet, score_game
from tests.support.golden import GOLDEN, golden_sheet, read_golden


def kinds(given: tuple[Award, ...]) -> list[str]:
    return [award.kind for award in given]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_last_totals_are_those_of_the_sheet_and_every_line_is_given_once(path: Path) -> None:
    sheet, _ = golden_sheet(path)
    given = awards(sheet)
    assert given[-1].totals == tuple(player.total for player in sheet.players)
    told = [(gain.player, gain.line) for award in given for gain in award.gains]
    assert sorted(told) == [
        (player, line) for player, one in enumerate(sheet.players) for line in range(len(one.lines))
    ]


def test_the_finished_games_are_of_all_five_games() -> None:
    games = {read_golden(path)["game"]["game"] for path in GOLDEN}
    assert games == {"usa", "germany", "france", "paris", "card-game", "any-map"}


def france() -> Sheet:
    """Ada: two routes of 2 (4), a ticket of 5. Ben: one of 2 (2), a ticket of 9 not done.

    Longest paths 4 and 2, completed tickets 1 and 0: Ada has both bonuses.
    """
    return score_game(
        {
            "game": "france",
            "players": [
                {
                    "name": "Ada",
                    "colour": "red",
                    "routes": ["amiens--paris-1", "paris--reims-1"],
                    "tickets": [{"from": "amiens", "to": "reims", "points": 5}],
                },
                {
                    "name": "Ben",
                    "colour": "blue",
                    "routes": [],
                    "tickets": [{"from": "lille", "to": "nice", "points": 9}],
                },
            ],
        }
    )


def test_tickets_come_a_player_at_a_time_and_whoever_is_behind_begins() -> None:
    given = awards(france())
    assert kinds(given) == ["routes", "ticket", "ticket", "globetrotter", "longest-path"]
    assert [award.gains[0].player for award in given[1:3]] == [1, 0]
    assert given[1].totals[1] == -9


def test_passengers_come_colour_by_colour() -> None:
    """Green: Ada 2 (20), Ben 1 (10). Red: both 1 (20 each, and nobody is second)."""
    players: list[dict[str, Any]] = [
        {"name": "Ada", "colour": "red", "passengers": {"green": 2, "red": 1}},
        {"name": "Ben", "colour": "white", "passengers": {"green": 1, "red": 1}},
    ]
    given = awards(score_game({"game": "germany", "players": players}))
    told = [award for award in given if award.kind == "passengers"]
    points = {tuple(gain.points for gain in award.gains) for award in told}
    assert len(told) == 2
    assert points == {(20, 10), (20, 20)}
    assert given[-1].totals == (40, 30)


def test_passengers_come_in_the_order_of_the_bag_whoever_holds_them() -> None:
    """Ada has no red one, which the bag names first."""
    players: list[dict[str, Any]] = [
        {"name": "Ada", "colour": "red", "passengers": {"white": 1, "green": 1}},
        {"name": "Ben", "colour": "white", "passengers": {"red": 1, "blue": 1}},
    ]
    sheet = score_game({"game": "germany", "players": players})
    bag = tuple(load_board("germany").passengers_in_bag)
    given = [award for award in awards(sheet, bag) if award.kind == "passengers"]
    gains = [award.gains[0] for award in given]
    told = [sheet.players[gain.player].lines[gain.line].detail["colour"] for gain in gains]
    assert told == ["red", "green", "blue", "white"]


def test_a_tie_is_told_with_what_the_deciding_rule_counts() -> None:
    """Ada 2 + 5 - 3 = 4 with one ticket; Ben 4 with none."""
    ada = {
        "name": "Ada",
        "route_lengths": {"2": 1},
        "tickets": [{"points": 5, "completed": True}, {"points": 3, "completed": False}],
    }
    ben = {"name": "Ben", "route_lengths": {"2": 2}}
    cleo = {"name": "Cleo", "route_lengths": {"1": 1}}
    tie = tie_of(score_game({"game": "paris", "players": [ada, ben, cleo]}))
    assert tie is not None
    assert (tie.level, tie.points, tie.rule) == (("Ada", "Ben"), 4, "tickets")
    assert tie.measures == {"Ada": 1, "Ben": 0}


def test_of_three_on_equal_points_the_tie_is_told_of_the_first_two() -> None:
    """6 each: Ada 2 + 4 with one ticket, Ben 2 + 3 + 1 with two, Cleo 6 with none."""
    one = [{"points": 4, "completed": True}]
    two = [{"points": 3, "completed": True}, {"points": 1, "completed": True}]
    ada = {"name": "Ada", "route_lengths": {"2": 1}, "tickets": one}
    ben = {"name": "Ben", "route_lengths": {"2": 1}, "tickets": two}
    cleo = {"name": "Cleo", "route_lengths": {"2": 3}}
    tie = tie_of(score_game({"game": "paris", "players": [ada, ben, cleo]}))
    assert tie is not None
    assert (tie.level, tie.points) == (("Ada", "Ben", "Cleo"), 6)
    assert tie.measures == {"Ada": 1, "Ben": 2}


def test_germanys_tie_is_told_in_passengers() -> None:
    """The finished game of the rules' own tie-break: both on equal points and tickets."""
    path = next(one for one in GOLDEN if one.stem == "germany-tie-broken-by-passengers")
    tie = tie_of(golden_sheet(path)[0])
    assert tie is not None
    assert tie.rule == "passengers"
    assert tie.measures == {"Ada": 2, "Bo": 1}


def test_points_alone_are_no_tie() -> None:
    assert tie_of(france()) is None
