"""What changed between two sheets."""

from typing import Any

import pytest

from scoring.compare import compare
from scoring.documents.game import parse_game
from scoring.documents.sheet import is_sheet, sheet_problems
from scoring.sheet.sheet import score, score_game
from tests.support.documents import changed
from tests.support.usa_routes import SIXES

GAME: dict[str, Any] = {
    "game": "usa",
    "players": [
        {
            "name": "Ada",
            "colour": "red",
            "routes": ["atlanta--miami"],
            "tickets": [["denver", "el-paso"]],
        },
        {"name": "Bo", "colour": "blue", "routes": ["dallas--houston-1"], "tickets": []},
    ],
}


def test_a_route_that_changes_hands_shows_in_both_players_lines() -> None:
    """Ada 10 - 4 + 10 = 16 becomes -4; Bo 1 becomes 11 + 10."""
    before = score_game(GAME).to_json()
    after = score_game(GAME, assumptions={"atlanta--miami": "blue"}).to_json()
    found = compare(before, after)
    assert found.winner_changed
    assert found.to_json()["players"] == [
        {
            "name": "Ada",
            "total": [16, -4],
            "rank": [1, 2],
            "lines": [
                {"kind": "routes", "subject": "", "before": 10, "after": 0},
                {"kind": "longest-path", "subject": "", "before": 10, "after": None},
            ],
        },
        {
            "name": "Bo",
            "total": [1, 21],
            "rank": [2, 1],
            "lines": [
                {"kind": "routes", "subject": "", "before": 1, "after": 11},
                {"kind": "longest-path", "subject": "", "before": None, "after": 10},
            ],
        },
    ]


def test_the_same_sheet_twice_has_no_change() -> None:
    sheet = score_game(GAME).to_json()
    found = compare(sheet, sheet)
    assert (found.players, found.winner_changed) == ((), False)


def test_a_ticket_completed_after_all_is_one_changed_line() -> None:
    before = score_game(GAME).to_json()
    routes = ["atlanta--miami", "denver--santa-fe", "el-paso--santa-fe"]
    after = score_game(changed(GAME, "players", 0, "routes", to=routes)).to_json()
    (ada,) = compare(before, after).players
    assert [(line.kind, line.subject, line.before, line.after) for line in ada.lines] == [
        ("routes", "", 10, 14),
        ("ticket", "denver – el-paso", -4, 4),
    ]


def test_a_player_who_is_missing_on_one_sheet_has_no_figures_there() -> None:
    before = score_game(GAME).to_json()
    after = score_game({**GAME, "players": GAME["players"][:1]}).to_json()
    (bo,) = compare(before, after).players
    assert (bo.name, bo.total, bo.rank) == ("Bo", (1, None), (2, None))


def test_a_sheet_is_told_from_a_game_and_a_damaged_one_is_named() -> None:
    sheet: Any = score_game(GAME).to_json()
    assert is_sheet(sheet)
    assert not is_sheet(GAME)
    assert sheet_problems(sheet) == []
    broken = changed(changed(sheet, "players", 0, "total", to="16"), "players", 1, "lines", to=[3])
    assert [str(problem) for problem in sheet_problems(broken)] == [
        'player 1: total: must be a whole number from −100000 to 100000, not "16"',
        "player 2: lines.1: must be an object, not 3",
        "player 2: lines.1.kind: null is none of routes, ticket, flags, stations, bonus, "
        "passengers, big-city, globetrotter, longest-path",
        "player 2: lines.1.points: must be a whole number from −100000 to 100000, not null",
    ]


def test_a_ticket_for_another_of_the_same_value_is_a_change_though_no_total_moves() -> None:
    """Denver - El Paso and New York - Atlanta are 4 and 6; typed, both are worth 4."""
    typed = [{"from": "New York", "to": "Atlanta", "points": 4}]
    before = score_game(GAME).to_json()
    after = score_game(changed(GAME, "players", 0, "tickets", to=typed)).to_json()
    (ada,) = compare(before, after).players
    assert ada.total == (16, 16)
    assert [(line.before, line.after) for line in ada.lines] == [(-4, None), (None, -4)]
    assert compare(before, after).changed, "though nobody's place is another one"


def test_who_falls_behind_though_all_their_own_lines_stay_is_told() -> None:
    """Bo's 1 point was second; Cy's 4 come before it."""
    before: Any = {**GAME, "players": [*GAME["players"], {"name": "Cy"}]}
    after = changed(before, "players", 2, "routes", to=["helena--salt-lake-city"])
    found = compare(score_game(before).to_json(), score_game(after).to_json())
    bo = next(player for player in found.players if player.name == "Bo")
    assert (bo.total, bo.rank, bo.lines) == ((1, 1), (2, 3), ())


def test_a_player_of_no_line_at_all_is_told_as_gone() -> None:
    """In the Card Game a hand without tickets has none."""
    ada, bo = ({"name": name, "cards": {}, "tickets": []} for name in ("Ada", "Bo"))
    both = score_game({"game": "card-game", "players": [ada, bo]}).to_json()
    alone = score_game({"game": "card-game", "players": [ada]}).to_json()
    assert [one.name for one in compare(both, alone).players] == ["Bo"]


