"""What is asked about is guessed by whom the route would serve; what is seen stays what it is."""

import numpy as np

from scoring.board.board import load_board
from vision.reading import RouteReading
from vision.routes.decide import decide_routes
from vision.spaces.evidence import SpaceEvidence

USA = load_board("usa")
LABELS = ("empty", "occluded", *USA.player_colours)
BLACK_LINE = ("denver--santa-fe", "duluth--omaha-1")
"""Two of black's routes: the first ends in Denver, the second in Omaha."""
GREEN_ELSEWHERE = ("miami--new-orleans", "houston--new-orleans", "atlanta--miami")


def read(seen: dict[str, dict[str, float]]) -> dict[str, RouteReading]:
    """The board with black's two lines and three of green; `seen` are the looks of other routes."""
    looks = {name: {"black": 1.0} for name in BLACK_LINE}
    looks |= {name: {"green": 1.0} for name in GREEN_ELSEWHERE}
    looks |= seen
    rows = np.zeros((USA.space_count, len(LABELS)))
    for route in USA.routes:
        for label, probability in looks.get(route.id, {"empty": 1.0}).items():
            rows[USA.spaces_of[route.id], LABELS.index(label)] = probability
    return decide_routes(SpaceEvidence(LABELS, rows), USA)


def test_between_two_lines_of_a_colour_that_colour_is_the_likelier_of_two() -> None:
    route = read({"denver--omaha": {"red": 0.6, "black": 0.4}})["denver--omaha"]
    assert route.owner == "black"
    assert [owner for owner, _ in route.alternatives[:2]] == ["black", "red"]


def test_such_a_guess_is_asked_about_all_the_same() -> None:
    assert read({"denver--omaha": {"red": 0.6, "black": 0.4}})["denver--omaha"].review


def test_far_from_all_its_other_wagons_a_colour_is_the_less_likely_of_two() -> None:
    """Black has nothing near Los Angeles, nor has red: as seen. Then red has both ends."""
    doubtful = {"los-angeles--phoenix": {"red": 0.4, "black": 0.6}}
    assert read(doubtful)["los-angeles--phoenix"].owner == "black"
    ends = {"el-paso--phoenix": {"red": 1.0}, "las-vegas--los-angeles": {"red": 1.0}}
    assert read(doubtful | ends)["los-angeles--phoenix"].owner == "red"


def test_what_is_asked_about_itself_speaks_for_nobody() -> None:
    doubtful = {"los-angeles--phoenix": {"red": 0.4, "black": 0.6}}
    half_red = {"red": 0.6, "yellow": 0.4}
    ends = {"el-paso--phoenix": half_red, "las-vegas--los-angeles": half_red}
    routes = read(doubtful | ends)
    assert {routes[name].owner for name in ends} == {"red"}
    assert routes["los-angeles--phoenix"].owner == "black"


def test_of_a_hidden_route_the_neighbours_are_offered_before_those_with_more_wagons() -> None:
    route = read({"denver--omaha": {"occluded": 1.0}})["denver--omaha"]
    assert route.review
    assert {owner for owner, _ in route.alternatives[:2]} == {None, "black"}


def test_a_loop_is_less_likely_than_a_way_that_joins_two_lines() -> None:
    """Black already goes from Denver to Omaha through Kansas City."""
    hidden = {"denver--omaha": {"occluded": 1.0}}
    joins = read(hidden)["denver--omaha"]
    loop = {"denver--kansas-city-1": {"black": 1.0}, "kansas-city--omaha-1": {"black": 1.0}}
    closes = read(hidden | loop)["denver--omaha"]
    assert dict(closes.alternatives)["black"] < dict(joins.alternatives)["black"]


def test_a_wagon_that_is_surely_seen_belongs_to_its_colour_wherever_it_stands() -> None:
    route = read({"denver--omaha": {"red": 1.0}})["denver--omaha"]
    assert route.owner == "red"
    assert not route.review


def test_the_answers_still_are_probabilities_with_the_owner_first() -> None:
    for route in read({"denver--omaha": {"occluded": 1.0}}).values():
        assert route.alternatives[0] == (route.owner, route.confidence)
        assert 0 < sum(p for _, p in route.alternatives) < 1 + 1e-9
