"""What the referee asks before the sheet."""

import re
from dataclasses import replace
from typing import Any

import pytest

from scoring.board.board import load_board
from scoring.documents.card_set import card_set_from_json
from scoring.documents.game import parse_game
from scoring.game.rules import BIG_CITIES
from scoring.language import LANGUAGES
from scoring.referee.before_sheet import remarks_before_sheet
from scoring.referee.bounds import most_flags
from scoring.referee.remark import Remark
from scoring.sheet.sheet import score, score_game
from tests.scoring.board.test_taught import paris as paris

DONE = {"points": 5, "completed": True}


def remarks(document: dict[str, Any], *codes: str) -> dict[str, Remark]:
    found = {remark.code: remark for remark in remarks_before_sheet(parse_game(document))}
    assert set(codes) == set(found) - {"wagons-left", "nobody-ended"}
    return found


def by_counts(**ada: Any) -> dict[str, Any]:
    bo = {"name": "Bo", "route_lengths": {"1": 14}, "tickets": [DONE]}
    return {"game": "paris", "players": [{"name": "Ada", "tickets": [DONE], **ada}, bo]}


def test_six_buses_make_two_flags_at_most() -> None:
    """Lines of 6 buses are claimed with 6 cards; a flag takes 3."""
    remarks(by_counts(route_lengths={"2": 3}, flags=2))
    told = remarks(by_counts(route_lengths={"2": 3}, flags=3), "flags")["flags"]
    assert told.players == ("Ada",)
    assert "Flags of Ada: 3, but the claimed routes allow at most 2" in told.message.text("en")


def test_on_a_taught_map_every_colour_of_the_flag_needs_its_line(paris: Any) -> None:
    """Red and blue lines, no white one: no flag."""
    player = {"name": "Ada", "routes": ["bakery--market-1", "market--tower"]}
    game = parse_game({"game": "paris", "players": [player, {"name": "Bo"}]}, paris)
    assert most_flags(game, game.players[0]) == 0


def germany(passengers: dict[str, int]) -> dict[str, Any]:
    ada = {"name": "Ada", "routes": ["berlin--magdeburg"], "tickets": [DONE, DONE]}
    bo = {"name": "Bo", "routes": [], "tickets": [DONE, DONE]}
    return {"game": "germany", "players": [{**ada, "passengers": passengers}, bo]}


def test_one_route_brings_two_passengers_at_most() -> None:
    remarks(germany({"red": 1, "blue": 1}))
    told = remarks(germany({"red": 2, "blue": 1}), "passengers")["passengers"]
    assert "Passengers of Ada: 3, but the claimed routes (1) bring at most 2" in told.message.text(
        "en"
    )


def test_routes_without_a_passenger_are_asked_about() -> None:
    """Ada claimed a route; Bo, who has none, could not have taken anybody along."""
    told = remarks(germany({}), "no-passengers")["no-passengers"]
    assert told.players == ("Ada",)


def card_game(**ada: Any) -> dict[str, Any]:
    ticket = {"from": "reno", "to": "omaha", "points": 4, "cards": {"red": 1}}
    players = [{"name": "Ada", "tickets": [ticket], **ada}, {"name": "Bo", "tickets": [DONE]}]
    cities = {"big-cities": dict.fromkeys(BIG_CITIES, 5)}
    return {"game": "card-game", "settings": cities, "players": players}


def test_tickets_that_wait_for_an_empty_pile_are_asked_about() -> None:
    """Bo says himself that his ticket is completed; a first pass may have used Ada's pile up."""
    assert remarks(card_game(), "no-cards")["no-cards"].players == ("Ada",)
    remarks(card_game(cards={"blue": 1}))
    done = {"from": "chicago", "to": "miami", "points": 3, "cards": {"red": 1}}
    remarks(card_game(first_pass=[done]))


def test_a_map_without_tickets_asks_for_none() -> None:
    """A board of one's own whose tickets nobody has taught."""
    bare = replace(load_board("usa"), tickets=())
    game = parse_game({"game": "usa", "players": [{"name": "Ada"}, {"name": "Bo"}]}, bare)
    assert "no-tickets" not in {remark.code for remark in remarks_before_sheet(game)}


def test_the_wagons_left_are_asked_for_every_player() -> None:
    """Berlin – Magdeburg takes 3 of Ada's 45; Bo has all of his."""
    found = remarks(germany({"red": 1}))
    assert "Ada 42, Bo 45" in found["wagons-left"].message.text("en")
    assert found["nobody-ended"].players == ("Ada",)


def test_with_no_route_known_the_wagons_left_prove_nothing() -> None:
    """No board was read: 45 wagons left mean that nobody looked, not that nobody ended it."""
    bare = {**germany({}), "players": [{"name": n, "tickets": [DONE, DONE]} for n in ("Ada", "Bo")]}
    found = {remark.code for remark in remarks_before_sheet(parse_game(bare))}
    assert found == {"no-routes", "wagons-left"}
    lengths = {"game": "paris", "players": [{"name": n, "tickets": [DONE]} for n in ("Ada", "Bo")]}
    assert "no-lengths" in {remark.code for remark in remarks_before_sheet(parse_game(lengths))}


def test_a_game_that_somebody_ended_is_not_asked_about() -> None:
    """Bo has 1 of 15 buses left."""
    assert "nobody-ended" not in remarks(by_counts(route_lengths={"1": 3}))


