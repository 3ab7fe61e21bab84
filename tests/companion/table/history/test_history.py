"""Old evenings: what the log holds of them, through undo, restart, damage and the bin."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import cv2
import numpy as np
import pytest

from companion.log.copy import write_copy
from companion.log.file import read_log, write_log
from companion.log.paths import copy_of
from companion.log.rows import Row, chain_anew
from companion.log.store import LOG_NAME, EventStore
from companion.session.events import (
    Copied,
    Finished,
    PutAway,
    RouteCorrected,
    SeatedPlayer,
    Started,
    Undone,
)
from companion.session.json_values import LONGEST_S
from companion.session.log_events import ClockSet
from companion.table.history.history import RESULTS_NAME
from companion.table.history.picture import draw_map, draw_result, tie_break_of, width_of
from companion.table.table import Table
from scoring.board.board import Board, load_board
from scoring.game.mapless import mapless_games
from tests.companion.tables import ADA_AND_BEN, OPEN, new_table
from web.app import create_app
from web.drawing.board_svg import draw_board
from web.errors import ActionRefusedError
from web.exports import bg_stats_link
from web.history_port import EveningSummary, PlayerResult

DAY_S = 1_800_000_000.0
"""A day in 2027."""


def table_at(data: Path) -> Table:
    boards = (load_board("usa"), load_board("germany"), *mapless_games())
    return new_table(data, open_camera=None, boards=boards)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return table_at(tmp_path)


def play(table: Table, route: str = "denver--omaha", owner: str = "red") -> None:
    """Denver - Omaha is 4 wagons: 7 points and the longest path, 17."""
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("correct-route", {"route": route, "owner": owner})
    table.act("finish", {})


def totals(table: Table) -> list[dict[str, int]]:
    return [{p.name: p.total for p in one.players} for one in table.history.evenings()]


def restart(data: Path) -> Table:
    OPEN.pop().close()
    return table_at(data)


def test_a_finished_game_is_listed_while_it_still_lies_on_the_table(table: Table) -> None:
    assert table.history.evenings() == []
    play(table)
    (evening,) = table.history.evenings()
    assert totals(table) == [{"Ada": 17, "Ben": 0}]
    assert (evening.board, evening.winners, evening.is_current) == ("usa", ("Ada",), True)


def test_an_unfinished_game_is_no_evening(table: Table) -> None:
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("new-game", {})
    assert table.history.evenings() == []


def test_every_evening_is_kept_the_newest_first_and_so_after_a_restart(
    table: Table, tmp_path: Path
) -> None:
    play(table)
    table.act("new-game", {})
    play(table, owner="blue")
    table.act("start", {**ADA_AND_BEN, "camera": False})
    before = table.history.evenings()
    assert totals(table) == [{"Ada": 0, "Ben": 17}, {"Ada": 17, "Ben": 0}]
    after = restart(tmp_path).history.evenings()
    assert [(one.id, one.players, one.winners) for one in after] == [
        (one.id, one.players, one.winners) for one in before
    ]


class Clocks:
    """The clock of a box, and the seconds since it was switched on."""

    def __init__(self, at_s: float) -> None:
        self.at_s, self.since_start_s = at_s, 30.0

    def pass_s(self, seconds: float) -> None:
        self.at_s += seconds
        self.since_start_s += seconds


def clocked(data: Path, clocks: Clocks) -> Table:
    """A table whose clock is watched."""
    return new_table(
        data, open_camera=None, now=lambda: clocks.at_s, steady=lambda: clocks.since_start_s
    )


@pytest.mark.parametrize("when", ["during the game", "behind it", "behind the next one"])
def test_an_evening_has_its_day_once_the_clock_was_set(tmp_path: Path, when: str) -> None:
    """A box without a battery starts in the week in which it was switched off, DAY_S."""
    clocks, week_s = Clocks(DAY_S), 7 * 86_400.0
    table = clocked(tmp_path, clocks)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    clocks.pass_s(600.0)
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    clocks.at_s += week_s * (when == "during the game")
    clocks.pass_s(600.0)
    table.act("finish", {})
    clocks.at_s += week_s * (when == "behind it")
    if when == "behind the next one":
        play(table)
        clocks.at_s += week_s
        table.act("start", {**ADA_AND_BEN, "camera": False})

    first = table.history.evenings()[-1]
    assert (first.day_s, first.ended_s) == (DAY_S + week_s, DAY_S + week_s + 1200.0)
    assert {one.day_s - DAY_S > 6 * 86_400.0 for one in table.history.evenings()} == {True}
    listed = create_app(table).test_client().get("/history", headers={"Accept-Language": "en"})
    assert "22 January 2027" in listed.text
    assert "15 January 2027" not in listed.text
    assert '"durationMin":20' in unquote(bg_stats_link(first, "USA")), "both by one clock"
    again = restart(tmp_path).history.evenings()[-1]
    assert (again.id, again.day_s) == (first.id, first.day_s)


@pytest.mark.parametrize("when", ["during the game", "behind it"])
def test_an_evening_has_its_day_also_where_the_clock_was_first_set_wrongly(
    tmp_path: Path, when: str
) -> None:
    """By hand to a week later, an hour on back to the day that it had been all the time."""
    clocks, week_s = Clocks(DAY_S), 7 * 86_400.0
    table = clocked(tmp_path, clocks)
    play(table)
    if when == "behind it":
        table.act("new-game", {})
    clocks.at_s += week_s
    table.history.evenings()
    clocks.pass_s(3600.0)
    if when == "during the game":
        table.act("reopen", {})
    clocks.at_s -= week_s
    if when == "during the game":
        table.act("finish", {})
    (evening,) = table.history.evenings()
    ended_s = DAY_S + 3600.0 * (when == "during the game")
    assert (evening.day_s, evening.ended_s) == (DAY_S, ended_s)
    (again,) = restart(tmp_path).history.evenings()
    assert (again.day_s, again.ended_s) == (DAY_S, ended_s)


def test_a_game_of_an_evening_before_keeps_its_day(tmp_path: Path) -> None:
    """The box was off in between, and its clock is set in this evening's game."""
    clocks = Clocks(DAY_S)
    play(clocked(tmp_path, clocks))
    OPEN.pop().close()
    clocks = Clocks(DAY_S + 60.0)
    table = clocked(tmp_path, clocks)
    play(table)
    clocks.at_s += 86_400.0
    days = [one.day_s for one in table.history.evenings()]
    assert days == [DAY_S + 60.0 + 86_400.0, DAY_S]


