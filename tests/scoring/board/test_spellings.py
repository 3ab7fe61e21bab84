"""Places as people write them, in the search and in a game's document."""

import pytest

from scoring.board.board import Place, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.board.spellings import fold, places_by_spelling, spellings
from scoring.sheet.sheet import score_game


@pytest.mark.parametrize("pair", [["NY", "LA"], ["Nuova York", "los angeles"], ["NYC", "LA"]])
def test_a_ticket_of_a_game_is_known_by_any_spelling(pair: list[str]) -> None:
    ada = {"name": "Ada", "colour": "red", "routes": [], "tickets": [pair]}
    # New York – Los Angeles is worth 20 in this edition, and is not completed
    assert score_game({"game": "usa", "players": [ada]}).players[0].total == -20


@pytest.mark.parametrize("board", BOARDS_WITH_DATA)
def test_every_printed_name_and_id_means_its_own_place(board: str) -> None:
    known = places_by_spelling(load_board(board))
    for place in load_board(board).places:
        assert known[fold(place.name)] == known[fold(place.id)] == place.id


@pytest.mark.parametrize("board", BOARDS_WITH_DATA)
def test_no_other_name_of_a_place_is_the_printed_name_of_another(board: str) -> None:
    places = load_board(board).places
    printed = {fold(place.name): place.id for place in places}
    clashes = {
        name: place.id
        for place in places
        for name in spellings(place)
        if printed.get(name, place.id) != place.id
    }
    assert clashes == {}


@pytest.mark.parametrize(
    ("printed", "typed"),
    [
        ("Łódź", "lodz"),
        ("Diyarbakır", "diyarbakir"),
        ("Þingvellir", "thingvellir"),
        ("Đakovo", "dakovo"),
        ("Århus", "aarhus"),
        ("Århus", "arhus"),
        ("Köln", "koeln"),
        ("Gießen", "giessen"),
    ],
)
def test_a_place_of_a_map_of_ones_own_is_found_without_its_letters(
    printed: str, typed: str
) -> None:
    assert typed in spellings(Place("somewhere", printed, "city"))
