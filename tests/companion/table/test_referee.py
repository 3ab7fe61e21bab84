"""The referee at the table: what is told, when, with figures worked out by hand."""

from pathlib import Path
from typing import Any

import pytest

from companion.session.events import RouteProposal
from companion.table.camera_feed import CameraFeed
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.companion.tables import (
    ADA_AND_BEN,
    OPEN,
    GreyCamera,
    ToldEye,
    game_by_hand,
    new_table,
    notices,
    scanned,
    sure,
    unsure,
)
from web.errors import ActionRefusedError

FORTY_THREE = {
    # Lengths printed on the board: 6 + 6 + 6 + 6 + 6 + 6 + 5 + 2 = 43 of 45 wagons.
    "duluth--helena": 6,
    "helena--seattle": 6,
    "calgary--winnipeg": 6,
    "el-paso--houston": 6,
    "el-paso--los-angeles": 6,
    "miami--new-orleans": 6,
    "atlanta--miami": 5,
    "duluth--omaha-1": 2,
}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return game_by_hand(tmp_path)


def give(table: Table, colour: str | None, *routes: str) -> None:
    for route in routes:
        table.act("correct-route", {"route": route, "owner": colour})


def codes(table: Table) -> list[str]:
    return [remark["code"] for remark in table.state()["check"]["remarks"]]


def test_the_last_round_is_told_with_whose_turn_is_the_last(table: Table) -> None:
    board = load_board("usa")
    assert {name: board.route_by_id[name].length for name in FORTY_THREE} == FORTY_THREE
    *most, last = FORTY_THREE
    give(table, "red", *most)
    assert notices(table) == [], "41 of 45 lie: four are left"
    give(table, "red", last)
    (told,) = table.state()["notices"]
    assert (told["key"], told["values"]) == (
        "scoring.remark.last-round",
        {"who": "Ada (2)", "turns": ("Ben, Ada"), "last": "Ada"},
    )


def test_who_got_down_to_two_first_has_the_last_turn_although_another_follows(
    table: Table,
) -> None:
    give(table, "blue", *FORTY_THREE)
    left = 45
    for route in load_board("usa").routes:
        is_free = route.id not in FORTY_THREE and route.parallel_group is None
        if is_free and left - route.length >= 0 and left > 2:
            give(table, "red", route.id)
            left -= route.length
    assert left <= 2
    (told,) = [n["values"] for n in table.state()["notices"] if "last-round" in n["key"]]
    assert (told["who"], told["last"]) == (f"Ada ({left}), Ben (2)", "Ben")


def test_a_last_round_that_hangs_on_an_open_question_is_told_as_one(tmp_path: Path) -> None:
    """Seven routes of Ada's, 41 of 45 wagons, are sure: 4 are left, and 2 with the one asked."""
    *most, last = FORTY_THREE
    seen = {**dict.fromkeys(most, sure("red")), last: unsure("red", "blue")}
    seen["denver--omaha"] = unsure("blue", None)  # with which the board stays the page
    table = new_table(tmp_path, ToldEye(seen))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    (told,) = table.state()["notices"]
    assert told["key"] == "scoring.remark.last-round-asked"
    assert (told["values"]["who"], told["routes"]) == ("Ada (2)", [last])
    table.act("confirm-route", {"route": last})
    assert notices(table) == ["scoring.remark.last-round"]
    table.act("undo", {})
    table.act("correct-route", {"route": last, "owner": "blue"})
    assert notices(table) == []


def test_who_has_the_last_turn_is_left_open_as_long_as_a_question_may_give_it_to_another(
    tmp_path: Path,
) -> None:
    """Ada has 45 - 43 = 2 wagons left for sure; Ben's 41 and the 2 asked about are 43 too."""
    forty_one = ["duluth--toronto", "portland--salt-lake-city", "sault-st-marie--winnipeg"]  # of 6
    forty_one += ["denver--phoenix", "el-paso--oklahoma-city", "helena--omaha"]  # of 5
    forty_one += ["montreal--sault-st-marie", "calgary--vancouver"]  # of 5 and of 3
    seen = {**dict.fromkeys(FORTY_THREE, sure("red")), **dict.fromkeys(forty_one, sure("blue"))}
    seen["denver--santa-fe"] = unsure("blue", None)  # of 2
    seen["atlanta--nashville"] = unsure(None, "blue")  # with which the board stays the page
    table = new_table(tmp_path, ToldEye(seen))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    (told,) = table.state()["notices"]
    assert (told["key"], told["values"]["who"]) == ("scoring.remark.last-round-open", "Ada (2)")
    table.act("correct-route", {"route": "denver--santa-fe", "owner": None})
    (told,) = table.state()["notices"]
    assert (told["values"]["who"], told["values"]["last"]) == ("Ada (2)", "Ada")