BOTH = {"routes": ["dallas--houston-1", "dallas--houston-2"]}


def test_breaches_that_went_and_came_are_named_whatever_the_language_and_order() -> None:
    """Both lines of a double in Ada's hand; in the second sheet in Bo's."""
    ada = score_game({"game": "usa", "players": [{"name": "Ada", **BOTH}, {"name": "Bo"}]})
    bo = score_game({"game": "usa", "players": [{"name": "Ada"}, {"name": "Bo", **BOTH}]})
    found = compare(ada.to_json(), bo.to_json())
    assert "Ada holds more than one line" in found.violations_gone[0]
    assert "Dallas – Houston" in found.violations_gone[0]
    assert "Bo holds more than one line" in found.violations_came[0]
    assert found.to_json()["violations"] == {
        "gone": list(found.violations_gone),
        "came": list(found.violations_came),
    }
    same = compare(ada.to_json("en"), ada.to_json("it"))
    assert not same.changed


def test_a_breach_by_more_wagons_than_before_is_another_one() -> None:
    """54 wagons, then 59 with the 5 to Miami; the set holds 45."""
    ada = {"name": "Ada", "routes": [*SIXES]}
    before = score_game({"game": "usa", "players": [ada]}).to_json()
    more = {**ada, "routes": [*SIXES, "atlanta--miami"]}
    found = compare(before, score_game({"game": "usa", "players": [more]}).to_json("it"))
    ((gone,), (came,)) = found.violations_gone, found.violations_came
    assert "54" in gone
    assert "59" in came


def test_a_double_closed_to_two_players_and_then_to_three_is_one_breach() -> None:
    """Its sentence says how many play."""
    one, other = ({"routes": [f"dallas--houston-{line}"]} for line in (1, 2))
    two = [{"name": "Ada", **one}, {"name": "Bo", **other}]
    before = score_game({"game": "usa", "players": two}).to_json()
    after = score_game({"game": "usa", "players": [*two, {"name": "Cy"}]}).to_json()
    assert before["violations"] != after["violations"]
    found = compare(before, after)
    assert (found.violations_gone, found.violations_came) == ((), ())


def held_by_two(ada: Any, bo: Any, language: str = "en") -> Any:
    players = [{"name": "Ada", "tickets": ada}, {"name": "Bo", "tickets": bo}]
    game = parse_game({"game": "usa", "players": players}, shared_tickets=True)
    return score(game).to_json(language)


def test_one_of_two_alike_breaches_that_went_is_told() -> None:
    """Both players hold the same two tickets, then only one of them."""
    both = [["boston", "miami"], ["denver", "el-paso"]]
    before, after = (held_by_two(both, bo) for bo in (both, both[:1]))
    found = compare(before, after)
    assert (len(found.violations_gone), found.violations_came) == (1, ())
    assert found.changed
    assert compare(after, before).changed


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("place", [0, 1])
def test_of_two_tickets_held_twice_the_one_that_went_is_named(language: str, place: int) -> None:
    """Both breaches have the same players; the second ticket went, and the first one was named."""
    both = [["boston", "miami"], ["denver", "el-paso"]]
    names = ["Boston – Miami", "Denver – El Paso"]
    before, after = held_by_two(both, both), held_by_two(both, [both[place]], language)
    (gone,) = compare(before, after).violations_gone
    assert names[1 - place] in gone
    assert names[place] not in gone
    (came,) = compare(after, before).violations_came
    assert came == gone


def test_sheets_from_before_breaches_were_kept_can_still_be_compared() -> None:
    sheet = score_game({"game": "usa", "players": [{"name": "Ada", **BOTH}, {"name": "Bo"}]})
    old = {key: value for key, value in sheet.to_json().items() if key != "violations"}
    assert sheet_problems(old) == []
    assert len(compare(old, sheet.to_json()).violations_came) == 1
    (problem,) = sheet_problems({**old, "violations": [{"code": "x", "text": 7}]})
    assert "violations.1.text" in problem.text()


def test_sheets_whose_lines_and_breaches_name_less_can_be_compared() -> None:
    """`players` and `routes` of a breach and the places of a ticket may lack, as a check of the
    shape allows: comparing them ended in a traceback."""
    sheet: Any = score_game(GAME).to_json()
    breach = {"code": "wagons", "text": "Ada has 46 wagons; the set holds 45."}
    del sheet["players"][0]["lines"][1]["ticket"]
    shorter = {**sheet, "violations": [breach]}
    assert sheet_problems(shorter) == []
    assert compare(shorter, shorter).changed is False
    assert compare({**sheet, "violations": []}, shorter).violations_came == (breach["text"],)


def test_a_sheet_that_names_a_player_twice_is_refused() -> None:
    """One of the two would be lost."""
    sheet: Any = score_game(GAME).to_json()
    (problem,) = sheet_problems(changed(sheet, "players", 1, "name", to="Ada"))
    assert str(problem) == 'sheet: players: "Ada" appears 2 times'
