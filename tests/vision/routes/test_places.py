"""Places are what scores: lines of one double of equal length, whichever of them is whose."""

from dataclasses import replace

import pytest

from scoring.board.board import load_board
from tests.vision.routes.test_decide import evidence, showing
from vision.reading import Why
from vision.routes.decide import decide_routes
from vision.routes.places import ask_by_place, bag_of, places_of, read_places
from vision.spaces.evidence import SpaceEvidence

USA = load_board("usa")
ONE, OTHER = "portland--seattle-1", "portland--seattle-2"


@pytest.mark.parametrize("board_id", ["usa", "germany", "france"])
def test_every_line_is_in_exactly_one_place(board_id: str) -> None:
    board = load_board(board_id)
    lines = [line for place in places_of(board) for line in place]
    assert sorted(lines) == sorted(board.route_by_id)


def test_usa_has_78_places_on_its_100_lines() -> None:
    """The printed map: 22 doubles, both lines of each equally long, and 56 single lines."""
    assert [len(place) for place in places_of(USA)].count(2) == 22
    assert len(places_of(USA)) == 78


def test_lines_of_other_length_between_the_same_cities_are_places_of_their_own() -> None:
    longer = replace(USA.route_by_id[OTHER], length=2)
    board = replace(USA, routes=tuple(longer if r.id == OTHER else r for r in USA.routes))
    assert (ONE,) in places_of(board)
    assert (OTHER,) in places_of(board)


def test_a_bag_is_the_same_whichever_line_is_whose() -> None:
    assert bag_of(["red", None]) == bag_of([None, "red"])
    assert bag_of(["red", None]) != bag_of(["red", "red"])


def single(shown: dict[str, float]) -> SpaceEvidence:
    """Portland to Seattle: blue's wagon on the first line, this on the second."""
    seen = evidence(USA, {ONE: "blue"}, sure=0.9999)
    return showing(seen, USA, OTHER, shown)


def test_a_line_that_shows_only_the_wagon_beside_it_is_not_asked_about() -> None:
    """Were the wagon on this line, it would be off the other: nobody and blue either way."""
    routes = decide_routes(single({"empty": 0.99, "blue": 0.01}), USA)
    assert [routes[name].owner for name in (ONE, OTHER)] == ["blue", None]
    assert not routes[ONE].review
    assert not routes[OTHER].review


def test_a_line_that_shows_a_third_colour_is_asked_about() -> None:
    routes = decide_routes(single({"empty": 0.99, "red": 0.01}), USA)
    assert routes[OTHER].why == (Why.SINGLE_SPACE,)
    places = read_places(routes, USA)
    (place,) = (p for p in places if OTHER in p.routes)
    assert (place.owners, place.review) == (("blue", None), True)
    assert place.why == (Why.SINGLE_SPACE,)
    asked = {name: r.why for name, r in ask_by_place(routes, places).items() if r.review}
    assert asked == {ONE: (Why.OTHER_LINE,), OTHER: (Why.SINGLE_SPACE,)}


@pytest.mark.parametrize("line", [ONE, "denver--kansas-city-1"])
def test_a_double_of_which_nobody_or_blue_has_a_line_is_asked_about(line: str) -> None:
    """Half of blue wagons on one line and none on the other: the bag itself is in doubt."""
    half = [{"empty": 0.5, "blue": 0.5}] * USA.route_by_id[line].length
    seen = showing(evidence(USA, {}, sure=0.9999), USA, line, *half)
    assert decide_routes(seen, USA)[line].review


def test_a_free_double_of_single_spaces_is_asked_about_as_before() -> None:
    seen = evidence(USA, {}, sure=0.9999)
    for line in (ONE, OTHER):
        seen = showing(seen, USA, line, {"empty": 0.99, "green": 0.01})
    routes = decide_routes(seen, USA)
    assert routes[ONE].review
    assert routes[OTHER].review


def test_lines_with_something_over_them_stay_a_question() -> None:
    seen = evidence(USA, {ONE: "blue", OTHER: "occluded"}, sure=0.9999)
    routes = decide_routes(seen, USA)
    assert Why.HIDDEN in routes[OTHER].why
