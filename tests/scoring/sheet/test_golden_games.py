"""Finished games worked out by hand: each `golden/*.json` has the arithmetic and the sheet."""

from collections import Counter
from typing import Any

import pytest

from scoring.sheet.sheet import score_game
from tests.support.golden import GOLDEN, read_golden, taught_board


@pytest.fixture(params=GOLDEN, ids=lambda path: path.stem)
def golden(request: pytest.FixtureRequest) -> dict[str, Any]:
    return read_golden(request.param)


def sheet_of(game: dict[str, Any], golden: dict[str, Any]) -> dict[str, Any]:
    return score_game(game, taught_board(golden)).to_json()


def test_the_sheet_is_the_one_worked_out_by_hand(golden: dict[str, Any]) -> None:
    sheet = sheet_of(golden["game"], golden)
    expected = golden["expect"]
    assert sheet["winners"] == expected["winners"]
    assert sheet["tie_break"] == expected["tie_break"]
    assert [v["code"] for v in sheet["violations"]] == expected["violations"]
    assert [player["name"] for player in sheet["players"]] == list(expected["players"])
    for player in sheet["players"]:
        _assert_player(player, expected["players"][player["name"]])


def _assert_player(player: dict[str, Any], expected: dict[str, Any]) -> None:
    trail = player["longest_path"]
    assert len(player["lines"]) == len(expected["lines"])
    for line, stated in zip(player["lines"], expected["lines"], strict=True):
        assert [line["kind"], line["points"], *_subject(line)][: len(stated)] == stated
    assert player["total"] == expected["total"]
    assert player["rank"] == expected["rank"]
    assert player["tickets_completed"] == expected["completed"]
    assert player["wagons_used"] == expected["wagons"]
    assert (None if trail is None else trail["length"]) == expected["longest"]
    tickets = [line["evidence"] for line in player["lines"] if line["kind"] == "ticket"]
    for evidence, path in zip(tickets, expected.get("paths", []), strict=False):
        assert evidence["path"] == (path or [])
    for evidence, missing in zip(tickets, expected.get("missing", []), strict=False):
        assert evidence.get("missing") == missing
    for evidence, countries in zip(tickets, expected.get("dead_ends", []), strict=False):
        assert evidence.get("dead_ends") == countries


def _subject(line: dict[str, Any]) -> list[str]:
    """The passengers' colour or the big city, which a stated line may name."""
    return [line[key] for key in ("colour", "city") if key in line]


def test_there_are_at_least_ten_of_each_game() -> None:
    played = Counter(read_golden(path)["game"]["game"] for path in GOLDEN)
    games = ("usa", "germany", "france", "paris", "card-game")
    assert min(played[game] for game in games) >= 10


def test_the_order_in_which_players_are_listed_changes_nobody_s_score(
    golden: dict[str, Any],
) -> None:
    game = golden["game"]
    backwards = {**game, "players": game["players"][::-1]}
    there, back = (sheet_of(each, golden)["players"] for each in (game, backwards))
    totals = {player["name"]: (player["total"], player["rank"]) for player in there}
    assert totals == {player["name"]: (player["total"], player["rank"]) for player in back}
