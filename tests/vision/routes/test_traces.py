"""Players whose wagons look like print: their routes are asked about, others' are not."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.drawn_table import USA
from tests.vision.routes.test_decide import evidence, showing
from tests.vision.test_wagons import asked, reading, routes
from vision.reading import RouteReading, Why
from vision.routes.traces import ask_about_traces
from vision.spaces.evidence import SpaceEvidence, fuse

FREE = "duluth--winnipeg"  # 4 spaces

EVEN = {
    "denver--phoenix": "blue",
    "duluth--toronto": "red",
    "chicago--omaha": "green",
    "dallas--el-paso": "yellow",
    "las-vegas--los-angeles": "black",
    "atlanta--nashville": "black",
    "boston--montreal-1": "black",
}
"""Routes of 5, 6, 4, 4 and 2 + 1 + 2 spaces: nobody has fewer than six tenths of the most."""


def alone(trace: float, colour: str = "red", doubtful: int = 0) -> SpaceEvidence:
    """All spaces surely empty but for that trace on those of FREE, and so many hardly told."""
    read = evidence(USA, {})
    hint = {"empty": 1 - trace, colour: trace}
    told = showing(read, USA, FREE, hint, hint, hint, hint).probabilities.copy()
    told[:doubtful, :2] = 0.9, 0.1  # of other routes
    return replace(read, alone=told)


def claimed(**owners: str) -> dict[str, RouteReading]:
    held = EVEN | {name.replace("__", "--").replace("_", "-"): one for name, one in owners.items()}
    return routes() | {name: reading(name, owner) for name, owner in held.items()}


def without(colour: str) -> dict[str, RouteReading]:
    """The same game without the routes of one colour."""
    return routes() | {
        name: route for name, route in claimed().items() if route.owner not in (None, colour)
    }


def test_a_trace_of_a_player_with_hardly_any_wagons_is_asked_about() -> None:
    result = ask_about_traces(without("red"), alone(0.06), USA)
    assert asked(result) == {FREE: (Why.TRACE,)}
    assert "red" in [owner for owner, _ in result[FREE].alternatives[:2]]
    assert result[FREE].owner is None


@pytest.mark.parametrize(
    ("game", "trace", "colour"),
    [
        ("red", 0.04, "red"),  # too little
        ("red", 0.2, "blue"),  # of a player who has wagons enough
        ("nobody", 0.2, "red"),
    ],
)
def test_other_traces_on_a_clear_board_are_not(game: str, trace: float, colour: str) -> None:
    assert asked(ask_about_traces(without(game), alone(trace, colour), USA)) == {}


def test_where_much_of_the_board_is_doubtful_alone_any_players_trace_is() -> None:
    spaces = USA.space_count
    many, few = int(spaces * 0.1), int(spaces * 0.05)
    assert asked(ask_about_traces(claimed(), alone(0.14, doubtful=many), USA)) == {
        FREE: (Why.TRACE,)
    }
    assert asked(ask_about_traces(claimed(), alone(0.14, doubtful=few), USA)) == {}
    assert asked(ask_about_traces(claimed(), alone(0.1, doubtful=many), USA)) == {}


def test_a_claimed_route_and_one_that_is_asked_about_stay_as_they_are() -> None:
    read = without("red") | {FREE: reading(FREE, "blue")}
    assert ask_about_traces(read, alone(0.3), USA) == read
    read = without("red") | {FREE: reading(FREE, None, "usa", Why.UNSURE)}
    assert ask_about_traces(read, alone(0.3), USA) == read


def test_a_reading_without_looks_at_single_spaces_is_not_doubted() -> None:
    read = without("red")
    assert ask_about_traces(read, replace(alone(0.3), alone=None), USA) == read


def test_of_several_photos_the_trace_in_the_mean_counts() -> None:
    photos = [alone(0.02), alone(0.1)]
    leans = [np.zeros((USA.space_count, 2)), np.full((USA.space_count, 2), 9.0)]
    result = ask_about_traces(without("red"), fuse(photos, leans), USA)
    assert asked(result) == {FREE: (Why.TRACE,)}
