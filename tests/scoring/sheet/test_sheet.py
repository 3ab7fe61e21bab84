"""Bonuses, ties, settings, violations and markers on the sheet, as a table would dispute them."""

from typing import Any

import pytest

from scoring.sheet.sheet import score_game


def player(name: str, colour: str, *routes: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "colour": colour, "routes": list(routes), "tickets": [], **more}


def sheet_of(game: str, *players: dict[str, Any], **settings: Any) -> Any:
    names = {key.replace("_", "-"): value for key, value in settings.items()}
    return score_game({"game": game, "settings": names, "players": list(players)}).to_json()


def totals(sheet: Any) -> list[int]:
    return [one["total"] for one in sheet["players"]]


GERMANS = ("white", "red", "purple", "yellow", "black")


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ([4, 2, 1], [20, 10, 0]),
        ([4, 4, 1], [20, 20, 0]),
        ([4, 2, 2, 1], [20, 10, 10, 0]),
        ([3, 0, 0], [20, 0, 0]),
        ([0, 0, 0], [0, 0, 0]),
        ([2, 2, 2, 2, 2], [20, 20, 20, 20, 20]),
        ([5], [20]),
    ],
)
def test_passengers_pay_the_most_and_the_second_most(counts: list[int], points: list[int]) -> None:
    players = [
        player(colour, colour, passengers={"blue": count})
        for colour, count in zip(GERMANS, counts, strict=False)
    ]
    assert totals(sheet_of("germany", *players)) == points


def test_a_table_may_agree_that_none_is_second_too() -> None:
    players = [player("Ada", "red", passengers={"blue": 3}), player("Bo", "white")]
    assert totals(sheet_of("germany", *players, passengers_second_needs_one=False)) == [20, 10]


def test_with_no_route_anywhere_the_table_decides_about_the_longest_path() -> None:
    players = [player("Ada", "red"), player("Bo", "blue")]
    assert totals(sheet_of("usa", *players)) == [0, 0]
    assert totals(sheet_of("usa", *players, longest_path_needs_a_route=False)) == [10, 10]


def test_with_no_ticket_completed_the_table_decides_about_the_globetrotter() -> None:
    players = [player("Ada", "red"), player("Bo", "white")]
    assert totals(sheet_of("germany", *players)) == [0, 0]
    assert totals(sheet_of("germany", *players, globetrotter_needs_a_ticket=False)) == [15, 15]


def test_only_the_settings_in_force_stand_on_the_sheet() -> None:
    everything = {"big_city_tie": "none", "route_points": {"1": 9}, "score_track": 100}
    assert sheet_of("usa", player("Ada", "red"), **everything)["settings"] == {
        "longest-path-needs-a-route": True,
        "tie-breaks": ["tickets", "longest-path"],
    }
    assert sheet_of("germany", player("Ada", "red"))["settings"] == {
        "globetrotter-needs-a-ticket": True,
        "passengers-second-needs-one": True,
        "tie-breaks": ["tickets", "passengers"],
    }


def test_the_table_of_a_printed_board_is_not_changed_by_a_setting() -> None:
    ada = player("Ada", "red", "atlanta--nashville")
    assert totals(sheet_of("usa", ada, route_points={"1": 9})) == [1 + 10]


def test_the_cards_of_big_cities_belong_to_the_card_game_alone() -> None:
    """A route of 5, the longest path and the ticket: 10 + 10 + 5."""
    ticket = {"from": "atlanta", "to": "miami", "points": 5}
    ada = player("Ada", "red", "atlanta--miami", tickets=[ticket])
    assert totals(sheet_of("usa", ada, big_cities={"miami": 8})) == [25]


def test_the_routes_are_told_by_their_length() -> None:
    """Two of 4 wagons are 7 each, one of a single wagon is 1."""
    ada = player("Ada", "red", "denver--omaha", "calgary--seattle", "atlanta--nashville")
    line = sheet_of("usa", ada)["players"][0]["lines"][0]
    assert line["points"] == 15
    assert line["evidence"]["by_length"] == {
        "1": {"routes": 1, "points": 1},
        "4": {"routes": 2, "points": 14},
    }


def test_the_longer_path_breaks_a_tie_in_points_and_tickets() -> None:
    """Ada: a route of 6, 15 + 10. Bo: routes of 5, 5, 3 and 1 apart, 10 + 10 + 4 + 1."""
    ada = player("Ada", "red", "miami--new-orleans")
    bo = player(
        "Bo", "blue", "atlanta--miami", "denver--phoenix", "montreal--toronto", "dallas--houston-1"
    )
    sheet = sheet_of("usa", bo, ada)
    assert totals(sheet) == [25, 25]
    assert (sheet["winners"], sheet["tie_break"]) == (["Ada"], "longest-path")
    assert [one["rank"] for one in sheet["players"]] == [2, 1]


