"""A table shows the round that the hub tells it, and nothing that is no round."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.relay.round_word import round_from_json, round_to_json
from tests.companion.tables import game_by_hand
from web.app import create_app
from web.table_state import ClubRound

ROUND = ClubRound(tournament="Spring cup", number=2, table="3", ends_s=1_750_000_000.0)


def test_a_round_comes_as_it_was_sent_and_an_empty_word_ends_it() -> None:
    assert round_from_json(round_to_json(ROUND).encode()) == ROUND
    assert round_from_json(round_to_json(None).encode()) is None


@pytest.mark.parametrize(
    "odd",
    [
        {"number": "2"},
        {"number": True},
        {"number": 0},
        {"ends_s": 1e300},
        {"ends_s": float("nan")},
        {"ends_s": None},
        {"tournament": 3},
        {"table": "a\nb"},
    ],
)
def test_what_is_no_round_is_none(odd: dict[str, Any]) -> None:
    assert round_from_json(json.dumps({**ROUND, **odd}).encode()) is None
    assert round_from_json(b"\xff") is None
    assert round_from_json(b"[" * 100_000) is None


def test_the_panel_shows_the_round_until_it_is_over(tmp_path: Path) -> None:
    table = game_by_hand(tmp_path)
    client, version = create_app(table).test_client(), table.state()["version"]
    assert "Spring cup" not in client.get("/tickets").text
    table.show_round(ROUND)
    assert table.state()["version"] > version, "open pages hear of it"
    page = client.get("/tickets").text
    assert "Spring cup, round 2 (3): until " in page
    assert 'data-ends="1750000000.0"' in page
    table.show_round(None)
    assert "Spring cup" not in client.get("/tickets").text
