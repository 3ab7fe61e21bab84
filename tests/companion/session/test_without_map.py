"""A game without a map in the session: no look, typed tickets, and the Card Game's two passes."""

import pytest

from companion.errors import RefusalError
from companion.session.events import (
    Event,
    FirstPassScored,
    ReadingProposed,
    SeatedPlayer,
    Shown,
    Started,
    TablePointsSet,
    TicketAdded,
    TicketStated,
    TypedSet,
    Undone,
)
from companion.session.reducer import fold
from companion.session.state import Entry, State, first_pass_is_on

COLOURS = ("blue", "red", "green", "yellow")
NAMES = ("Ada", "Ben", "Cleo", "Dan")
FOUR = Started("card-game", tuple(map(SeatedPlayer, NAMES, COLOURS)), has_map=False)
THREE = Started("card-game", tuple(map(SeatedPlayer, NAMES[:3], COLOURS)), has_map=False)
LONG = {"from": "denver", "to": "omaha", "points": 9, "cards": {"red": 2}}
SHORT = {"from": "chicago", "to": "boston", "points": 5, "cards": {"blue": 1}}
SCORED = FirstPassScored({"blue": (LONG,)}, {"blue": {"red": 1}})


def played(*events: Event) -> State:
    return fold([FOUR, *events])


def ada(state: State) -> Entry:
    return state.facts.entries["blue"]


def test_without_a_map_the_entries_come_at_once_and_the_camera_stays_off() -> None:
    assert played().facts.phase == "tickets"
    assert not played().facts.camera


@pytest.mark.parametrize("event", [Shown("look"), Shown("doubts"), ReadingProposed({})])
def test_there_is_nothing_to_look_at(event: Event) -> None:
    with pytest.raises(RefusalError) as refused:
        played(event)
    assert refused.value.message.key == "companion.refused.no-map"


def test_a_log_of_an_earlier_version_has_a_map() -> None:
    assert fold([Started("usa", (SeatedPlayer("Ada", "red"),))]).facts.phase == "look"


def test_completed_tickets_are_set_aside_and_the_others_stay_in_the_hand() -> None:
    state = played(
        TypedSet("blue", "cards", {"red": 3}),
        TicketAdded("blue", LONG),
        TicketAdded("blue", SHORT),
        SCORED,
    )
    assert ada(state).tickets == (SHORT,)
    assert ada(state).typed["first_pass"] == [LONG]
    assert ada(state).typed["cards"] == {"red": 1}
    assert not first_pass_is_on(state.facts)
    back = fold([Undone()], state)
    assert ada(back).tickets == (LONG, SHORT)
    assert first_pass_is_on(back.facts)


def test_there_is_one_first_pass_and_only_with_four_players() -> None:
    with pytest.raises(RefusalError, match="already been scored"):
        played(TicketAdded("blue", LONG), SCORED, SCORED)
    with pytest.raises(RefusalError, match="only one"):
        fold([THREE, TicketAdded("blue", LONG), SCORED])


def test_a_ticket_known_to_be_done_is_set_aside_without_that_word() -> None:
    known = {**SHORT, "completed": True}
    state = played(TicketAdded("blue", known), FirstPassScored({"blue": (known,)}, {}))
    assert ada(state).typed["first_pass"] == [SHORT]


def test_what_is_said_of_a_ticket_changes_in_its_place_and_is_taken_back() -> None:
    state = played(TicketAdded("blue", "a"), TicketAdded("blue", SHORT))
    state = fold([TicketStated("blue", "a", False)], state)
    assert ada(state).tickets == ({"id": "a", "completed": False}, SHORT)
    again = fold([TicketStated("blue", {"id": "a", "completed": False}, None)], state)
    assert ada(again).tickets == ("a", SHORT)
    assert ada(fold([Undone()], state)).tickets == ("a", SHORT)


def test_points_of_the_table_leave_the_other_settings_alone() -> None:
    state = played(
        TablePointsSet("big-cities", {"chicago": 8}), TablePointsSet("route-points", {"1": 1})
    )
    assert state.facts.settings == {"big-cities": {"chicago": 8}, "route-points": {"1": 1}}


def test_the_lengths_of_the_routes_are_typed_only_where_no_map_tells_them() -> None:
    lengths = TypedSet("blue", "route_lengths", {"2": 3})
    assert ada(played(lengths)).typed == {"route_lengths": {"2": 3}}
    with pytest.raises(RefusalError) as refused:
        fold([Started("usa", (SeatedPlayer("Ada", "blue"),)), lengths])
    assert refused.value.message.key == "companion.refused.has-map"
