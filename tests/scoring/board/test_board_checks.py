"""What `boards check` says of places and words: each kind of damage is named, good boards pass."""

import copy
import json
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from scoring.board.inspection.inspect import Inspection, inspect_board
from scoring.board.shipped import BOARDS_WITH_DATA
from tests.scoring.board.test_board import printed_board, small_board
from tests.support.documents import changed

DATA = Path(__file__).parents[3] / "scoring" / "board" / "data"
Document = dict[str, Any]
Route = dict[str, Any]


def shipped(name: str) -> Document:
    """The document of a board that comes with the program, in its main print alone."""
    document = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    assert isinstance(document, dict)
    return {key: value for key, value in document.items() if key != "prints"}


def errors(document: Document, language: str = "en") -> list[str]:
    return [finding.message.text(language) for finding in inspect_board(document).errors]


def meant(found: Inspection) -> set[str]:
    """The routes that errors point at."""
    return {route for finding in found.errors for route, _ in finding.boxes}


@pytest.mark.parametrize("name", BOARDS_WITH_DATA)
def test_the_program_s_boards_have_nothing_wrong_and_nothing_odd(name: str) -> None:
    whole = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    assert inspect_board(whole).findings == ()


@pytest.mark.parametrize("name", BOARDS_WITH_DATA)
@pytest.mark.parametrize("seed", range(5))
def test_a_board_taught_two_millimetres_off_is_good(name: str, seed: int) -> None:
    """Nobody marks 300 boxes better: 2 mm at random in every place, at most."""
    rng, document = random.Random(seed), shipped(name)
    width_mm, height_mm = document["frame"]["size_mm"]
    for route in document["routes"]:
        for space in route["spaces"]:
            space[0] += rng.uniform(-2, 2) / width_mm
            space[1] += rng.uniform(-2, 2) / height_mm
            space[2] += rng.uniform(-5, 5)
    assert errors(document) == []


def test_a_board_without_places_of_its_cities_or_without_spaces_is_good() -> None:
    document = shipped("germany")
    for place in document["places"]:
        place.pop("x", None)
        place.pop("y", None)
    assert errors(document) == []
    assert errors(small_board()) == []


def _far(route: Route, rng: random.Random, size_mm: list[float]) -> None:
    """One space 100 mm off, right or down."""
    axis = rng.randrange(2)
    rng.choice(route["spaces"])[axis] += 100 / size_mm[axis]


def _turned(route: Route, rng: random.Random, _size_mm: list[float]) -> None:
    rng.choice(route["spaces"])[2] += 90


def _twice(route: Route, rng: random.Random, _size_mm: list[float]) -> None:
    """Two spaces in one place."""
    one, other = rng.sample(range(route["length"]), 2)
    route["spaces"][one] = list(route["spaces"][other])


def _lost(route: Route, _rng: random.Random, size_mm: list[float]) -> None:
    """The whole line 120 mm off."""
    for space in route["spaces"]:
        space[0] += 120 / size_mm[0]


def _exchanged(route: Route, _rng: random.Random, size_mm: list[float]) -> None:
    """x and y of this line alone, on a line that this moves."""
    for space in route["spaces"]:
        space[0], space[1] = space[1], space[0]


Damage = Callable[[Route, random.Random, list[float]], None]


@pytest.mark.parametrize("name", BOARDS_WITH_DATA)
@pytest.mark.parametrize("damage", [_far, _turned, _twice, _lost, _exchanged])
@pytest.mark.parametrize("seed", range(8))
def test_damage_to_any_one_route_is_named(name: str, damage: Damage, seed: int) -> None:
    rng, document = random.Random(f"{name} {seed}"), shipped(name)
    routes = [route for route in document["routes"] if _can_bear(damage, route)]
    route = rng.choice(routes)
    damage(route, rng, document["frame"]["size_mm"])
    found = inspect_board(document)
    assert route["id"] in meant(found)
    about = [f.message.text(lang) for lang in ("en", "it") for f in found.errors]
    assert sum(f"route {route['id']}: spaces." in words for words in about) >= 2


def _can_bear(damage: Damage, route: Route) -> bool:
    """Whether the damage makes a difference: a route of one space has no two in one place."""
    if damage is _exchanged:
        return all(abs(x - y) > 0.25 for x, y, _ in route["spaces"])
    if damage is _turned:
        return not _has_a_corner(route)
    return damage is not _twice or route["length"] > 1


def _has_a_corner(route: Route) -> bool:
    """Where a line turns sharply, a box may stand either way."""
    angles = [space[2] for space in route["spaces"]]
    turns = [abs(one - other) % 180 for one, other in pairwise(angles)]
    return any(min(turn, 180 - turn) > 45 for turn in turns)


@pytest.mark.parametrize("name", BOARDS_WITH_DATA)
@pytest.mark.parametrize("seed", range(8))
def test_two_routes_whose_spaces_are_swapped_are_both_named(name: str, seed: int) -> None:
    rng, document = random.Random(seed), shipped(name)
    cities = {place["id"] for place in document["places"] if place.get("kind") != "country"}
    routes = [r for r in document["routes"] if {r["from"], r["to"]} <= cities]
    one = rng.choice(routes)
    others = [
        r
        for r in routes
        if r["length"] == one["length"] and not {r["from"], r["to"]} & {one["from"], one["to"]}
    ]
    other = rng.choice(others)
    one["spaces"], other["spaces"] = other["spaces"], one["spaces"]
    assert {one["id"], other["id"]} <= meant(inspect_board(document))


def _every_space(document: Document, change: Callable[[list[float]], list[float]]) -> Document:
    turned = copy.deepcopy(document)
    for route in turned["routes"]:
        route["spaces"] = [change(space) for space in route["spaces"]]
    return turned