def test_one_wagon_is_a_longer_path_than_none() -> None:
    """Bo: 1 + 10 for the longest path, less a ticket of 11. Ada has nothing at all."""
    bo = player("Bo", "blue", "dallas--houston-1", tickets=[["denver", "pittsburgh"]])
    sheet = sheet_of("usa", player("Ada", "red"), bo)
    assert totals(sheet) == [0, 0]
    assert (sheet["winners"], sheet["tie_break"]) == (["Bo"], "longest-path")


def test_a_table_may_break_ties_otherwise() -> None:
    """The game above with no tie-break at all: shared."""
    ada = player("Ada", "red", "miami--new-orleans")
    bo = player(
        "Bo", "blue", "atlanta--miami", "denver--phoenix", "montreal--toronto", "dallas--houston-1"
    )
    sheet = sheet_of("usa", bo, ada, tie_breaks=[])
    assert (sheet["winners"], sheet["tie_break"]) == (["Bo", "Ada"], "shared")


def test_the_last_rule_that_sent_somebody_away_is_the_one_that_decided() -> None:
    """All have 40: Ada and Bo 5 + 15 + 20, Cyd 20 + 20. Tickets leave Ada and Bo, passengers Bo."""
    done = [{"points": 5, "completed": True}]
    ada = player("Ada", "red", tickets=done, passengers={"black": 1})
    bo = player("Bo", "white", tickets=done, passengers={"red": 2})
    cyd = player("Cyd", "yellow", passengers={"green": 1, "blue": 1})
    sheet = sheet_of("germany", ada, bo, cyd)
    assert totals(sheet) == [40, 40, 40]
    assert (sheet["winners"], sheet["tie_break"]) == (["Bo"], "passengers")
    assert [one["rank"] for one in sheet["players"]] == [2, 1, 3]


@pytest.mark.parametrize(
    ("marker", "difference"),
    [(16, 0), (116, 0), (14, -2), (20, 4), (56, 40), (76, -40), (96, -20), (99, -17)],
)
def test_a_marker_is_checked_round_the_track(marker: int, difference: int) -> None:
    """Routes of 6 and 1 are 16 points; a marker at 99 is 17 behind by the shorter way round."""
    ada = player("Ada", "red", "miami--new-orleans", "atlanta--nashville", marker=marker)
    assert sheet_of("usa", ada)["marker_checks"] == [
        {
            "name": "Ada",
            "marker": marker,
            "expected": 16,
            "difference": difference,
            "agrees": difference == 0,
        }
    ]


def test_in_paris_flags_are_on_the_track_already() -> None:
    ada = {"name": "Ada", "route_lengths": {"2": 3}, "flags": 2, "marker": 14}
    sheet = sheet_of("paris", ada)
    assert sheet["marker_checks"][0]["expected"] == 6 + 8
    assert sheet["settings"]["score-track"] == 50


def codes(game: str, *players: dict[str, Any]) -> list[str]:
    return [violation["code"] for violation in sheet_of(game, *players)["violations"]]


def test_two_lines_of_a_double_are_forbidden_to_one_player_at_any_number() -> None:
    ada = player("Ada", "red", "dallas--houston-1", "dallas--houston-2")
    others = [player(name, name) for name in ("blue", "green", "yellow")]
    assert codes("usa", ada, *others) == ["double-by-one"]


@pytest.mark.parametrize(("count", "found"), [(2, 1), (3, 1), (4, 0), (5, 0)])
def test_the_second_line_of_a_double_opens_with_four_players(count: int, found: int) -> None:
    names = ("red", "blue", "green", "yellow", "black")[:count]
    players = [player(name, name) for name in names]
    players[0]["routes"], players[1]["routes"] = ["dallas--houston-1"], ["dallas--houston-2"]
    assert codes("usa", *players) == ["double-closed"] * found


def test_more_wagons_than_the_set_has_are_reported() -> None:
    """Nine routes of 5 or 6 in the USA: 6 x 7 + 5 = 47 wagons of 45."""
    six = [
        *("calgary--winnipeg", "duluth--helena", "duluth--toronto", "el-paso--houston"),
        *("el-paso--los-angeles", "helena--seattle", "miami--new-orleans"),
    ]
    assert codes("usa", player("Ada", "red", *six)) == []
    assert codes("usa", player("Ada", "red", *six, "atlanta--miami")) == ["too-many-wagons"]
    assert codes("paris", {"name": "Ada", "route_lengths": {"3": 5, "1": 1}}) == ["too-many-wagons"]


def test_a_typed_ticket_held_twice_is_asked_about_but_scored() -> None:
    typed = {"from": "omaha", "to": "dallas", "points": 9}
    ada, bo = (player(name, name, tickets=[typed]) for name in ("red", "blue"))
    sheet = sheet_of("usa", ada, bo)
    assert [violation["code"] for violation in sheet["violations"]] == ["ticket-twice"]
    assert totals(sheet) == [-9, -9]


