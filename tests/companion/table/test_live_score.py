"""The sheet in play: scored once for each state, and the same by every way to it."""

from pathlib import Path
from typing import Any

import pytest

from companion.session.events import (
    Event,
    PassengersSet,
    RouteCorrected,
    SeatedPlayer,
    SettingsSet,
    Started,
    TicketsSet,
    TypedSet,
)
from companion.session.reducer import fold
from companion.table import live_score
from companion.table.live_score import game_json, game_of
from scoring.board.board import load_board
from scoring.documents.game import parse_game
from scoring.errors import GameError
from scoring.game.game import Game
from tests.companion.tables import ADA_AND_BEN, USA, ToldEye, new_table, unsure
from web.app import create_app

GERMANY = load_board("germany")
TYPED = {"from": "denver", "to": "omaha", "points": 5}
USA_START = Started("usa", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue")))
GERMANY_START = Started("germany", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "white")))
ROUTES = [RouteCorrected("denver--omaha", "red"), RouteCorrected("atlanta--miami", "blue")]


@pytest.mark.parametrize(
    "events",
    [
        [USA_START],
        [USA_START, *ROUTES],
        [USA_START, *ROUTES, TicketsSet("red", ("denver--el-paso", "chicago--atlanta"))],
        [USA_START, *ROUTES, TicketsSet("red", ("denver--el-paso", TYPED))],
        [USA_START, *ROUTES, SettingsSet({"globetrotter-needs-a-ticket": False})],
        [USA_START, *ROUTES, TypedSet("red", "marker", 12)],
        [GERMANY_START, PassengersSet("red", {"green": 2}), PassengersSet("white", {})],
    ],
)
def test_the_state_is_the_same_game_as_its_exported_document(events: list[Event]) -> None:
    state = fold(events)
    board = GERMANY if state.facts.board == "germany" else USA
    assert game_of(state, board) == parse_game(game_json(state, board), board, shared_tickets=True)


@pytest.mark.parametrize(
    "event",
    [
        TicketsSet("red", ("denver--el-paso", "denver--el-paso")),
        TypedSet("red", "flags", 2),
        SettingsSet({"globetrotter-needs-a-ticket": "perhaps"}),
    ],
)
def test_a_contradiction_is_found_by_both_ways_with_the_same_words(event: Event) -> None:
    state = fold([USA_START, event])
    with pytest.raises(GameError) as direct:
        game_of(state, USA)
    with pytest.raises(GameError) as by_document:
        parse_game(game_json(state, USA), USA, shared_tickets=True)
    assert direct.value.in_language("it") == by_document.value.in_language("it")


def test_the_sheet_after_an_entry_is_scored_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checking the entry, asking in order, lighting the lamps and the panel need the same one."""
    table = new_table(tmp_path, ToldEye({"denver--omaha": unsure("red", None)}))
    table.act("start", ADA_AND_BEN)
    table.state()
    scored = list[Game]()

    def score(game: Game) -> Any:
        scored.append(game)
        return real(game)

    real = live_score.score
    monkeypatch.setattr(live_score, "score", score)
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    table.state()
    table.state()
    assert len(scored) == 1


def test_a_tap_is_checked_without_the_panels_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_table(tmp_path)
    table.act("start", ADA_AND_BEN)

    def fail(view: object) -> Any:
        raise AssertionError("the whole state was built")

    monkeypatch.setattr("companion.table.table.snapshot", fail)
    client = create_app(table).test_client()
    ticket = {"player": "red", "ticket": "denver--el-paso"}
    assert client.post("/api/act/add-ticket", json=ticket).status_code == 200
    wrong = client.post("/api/act/add-ticket", json={"player": "green", "ticket": "x"})
    assert wrong.status_code == 400