def test_a_log_that_sets_the_clock_beyond_every_date_costs_no_list(tmp_path: Path) -> None:
    """As one from elsewhere may: the list for programs was a fault of the program for ever."""
    table = clocked(tmp_path, Clocks(DAY_S))
    play(table)
    (evening,) = table.history.evenings()
    for _ in range(60):
        table.evening.record(ClockSet((evening.id,), LONGEST_S))
    answer = create_app(table).test_client().get("/history.json")
    assert [one["evening"] for one in answer.get_json()] == [evening.id]


def test_a_box_that_slept_or_rests_a_day_has_set_no_clock(tmp_path: Path) -> None:
    clocks = Clocks(DAY_S)
    table = clocked(tmp_path, clocks)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    clocks.pass_s(86_400.0)
    clocks.at_s += 20.0  # a network puts it right by so much in a day
    table.act("finish", {})
    (evening,) = table.history.evenings()
    assert (evening.day_s, evening.ended_s) == (DAY_S, DAY_S + 86_420.0)


def test_a_clock_that_was_set_costs_no_undo_and_no_request(tmp_path: Path) -> None:
    clocks = Clocks(DAY_S)
    table = clocked(tmp_path, clocks)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    clocks.at_s += 86_400.0
    with pytest.raises(ActionRefusedError):
        table.act("correct-route", {"route": "denver--omaha", "owner": "pink"}, "tap")
    assert not table.was_done("tap")
    assert table.state()["routes"]["denver--omaha"]["owner"] == "red"
    table.act("undo", {})
    assert "denver--omaha" not in table.state()["routes"]


