"""Editions: a board and what differs from it."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from scoring.board.board import Board, board_from_json, load_board
from scoring.board.inspection.inspect import inspect_board
from scoring.board.unverified import SHIPPED_FACTS, unverified_facts
from scoring.errors import BoardDataError
from scoring.sheet.sheet import score_game
from tests.support.small_board import station_board

CLUB: dict[str, Any] = {
    "format": 1,
    "id": "usa-club",
    "edition_of": "usa",
    "title": "USA of the club",
    "version": 1,
}


def edition(**changes: Any) -> Board:
    return board_from_json({**CLUB, **changes})


def test_an_edition_without_changes_is_the_other_board_by_another_name() -> None:
    usa, club = load_board("usa"), edition()
    assert (club.id, club.title, club.edition_of) == ("usa-club", "USA of the club", "usa")
    assert (club.routes, club.tickets, club.places) == (usa.routes, usa.tickets, usa.places)
    assert (club.bonuses, club.stations) == (usa.bonuses, 0)


def test_tickets_are_taken_out_added_and_revalued() -> None:
    club = edition(
        tickets={
            "remove": ["calgary--nashville"],
            "points": {"denver--el-paso": 6},
            "add": [{"id": "miami--portland", "from": "miami", "to": "portland", "points": 24}],
        }
    )
    assert len(club.tickets) == 69
    assert club.ticket_by_id["denver--el-paso"].points == 6
    assert club.ticket_by_id["miami--portland"].points == 24
    assert "calgary--nashville" not in club.ticket_by_id


def test_a_list_of_tickets_is_a_whole_new_set() -> None:
    club = edition(tickets=[{"id": "a", "from": "miami", "to": "boston", "points": 3}])
    assert [ticket.id for ticket in club.tickets] == ["a"]


def test_bonuses_change_one_by_one() -> None:
    club = edition(bonuses={"longest-path": 0, "globetrotter": 15})
    assert (club.bonuses.longest_path, club.bonuses.globetrotter) == (0, 15)
    assert edition(bonuses={"globetrotter": 15}).bonuses.longest_path == 10


def test_stations_give_four_points_unless_the_file_says_otherwise() -> None:
    assert edition(stations=3).rules.bonuses.station == 4
    assert edition(stations=2, bonuses={"station": 5}).rules.bonuses.station == 5
    assert edition(bonuses={"station": 5}).rules.bonuses.station == 0


def test_tunnels_ferries_and_names_are_kept_and_lengths_stay() -> None:
    club = edition(
        routes={"calgary--vancouver": {"tunnel": True}, "atlanta--charleston": {"ferry": 2}},
        places={"new-york": "Nuova York"},
    )
    assert club.route_by_id["calgary--vancouver"].tunnel
    assert club.route_by_id["atlanta--charleston"].ferry == 2
    assert club.place_by_id["new-york"].name == "Nuova York"


def test_a_bonus_given_by_hand_is_scored_under_a_name_that_the_edition_knows() -> None:
    """No route, no ticket: 10 for the mayor and nothing else."""
    club = edition(hand_bonuses=["mayor"])
    game: dict[str, Any] = {"game": "usa-club", "players": [{"name": "Ada"}, {"name": "Bo"}]}
    game["players"][0]["bonuses"] = {"mayor": 10}
    sheet = score_game(game, club)
    assert [player.total for player in sheet.players] == [10, 0]
    assert sheet.players[0].lines[-1].to_json()["bonus"] == "mayor"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"edition_of": "mars"}, 'no board "mars" is known'),
    ({"tickets": {"remove": ["calgary--nashvile"]}}, "did you mean calgary--nashville?"),
    ({"tickets": {"delete": []}}, 'cannot change "delete"'),
    ({"tickets": {"add": [{"id": "x", "from": "miami", "to": "bostn", "points": 1}]}}, "boston"),
    ({"routes": {"calgary--vancouver": {"length": 9}}}, 'cannot change "length"'),
    ({"routes": {"calgary--vancouver": {"tunnel": 1}}}, "true or false"),
    ({"frame": {}}, 'cannot change "frame"'),
    ({"stations": 9}, "from 0 to 3"),
    ({"hand_bonuses": ["a", "a"]}, "2 times"),
    ({"bonuses": {"longest-pth": 1}}, "did you mean longest-path?"),
    ({"bonuses": []}, "must be an object"),
    ({"places": {"bostn": "Boston"}}, "did you mean boston?"),
]


@pytest.mark.parametrize(("changes", "words"), WRONG, ids=lambda value: str(value)[:40])
def test_each_mistake_of_an_edition_is_told(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BoardDataError) as caught:
        edition(**changes)
    assert any(words in problem for problem in caught.value.problems)
    assert len(caught.value.in_language("it")) == len(caught.value.problems)


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(BoardDataError) as caught:
        edition(stations=9, tickets={"remove": ["x--y"]}, places={"atlantis": "A"})
    assert len(caught.value.problems) == 3


def test_nonsense_in_any_key_is_a_problem_and_no_crash() -> None:
    for key in ("tickets", "routes", "places", "bonuses", "unverified", "stations", "players"):
        for nonsense in (7, "x", None, [7], {"x": 7}, [[]]):
            assert inspect_board({**CLUB, key: nonsense}).errors, (key, nonsense)


def test_a_spoilt_base_is_told_and_no_crash() -> None:
    for key in ("tickets", "routes", "places", "bonuses", "unverified"):
        for nonsense in (7, "x", None, [7], [{}], [{"id": ["x"]}], {"x": 7}):
            base = {**station_board(), key: nonsense}
            changes = {"tickets": {"remove": ["x"], "points": {"x": 1}}, "places": {"x": "X"}}
            document = {**CLUB, "edition_of": "wood", **changes}
            assert inspect_board(document, lambda _, base=base: base).errors  # type: ignore[misc]


def test_the_facts_nobody_checked_are_told_in_both_languages_and_an_edition_adds_its_own() -> None:
    for name, keys in SHIPPED_FACTS.items():
        board = load_board(name)
        english, italian = (unverified_facts(board, language) for language in ("en", "it"))
        assert len(english) == len(italian) == len(keys) == len(board.unverified)
        assert not set(english) & set(italian)
    club = edition(unverified=["that Omaha is fun"])
    assert unverified_facts(club, "it")[-1] == "that Omaha is fun"
    assert unverified_facts(club, "it")[:-1] == unverified_facts(load_board("usa"), "it")


def test_an_edition_in_the_data_folder_is_listed_checked_and_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    (tmp_path / "boards").mkdir()
    file = tmp_path / "boards" / "club.json"
    file.write_text(json.dumps({**CLUB, "stations": 3}), "utf-8")
    assert main(["boards", "check", str(file)]) == 0
    capsys.readouterr()
    assert main(["boards", "--json"]) == 0
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["usa-club"]["edition_of"] == "usa"
    assert len(rows["usa-club"]["unverified"]) == len(load_board("usa").unverified)
    game = tmp_path / "game.json"
    players = [{"name": "Ada", "stations": ["Denver"]}, {"name": "Bo"}]
    game.write_text(json.dumps({"game": "usa-club", "players": players}), "utf-8")
    assert main(["score", str(game), "--json"]) == 0
    totals = [player["total"] for player in json.loads(capsys.readouterr().out)["players"]]
    assert totals == [8, 12]
    assert main(["score", str(game), "--language", "it"]) == 0
    assert "stazioni" in capsys.readouterr().out


def test_an_edition_of_a_taught_board_finds_it_in_the_same_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "wood.json").write_text(json.dumps(station_board()), "utf-8")
    own = {**CLUB, "id": "wood-club", "edition_of": "wood", "stations": 2}
    file = tmp_path / "boards" / "wood-club.json"
    file.write_text(json.dumps(own), "utf-8")
    assert main(["boards", "check", str(file)]) == 0
    twice = {**own, "id": "wood-two", "edition_of": "wood-club"}
    (tmp_path / "boards" / "two.json").write_text(json.dumps(twice), "utf-8")
    assert main(["boards", "check", str(tmp_path / "boards" / "two.json")]) == 3
    assert "wood-club" in capsys.readouterr().err
