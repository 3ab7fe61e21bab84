"""Finished games worked out by hand: each `golden/*.json` has the arithmetic and the sheet."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.sheet.sheet import score_game

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.fixture(params=GOLDEN, ids=lambda path: path.stem)
def golden(request: pytest.FixtureRequest) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(request.param.read_text("utf-8"))
    return document


def test_the_sheet_is_the_one_worked_out_by_hand(golden: dict[str, Any]) -> None:
    sheet = score_game(golden["game"]).to_json()
    expected = golden["expect"]
    assert sheet["winners"] == expected["winners"]
    assert sheet["tie_break"] == expected["tie_break"]
    assert [v["code"] for v in sheet["violations"]] == expected["violations"]
    assert [player["name"] for player in sheet["players"]] == list(expected["players"])
    for player in sheet["players"]:
        _assert_player(player, expected["players"][player["name"]])


def _assert_player(player: dict[str, Any], expected: dict[str, Any]) -> None:
    trail = player["longest_path"]
    assert [[line["kind"], line["points"]] for line in player["lines"]] == expected["lines"]
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


def test_there_are_at_least_twelve_of_them() -> None:
    assert len(GOLDEN) >= 12


def test_the_order_in_which_players_are_listed_changes_nobody_s_score(
    golden: dict[str, Any],
) -> None:
    game = golden["game"]
    backwards = {**game, "players": game["players"][::-1]}
    there, back = (score_game(each).to_json()["players"] for each in (game, backwards))
    totals = {player["name"]: (player["total"], player["rank"]) for player in there}
    assert totals == {player["name"]: (player["total"], player["rank"]) for player in back}