def test_the_last_game_stands_first_on_a_box_whose_clock_went_back(tmp_path: Path) -> None:
    """It lost its power after the first game, and has no battery for its clock."""
    times = iter((DAY_S, DAY_S + 60.0, 20.0, 80.0))
    seated = tuple(SeatedPlayer(**player) for player in ADA_AND_BEN["players"])
    with EventStore(tmp_path / LOG_NAME, now=lambda: next(times)) as store:
        for event in (Started("usa", seated, camera=False), Finished()) * 2:
            store.append(event)
    assert [one.began_s for one in table_at(tmp_path).history.evenings()] == [20.0, DAY_S]


def test_an_evening_has_the_day_at_which_the_clock_was_first_right(tmp_path: Path) -> None:
    """A box without a battery begins in 1970 and learns the time once it is in a network."""
    times = iter((20.0, 80.0, DAY_S, DAY_S + 600.0, 20.0, 80.0))
    seated = tuple(SeatedPlayer(**player) for player in ADA_AND_BEN["players"])
    start, route = Started("usa", seated, camera=False), RouteCorrected("denver--omaha", "red")
    with EventStore(tmp_path / LOG_NAME, now=lambda: next(times)) as store:
        for event in (start, route, route, Finished(), start, Finished()):
            store.append(event)
    table = table_at(tmp_path)
    never, learned = table.history.evenings()
    assert (learned.day_s, learned.began_s, never.day_s) == (DAY_S, 20.0, 20.0)
    client = create_app(table).test_client()
    listed = client.get("/history", headers={"Accept-Language": "en"}).text
    assert "15 January 2027" in listed
    assert "day unknown: the clock of the box was not set" in listed
    assert "1970" not in listed + client.get("/sheet", headers={"Accept-Language": "en"}).text
    assert [one["began"][:10] for one in client.get("/api/v1/history").json or ()] == [
        "1970-01-01",
        "2027-01-15",
    ]
    for one in (never, learned):
        assert client.get(f"/history/{one.id}/result.png").status_code == 200


def test_a_game_that_is_taken_up_again_is_one_evening(table: Table) -> None:
    """Put away, brought back by undo, corrected: Denver - Helena adds 4 wagons, 7 and 0 points."""
    play(table)
    table.act("new-game", {})
    table.act("undo", {"really": True})
    table.act("reopen", {})
    assert table.history.evenings() == []
    table.act("correct-route", {"route": "denver--helena", "owner": "red"})
    table.act("finish", {})
    assert totals(table) == [{"Ada": 24, "Ben": 0}]
    table.act("new-game", {})
    assert totals(table) == [{"Ada": 24, "Ben": 0}]


def test_a_game_that_only_comes_back_by_undo_keeps_its_end(tmp_path: Path) -> None:
    """Played for an hour; the next day somebody puts it away, and undoes that."""
    times = iter((DAY_S, DAY_S + 3600.0, DAY_S + 86_400.0, DAY_S + 86_410.0))
    seated = tuple(SeatedPlayer(**player) for player in ADA_AND_BEN["players"])
    with EventStore(tmp_path / LOG_NAME, now=lambda: next(times)) as store:
        for event in (Started("usa", seated, camera=False), Finished(), PutAway(), Undone()):
            store.append(event)
    (evening,) = table_at(tmp_path).history.evenings()
    assert (evening.began_s, evening.ended_s) == (DAY_S, DAY_S + 3600.0)