def test_a_marker_that_disagrees_is_told_and_one_that_agrees_is_not() -> None:
    """Three lines of one: 3 points."""
    remarks(by_counts(route_lengths={"1": 3}, marker=3))
    told = remarks(by_counts(route_lengths={"1": 3}, marker=5), "marker")["marker"]
    assert "stands at 5, but the board says 3" in told.message.text("en")


@pytest.mark.parametrize(("game", "dealt"), [("usa", 2), ("germany", 2), ("france", 3)])
def test_who_holds_fewer_tickets_than_the_rules_deal_is_asked(game: str, dealt: int) -> None:
    """Of the first tickets at least two are kept, in France three (rulebooks 000 to 002)."""
    board = load_board(game)
    for count in range(1, 5):
        held = [ticket.id for ticket in board.tickets[:count]]
        document = {"game": game, "players": [{"name": "Ada", "tickets": held}]}
        found = {remark.code for remark in remarks_before_sheet(parse_game(document))}
        assert ("few-tickets" in found) == (count < dealt)


def test_tickets_that_must_be_held_can_be_the_tables_setting() -> None:
    remarks(by_counts())
    asked = {**by_counts(), "settings": {"fewest-tickets": 2}}
    remarks(asked, "few-tickets")
    found = [r for r in remarks_before_sheet(parse_game(asked)) if r.code == "few-tickets"]
    assert [remark.players for remark in found] == [("Ada",), ("Bo",)]
    remarks(by_counts(tickets=[]), "no-tickets")


def test_big_cities_without_a_value_are_named() -> None:
    ticket = {"from": "chicago", "to": "miami", "points": 5, "cards": {"red": 1}}
    players = [{"name": n, "cards": {"red": 1}, "tickets": [ticket]} for n in ("Ada", "Bo")]
    game = {"game": "card-game", "settings": {"big-cities": {"miami": 6}}, "players": players}
    told = remarks(game, "big-cities", "ticket-shared")["big-cities"].message.text("en")
    assert "5 of the 6" in told
    assert "Seattle, Los Angeles, Chicago, Dallas, New York" in told


def test_two_cards_of_a_set_for_the_same_places_are_not_one() -> None:
    """A table's card set tells them apart by their ids; a typed ticket may be either."""
    places = {"from": "chicago", "to": "miami"}
    short = {**places, "points": 5, "cards": {"red": 1}}
    long = {**places, "id": "chicago-miami-long", "points": 7, "cards": {"green": 2}}
    document = {"format": 1, "id": "card-game", "title": "Ours", "tickets": [short, long]}
    cards = card_set_from_json({**document, "big_cities": dict.fromkeys(BIG_CITIES, 5)})

    def told(mine: list[Any], theirs: list[Any]) -> tuple[bool, bool]:
        players: list[dict[str, Any]] = [
            {"name": "Ada", "cards": {}, "tickets": mine},
            {"name": "Bo", "cards": {}, "tickets": theirs},
        ]
        game = parse_game({"game": "card-game", "players": players}, cards, shared_tickets=True)
        remarked = [remark.code for remark in remarks_before_sheet(game)]
        violated = [violation.code for violation in score(game).violations]
        return "ticket-shared" in remarked, "ticket-twice" in violated

    assert told(["chicago--miami"], ["chicago-miami-long"]) == (False, False)
    assert told(["chicago--miami", "chicago-miami-long"], []) == (False, False)
    assert told(["chicago--miami", "chicago-miami-long"], ["chicago--miami"]) == (True, True)
    assert told(["chicago--miami"], [{**short, "points": 6}]) == (True, True)
    other = {"from": "omaha", "to": "duluth", "points": 5, "cards": {"red": 1}}
    assert told(["chicago--miami"], [other]) == (False, False)


@pytest.mark.parametrize(("language", "two"), [("en", "two|twice|both"), ("it", "due|entrambe")])
def test_a_ticket_in_four_hands_is_not_told_as_two(language: str, two: str) -> None:
    players = [{"name": n, "routes": [], "tickets": ["boston--miami"]} for n in "ABCD"]
    game = parse_game({"game": "usa", "players": players}, shared_tickets=True)
    sheet: Any = score(game).to_json(language)
    told = [one for one in sheet["remarks"] if one["code"] == "ticket-shared"]
    told += [one for one in sheet["violations"] if one["code"] == "ticket-twice"]
    assert len(told) == 2
    for one in told:
        assert not re.search(rf"\b({two})\b", f"{one['text']} {one.get('mend', '')}")


def test_a_player_alone_is_told_that_it_is_a_count() -> None:
    ada = {"name": "Ada", "routes": ["denver--omaha"], "tickets": [DONE, DONE]}
    remarks({"game": "usa", "players": [ada]}, "one-player")


def test_the_sheet_carries_the_remarks_in_its_language() -> None:
    sheet = score_game(germany({"red": 3})).to_json("it")
    told = {remark["code"]: remark for remark in sheet["remarks"]}  # type: ignore[attr-defined]
    assert "al massimo 2" in told["passengers"]["text"]
    assert told["passengers"]["mend"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_remark_that_was_waved_through_comes_back_when_its_figures_change(
    language: str,
) -> None:
    first, same, other = (
        remarks(germany({"red": count}), "passengers")["passengers"] for count in (3, 3, 4)
    )
    assert first.key == same.key != other.key
    assert first.to_json(language)["key"] == first.key
