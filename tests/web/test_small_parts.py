"""Search, walks, marks, names and the sheet's words, each by itself."""

from itertools import pairwise

import pytest

from scoring.board.board import load_board
from scoring.game.colours import COLOURS, HEX, SYMBOL
from web.colour_styles import MARK_PATHS, contrast, ink_on, luminance, style_sheet
from web.search import find_routes, find_tickets
from web.sheet import join_names, view_sheet
from web.travel_order import walk
from web.validation import clean_name

USA, GERMANY, FRANCE = (load_board(name) for name in ("usa", "germany", "france"))


def ids(found: object) -> list[str]:
    return [one.id for one in found.shown]  # type: ignore[attr-defined]


def test_letters_of_both_cities_find_one_ticket() -> None:
    assert ids(find_tickets(USA, "los mia")) == ["los-angeles--miami"]
    assert ids(find_tickets(USA, "MIAMI  los")) == ["los-angeles--miami"]


def test_accents_need_not_be_typed() -> None:
    assert "muenchen" in ids(find_tickets(GERMANY, "munch"))[0]
    assert ids(find_routes(USA, "montreal")) == ids(find_routes(USA, "Montréal"))
    assert ids(find_routes(USA, "montreal"))


def test_a_value_may_be_typed_with_a_city() -> None:
    found = find_tickets(USA, "miami 10")
    assert {USA.ticket_by_id[name].points for name in ids(found)} == {10}


def test_at_most_six_are_shown_and_the_rest_is_counted() -> None:
    found = find_tickets(GERMANY, "b")
    assert len(found.shown) == 6
    beginning = [
        ticket
        for ticket in GERMANY.tickets
        if any(GERMANY.place_by_id[place].name.startswith("B") for place in ticket.places)
    ]
    assert len(found.shown) + found.more == len(beginning)


def test_tickets_in_hand_are_not_offered_again() -> None:
    assert ids(find_tickets(USA, "los mia", {"los-angeles--miami"})) == []


def test_nothing_typed_finds_nothing() -> None:
    assert find_tickets(USA, "  ").shown == ()


def test_a_walk_goes_from_city_to_city() -> None:
    steps = walk(USA, ["denver--omaha", "duluth--omaha-1", "duluth--helena", "denver--helena"])
    assert [step.start for step in steps] == ["denver", "omaha", "duluth", "helena"]
    assert all(one.end == other.start for one, other in pairwise(steps))
    assert [step.backwards for step in steps] == [False, True, False, True]
    assert [step.total for step in steps] == [4, 6, 12, 16]


def test_both_lines_of_a_double_are_walked_there_and_back() -> None:
    steps = walk(USA, ["duluth--omaha-1", "duluth--omaha-2", "duluth--helena"])
    assert [step.start for step in steps] == ["duluth", "omaha", "duluth"]


def test_a_walk_out_of_a_country_starts_there() -> None:
    first, second = walk(GERMANY, ["frankreich--freiburg", "freiburg--karlsruhe"])
    assert (first.start, second.end) == ("frankreich", "karlsruhe")


def test_a_path_that_breaks_off_is_walked_as_far_as_it_goes() -> None:
    assert len(walk(USA, ["denver--omaha", "miami--new-orleans"])) == 1
    assert walk(USA, []) == ()


def test_every_colour_has_a_shape_of_its_own() -> None:
    assert set(MARK_PATHS) == set(SYMBOL) == set(COLOURS)
    assert len(set(MARK_PATHS.values())) == len(COLOURS)


@pytest.mark.parametrize("colour", COLOURS)
def test_a_shape_stands_out_on_its_colour(colour: str) -> None:
    ground = luminance(HEX[colour])
    assert contrast(ground, luminance(ink_on(HEX[colour]))) >= 4.5
    assert f".c-{colour}{{--c:{HEX[colour]};" in style_sheet()


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast(luminance("#000000"), luminance("#ffffff")) == pytest.approx(21)


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Zoë\u202e\u200b\n", "Zoë"),
        ("A" * 60, "A" * 24),
        (7, ""),
        (None, ""),
    ],
)
def test_a_name_is_one_clean_line(sent: object, name: str) -> None:
    assert clean_name(sent) == name


def test_names_are_joined_as_spoken() -> None:
    assert join_names(["Ada"], "en") == "Ada"
    assert join_names(["Ada", "Ben", "Cleo"], "en") == "Ada, Ben and Cleo"
    assert join_names(["Ada", "Ben"], "it") == "Ada e Ben"


def test_a_shared_win_and_its_rule_are_said() -> None:
    player = {"colour": "red", "total": 5, "rank": 1, "lines": []}
    sheet = {
        "players": [player | {"name": "Ada"}, player | {"name": "Ben", "colour": "blue"}],
        "winners": ["Ada", "Ben"],
        "tie_break": "shared",
    }
    view = view_sheet(sheet, USA, "en")
    assert view.headline == "Ada and Ben share the win!"
    assert view.tie_break == "Level in everything: the win is shared."


def test_typed_tickets_without_places_are_still_a_line() -> None:
    lines = [
        {
            "kind": "ticket",
            "points": 5,
            "ticket": None,
            "completed": True,
            "evidence": {"stated": True},
        },
        {"kind": "ticket", "points": -4, "ticket": ["rome", "paris"], "completed": False},
        {"kind": "flags", "points": 8, "evidence": {"flags": 2}},
    ]
    player = {"name": "Ada", "colour": "red", "total": 9, "rank": 1, "lines": lines}
    sheet = {"players": [player], "winners": ["Ada"], "tie_break": None}
    titles = [line.title for line in view_sheet(sheet, None, "it").cards[0].lines]
    assert titles == ["Biglietto", "Rome – Paris", "Bandiere francesi"]