def test_a_start_that_is_taken_back_leaves_the_evening_before(table: Table) -> None:
    play(table)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("undo", {"really": True})
    assert totals(table) == [{"Ada": 17, "Ben": 0}]
    table.act("start", {**ADA_AND_BEN, "camera": False})
    assert totals(table) == [{"Ada": 17, "Ben": 0}]


def test_an_old_evening_opens_with_its_evidence(table: Table) -> None:
    play(table)
    table.act("new-game", {})
    (evening,) = table.history.evenings()
    opened = table.history.evening(evening.id)
    assert opened is not None
    ada = opened.sheet.players[0]
    assert ada.lines[0].evidence["routes"] == ["denver--omaha"]
    assert not opened.scores_otherwise
    assert table.history.evening("1") is None


def test_games_without_a_map_are_kept_too(table: Table) -> None:
    players = [{"name": "Ada", "colour": "blue"}, {"name": "Bo", "colour": "red"}]
    table.act("start", {"board": "any-map", "players": players, "camera": False})
    table.act("set-route-lengths", {"player": "blue", "route_lengths": {"3": 2}})
    table.act("finish", {})
    assert totals(table) == [{"Ada": 8, "Bo": 0}]
    opened = table.history.evening(table.history.evenings()[0].id)
    assert opened is not None
    assert opened.sheet.players[0].total == 8


TICKET = "denver--el-paso"
USA = load_board("usa")
WITHOUT_DENVER_OMAHA = replace(USA, routes=tuple(r for r in USA.routes if r.id != "denver--omaha"))
WITHOUT_THE_TICKET = replace(USA, tickets=tuple(t for t in USA.tickets if t.id != TICKET))
"""The board as it might be taught anew after the game."""


@pytest.mark.parametrize("changed", [WITHOUT_DENVER_OMAHA, WITHOUT_THE_TICKET])
def test_a_board_changed_after_a_game_leaves_the_evening_s_result(
    table: Table, tmp_path: Path, changed: Board
) -> None:
    """Its sheet can't be opened any more.

    Ada: 4 wagons, 7 points, and a ticket of 4 that is not completed. Ben: 5 wagons, 10 points, and
    the longest path.
    """
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    table.act("correct-route", {"route": "atlanta--miami", "owner": "blue"})
    table.act("add-ticket", {"player": "red", "ticket": TICKET})
    table.act("finish", {})
    (evening,) = table.history.evenings()
    before = totals(table)
    assert before == [{"Ada": 3, "Ben": 20}]
    table.act("new-game", {})
    table.offer(changed)
    for now in (table, None):
        if now is None:
            OPEN.pop().close()
            now = new_table(tmp_path, open_camera=None, boards=(changed,))
            assert now.state()["notices"] == []
        assert totals(now) == before
        client = create_app(now).test_client()
        assert client.get("/history").status_code == 200
        for page in ("", "/evening.json", "/result.png", "/dispute", "/what-if", "/reveal"):
            answer = client.get(f"/history/{evening.id}{page}")
            assert answer.status_code == 404
            assert "was changed since" in answer.text


def test_a_game_whose_board_was_changed_is_not_taken_up_again(table: Table) -> None:
    """An undo would lead back to it: the board in play would lack what lies on it."""
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("add-ticket", {"player": "red", "ticket": TICKET})
    table.act("new-game", {})
    table.offer(WITHOUT_THE_TICKET)
    with pytest.raises(ActionRefusedError, match="was changed since that game"):
        table.act("undo", {"really": True})
    assert table.state()["phase"] == "start"
    table.offer(USA)
    table.act("undo", {"really": True})
    assert len(table.state()["tickets"]["red"]) == 1


