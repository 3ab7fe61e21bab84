"""The judge of places: which questions it withdraws, which it asks besides, and what it may not."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.drawn_table import USA
from tests.vision.routes.test_decide import evidence, showing
from tests.vision.routes.test_settling import weighed
from tests.vision.test_wagons import asked, reading, routes, wagons
from vision.network import load_network
from vision.reading import RouteReading, Why
from vision.routes.account import account_of
from vision.routes.judge import judge_places
from vision.routes.place_figures import (
    FALLING,
    FIGURES,
    OF_LINE,
    OF_PLACE,
    RISING,
    columns_of,
    figures,
)
from vision.routes.places import places_of
from vision.routes.posterior import Posterior
from vision.spaces.evidence import SpaceEvidence
from vision.wagons.find import FoundWagons

LINE = "duluth--winnipeg"  # 4 spaces, a place of its own
DOUBLE = ("kansas-city--omaha-1", "kansas-city--omaha-2")
GAME = {
    "denver--phoenix": "blue",
    "duluth--toronto": "red",
    "chicago--omaha": "green",
    "dallas--el-paso": "yellow",
}


def seen_of(owners: Mapping[str, str]) -> SpaceEvidence:
    """Both looks at every space, and the one at whole routes, surely show these owners."""
    seen = evidence(USA, owners)
    by_route = np.full((len(USA.routes), 1 + len(USA.player_colours)), 0.0002)
    for row, route in zip(by_route, USA.routes, strict=True):
        owner = owners.get(route.id)
        row[0 if owner is None else 1 + USA.player_colours.index(owner)] = 0.999
    return replace(seen, by_route=by_route, alone=seen.probabilities.copy())


def read_of(owners: Mapping[str, str]) -> dict[str, RouteReading]:
    return routes() | {name: reading(name, owner) for name, owner in owners.items()}


def found_of(owners: Mapping[str, str]) -> FoundWagons:
    """One wagon on the first space of each route is enough for what is tested here."""
    return wagons(*((name, 0.0, 0.0, 0.0, colour, 0.95) for name, colour in owners.items()))


def judged(
    read: dict[str, RouteReading],
    seen: SpaceEvidence,
    by: Posterior,
    found: FoundWagons | None = None,
) -> dict[str, RouteReading]:
    accounts = [account_of(found or found_of(GAME))]
    return judge_places(read, seen, USA, by, accounts, with_empty=False)


def weighed_as(owners: Mapping[str, str], **more: tuple[str | None, float]) -> Posterior:
    """The weighing surely says the same; `more` as in `weighed`."""
    same = {name.replace("-", "_"): (owner, 0.9999) for name, owner in owners.items()}
    return weighed(**{**same, **more})


def test_a_board_that_is_read_surely_by_all_is_asked_nothing() -> None:
    assert asked(judged(read_of(GAME), seen_of(GAME), weighed_as(GAME))) == {}


def test_a_doubt_that_everything_else_speaks_against_is_withdrawn() -> None:
    read = read_of(GAME) | {LINE: reading(LINE, None, "usa", Why.UNSURE)}
    assert asked(judged(read, seen_of(GAME), weighed_as(GAME))) == {}


@pytest.mark.parametrize("why", [Why.HIDDEN, Why.NOT_PLAYING, Why.LOOSE_WAGON])
def test_what_a_person_should_look_at_stays_a_question_however_sure_all_else_is(why: Why) -> None:
    read = read_of(GAME) | {LINE: reading(LINE, None, "usa", why)}
    assert asked(judged(read, seen_of(GAME), weighed_as(GAME))) == {LINE: (why,)}


class Chance:
    """A judge that finds every place equally likely wrong."""

    def __init__(self, wrong: float) -> None:
        self.wrong = wrong

    def run_image(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.full((len(rows), 1), self.wrong, np.float32)


@pytest.mark.parametrize(
    ("wrong", "asked_about"),
    [
        (0.03, {Why.UNSURE, Why.NO_WAGON, Why.ROOF_COLOUR, Why.TOO_MANY_WAGONS, Why.HIDDEN}),
        (0.01, {Why.NO_WAGON, Why.ROOF_COLOUR, Why.TOO_MANY_WAGONS, Why.HIDDEN}),
        (0.002, {Why.TOO_MANY_WAGONS, Why.HIDDEN}),
        (0.0001, {Why.TOO_MANY_WAGONS, Why.HIDDEN}),
    ],
)
def test_the_graver_a_doubt_the_surer_all_else_must_be(
    wrong: float, asked_about: set[Why], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.routes.judge.load_network", lambda _: Chance(wrong))
    doubts = (Why.UNSURE, Why.NO_WAGON, Why.ROOF_COLOUR, Why.TOO_MANY_WAGONS, Why.HIDDEN)
    left = set()
    for why in doubts:
        read = read_of(GAME) | {LINE: reading(LINE, "red", "usa", Why.UNSURE, why)}
        if asked(judged(read, seen_of(GAME), weighed_as(GAME))):
            left.add(why)
    assert left == asked_about


def test_a_doubt_that_the_weighing_shares_stays() -> None:
    read = read_of(GAME) | {LINE: reading(LINE, "red", "usa", Why.UNSURE, sure=0.9)}
    by = weighed_as(GAME, duluth__winnipeg=("red", 0.5))
    assert set(asked(judged(read, seen_of(GAME), by))) == {LINE}


def test_a_player_seen_on_a_line_that_was_read_as_free_is_asked_about_by_name() -> None:
    """The look at each space alone takes most of its wagons for blue ones, and so, though less than
    for none, do the look at the whole route and the weighing."""
    hint = {"empty": 0.4, "blue": 0.6}
    seen = seen_of(GAME)
    alone = showing(replace(seen, alone=None), USA, LINE, hint, hint, hint, hint).probabilities
    by_route = np.array(seen.by_route)
    row = by_route[[route.id for route in USA.routes].index(LINE)]
    row[:] = 0.01
    row[0], row[1 + USA.player_colours.index("blue")] = 0.6, 0.36
    seen = replace(seen, alone=alone, by_route=by_route)
    by = weighed_as(GAME, duluth__winnipeg=(None, 0.8))
    result = judged(read_of(GAME), seen, by)
    assert asked(result) == {LINE: (Why.TRACE,)}
    assert result[LINE].owner is None
    assert "blue" in [owner for owner, _ in result[LINE].alternatives[:2]]


def test_of_a_double_the_line_that_the_weighing_doubts_is_asked_about() -> None:
    one, other = DOUBLE
    game = GAME | {one: "red", other: "black"}
    by = weighed_as(game, kansas_city__omaha_1=("red", 0.6))
    by = replace(by, bags={**by.bags, DOUBLE: {("black", "red"): 0.6, (None, "black"): 0.4}})
    seen = showing(seen_of(game), USA, one, {"red": 0.6, "empty": 0.4})
    seen = replace(seen, alone=seen.probabilities.copy())
    result = judged(read_of(game), seen, by, found_of(GAME))
    assert asked(result) == {one: (Why.UNSURE,)}


def test_evidence_without_looks_alone_or_at_whole_routes_is_judged_too() -> None:
    bare = replace(seen_of(GAME), alone=None, by_route=None)
    told = figures(
        read_of(GAME), bare, USA, weighed_as(GAME), account_of(wagons()), with_empty=True
    )
    assert told.shape == (len(places_of(USA)), FIGURES)
    assert np.isfinite(told).all()


def test_figures_say_what_was_read_of_a_place() -> None:
    """Worked out by hand for one claim of four spaces, the second of them nine tenths hidden."""
    game = GAME | {LINE: "red"}
    clear, half = {"red": 0.9, "empty": 0.1}, {"occluded": 0.9, "red": 0.05, "empty": 0.05}
    seen = showing(seen_of(game), USA, LINE, clear, half, clear, clear)
    by = weighed_as(game, duluth__winnipeg=("red", 0.75))
    found = wagons(
        (LINE, 0.0, 0.0, 0.0, "red", 0.8), ("duluth--toronto", 0.0, 0.0, 0.0, "red", 1.0)
    )
    told = figures(read_of(game), seen, USA, by, account_of(found), with_empty=True)
    row = told[places_of(USA).index((LINE,))]
    of_place = dict(zip(OF_PLACE, row, strict=False))
    line = dict(zip(OF_LINE, row[len(OF_PLACE) :], strict=False))
    # 0.75 is 3 to 1; the other five owners share the rest.
    assert of_place["weighed"] == pytest.approx(np.log(3), abs=1e-4)
    assert of_place["next_weighed"] == pytest.approx(np.log(0.05 / 0.95), abs=1e-4)
    assert (of_place["beside_empty"], of_place["players"], of_place["lines"]) == (1, 5, 1)
    # Of the half-hidden space red has half of what is seen: even odds.
    assert line["worst_space"] == pytest.approx(0.0, abs=1e-4)
    assert line["mean_space"] == pytest.approx(np.log(0.8 / 0.2), abs=1e-4)  # (3 * 0.9 + 0.5) / 4
    assert line["wagons_found"] == pytest.approx(0.8 * 0.991 / 4, abs=1e-3)  # one of four
    assert line["own_colour"] == pytest.approx(0.991, abs=1e-4)
    assert line["most_hidden"] == pytest.approx(0.9)
    assert line["owners_wagons"] == pytest.approx(1.0)  # red has ten wagons, nobody more
    assert [line[name] for name in ("free", "black", "white", "grey")] == [0, 0, 0, 0]
    assert line["length"] == 4
    # The only line is the least and the largest.
    assert list(line.values()) == list(row[-len(OF_LINE) :])


ROW = st.lists(st.floats(-8, 8, width=32), min_size=FIGURES, max_size=FIGURES)


@given(ROW, st.sampled_from(columns_of(RISING | FALLING)), st.floats(0, 16, width=32))
def test_more_doubt_in_any_one_figure_never_makes_a_place_surer(
    row: list[float], figure: int, more: float
) -> None:
    doubted = list(row)
    doubted[figure] += more if figure in columns_of(RISING) else -more
    pair = np.array([row, doubted], np.float32)
    before, after = load_network("judge").run_image(pair).ravel()
    assert after >= before - 1e-6