def test_a_typed_ticket_of_the_set_is_that_ticket_and_one_of_another_value_is_not() -> None:
    line = {"from": "denver", "to": "el-paso", "points": 4}
    assert codes("usa", player("Ada", "red", tickets=[line, {**line, "points": 9}])) == [
        "ticket-twice"
    ]
    with pytest.raises(ValueError, match="El Paso – Denver is given twice"):
        sheet_of("usa", player("Ada", "red", tickets=[line, ["el-paso", "denver"]]))


def test_a_ticket_may_be_named_by_its_places_printed_names_or_id() -> None:
    for name in (
        ["las-vegas", "miami"],
        ["Miami", "Las Vegas"],
        "las-vegas--miami",
        {"id": "las-vegas--miami"},
        {"from": "las-vegas", "to": "miami"},
    ):
        assert totals(sheet_of("usa", player("Ada", "red", tickets=[name]))) == [-21]


def test_the_board_decides_against_what_the_players_say() -> None:
    wrong = {"from": "denver", "to": "el-paso", "points": 4, "completed": True}
    sheet = sheet_of("usa", player("Ada", "red", tickets=[wrong]))
    assert totals(sheet) == [-4]
    assert [violation["code"] for violation in sheet["violations"]] == ["ticket-disagrees"]


def test_the_evidence_of_a_failed_ticket_is_the_cheapest_way_over_free_lines() -> None:
    """Denver to El Paso by Santa Fe is 2 + 2; Bo has the first, so Ada lacks 5 + 3 by Phoenix."""
    ada = player("Ada", "red", tickets=[["denver", "el-paso"]])
    alone = sheet_of("usa", ada)["players"][0]["lines"][1]["evidence"]
    assert alone == {
        "path": [],
        "missing": ["denver--santa-fe", "el-paso--santa-fe"],
        "missing_wagons": 4,
    }
    bo = player("Bo", "blue", "denver--santa-fe", "oklahoma-city--santa-fe", "phoenix--santa-fe")
    blocked = sheet_of("usa", ada, bo)["players"][0]["lines"][1]["evidence"]
    assert blocked["missing"] == ["denver--phoenix", "el-paso--phoenix"]


def test_a_ticket_whose_place_is_cut_off_lacks_no_number_of_wagons() -> None:
    """Vancouver has lines to Seattle (a double, closed with two players) and Calgary only."""
    ada = player("Ada", "red", tickets=[["vancouver", "portland"]])
    bo = player("Bo", "blue", "seattle--vancouver-1", "calgary--vancouver")
    evidence = sheet_of("usa", ada, bo)["players"][0]["lines"][1]["evidence"]
    assert evidence == {"path": [], "missing": None}


def test_of_two_ways_of_equal_length_the_one_with_fewer_routes_is_shown() -> None:
    """Calgary to Seattle: 4 wagons, and over Vancouver 3 + 1."""
    way = ("calgary--vancouver", "seattle--vancouver-1", "calgary--seattle")
    ticket = {"from": "calgary", "to": "seattle", "points": 5}
    for routes in (way, way[::-1]):
        sheet = sheet_of("usa", player("Ada", "red", *routes, tickets=[ticket]))
        assert sheet["players"][0]["lines"][1]["evidence"] == {"path": ["calgary--seattle"]}


def test_an_assumed_route_changes_hands_and_is_named_on_the_sheet() -> None:
    game = {
        "game": "usa",
        "players": [player("Ada", "red", "atlanta--miami"), player("Bo", "blue")],
    }
    sheet = score_game(game, assumptions={"atlanta--miami": "blue"}).to_json()
    assert "assumed" not in score_game(game).to_json()
    assert totals(sheet) == [0, 20]
    assert sheet["assumed"] == {"atlanta--miami": "blue"}
    by_name = score_game(game, assumptions={"atlanta--miami": "Bo"}).to_json()
    assert totals(by_name) == [0, 20]
    assert totals(score_game(game, assumptions={"atlanta--miami": None}).to_json()) == [0, 0]


def test_an_assumption_settles_a_route_that_two_players_list() -> None:
    both = [player("Ada", "red", "atlanta--miami"), player("Bo", "blue", "atlanta--miami")]
    sheet = score_game({"game": "usa", "players": both}, assumptions={"atlanta--miami": "red"})
    assert totals(sheet.to_json()) == [20, 0]


def test_a_ticket_stands_on_the_sheet_as_it_was_named_and_its_path_leads_that_way() -> None:
    routes = ["el-paso--santa-fe", "denver--santa-fe"]
    for places in (["denver", "el-paso"], ["el-paso", "denver"]):
        sheet = sheet_of("usa", player("Ada", "red", *routes, tickets=[places]))
        line = sheet["players"][0]["lines"][1]
        assert line["ticket"] == places
        first = line["evidence"]["path"][0]
        assert places[0] in first.split("--")