def test_what_was_taken_back_before_a_restart_takes_back_nothing_else_on_another_board(
    table: Table, tmp_path: Path
) -> None:
    """Denver - Omaha is no longer on the board: its undo has nothing to take back."""
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("correct-route", {"route": "atlanta--miami", "owner": "blue"})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    table.act("undo", {})
    OPEN.pop().close()
    again = new_table(tmp_path, open_camera=None, boards=(WITHOUT_DENVER_OMAHA,))
    owners = {route: one["owner"] for route, one in again.state()["routes"].items()}
    assert owners == {"atlanta--miami": "blue"}


def test_the_next_game_is_played_on_the_board_as_it_was_taught_last(table: Table) -> None:
    """Also where the game before was on it and lies on the table still, finished."""
    play(table)
    table.offer(WITHOUT_DENVER_OMAHA)
    assert totals(table) == [{"Ada": 17, "Ben": 0}]
    assert table.moment().board is not WITHOUT_DENVER_OMAHA
    table.act("start", {**ADA_AND_BEN, "camera": False})
    assert table.moment().board is WITHOUT_DENVER_OMAHA
    with pytest.raises(ActionRefusedError, match="no route"):
        table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    assert totals(table) == [{"Ada": 17, "Ben": 0}]


def test_delete_and_restore_survive_a_restart_and_an_undo_leaves_them_alone(
    table: Table, tmp_path: Path
) -> None:
    play(table)
    table.act("new-game", {})
    (evening,) = table.history.evenings()
    table.act("delete-evening", {"evening": evening.id})
    assert table.history.evenings()[0].is_deleted
    table.act("undo", {"really": True})  # brings the game back, not the evening out of the bin
    assert table.state()["phase"] == "sheet"
    assert table.history.evenings()[0].is_deleted
    table = restart(tmp_path)
    assert table.history.evenings()[0].is_deleted
    table.act("restore-evening", {"evening": evening.id})
    assert not table.history.evenings()[0].is_deleted


def test_a_copy_that_is_saved_later_makes_no_evening_longer(table: Table) -> None:
    table.act("start", {**ADA_AND_BEN, "camera": False})
    play(table)
    before = table.history.evenings()
    table.evening.record(Copied())
    assert table.history.evenings() == before
    assert table.state()["undo_step"] is not None, "the finished game's own steps are kept"


def test_only_what_is_there_can_be_deleted_or_restored(table: Table) -> None:
    play(table)
    (evening,) = table.history.evenings()
    for action, id in (
        ("delete-evening", "1"),
        ("restore-evening", evening.id),
        ("restore-evening", "1"),
    ):
        with pytest.raises(ActionRefusedError):
            table.act(action, {"evening": id})


def test_results_are_kept_and_worked_out_again_where_the_file_is_gone_or_damaged(
    table: Table, tmp_path: Path
) -> None:
    play(table)
    table.act("new-game", {})
    known = table.history.evenings()
    path = tmp_path / RESULTS_NAME
    written = json.loads(path.read_text("utf-8"))
    assert list(written["evenings"]) == [known[0].id]
    for damage in (None, b"", b"{", b'{"format": 1, "evenings": {"1": 5}}', b"[]"):
        path.unlink() if damage is None else path.write_bytes(damage)
        table = restart(tmp_path)
        assert [one.players for one in table.history.evenings()] == [known[0].players]
        assert json.loads(path.read_text("utf-8")) == written


def test_a_result_that_a_worn_card_has_changed_is_worked_out_again(
    table: Table, tmp_path: Path
) -> None:
    """One bit makes 57 of 17 points; nothing else of the file tells."""
    play(table)
    table.act("new-game", {})
    table.history.evenings()
    path = tmp_path / RESULTS_NAME
    written = path.read_bytes()
    path.write_bytes(written.replace(b'"total": 17', b'"total": 57'))
    table = restart(tmp_path)
    assert totals(table) == [{"Ada": 17, "Ben": 0}]
    assert path.read_bytes() == written


