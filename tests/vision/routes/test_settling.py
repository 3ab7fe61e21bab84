"""Both witnesses weighed at once: what it settles, what it mends, and what stays a question."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board.board import load_board
from scoring.game.colours import COLOURS
from tests.support.drawn_table import USA
from tests.vision.routes.test_decide import evidence, showing
from tests.vision.test_wagons import asked, reading, routes, wagons
from vision.reading import RouteReading, Why
from vision.routes.account import account_of
from vision.routes.fusion import FEATURES, features, weigh
from vision.routes.places import places_of
from vision.routes.posterior import Posterior
from vision.routes.settling import settle_doubts
from vision.wagons.find import FoundWagons

OWNERS = (None, *USA.player_colours)
LINE = "duluth--winnipeg"
DOUBLE = ("kansas-city--omaha-1", "kansas-city--omaha-2")


def chances(owner: str | None, sure: float) -> NDArray[np.float64]:
    rest = (1 - sure) / (len(OWNERS) - 1)
    return np.array([sure if one == owner else rest for one in OWNERS])


def weighed(**told: tuple[str | None, float]) -> Posterior:
    """Every route surely free but for those named, with `_` for `-`."""
    return weighed_as(
        {name.replace("__", "--").replace("_", "-"): one for name, one in told.items()}
    )


def weighed_as(said: Mapping[str, tuple[str | None, float]]) -> Posterior:
    """The same by the routes' own names."""
    by_route = {r.id: chances(*said.get(r.id, (None, 0.9999))) for r in USA.routes}
    bags = {place: {(None,) * len(place): 0.9999} for place in places_of(USA) if len(place) > 1}
    return Posterior(by_route, bags)


def settled(
    read: dict[str, RouteReading], by: Posterior, found: FoundWagons | None = None
) -> dict[str, RouteReading]:
    return settle_doubts(read, USA, by, OWNERS, [account_of(found or wagons())])


def doubted(owner: str | None, *why: Why) -> dict[str, RouteReading]:
    return routes() | {LINE: reading(LINE, owner, "usa", *why, sure=0.96)}


@pytest.mark.parametrize(
    ("owner", "enough", "too_little"),
    [("red", 0.9, 0.8), ("black", 0.94, 0.92), (None, 0.94, 0.92)],
)
def test_a_doubt_is_settled_where_the_weighing_says_the_same_surely(
    owner: str | None, enough: float, too_little: float
) -> None:
    """Shadows look black and pale prints white: those must be surer than another colour."""
    read = doubted(owner, Why.UNSURE)
    assert asked(settled(read, weighed(duluth__winnipeg=(owner, enough)))) == {}
    assert set(asked(settled(read, weighed(duluth__winnipeg=(owner, too_little))))) == {LINE}


def test_what_is_seen_of_a_half_hidden_line_must_be_surer() -> None:
    half = doubted("red", Why.HIDDEN, Why.UNSURE)
    assert asked(settled(half, weighed(duluth__winnipeg=("red", 0.99)))) == {}
    assert set(asked(settled(half, weighed(duluth__winnipeg=("red", 0.98))))) == {LINE}


@pytest.mark.parametrize("why", [Why.DISAGREE, Why.LOOSE_WAGON, Why.LOOKED_CLAIMED])
def test_what_is_contradicted_stays_a_question(why: Why) -> None:
    sure = weighed(duluth__winnipeg=("red", 0.9999))
    assert asked(settled(doubted("red", why), sure)) == {LINE: (why,)}


def test_black_wagons_that_were_hardly_found_are_black_only_where_the_weighing_is_very_sure() -> (
    None
):
    read = doubted("black", Why.NO_WAGON)
    assert asked(settled(read, weighed(duluth__winnipeg=("black", 0.99)))) == {}
    assert set(asked(settled(read, weighed(duluth__winnipeg=("black", 0.98))))) == {LINE}


def test_a_black_line_of_a_double_without_wagons_stays_a_question() -> None:
    """The gap that wagons beside their boxes leave, and their shadow, look black to both."""
    one, other = DOUBLE
    read = routes() | {
        one: reading(one, "black", "usa", Why.NO_WAGON, sure=0.96),
        other: reading(other, "red", "usa", sure=0.99),
    }
    sure = weighed(kansas_city__omaha_1=("black", 0.999), kansas_city__omaha_2=("red", 0.999))
    sure = replace(sure, bags={**sure.bags, DOUBLE: {("black", "red"): 0.999}})
    assert set(asked(settled(read, sure))) == {one}


