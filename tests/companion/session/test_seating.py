"""What a family said wrongly at the start is put right in the course of the game."""

import pytest

from companion.errors import RefusalError
from companion.session.events import (
    ColourChanged,
    Event,
    Finished,
    PassengersSet,
    PlayerAdded,
    PlayerMoved,
    PlayerRemoved,
    ReadingProposed,
    Redone,
    RouteConfirmed,
    RouteCorrected,
    SeatedPlayer,
    Shown,
    Started,
    TicketAdded,
    TypedSet,
    Undone,
    WagonsCounted,
)
from companion.session.reducer import advance, fold
from companion.session.state import doubtful_routes, owner_of
from tests.companion.tables import sure, unsure

ADA, BEN, CLEO = (
    SeatedPlayer("Ada", "red"),
    SeatedPlayer("Ben", "blue"),
    SeatedPlayer("Cleo", "green"),
)
START = Started("usa", (ADA, BEN))
DALLAS, DENVER, MIAMI = "dallas--houston-1", "denver--omaha", "atlanta--miami"
AT_THE_THIRD_CLAIM = (
    START,
    RouteCorrected(DALLAS, "red"),
    RouteCorrected(DENVER, "blue"),
    TicketAdded("blue", "t1"),
)


def test_a_forgotten_player_sits_down_last_and_nobody_loses_anything() -> None:
    before = fold(AT_THE_THIRD_CLAIM)
    state = advance(before, PlayerAdded("green", " Cleo "))
    assert state.facts.players == (ADA, BEN, CLEO)
    said = {route: answer.owner for route, answer in state.facts.answers.items()}
    assert said == {DALLAS: "red", DENVER: "blue"}
    assert state.facts.entries["blue"].tickets == ("t1",)
    state = fold([RouteCorrected(MIAMI, "green"), TicketAdded("green", "t2")], state)
    assert owner_of(state, MIAMI) == "green"
    assert state.facts.entries["green"].tickets == ("t2",)


def test_the_camera_s_word_stays_when_somebody_sits_down() -> None:
    scan = ReadingProposed({DALLAS: sure("red"), DENVER: unsure("blue", None)})
    state = fold([START, scan, PlayerAdded("green", "Cleo")])
    assert (owner_of(state, DALLAS), doubtful_routes(state)) == ("red", (DENVER,))


def test_a_wrong_colour_takes_along_what_people_entered() -> None:
    """Ben was typed beside blue and plays green: one route and one ticket are his."""
    state = fold([*AT_THE_THIRD_CLAIM, WagonsCounted("blue", 41), ColourChanged("blue", "green")])
    assert state.facts.players == (ADA, SeatedPlayer("Ben", "green"))
    assert (owner_of(state, DENVER), owner_of(state, DALLAS)) == ("green", "red")
    assert set(state.facts.entries) == {"red", "green"}
    ben = state.facts.entries["green"]
    assert (ben.tickets, ben.wagons) == (("t1",), 41)


def test_what_the_camera_took_for_the_wrong_colour_is_to_be_read_anew() -> None:
    scan = ReadingProposed({DALLAS: sure("red"), DENVER: sure("blue"), MIAMI: sure("green")})
    state = fold([START, scan, ColourChanged("blue", "green")])
    owners = {route: owner_of(state, route) for route in (DALLAS, DENVER, MIAMI)}
    assert owners == {DALLAS: "red", DENVER: None, MIAMI: "green"}


def test_wagons_of_a_colour_that_another_plays_now_are_asked_about() -> None:
    """Ben confirmed blue wagons as his; Ada, who sat down later, has the blue ones."""
    state = fold(
        [
            START,
            ReadingProposed({DENVER: unsure("blue", None)}),
            RouteConfirmed(DENVER),
            ColourChanged("blue", "green"),
            PlayerAdded("blue", "Dora"),
            ReadingProposed({DENVER: sure("blue")}),
        ]
    )
    assert owner_of(state, DENVER) == "green"
    assert doubtful_routes(state) == (DENVER,)


@pytest.mark.parametrize(
    "event", [PlayerAdded("green", "Cleo"), ColourChanged("blue", "green")], ids=["new", "other"]
)
def test_an_answer_is_asked_about_once_more_where_wagons_of_a_new_colour_may_stand(
    event: Event,
) -> None:
    """Nobody could say green before; an answer that was given in the colours of now stays."""
    said = [RouteCorrected(DENVER, None), RouteCorrected(DALLAS, "red")]
    state = fold([START, ReadingProposed({DENVER: unsure("blue", None)}), *said, event])
    assert doubtful_routes(state) == ()
    seen = ReadingProposed({DENVER: unsure("green", None), DALLAS: unsure("blue", "green")})
    state = advance(state, seen)
    assert doubtful_routes(state) == (DENVER,)
    state = fold([RouteCorrected(DENVER, None), seen], state)
    assert doubtful_routes(state) == ()