def test_a_result_of_before_a_correction_is_not_that_of_after_it(
    table: Table, tmp_path: Path
) -> None:
    """The file of results is written without haste: a power cut leaves the one of before."""
    play(table)
    table.act("new-game", {})
    assert totals(table) == [{"Ada": 17, "Ben": 0}]
    before = (tmp_path / RESULTS_NAME).read_bytes()
    table.act("undo", {"really": True})
    table.act("reopen", {})
    table.act("correct-route", {"route": "denver--helena", "owner": "red"})
    table.act("finish", {})
    table.act("new-game", {})
    (tmp_path / RESULTS_NAME).write_bytes(before)
    assert totals(restart(tmp_path)) == [{"Ada": 24, "Ben": 0}]


def test_a_pipe_in_the_place_of_the_results_is_not_waited_for(table: Table, tmp_path: Path) -> None:
    play(table)
    table.act("new-game", {})
    (tmp_path / RESULTS_NAME).unlink(missing_ok=True)
    os.mkfifo(tmp_path / RESULTS_NAME)
    assert totals(restart(tmp_path)) == [{"Ada": 17, "Ben": 0}]


@pytest.mark.parametrize(
    "damage", [{"total": "17"}, {"name": ["Ada"]}, {"colour": None}, {"rank": 1.5}]
)
def test_an_earlier_versions_results_are_read_where_they_make_sense(
    table: Table, tmp_path: Path, damage: dict[str, Any]
) -> None:
    """They had no seal; their points are those of that evening and stay."""
    play(table)
    table.act("new-game", {})
    table.history.evenings()
    path = tmp_path / RESULTS_NAME
    written = json.loads(path.read_text("utf-8"))
    del written["seal"]
    (evening,) = written["evenings"].values()
    evening["players"][0]["total"] = 18
    path.write_text(json.dumps(written), "utf-8")
    assert totals(restart(tmp_path)) == [{"Ada": 18, "Ben": 0}]
    evening["players"][0] |= damage
    path.write_text(json.dumps(written), "utf-8")
    assert totals(restart(tmp_path)) == [{"Ada": 17, "Ben": 0}]