@pytest.mark.parametrize("name", BOARDS_WITH_DATA)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: [s[1], s[0], s[2]], "x and y seem to be exchanged in all spaces"),
        (lambda s: [s[0], 1 - s[1], s[2]], "y seems to count upwards"),
        (lambda s: [s[0], s[1], -s[2]], "seem to count the wrong way"),
        (lambda s: [s[0], s[1], s[2] + 90], "those of the short side"),
        (lambda s: [s[0], s[1], 0], "all spaces have the angle 0"),
        (lambda s: [s[0] / 2, s[1] / 2, s[2]], "do not fit each other"),
    ],
)
def test_a_mistake_in_all_spaces_is_said_once(
    name: str, change: Callable[[list[float]], list[float]], words: str
) -> None:
    found = [said for said in errors(_every_space(shipped(name), change)) if "outside" not in said]
    assert len(found) == 1
    assert words in found[0]


@pytest.mark.parametrize("name", BOARDS_WITH_DATA)
def test_x_and_y_exchanged_in_spaces_and_cities_is_said_once(name: str) -> None:
    document = _every_space(shipped(name), lambda s: [s[1], s[0], s[2]])
    for place in document["places"]:
        place["x"], place["y"] = place.get("y"), place.get("x")
    found = errors(document)
    assert len(found) == 1
    assert "x and y seem to be exchanged" in found[0]


@pytest.mark.parametrize("name", BOARDS_WITH_DATA)
def test_a_board_that_counts_y_upwards_in_cities_too_is_said_once(name: str) -> None:
    document = _every_space(shipped(name), lambda s: [s[0], 1 - s[1], s[2]])
    for place in document["places"]:
        if place.get("y") is not None:
            place["y"] = 1 - place["y"]
    found = errors(document)
    assert len(found) == 1
    assert "or y upwards" in found[0]


def test_a_damaged_other_print_is_named_by_its_number() -> None:
    whole = json.loads((DATA / "usa.json").read_text("utf-8"))
    whole["prints"][0]["spaces"]["denver--omaha"][1][0] += 0.1
    assert any("prints.1.spaces.denver--omaha.2" in said for said in errors(whole))


WORDS: list[tuple[list[Any], Any, str]] = [
    (["routes", 3, "colour"], "grren", '"grren" is no printed colour; did you mean green?'),
    (["routes", 3, "colour"], "gray", '"gray" is no printed colour; did you mean grey?'),
    (["routes", 3, "colours"], "red", 'no field "colours"; did you mean colour?'),
    (["routes", 3, "ferrry"], 1, 'no field "ferrry"; did you mean ferry?'),
    (["places", 3, "naem"], "x", 'no field "naem"; did you mean name?'),
    (["tickets", 3, "pionts"], 3, 'no field "pionts"; did you mean points?'),
    (["frame", "size_m"], 3, 'no field "size_m"; did you mean size_mm?'),
    (["player_colours", 0], "blu", '"blu" is none of'),
    (["player_colours", 0], "blu", "did you mean blue?"),
    (["tickets", 3, "to"], "chicgo", 'no place "chicgo"; did you mean chicago?'),
    (["routes", 3, "from"], "atlnta", 'no place "atlnta"; did you mean atlanta?'),
    (["crossings"], [["denver--omha", "denver--phoenix"]], "did you mean denver--omaha?"),
]


@pytest.mark.parametrize(("path", "to", "words"), WORDS)
def test_misspelt_words_are_named_with_what_was_meant(path: list[Any], to: Any, words: str) -> None:
    assert any(words in said for said in errors(changed(shipped("usa"), *path, to=to)))


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        (["maker"], "me", 'no field "maker"; it is ignored'),
        (["routes", 3, "comment"], "x", "route atlanta--new-orleans-1: route: there is no field"),
        (["routes", 3, "colour"], "mauve", '"mauve" is no printed colour that the reader knows'),
    ],
)
def test_words_that_nobody_knows_are_only_odd(path: list[Any], to: Any, words: str) -> None:
    found = inspect_board(changed(shipped("usa"), *path, to=to))
    assert found.errors == ()
    assert [words in remark.message.text() for remark in found.remarks] == [True]


def test_a_line_listed_from_its_second_place_on_is_only_odd() -> None:
    document = shipped("usa")
    document["routes"][0]["spaces"].reverse()
    found = inspect_board(document)
    assert found.errors == ()
    assert ["second place to the first" in r.message.text() for r in found.remarks] == [True]


def test_all_kinds_of_problems_are_reported_together() -> None:
    document = shipped("usa")
    document["routes"][2]["colour"] = "grren"
    document["routes"][40]["spaces"][0][2] += 90
    document["routes"][60]["spaces"][0][0] += 0.2
    said = " ".join(errors(document))
    assert "grren" in said
    assert f"route {document['routes'][40]['id']}: spaces." in said
    assert f"route {document['routes'][60]['id']}: spaces." in said
    broken = " ".join(errors({**document, "title": ""}))
    assert "board: title: must be a text" in broken
    assert "grren" in broken


@pytest.mark.parametrize("nonsense", [None, 3, [], {}, {"format": 1}, {"routes": [3, {"id": 4}]}])
def test_nonsense_is_refused_without_a_crash(nonsense: Any) -> None:
    assert inspect_board(nonsense).errors


def test_the_small_printed_board_of_other_tests_is_seen_as_too_wide() -> None:
    """Two spaces a tenth of 795 mm apart: 80 mm, of boxes of 25."""
    assert any("79.5 mm" in said for said in errors(printed_board()))