def test_a_closed_double_says_so_at_its_own_page_and_is_no_notice(table: Table) -> None:
    give(table, "red", "dallas--houston-1")
    closed = table.state()["closed"]
    assert list(closed) == ["dallas--houston-2"]
    assert notices(table) == []
    give(table, None, "dallas--houston-1")
    assert table.state()["closed"] == {}


def test_wagons_left_are_asked_and_a_count_that_differs_leads_to_the_least_certain(
    tmp_path: Path,
) -> None:
    """Ada has 4 + 5 + 1 of 45 on the board, so 35 left; with 39 the 4 of Denver are too many."""
    unsure = RouteProposal("red", 0.71, review=False, alternatives=(("red", 0.71), (None, 0.29)))
    seen = {
        "atlanta--miami": sure("red"),
        "denver--omaha": unsure,
        "dallas--houston-1": sure("red"),
        "calgary--helena": RouteProposal(None, 0.8, False, ((None, 0.8), ("blue", 0.2))),
    }
    table = new_table(tmp_path, ToldEye(seen))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    wagons = table.state()["check"]["wagons"]
    assert [(one["colour"], one["left"], one["counted"]) for one in wagons] == [
        ("red", 35, None),
        ("blue", 45, None),
    ]
    table.act("count-wagons", {"player": "red", "wagons": 39})
    table.act("count-wagons", {"player": "blue", "wagons": 41})
    red, blue = table.state()["check"]["wagons"]
    assert red["suspects"][0] == "denver--omaha"
    assert blue["suspects"] == ["calgary--helena"], "the only one that the camera half gave to Ben"
    assert codes(table).count("wagons-differ") == 2
    table.act("correct-route", {"route": "denver--omaha", "owner": None})
    table.act("correct-route", {"route": "calgary--helena", "owner": "blue"})
    assert "wagons-differ" not in codes(table), "39 and 41 are left now"


def test_a_slip_of_the_finger_is_among_the_routes_that_a_wrong_count_leads_to(
    tmp_path: Path,
) -> None:
    """Ada has 5 + 4 + 4 of 45 on the board, so 32 left; with 36 Calgary - Helena is too much.

    Ben has 45 left; with 41 he misses the 4 of Denver, which the camera saw as his.
    """
    free = RouteProposal(None, 0.89, True, ((None, 0.89), ("red", 0.07)))
    seen = {"atlanta--miami": sure("red"), "calgary--helena": free, "denver--omaha": sure("blue")}
    table = new_table(tmp_path, ToldEye(seen))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    table.act("correct-route", {"route": "calgary--helena", "owner": "red"})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    table.act("count-wagons", {"player": "red", "wagons": 36})
    table.act("count-wagons", {"player": "blue", "wagons": 41})
    red, blue = table.state()["check"]["wagons"]
    assert red["suspects"] == ["denver--omaha", "calgary--helena", "atlanta--miami"]
    assert blue["suspects"] == ["denver--omaha"]


def test_that_nobody_ended_waits_for_the_open_questions(tmp_path: Path) -> None:
    """The doubtful route may be the one that somebody ended the game with."""
    seen = {"atlanta--miami": sure("red"), "denver--omaha": unsure("blue", None)}
    table = new_table(tmp_path, ToldEye(seen))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    assert "nobody-ended" not in codes(table)
    table.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    assert "nobody-ended" in codes(table)


def test_too_few_tickets_and_markers_are_told_before_the_sheet(table: Table) -> None:
    """Atlanta - Miami gives Ada 10 points and Denver - Omaha 7: her marker belongs to 17."""
    give(table, "red", "atlanta--miami", "denver--omaha")
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    table.act("set-markers", {"markers": {"red": 17, "blue": 3}})
    assert table.state()["markers"]["red"] == {"marker": 17, "expected": 17, "difference": 0}
    assert table.state()["markers"]["blue"] == {"marker": 3, "expected": 0, "difference": 3}
    assert codes(table) == ["marker", "few-tickets", "no-tickets", "nobody-ended"]
    table.act("set-markers", {"markers": {}})
    table.act("set-settings", {"settings": {"fewest-tickets": 0}})
    assert codes(table) == ["no-tickets", "nobody-ended"]


def test_what_still_stood_at_the_end_is_known_to_the_sheet(table: Table) -> None:
    give(table, "red", *FORTY_THREE)
    table.act("add-ticket", {"player": "red", "ticket": "boston--miami"})
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    table.act("add-ticket", {"player": "blue", "ticket": "denver--el-paso"})
    table.act("add-ticket", {"player": "blue", "ticket": "los-angeles--miami"})
    table.act("finish", {})
    assert codes(table) == ["ticket-shared"]


def test_a_ticket_in_two_hands_is_told_once_all_are_in_and_names_nobody(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=None)
    names = (("Ada", "red"), ("Ben", "blue"), ("Cleo", "green"))
    players = [{"name": name, "colour": colour} for name, colour in names]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    for colour in ("red", "blue"):
        table.act("add-ticket", {"player": colour, "ticket": "denver--el-paso"})
    assert "ticket-shared" not in codes(table)
    table.act("add-ticket", {"player": "green", "ticket": "boston--miami"})
    (told,) = [r for r in table.state()["check"]["remarks"] if r["code"] == "ticket-shared"]
    assert (told["players"], told["message"]["values"]) == ([], {})