def test_who_does_not_play_leaves_as_long_as_nothing_is_theirs() -> None:
    state = fold([Started("usa", (ADA, BEN, CLEO)), *AT_THE_THIRD_CLAIM[1:]])
    assert advance(state, PlayerRemoved("green")).facts.players == (ADA, BEN)
    assert set(advance(state, PlayerRemoved("green")).facts.entries) == {"red", "blue"}


@pytest.mark.parametrize(
    "theirs",
    [
        RouteCorrected(MIAMI, "green"),
        ReadingProposed({MIAMI: sure("green")}, whole=False),
        TicketAdded("green", "t2"),
        WagonsCounted("green", 40),
    ],
)
def test_who_holds_something_stays(theirs: Event) -> None:
    state = fold([Started("usa", (ADA, BEN, CLEO)), RouteCorrected(DALLAS, "red"), theirs])
    with pytest.raises(RefusalError, match="Take that away first"):
        advance(state, PlayerRemoved("green"))


@pytest.mark.parametrize(
    ("entered", "taken_away"),
    [
        (PassengersSet("green", {"red": 1}), PassengersSet("green", {"red": 0})),
        (TypedSet("green", "flags", 2), TypedSet("green", "flags", 0)),
        (TypedSet("green", "cards", {"red": 1}), TypedSet("green", "cards", {"red": 0})),
        (TypedSet("green", "stations", ("miami",)), TypedSet("green", "stations", ())),
        (WagonsCounted("green", 40), WagonsCounted("green", None)),
    ],
)
def test_who_held_something_may_leave_once_it_was_taken_away(
    entered: Event, taken_away: Event
) -> None:
    """The refusal says to take it away; its 0 counted as something, and nothing could be done."""
    state = fold([Started("usa", (ADA, BEN, CLEO)), entered])
    with pytest.raises(RefusalError, match="Take that away first"):
        advance(state, PlayerRemoved("green"))
    assert fold([taken_away, PlayerRemoved("green")], state).facts.players == (ADA, BEN)


def test_the_order_of_play_is_put_right_and_nothing_else_changes() -> None:
    """Cleo begins. What the camera said in the old order stands, and so does what it says now."""
    scan = ReadingProposed({DALLAS: sure("red"), DENVER: unsure("blue", None)})
    before = fold([Started("usa", (ADA, BEN, CLEO)), RouteCorrected(MIAMI, "green"), scan])
    after = fold([PlayerMoved("green"), PlayerMoved("green")], before)
    assert after.facts.players == (CLEO, ADA, BEN)
    assert (after.facts.answers, after.proposed) == (before.facts.answers, before.proposed)
    assert after.facts.is_same_game(before.facts)
    assert advance(after, PlayerMoved("green")).facts.players == (CLEO, ADA, BEN)


@pytest.mark.parametrize(
    "event",
    [
        PlayerAdded("green", "Cleo"),
        ColourChanged("blue", "green"),
        PlayerRemoved("blue"),
        PlayerMoved("blue"),
    ],
)
def test_it_is_one_step_that_undo_takes_back_and_redo_does_again(event: Event) -> None:
    scan = ReadingProposed({DALLAS: sure("red"), DENVER: sure(None)})
    before = fold([START, scan, RouteCorrected(MIAMI, "red")])
    after = advance(before, event)
    back = advance(after, Undone())
    assert (back.facts, back.proposed) == (before.facts, before.proposed)
    again = advance(back, Redone())
    assert (again.facts, again.proposed) == (after.facts, after.proposed)


def test_what_the_camera_saw_in_the_other_colours_goes_with_them() -> None:
    """The watching camera sees Cleo's wagons; then it turns out that she does not play."""
    state = fold([START, PlayerAdded("green", "Cleo")])
    state = advance(state, ReadingProposed({MIAMI: sure("green")}, whole=False))
    assert owner_of(advance(state, Undone()), MIAMI) is None


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (PlayerAdded("blue", "Cleo"), "blue is played already"),
        (PlayerAdded("green", "BEN"), "same name"),
        (PlayerAdded("green", " "), "needs a name"),
        (ColourChanged("blue", "red"), "red is played already"),
        (ColourChanged("green", "white"), "Nobody at the table plays green"),
        (PlayerRemoved("green"), "Nobody at the table plays green"),
    ],
)
def test_what_makes_no_sense_is_refused(event: Event, sentence: str) -> None:
    with pytest.raises(RefusalError, match=sentence):
        fold([START, Shown("tickets"), event])


def test_a_final_sheet_is_opened_again_first() -> None:
    for event in (
        PlayerAdded("green", "Cleo"),
        ColourChanged("blue", "green"),
        PlayerMoved("blue"),
    ):
        with pytest.raises(RefusalError, match="reopen it"):
            fold([START, Finished(), event])