def test_a_result_that_stands_in_the_file_is_not_scored_again(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(table)
    table.act("new-game", {})
    table.history.evenings()
    table = restart(tmp_path)

    def refuse(self: object, kept: object) -> None:
        raise AssertionError("scored again")

    monkeypatch.setattr("companion.table.history.history.History._sheet", refuse)
    assert totals(table) == [{"Ada": 17, "Ben": 0}]


def test_the_log_is_never_rewritten(table: Table) -> None:
    play(table)
    table.act("new-game", {})
    before = table._evening._store.dated_entries()
    table.history.evenings()
    assert table._evening._store.dated_entries() == before


def test_a_log_that_was_rescued_keeps_the_evenings_names(table: Table, tmp_path: Path) -> None:
    """Rows get new numbers when a damaged log is saved; an evening in the bin stays there."""
    play(table)
    table.act("new-game", {})
    (evening,) = table.history.evenings()
    table.act("delete-evening", {"evening": evening.id})
    OPEN.pop().close()
    path = tmp_path / LOG_NAME
    rows = read_log(path)[1]
    first = Row(0, rows[0].at - 60, "from-the-future", "{}", "", "")
    moved = chain_anew([first, *rows])
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write_log(elsewhere / LOG_NAME, moved)
    write_copy(copy_of(elsewhere / LOG_NAME), moved)
    (again,) = table_at(elsewhere).history.evenings()
    assert (again.id, again.is_deleted) == (evening.id, True)
    shutil.rmtree(elsewhere, ignore_errors=True)


def summary(*names: str) -> EveningSummary:
    players = tuple(
        PlayerResult(name, colour, 40 - 10 * n, n + 1, 2, 12)
        for n, (name, colour) in enumerate(zip(names, ("red", "white", "black"), strict=False))
    )
    return EveningSummary("1", "usa", 1.6e9, 1.6e9 + 3600, players, names[:1])


def test_the_picture_shows_a_name_with_its_accents() -> None:
    """A name with an accent has ink above its letters where the same name without has none."""
    plain = draw_result(summary("Zoe", "Bo"), "USA", "en")
    accented = draw_result(summary("Zoë", "Bo"), "USA", "en")
    assert plain.shape == accented.shape
    assert plain.dtype == np.uint8
    if hasattr(cv2, "FontFace"):
        assert (plain != accented).any()
        question = draw_result(summary("Zo?", "Bo"), "USA", "en")
        assert (question != accented).any()


def test_a_long_name_becomes_smaller_and_stays_on_the_picture() -> None:
    wide = draw_result(summary("W" * 24, "Bo"), "USA", "en")
    assert (wide[:, -20:] == wide[-5, -5]).all(axis=2)[350:].all()  # the right margin stays empty
    assert width_of("W" * 24, 44) > 560


def test_the_picture_shows_the_board_with_everybodys_wagons(table: Table) -> None:
    """Denver - Omaha is red on the map; without a map the picture is as much shorter."""
    play(table)
    opened = table.history.evening(table.history.evenings()[0].id)
    assert opened is not None
    drawn = draw_map(opened)
    assert drawn is not None
    (box, *_) = next(
        route for route in draw_board(opened.board).routes if route.id == "denver--omaha"
    ).boxes
    scale = drawn.shape[1] / opened.board.frame.size_mm[0]
    assert drawn[round(box.y * scale), round(box.x * scale)].tolist() == [255] * 3, "red's shape"
    corner_x, corner_y = box.corners[0]
    x, y = (box.x + 2 * corner_x) / 3, (box.y + 2 * corner_y) / 3
    blue, green, red = drawn[round(y * scale), round(x * scale)].tolist()
    assert red > 150 > max(blue, green)
    whole = draw_result(opened.summary, "USA", "en", drawn)
    assert whole.shape[0] - draw_result(opened.summary, "USA", "en").shape[0] > drawn.shape[0]


def test_the_picture_of_a_tie_says_what_decided_it(table: Table) -> None:
    """Ada and Ben hold nothing, 0 to 0: level in everything. The words stand beside the date."""
    table.act("start", {**ADA_AND_BEN, "camera": False})
    table.act("finish", {})
    opened = table.history.evening(table.history.evenings()[0].id)
    assert opened is not None
    reason = tie_break_of(opened, "it")
    assert reason == "Parità in tutto: la vittoria è condivisa."
    silent = draw_result(opened.summary, "USA", "it")
    told = draw_result(opened.summary, "USA", "it", None, reason)
    beside_the_date = np.s_[195:240, 450:1000]
    assert len(np.unique(silent[beside_the_date].reshape(-1, 3), axis=0)) == 1
    assert (told[beside_the_date] != silent[beside_the_date]).any()
    assert (told[:, 1016:] == silent[:, 1016:]).all(), "the right margin stays empty"


def test_the_picture_is_a_png(table: Table) -> None:
    play(table)
    (evening,) = table.history.evenings()
    image = table.history.picture(evening.id, "it")
    assert image is not None
    assert image.startswith(b"\x89PNG")
    decoded = cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape[1] == 1080
    assert table.history.picture("1", "it") is None


def play_as(table: Table, first: str, second: str, route: str = "denver--omaha") -> None:
    """The first player is red and holds the route."""
    players = [{"name": first, "colour": "red"}, {"name": second, "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    table.act("correct-route", {"route": route, "owner": "red"})
    table.act("finish", {})
    table.act("new-game", {})


def test_two_names_become_one_person_and_two_again_also_after_a_restart(
    table: Table, tmp_path: Path
) -> None:
    play_as(table, "Ana", "Ben")
    play_as(table, "Anna", "Ben", "duluth--helena")
    table.act("join-names", {"alias": "ana", "person": "Anna"})
    assert totals(table) == [{"Anna": 25, "Ben": 0}, {"Anna": 17, "Ben": 0}]
    table = restart(tmp_path)
    first = table.history.evenings()[1]
    assert first.winners == ("Anna",)
    assert totals(table) == [{"Anna": 25, "Ben": 0}, {"Anna": 17, "Ben": 0}]
    opened = table.history.evening(first.id)
    assert opened is not None
    assert not opened.scores_otherwise
    assert [one.name for one in opened.sheet.players] == ["Anna", "Ben"]
    table.act("part-names", {"alias": "Ana"})
    table = restart(tmp_path)
    assert totals(table) == [{"Anna": 25, "Ben": 0}, {"Ana": 17, "Ben": 0}]


def test_an_undo_of_a_game_leaves_joined_names_alone(table: Table) -> None:
    play_as(table, "Ana", "Ben")
    play_as(table, "Anna", "Ben")
    table.act("join-names", {"alias": "Ana", "person": "Anna"})
    table.act("undo", {"really": True})
    assert table.state()["phase"] == "sheet"
    assert table.history.joined_names() == [("Ana", "Anna")]


def test_a_third_name_joins_both_and_each_can_be_parted(table: Table) -> None:
    for name in ("Ana", "Anna", "Anna Maria"):
        play_as(table, name, "Ben")
    table.act("join-names", {"alias": "Ana", "person": "Anna"})
    table.act("join-names", {"alias": "Ana", "person": "Anna Maria"})
    assert totals(table) == [{"Anna Maria": 17, "Ben": 0}] * 3
    table.act("part-names", {"alias": "Anna"})
    assert [next(iter(one)) for one in totals(table)] == ["Anna Maria", "Anna", "Anna"]


@pytest.mark.parametrize("gone", [True, False])
def test_two_who_have_met_are_two_people_also_where_that_evening_is_in_the_bin(
    table: Table, gone: bool
) -> None:
    play_as(table, "Ana", "Anna")
    play_as(table, "Ana", "Ben")
    play_as(table, "Anna", "Ben")
    if gone:
        table.act("delete-evening", {"evening": table.history.evenings()[2].id})
    with pytest.raises(ActionRefusedError, match="two people"):
        table.act("join-names", {"alias": "Ana", "person": "Anna"})


def test_two_who_play_now_are_two_people(table: Table) -> None:
    play_as(table, "Ana", "Ben")
    play_as(table, "Anna", "Ben")
    players = [{"name": "Ana", "colour": "red"}, {"name": "Anna", "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    with pytest.raises(ActionRefusedError, match="two people"):
        table.act("join-names", {"alias": "Ana", "person": "Anna"})


def test_whoever_met_only_after_the_names_were_joined_keeps_the_typed_name_there(
    table: Table,
) -> None:
    play_as(table, "Ana", "Ben")
    play_as(table, "Anna", "Ben")
    table.act("join-names", {"alias": "Ana", "person": "Anna"})
    play_as(table, "Ana", "Anna")
    assert totals(table) == [
        {"Ana": 17, "Anna": 0},
        {"Anna": 17, "Ben": 0},
        {"Anna": 17, "Ben": 0},
    ]


def test_names_that_nobody_had_and_one_person_twice_are_refused(table: Table) -> None:
    play_as(table, "Ana", "Ben")
    play_as(table, "Anna", "Ben")
    table.act("join-names", {"alias": "Ana", "person": "Anna"})
    for alias, person, why in (
        ("Zoe", "Anna", "no finished evening"),
        ("Anna", "Zoe", "no finished evening"),
        ("Ana", "Anna", "already"),
        ("Anna", "ANA", "already"),
    ):
        with pytest.raises(ActionRefusedError, match=why):
            table.act("join-names", {"alias": alias, "person": person})
    with pytest.raises(ActionRefusedError, match="no other name"):
        table.act("part-names", {"alias": "Ben"})