def test_more_tickets_than_the_set_holds_are_told_without_any_hand(table: Table) -> None:
    """USA has 69 tickets; with one typed there are 70."""
    everything = [ticket.id for ticket in load_board("usa").tickets]
    assert len(everything) == 69
    typed = {"from": "denver", "to": "miami", "points": 13}
    table.act("set-tickets", {"player": "red", "tickets": [*everything, typed]})
    (told,) = [n for n in table.state()["notices"] if "too-many-tickets" in n["key"]]
    assert {k: told["values"][k] for k in ("total", "most", "players", "routes")} == {
        "total": 70,
        "most": 69,
        "players": "",
        "routes": "",
    }


def test_settings_decide_the_sheet_and_a_wrong_one_is_refused(table: Table) -> None:
    """Nobody has a route: by default nobody gets the longest path, else both get its 10."""

    def totals() -> list[int]:
        table.act("finish", {})
        sheet: Any = table.state()["sheet"]
        table.act("reopen", {})
        return [player["total"] for player in sheet["players"]]

    assert totals() == [0, 0]
    table.act("set-settings", {"settings": {"longest-path-needs-a-route": False}})
    assert totals() == [10, 10]
    with pytest.raises(ActionRefusedError):
        table.act("set-settings", {"settings": {"no-such-setting": True}})
    named = "fewest-tickets: must be a whole number from 0 to 1000, not -1"
    with pytest.raises(ActionRefusedError, match=named):
        table.act("set-settings", {"settings": {"fewest-tickets": -1}})
    assert table.state()["settings"]["longest-path-needs-a-route"] is False


@pytest.fixture
def france(tmp_path: Path) -> Table:
    table = Table(TableConfig([load_board("france")], tmp_path / "france"))
    OPEN.append(table)
    table.act("start", {**ADA_AND_BEN, "board": "france", "camera": False})
    return table


def test_a_track_piece_belongs_to_nobody_and_closes_what_it_crosses(france: Table) -> None:
    assert ("angers--rennes", "le-mans--lorient") in load_board("france").crossings
    france.act("lay-track", {"route": "angers--rennes"})
    state = france.state()
    assert state["track_pieces"] == ["angers--rennes"]
    assert state["routes"]["angers--rennes"]["owner"] is None
    assert [row["points"] for row in state["standing"]] == [0, 0]
    assert list(state["closed"]) == ["le-mans--lorient"]
    france.act("correct-route", {"route": "angers--rennes", "owner": "red"})
    state = france.state()
    assert state["track_pieces"] == []
    assert list(state["closed"]) == ["le-mans--lorient"], "claimed now, it still crosses"


def test_a_line_claimed_over_a_track_piece_is_told_at_once_and_with_the_old_evening(
    france: Table,
) -> None:
    """Closed while it is free; once it is claimed all the same, the rules forbid it."""
    france.act("lay-track", {"route": "angers--rennes"})
    give(france, "red", "le-mans--lorient")
    assert notices(france) == ["scoring.violation.crossing-track"]
    assert "crossing-track" in codes(france)
    france.act("finish", {})
    france.act("new-game", {})
    (evening,) = france.history.evenings()
    opened = france.history.evening(evening.id)
    assert opened is not None
    assert [one.code for one in opened.sheet.violations] == ["crossing-track"]


def test_a_line_with_a_track_piece_is_asked_about_only_once_it_is_claimed(tmp_path: Path) -> None:
    line = "angers--rennes"
    doubt = RouteProposal("red", 0.6, True, (("red", 0.6), (None, 0.4)))
    eye = ToldEye({line: doubt})
    feed = CameraFeed(GreyCamera, retry_s=0.05, interval_s=0.01)
    config = TableConfig([load_board("france")], tmp_path, eye, feed)
    table = Table(config)
    OPEN.append(table)
    table.act("start", {**ADA_AND_BEN, "board": "france"})
    table.act("scan", {})
    scanned(table)
    assert [one["route"] for one in table.state()["doubts"]] == [line]
    table.act("lay-track", {"route": line})
    for _ in range(2):
        table.act("scan", {})
        scanned(table)
        assert table.state()["doubts"] == []
    eye.routes = {line: sure("blue")}
    table.act("scan", {})
    scanned(table)
    assert [one["route"] for one in table.state()["doubts"]] == [line], "Ben surely claimed it"


def test_no_track_piece_lies_where_the_board_has_no_such_line(table: Table, france: Table) -> None:
    printed = next(r.id for r in load_board("france").routes if r.colour != "track-bed")
    for refusing, route in ((table, "denver--omaha"), (france, printed)):
        with pytest.raises(ActionRefusedError, match="No track piece can lie on that line"):
            refusing.act("lay-track", {"route": route})