def test_wagons_of_no_clear_colour_are_their_owners_where_the_weighing_is_very_sure() -> None:
    """White or red by the wagon alone, but nothing like black: 0.99 settles it, 0.95 does not."""
    either = wagons((LINE, 0.0, 0.0, 0.0, "red", 0.9))
    either.colours[0] = 0.0
    either.colours[0, COLOURS.index("red")] = 0.6
    either.colours[0, COLOURS.index("white")] = 0.4
    red = doubted("red", Why.UNSURE)
    assert asked(settled(red, weighed(duluth__winnipeg=("red", 0.99)), either)) == {}
    assert set(asked(settled(red, weighed(duluth__winnipeg=("red", 0.95)), either))) == {LINE}


def test_what_is_asked_is_read_as_the_weighing_has_it_and_stays_asked() -> None:
    line = settled(doubted("red", Why.UNSURE), weighed(duluth__winnipeg=("green", 0.9)))[LINE]
    assert (line.owner, line.review) == ("green", True)
    assert [owner for owner, _ in line.alternatives][:1] == ["green"]


def test_a_line_of_which_much_is_hidden_is_not_read_anew() -> None:
    line = settled(doubted("red", Why.HIDDEN), weighed(duluth__winnipeg=("green", 0.9)))[LINE]
    assert (line.owner, line.review) == ("red", True)


def test_a_sure_reading_is_never_changed_but_asked_about_where_the_weighing_differs() -> None:
    line = settled(routes(), weighed(duluth__winnipeg=("green", 0.99)))[LINE]
    assert (line.owner, line.why) == (None, (Why.UNSURE,))
    assert asked(settled(routes(), weighed())) == {}


@pytest.mark.parametrize("sure", [0.99, 0.9999])
def test_wagons_that_may_be_black_settle_nothing(sure: float) -> None:
    """Under a warm lamp they look red to one half and black to the other, to both witnesses: that
    the weighing is sure of red says nothing."""
    red = doubted("red", Why.UNSURE)
    told = weighed(duluth__winnipeg=("red", sure))
    clear = wagons((LINE, 0.0, 0.0, 0.0, "red", 0.9))
    assert asked(settled(red, told, clear)) == {}
    clear.colours[0] = 0.05
    clear.colours[0, [COLOURS.index("red"), COLOURS.index("black")]] = 0.3
    assert set(asked(settled(red, told, clear))) == {LINE}


def test_each_owner_of_each_route_has_its_figures() -> None:
    seen = evidence(USA, {LINE: "red"}, sure=0.999)
    told = features(seen, USA, account_of(wagons()), with_empty=False)
    assert list(told) == [route.id for route in USA.routes]
    assert {figures.shape for figures in told.values()} == {(len(OWNERS), FEATURES)}


def test_the_weighing_believes_two_witnesses_more_than_one() -> None:
    """A route of one space shows red to 0.9; a red wagon stands there, or none, or a blue one."""
    single = next(r.id for r in USA.routes if r.length == 1 and r.parallel_group is None)
    seen = showing(evidence(USA, {}, sure=0.999), USA, single, {"red": 0.9, "empty": 0.1})
    red = OWNERS.index("red")

    def chance(*rows: tuple[str, float, float, float, str, float]) -> float:
        accounts = [account_of(wagons(*rows))]
        return float(weigh(seen, USA, accounts, with_empty=False).routes[single][red])

    with_it = chance((single, 0.0, 0.0, 0.0, "red", 0.9))
    assert with_it > 0.9
    assert with_it > chance() + 0.05
    assert with_it > chance((single, 0.0, 0.0, 0.0, "blue", 0.9)) + 0.05


def test_board_of_other_colours_has_figures_too() -> None:
    germany = load_board("germany")
    seen = evidence(germany, {}, sure=0.999)
    found = weigh(seen, germany, [account_of(wagons(board_id="germany"))], with_empty=True)
    assert set(found.routes) == set(germany.route_by_id)
    assert all(chance[0] > 0.9 for chance in found.routes.values())
