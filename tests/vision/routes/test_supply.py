"""A colour of which far more wagons are read than a set holds: one is taken for another."""

from tests.support.drawn_table import USA
from tests.support.usa_routes import SIXES
from tests.vision.routes.test_settling import OWNERS, weighed_as
from tests.vision.test_wagons import asked, reading, routes
from vision.reading import RouteReading, Why
from vision.routes.rule_warnings import colours_alike, rule_warnings
from vision.routes.supply import ask_about_supply

FIVE = "montreal--sault-st-marie"


def of_blue(*names: str, sure: float = 0.99, hidden: str = "") -> dict[str, RouteReading]:
    """What becomes of these claims of blue, and of one of red; one may be hidden."""
    read = routes() | {name: reading(name, "blue", "usa") for name in names}
    read |= {"denver--omaha": reading("denver--omaha", "red", "usa")}
    if hidden:
        read[hidden] = reading(hidden, "blue", "usa", Why.HIDDEN)
    return ask_about_supply(read, USA, weighed_as(dict.fromkeys(names, ("blue", sure))), OWNERS)


def test_a_route_or_two_too_many_leaves_the_others_sure() -> None:
    """54 wagons of 45: a warning says so."""
    read = of_blue(*SIXES)
    assert asked(read) == {}
    assert [one.code for one in rule_warnings(read, USA)] == ["too-many-wagons"]


def test_a_quarter_too_many_makes_all_of_that_colour_a_question() -> None:
    """59 wagons of 45, so green, say, was read as blue; red is no question."""
    read = of_blue(*SIXES, FIVE)
    assert asked(read) == dict.fromkeys([*SIXES, FIVE], (Why.TOO_MANY_WAGONS,))
    [alike] = colours_alike(read)
    assert set(alike.routes) == {*SIXES, FIVE}
    assert "put a light on" in alike.message.text("en")


def test_claims_that_are_half_likely_count_by_half() -> None:
    """Ten routes of 59 spaces that are blue with 0.9 each: 53 wagons expected."""
    assert asked(of_blue(*SIXES, FIVE, sure=0.9)) == {}


def test_a_question_keeps_its_reason() -> None:
    assert asked(of_blue(*SIXES, FIVE, hidden=FIVE))[FIVE] == (Why.HIDDEN, Why.TOO_MANY_WAGONS)
