"""What people read names cities, routes and games as they are printed, and nobody's hand."""

from typing import Any

import pytest

from scoring.board.board import board_from_json
from scoring.documents.game import parse_game
from scoring.errors import GameError
from scoring.language import LANGUAGES
from scoring.sheet.sheet import score, score_game
from tests.support.small_board import station_board

TYPED = {"points": 5, "completed": True}


def problems(game: dict[str, Any], language: str = "en", *, shared: bool = False) -> list[str]:
    with pytest.raises(GameError) as caught:
        parse_game(game, shared_tickets=shared)
    return caught.value.in_language(language)


def usa(ada: dict[str, Any], bo: dict[str, Any]) -> dict[str, Any]:
    return {"game": "usa", "players": [{"name": "Ada", **ada}, {"name": "Bo", **bo}]}


BOTH_LINES = {"routes": ["kansas-city--omaha-1", "kansas-city--omaha-2"]}
SAME_TICKET = {"tickets": [["new-york", "atlanta"]]}


@pytest.mark.parametrize(("language", "both"), [("en", "and"), ("it", "e")])
def test_a_breach_names_the_printed_cities(language: str, both: str) -> None:
    (violation,) = score_game(usa(BOTH_LINES, {})).violations
    told = violation.message.text(language)
    assert f"Kansas City – Omaha (1) {both} Kansas City – Omaha (2)" in told
    assert "--" not in told
    assert violation.routes == ("kansas-city--omaha-1", "kansas-city--omaha-2")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_route_or_ticket_held_twice_is_told_by_its_cities(language: str) -> None:
    route = {"routes": ["kansas-city--omaha-1"]}
    (told,) = problems(usa(route, route), language)
    assert "Kansas City – Omaha (1)" in told
    (told,) = problems(usa(SAME_TICKET, SAME_TICKET), language)
    assert "New York – Atlanta" in told
    assert "--" not in told


def test_a_second_holder_is_a_breach_where_the_table_takes_it() -> None:
    sheet = score(parse_game(usa(SAME_TICKET, SAME_TICKET), shared_tickets=True))
    (violation,) = sheet.violations
    assert violation.code == "ticket-twice"
    assert "New York – Atlanta" in violation.message.text("en")


def test_one_hand_never_holds_a_card_twice_whatever_the_table_takes() -> None:
    (ticket,) = SAME_TICKET["tickets"]
    (told,) = problems(usa({"tickets": [ticket, ticket]}, SAME_TICKET), shared=True)
    assert told == "Ada: tickets: New York – Atlanta is given twice"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "title"), [("usa", "USA"), ("paris", "Paris Parigi"), ("france", "France Francia")]
)
def test_a_game_is_called_by_its_title(game: str, title: str, language: str) -> None:
    (told,) = problems({"game": game, "players": []}, language)
    assert "Ticket to Ride" in told
    assert any(word in told for word in title.split())
    assert f" {game} " not in told


@pytest.mark.parametrize(("game", "most"), [("paris", 20), ("usa", 69)])
def test_more_tickets_than_the_set_has_are_told_without_saying_whose(game: str, most: int) -> None:
    """One more than the set has, by value; the sheet is scored all the same."""
    hands: list[dict[str, Any]] = [{"tickets": [TYPED] * most}, {"tickets": [TYPED]}]
    players = [{"name": n, **h} for n, h in zip(("Ada", "Bo"), hands, strict=True)]
    (violation,) = score_game({"game": game, "players": players}).violations
    assert (violation.code, violation.players) == ("too-many-tickets", ())
    for language in LANGUAGES:
        told = violation.message.text(language)
        assert str(most + 1) in told
        assert "Ada" not in told
    fewer = [{**players[0]}, {"name": "Bo", "tickets": []}]
    assert score_game({"game": game, "players": fewer}).violations == ()


def card_ticket(place: str) -> dict[str, Any]:
    ticket = {"from": place, "to": "miami", "points": 5, "completed": True}
    return {"game": "card-game", "players": [{"name": "Ada", "tickets": [ticket]}, {"name": "Bo"}]}


def test_a_misspelt_city_of_the_card_game_is_answered_with_its_name() -> None:
    """Taken as typed it would lose its big-city bonus in silence."""
    (told,) = problems(card_ticket("chigaco"))
    assert told == 'Ada: tickets.1: "chigaco" is no place of the cards; did you mean Chicago?'
    (told,) = problems(card_ticket("New Yrok"), "it")
    assert "New York" in told


@pytest.mark.parametrize("place", ["Timbuktu", "city7", "Kansas City", "bo"])
def test_any_other_place_of_the_card_game_is_taken_as_it_is(place: str) -> None:
    assert parse_game(card_ticket(place)).players[0].tickets[0].places is not None


@pytest.mark.parametrize(
    "spelling", ["NY", "N.Y.", "New York City", "nuova york", "Newyork", "new yo"]
)
def test_a_big_city_of_the_card_game_counts_however_it_is_written(spelling: str) -> None:
    """5 for the ticket and 10 for New York's card."""
    ticket = {"from": spelling, "to": "omaha", "points": 5}
    players = [{"name": "Ada", "completed": [ticket]}, {"name": "Ben"}]
    game = {"game": "card-game", "settings": {"big-cities": {"new-york": 10}}, "players": players}
    sheet = score_game(game)
    assert [player.total for player in sheet.players] == [15, 0]
    assert sheet.players[0].lines[0].detail["ticket"] == ["new-york", "omaha"]


def test_a_name_may_hold_the_newest_emoji() -> None:
    """A pink heart of 2022: an older Python took it for a sign that cannot be seen."""
    ada, _ = score_game(
        {**usa({}, {}), "players": [{"name": "Mia \U0001fa77"}, {"name": "Bo"}]}
    ).players
    assert ada.name == "Mia \U0001fa77"
    assert "\U0001fa77" in problems(usa({"routes": ["\U0001fa77"]}, {}))[0]


def test_a_game_whose_set_nobody_knows_may_have_any_number_of_tickets() -> None:
    """Five players with five each: more than Paris has, and no less right."""
    players = [{"name": name, "tickets": [TYPED] * 5} for name in ("Ada", "Bo", "Cy", "Di", "Eve")]
    assert score_game({"game": "any-map", "players": players}).violations == ()
    taught = board_from_json(station_board(tickets=[]))
    typed = [{"name": "Ada", "tickets": [TYPED]}]
    assert score_game({"game": "wood", "players": typed}, taught).violations == ()
