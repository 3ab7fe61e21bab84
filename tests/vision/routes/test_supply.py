"""A colour of which far more wagons are read than a set holds: one is taken for another."""

from tests.support.drawn_table import USA
from tests.vision.routes.test_settling import OWNERS, weighed
from tests.vision.test_wagons import asked, reading, routes
from vision.reading import RouteReading, Why
from vision.routes.rule_warnings import rule_warnings
from vision.routes.supply import ask_about_supply

SIXES = (
    "calgary--winnipeg",
    "duluth--helena",
    "duluth--toronto",
    "el-paso--houston",
    "el-paso--los-angeles",
    "helena--seattle",
    "miami--new-orleans",
    "portland--salt-lake-city",
    "sault-st-marie--winnipeg",
)
"""Nine routes of six spaces: 54 wagons, where the set has 45."""

FIVE = "montreal--sault-st-marie"


def of_blue(*names: str, sure: float = 0.99) -> dict[str, RouteReading]:
    said = {n.replace("--", "__").replace("-", "_"): ("blue", sure) for n in names}
    read = routes() | {name: reading(name, "blue", "usa") for name in names}
    read |= {"denver--omaha": reading("denver--omaha", "red", "usa")}
    return ask_about_supply(read, USA, weighed(**said), OWNERS)


def test_a_route_or_two_too_many_leaves_the_others_sure() -> None:
    """54 wagons of 45: a warning says so."""
    read = of_blue(*SIXES)
    assert asked(read) == {}
    assert [one.code for one in rule_warnings(read, USA)] == ["too-many-wagons"]


def test_a_quarter_too_many_makes_all_of_that_colour_a_question() -> None:
    """59 wagons of 45, so green, say, was read as blue; red is no question."""
    read = of_blue(*SIXES, FIVE)
    assert asked(read) == dict.fromkeys([*SIXES, FIVE], (Why.TOO_MANY_WAGONS,))
    [alike] = [one for one in rule_warnings(read, USA) if one.code == "colours-alike"]
    assert set(alike.routes) == {*SIXES, FIVE}
    assert "put a light on" in alike.message.text("en")


def test_claims_that_are_half_likely_count_by_half() -> None:
    """Ten routes of 59 spaces that are blue with 0.9 each: 53 wagons expected."""
    assert asked(of_blue(*SIXES, FIVE, sure=0.9)) == {}


def test_a_question_keeps_its_reason() -> None:
    names = (*SIXES, FIVE)
    said = {n.replace("--", "__").replace("-", "_"): ("blue", 0.99) for n in names}
    read = routes() | {name: reading(name, "blue", "usa") for name in names}
    read[FIVE] = reading(FIVE, "blue", "usa", Why.HIDDEN)
    assert asked(ask_about_supply(read, USA, weighed(**said), OWNERS))[FIVE] == (Why.HIDDEN,)
