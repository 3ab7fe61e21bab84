"""Which questions could change the ranking: asked first, and the evening ends without the rest.

Ada's Miami - New Orleans is worth 15 and the longest path (6, so 10 more); Ben's Atlanta - Miami
is worth 10, or 20 with the longest path (5). Their tickets fail: 8 less for Ada, 4 less for Ben.
Dallas - Houston is worth 1. Ada has 17 against Ben's 6 or 7; without Miami - New Orleans she has
-8 against 16 or 17. So only Miami - New Orleans decides.
"""

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

import pytest

from companion.session.events import (
    Event,
    ProposedPlace,
    ReadingProposed,
    RouteConfirmed,
    RouteCorrected,
    RouteProposal,
    SeatedPlayer,
    Started,
    TicketsSet,
)
from companion.session.reducer import fold
from companion.table.live_score import LiveScore
from companion.table.questions import Questions, possible_owners
from hardware.console.console import Button
from hardware.console.virtual import VirtualConsole
from tests.companion.tables import ADA_AND_BEN, USA, ToldEye, new_table, scanned, sure, unsure

DALLAS, MIAMI = "dallas--houston-1", "miami--new-orleans"
SEEN = {
    "atlanta--miami": sure("blue"),
    DALLAS: unsure("blue", None),
    MIAMI: unsure("red", None),
}
START = Started("usa", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue")))
TICKETS: list[Event] = [
    TicketsSet("red", ("helena--los-angeles",)),
    TicketsSet("blue", ("denver--el-paso",)),
]


def asked(routes: Mapping[str, RouteProposal], *events: Event) -> Questions:
    """The questions after a scan and these events."""
    state = fold([START, ReadingProposed(dict(routes)), *events])
    return LiveScore().questions(state, USA)


def test_without_every_players_tickets_nobody_can_say_what_matters() -> None:
    assert asked(SEEN) == Questions((DALLAS, MIAMI), None)
    assert asked(SEEN, TICKETS[0]) == Questions((DALLAS, MIAMI), None)


def test_with_the_tickets_in_what_could_change_the_ranking_is_asked_first() -> None:
    assert asked(SEEN, *TICKETS) == Questions((MIAMI, DALLAS), frozenset({MIAMI}))


def test_with_the_decisive_one_answered_the_rest_can_be_left() -> None:
    found = asked(SEEN, *TICKETS, RouteConfirmed(MIAMI))
    assert found == Questions((DALLAS,), frozenset())


def test_one_point_decides_where_players_are_level() -> None:
    """Six wagons each: 15, the shared path's 10, a failed ticket of 5, so 20 each and all shared;
    with Dallas - Houston Ben is ahead."""
    seen = {
        "miami--new-orleans": sure("blue"),
        "portland--salt-lake-city": sure("red"),
        DALLAS: unsure("blue", None),
    }
    tickets = [TicketsSet("red", ("chicago--new-york",)), TicketsSet("blue", ("chicago--atlanta",))]
    assert asked(seen, *tickets).decisive == frozenset({DALLAS})


def test_new_word_of_the_camera_keeps_the_persons_answer_possible() -> None:
    news = ReadingProposed({**SEEN, MIAMI: sure(None)})
    state = fold([START, ReadingProposed(SEEN), RouteCorrected(MIAMI, "blue"), *TICKETS, news])
    assert possible_owners(state, MIAMI) == (None, "blue")


def test_anybody_may_hold_a_route_that_the_camera_could_hardly_see() -> None:
    hidden = RouteProposal("red", 0.5, review=True, alternatives=(("red", 0.5), (None, 0.4)))
    state = fold([START, ReadingProposed({MIAMI: hidden})])
    assert possible_owners(state, MIAMI) == (None, "red", "blue")


def test_a_game_that_contradicts_itself_still_asks_everything() -> None:
    twice = TicketsSet("red", 2 * ("helena--los-angeles",))
    assert asked(SEEN, twice) == Questions((DALLAS, MIAMI), None)


@pytest.mark.parametrize("count", [12, 40])
def test_many_questions_are_weighed_without_a_wait_and_none_that_decides_is_missed(
    count: int,
) -> None:
    others = [r.id for r in USA.routes if r.id not in SEEN and r.length == 1]
    longer = [r.id for r in USA.routes if r.id not in SEEN and r.length > 1]
    many = {name: unsure("blue", None) for name in (others + longer)[: count - 2]}
    state = fold([START, ReadingProposed({**many, **SEEN}), *TICKETS])
    began = perf_counter()
    found = LiveScore().questions(state, USA)
    assert len(found.routes) == count
    assert found.decisive is not None
    assert MIAMI in found.decisive
    assert perf_counter() - began < 5, "a tenth of a second where nothing else runs"


def test_box_and_panel_ask_in_the_same_order_and_the_evening_ends_without_the_rest(
    tmp_path: Path,
) -> None:
    console = VirtualConsole()
    table = new_table(tmp_path, ToldEye(SEEN), console)
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    assert table.state()["cursor"]["route"] == DALLAS
    assert [doubt["decisive"] for doubt in table.state()["doubts"]] == [None, None]

    table.act("show", {"phase": "tickets"})
    table.act("set-tickets", {"player": "red", "tickets": ["helena--los-angeles"]})
    table.act("set-tickets", {"player": "blue", "tickets": ["denver--el-paso"]})
    table.act("show", {"phase": "doubts"})
    state = table.state()
    asked_now = [(doubt["route"], doubt["decisive"]) for doubt in state["doubts"]]
    assert asked_now == [(MIAMI, True), (DALLAS, False)]
    assert state["cursor"]["route"] == MIAMI

    console.press(Button.CONFIRM)
    assert table.state()["cursor"]["route"] == DALLAS
    table.act("finish", {})
    sheet = table.state()["sheet"]
    assert sheet is not None
    assert sheet["winners"] == ["Ada"]


def test_lines_of_one_place_are_weighed_together() -> None:
    """Ada has 15 and the longest path (6), 25; Ben 10 + 10 + 2. A line of 2 more makes 24. Only
    both lines of the double would make 26, and nobody may hold both. Both have the same ticket,
    which fails."""
    double = ("chicago--saint-louis-1", "chicago--saint-louis-2")
    seen = {
        MIAMI: sure("red"),
        **dict.fromkeys(("atlanta--miami", "helena--omaha", "denver--santa-fe"), sure("blue")),
        **dict.fromkeys(double, unsure("blue", None)),
    }
    tickets = [TicketsSet("red", ("denver--el-paso",)), TicketsSet("blue", ("denver--el-paso",))]
    read = ReadingProposed(seen, places=(ProposedPlace(double),))
    state = fold([START, read, *tickets])
    assert LiveScore().questions(state, USA) == Questions(double, frozenset())
