"""The evening as a fold: what a table sees after each thing that happens."""

from collections.abc import Mapping
from contextlib import suppress

import pytest

from companion.errors import RefusalError
from companion.session.event_json import event_from_json, event_to_json
from companion.session.events import (
    EVENTS,
    ClockSet,
    ColourChanged,
    Copied,
    EveningDeleted,
    EveningRestored,
    Event,
    EventError,
    Finished,
    FirstPassScored,
    MarkersSet,
    NamesJoined,
    NamesParted,
    Notice,
    PassengersSet,
    PlaceAnswered,
    PlayerAdded,
    PlayerMoved,
    PlayerRemoved,
    PlayerRenamed,
    ProposedPlace,
    PutAway,
    ReadingProposed,
    Redone,
    Reopened,
    RouteConfirmed,
    RouteCorrected,
    RouteProposal,
    SeatedPlayer,
    SettingsSet,
    Shown,
    Started,
    TablePointsSet,
    TicketAdded,
    TicketRemoved,
    TicketsSet,
    TicketStated,
    TrackLaid,
    TypedSet,
    Undone,
    WagonsCounted,
)
from companion.session.reducer import NOTHING_YET, advance, fold
from companion.session.state import State, doubtful_routes, last_look, owner_of, track_pieces
from scoring.language import Message
from tests.companion.tables import sure, unsure

ADA, BEN = SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue")
START = Started("usa", (ADA, BEN))
DALLAS, DENVER = "dallas--houston-1", "denver--omaha"


def scan(routes: Mapping[str, RouteProposal]) -> ReadingProposed:
    return ReadingProposed(dict(routes), whole=True)


def seen(routes: Mapping[str, RouteProposal]) -> ReadingProposed:
    return ReadingProposed(dict(routes), whole=False)


def test_a_sure_reading_gives_owners_and_asks_nothing() -> None:
    state = fold([START, scan({DALLAS: sure("red"), DENVER: sure(None)})])
    assert owner_of(state, DALLAS) == "red"
    assert owner_of(state, DENVER) is None
    assert doubtful_routes(state) == ()
    assert state.facts.phase == "look"


def test_a_doubt_is_asked_and_the_last_answer_leads_to_the_tickets() -> None:
    state = fold([START, scan({DALLAS: unsure("red", None), DENVER: unsure(None, "blue")})])
    assert doubtful_routes(state) == (DALLAS, DENVER)
    assert state.facts.phase == "doubts"
    state = advance(state, RouteConfirmed(DALLAS))
    assert (owner_of(state, DALLAS), state.facts.phase) == ("red", "doubts")
    state = advance(state, RouteCorrected(DENVER, "blue"))
    assert (owner_of(state, DENVER), state.facts.phase) == ("blue", "tickets")


def test_a_new_scan_never_overwrites_what_a_person_said() -> None:
    state = fold([START, scan({DALLAS: unsure("red", None)}), RouteCorrected(DALLAS, "blue")])
    state = advance(state, scan({DALLAS: sure("red")}))
    assert owner_of(state, DALLAS) == "blue"


def test_the_same_misreading_again_is_not_asked_again() -> None:
    state = fold([START, scan({DALLAS: unsure("red", None)}), RouteCorrected(DALLAS, "blue")])
    state = advance(state, scan({DALLAS: sure("red")}))
    assert doubtful_routes(state) == ()


def test_a_claim_after_the_answer_is_asked() -> None:
    state = fold([START, scan({DALLAS: unsure(None, "red")}), RouteConfirmed(DALLAS)])
    state = advance(state, seen({DALLAS: sure("blue")}))
    assert owner_of(state, DALLAS) is None
    assert doubtful_routes(state) == (DALLAS,)
    state = advance(state, RouteConfirmed(DALLAS))
    assert (owner_of(state, DALLAS), doubtful_routes(state)) == ("blue", ())


def test_a_claim_seen_in_passing_leaves_the_other_routes_and_the_page_alone() -> None:
    state = fold([START, scan({DALLAS: sure("red")}), seen({DENVER: unsure("blue", None)})])
    assert owner_of(state, DALLAS) == "red"
    assert doubtful_routes(state) == (DENVER,)
    assert state.facts.phase == "look"


def test_a_correction_needs_no_camera() -> None:
    state = fold([START, RouteCorrected(DALLAS, "red")])
    assert owner_of(state, DALLAS) == "red"


def test_undo_takes_back_step_by_step_and_redo_does_it_again() -> None:
    state = fold([START, TicketAdded("red", "t1"), TicketAdded("red", "t2")])
    assert state.undoes == TicketAdded("red", "t2")
    back = advance(state, Undone())
    assert back.facts.entries["red"].tickets == ("t1",)
    again = advance(back, Redone())
    assert again.facts == state.facts


def test_two_hundred_steps_can_be_taken_back_and_no_more() -> None:
    """Of 205 tickets the last 200 go; the oldest five and the start of the game stay."""
    state = fold([START, *(TicketAdded("red", str(number)) for number in range(205))])
    back = fold([Undone()] * 200, state)
    assert back.facts.entries["red"].tickets == ("0", "1", "2", "3", "4")
    with pytest.raises(RefusalError, match="nothing to take back"):
        advance(back, Undone())
    assert fold([Redone()] * 200, back).facts == state.facts


def test_no_two_games_of_an_evening_have_one_number() -> None:
    """The pictures and results of a game go by it, be its start taken back or not."""
    numbers = []
    state = NOTHING_YET
    for event in (START, Undone(), START, PutAway(), START):
        state = advance(state, event)
        numbers.append(state.facts.number)
    assert numbers == [1, 0, 2, 3, 4]


def test_undo_of_a_scan_brings_the_camera_s_earlier_word_back() -> None:
    state = fold([START, scan({DALLAS: sure("red")}), scan({DALLAS: unsure("blue", None)})])
    state = advance(state, Undone())
    assert owner_of(state, DALLAS) == "red"
    assert (doubtful_routes(state), state.facts.phase) == ((), "look")


def test_undo_of_a_scan_leaves_what_the_camera_saw_after_it() -> None:
    """The scan found a doubt that nobody wants; the claim seen later is no part of it."""
    state = fold([START, seen({DENVER: sure("blue")}), scan({DENVER: unsure("red", None)})])
    state = fold([seen({DALLAS: sure("red")})], state)
    back = advance(state, Undone())
    assert (owner_of(back, DENVER), owner_of(back, DALLAS)) == ("blue", "red")
    assert doubtful_routes(back) == ()
    again = advance(back, Redone())
    assert (again.facts, again.proposed) == (state.facts, state.proposed)


def test_redo_of_a_scan_leaves_what_the_camera_saw_since_the_undo() -> None:
    """The scan still says what it said; the claim in between is newer than it."""
    looked = fold([START, scan({DENVER: unsure("red", None), DALLAS: sure(None)})])
    state = fold([Undone(), seen({DALLAS: sure("blue")}), Redone()], looked)
    assert owner_of(state, DALLAS) == "blue"
    assert doubtful_routes(state) == (DENVER,)
    assert owner_of(advance(state, Undone()), DALLAS) == "blue"
    assert fold([Undone(), Redone()], looked).proposed == looked.proposed


def test_undo_of_a_ticket_leaves_what_the_camera_saw_meanwhile() -> None:
    state = fold([START, TicketAdded("red", "t1"), seen({DALLAS: sure("red")}), Undone()])
    assert state.facts.entries["red"].tickets == ()
    assert owner_of(state, DALLAS) == "red"


def test_undo_of_an_answer_asks_again() -> None:
    state = fold([START, scan({DALLAS: unsure("red", None)}), RouteConfirmed(DALLAS), Undone()])
    assert (doubtful_routes(state), state.facts.phase) == ((DALLAS,), "doubts")


def test_a_game_started_by_mistake_is_undone_with_its_reading() -> None:
    evening = fold([START, scan({DALLAS: sure("red")}), TicketAdded("red", "t1")])
    mistaken = advance(evening, Started("germany", (ADA, BEN)))
    assert owner_of(mistaken, DALLAS) is None
    back = advance(mistaken, Undone())
    assert (back.facts, back.proposed) == (evening.facts, evening.proposed)


def test_redo_of_a_game_takes_along_nothing_that_the_camera_saw_before_it() -> None:
    begun = fold([START, Started("germany", (ADA, SeatedPlayer("Ben", "white")))])
    again = fold([Undone(), seen({DALLAS: sure("red")}), Redone()], begun)
    assert (again.facts.board, dict(again.proposed.routes)) == ("germany", {})


def test_a_copy_ends_the_way_back_into_a_game_that_is_not_finished() -> None:
    """Steps of the game in play stay, and so does the way back into a finished one."""
    begun = fold([START, TicketAdded("red", "t1"), START, TicketAdded("blue", "t2"), Copied()])
    back = advance(begun, Undone())
    assert back.facts.entries["blue"].tickets == ()
    with pytest.raises(RefusalError):
        advance(back, Undone())
    over = fold([START, TicketAdded("red", "t1"), Finished(), START, Copied(), Undone()])
    assert over.facts.phase == "sheet"
    assert over.facts.entries["red"].tickets == ("t1",)


def test_a_copy_takes_no_step_from_the_game_in_play() -> None:
    """That it began may be undone too: nobody held a hand before it."""
    state = fold([START, TicketAdded("red", "t1"), Copied(), Undone()])
    assert state.facts.entries["red"].tickets == ()
    assert advance(state, Undone()).facts.phase == "start"


def test_putting_away_leaves_nothing_and_can_be_undone() -> None:
    away = fold([START, TicketAdded("red", "t1"), PutAway()])
    assert (away.facts.board, away.facts.phase, away.facts.players) == (None, "start", ())
    assert advance(away, Undone()).facts.entries["red"].tickets == ("t1",)


def test_a_new_step_forgets_what_could_be_redone() -> None:
    state = fold([START, TicketAdded("red", "t1"), Undone(), TicketAdded("red", "t2")])
    with pytest.raises(RefusalError, match="nothing to do again"):
        advance(state, Redone())


def test_a_final_sheet_stands_until_it_is_reopened() -> None:
    state = fold([START, Finished()])
    assert state.facts.phase == "sheet"
    for event in (TicketAdded("red", "t1"), RouteCorrected(DALLAS, "red"), scan({}), Finished()):
        with pytest.raises(RefusalError, match="reopen it"):
            advance(state, event)
    assert advance(state, Reopened()).facts.phase == "tickets"


def test_the_camera_s_passing_word_does_not_touch_a_final_sheet() -> None:
    state = fold([START, RouteCorrected(DALLAS, "red"), Finished(), seen({DALLAS: sure(None)})])
    assert (owner_of(state, DALLAS), state.facts.phase) == ("red", "sheet")


def test_a_player_can_be_renamed_even_on_the_final_sheet() -> None:
    state = fold([START, Finished(), PlayerRenamed("red", " Adele ")])
    assert [player.name for player in state.facts.players] == ["Adele", "Ben"]


def test_a_new_name_moves_nothing_and_can_be_taken_back() -> None:
    """Ada leaves, Cleo goes on with her red wagons, her seat and her ticket."""
    before = fold([START, RouteCorrected(DALLAS, "red"), TicketAdded("red", "t1")])
    after = advance(before, PlayerRenamed("red", "Cleo"))
    assert [player.name for player in after.facts.players] == ["Cleo", "Ben"]
    assert after.facts.colours == before.facts.colours
    assert (after.facts.answers, after.facts.entries) == (
        before.facts.answers,
        before.facts.entries,
    )
    assert advance(after, Undone()).facts == before.facts


def test_two_players_who_sit_in_each_other_s_place_swap_their_names_in_one_step() -> None:
    """The points of red were Ada's and are Ben's then."""
    before = fold([START, RouteCorrected(DALLAS, "red"), TicketAdded("red", "t1")])
    after = advance(before, PlayerRenamed("red", "Ben"))
    assert after.facts.players == (SeatedPlayer("Ben", "red"), SeatedPlayer("Ada", "blue"))
    assert after.facts.answers == before.facts.answers
    assert after.facts.entries == before.facts.entries
    assert advance(after, Undone()).facts == before.facts


def test_names_are_swapped_however_they_are_written() -> None:
    """Two players of one name could be told apart by nobody, and no sheet is made of them."""
    after = fold([START, PlayerRenamed("red", "BEN")])
    assert after.facts.players == (SeatedPlayer("BEN", "red"), SeatedPlayer("Ada", "blue"))


def test_entries_are_kept_by_player() -> None:
    state = fold(
        [
            START,
            TicketsSet("red", ("t1", "t2", "t1")),
            TicketRemoved("red", "t1"),
            PassengersSet("blue", {"green": 2}),
            TypedSet("blue", "flags", 3),
            SettingsSet({"globetrotter-needs-a-ticket": False}),
            Shown("tickets"),
        ]
    )
    assert state.facts.entries["red"].tickets == ("t2", "t1")
    assert state.facts.entries["blue"].passengers == {"green": 2}
    assert state.facts.entries["blue"].typed == {"flags": 3}
    assert state.facts.settings == {"globetrotter-needs-a-ticket": False}
    assert state.facts.phase == "tickets"


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ([Undone()], "nothing to take back"),
        ([TicketAdded("red", "t1")], "No game"),
        ([scan({})], "No game"),
        ([PutAway()], "No game"),
        ([Started("usa", ())], "needs players"),
        ([Started("usa", (ADA, SeatedPlayer("Ben", "red")))], "same colour"),
        ([Started("usa", (ADA, SeatedPlayer("ada", "blue")))], "same name"),
        ([START, PlayerRenamed("red", "  ")], "needs a name"),
        ([START, TicketAdded("green", "t1")], "plays green"),
        ([START, RouteCorrected(DALLAS, "green")], "plays green"),
        ([START, MarkersSet({"red": 17, "green": 3})], "plays green"),
        ([START, RouteConfirmed(DALLAS)], "said nothing of"),
        ([START, TicketRemoved("red", "t1")], "does not hold"),
        (
            [START, TypedSet("red", "shoe size", 43)],
            "shoe size is not something that a player can enter",
        ),
        ([START, Reopened()], "nothing to reopen"),
        ([Reopened()], "No game"),
        ([seen({DALLAS: sure("red")})], "No game"),
        ([PlayerRenamed("red", "Adele")], "No game"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(events: list[Event], sentence: str) -> None:
    with pytest.raises(RefusalError, match=sentence) as refusal:
        fold(events)
    assert refusal.value.sentence("it") != str(refusal.value)


def test_markers_are_set_all_at_once_beside_what_else_was_typed() -> None:
    state = fold([START, TypedSet("red", "flags", 2), MarkersSet({"red": 17})])
    assert state.facts.entries["red"].typed == {"flags": 2, "marker": 17}
    state = advance(state, MarkersSet({"blue": 3}))
    assert state.facts.entries["red"].typed == {"flags": 2}
    assert state.facts.entries["blue"].typed == {"marker": 3}


def test_a_track_piece_lies_there_until_somebody_claims_the_line() -> None:
    state = fold([START, TrackLaid(DALLAS)])
    assert (track_pieces(state), owner_of(state, DALLAS)) == ((DALLAS,), None)
    state = advance(state, RouteCorrected(DALLAS, "red"))
    assert (track_pieces(state), owner_of(state, DALLAS)) == ((), "red")


def test_a_track_piece_stays_where_nobody_has_the_line_when_its_double_is_confirmed() -> None:
    lines = (DALLAS, "dallas--houston-2")
    state = fold([START, TrackLaid(DALLAS), RouteCorrected(lines[1], "red")])
    state = advance(state, PlaceAnswered(lines, (None, "red")))
    assert (track_pieces(state), owner_of(state, lines[1])) == ((DALLAS,), "red")
    state = advance(state, PlaceAnswered(lines, ("blue", "red")))
    assert (track_pieces(state), owner_of(state, DALLAS)) == ((), "blue")


def test_old_evenings_and_names_are_kept_beside_the_game() -> None:
    """Two evenings go to the bin and one comes back; a name joined anew has one person."""
    state = fold([EveningDeleted("1"), EveningDeleted("2"), EveningRestored("1")])
    assert state.deleted_evenings == {"2"}
    joined = [NamesJoined("Ana", "Anna"), NamesJoined("Ann", "Anna"), NamesJoined("Ana", "Hanna")]
    state = fold(joined, state)
    assert dict(state.joined_names) == {"Ann": "Anna", "Ana": "Hanna"}
    assert len(state.joined_names) == 2
    assert dict(fold([NamesParted("Ana")], state).joined_names) == {"Ann": "Anna"}
    assert state.undoes is None


def test_the_last_look_is_the_last_scan_that_somebody_asked_for() -> None:
    assert last_look(fold([START, seen({DALLAS: sure("red")})])) == {}
    looked = fold([START, scan({DALLAS: sure("red")}), TicketAdded("red", "t1")])
    assert last_look(advance(looked, seen({DENVER: sure("blue")}))) == {DALLAS: sure("red")}


def test_a_refused_event_leaves_the_state_as_it_was() -> None:
    state = fold([START])
    with pytest.raises(RefusalError):
        advance(state, TicketAdded("green", "t1"))
    assert state == fold([START])
    assert State() == NOTHING_YET


def test_what_the_last_photo_was_warned_of_stays_when_the_camera_sees_a_claim() -> None:
    dark = Notice("dark", Message("vision.warning.dark"))
    state = fold([START, ReadingProposed({}, True, (dark,)), seen({DALLAS: sure("red")})])
    assert state.proposed.notices == (dark,)


@pytest.mark.parametrize("event", [PlayerAdded("green", "Cleo"), ColourChanged("red", "green")])
def test_after_a_colour_got_a_player_another_photo_is_asked_for(event: Event) -> None:
    """The photo told to look for a forgotten player; it still did when that one sat down."""
    strange = Notice("not-in-play", Message("vision.warning.not-in-play", count=1), (DALLAS,))
    dark = Notice("dark", Message("vision.warning.dark"))
    evening = [START, ReadingProposed({}, True, (strange, dark)), event]
    told = fold(evening).proposed.notices
    assert [one.message.key for one in told] == [
        "companion.notice.now-in-play",
        "vision.warning.dark",
    ]
    assert told[0].routes == (DALLAS,)
    assert fold([*evening, Undone()]).proposed.notices == (strange, dark)


SAMPLES: list[Event] = [
    Started("usa", (ADA, BEN), {"big-city-tie": "all"}, camera=False),
    PutAway(),
    Shown("doubts"),
    ReadingProposed(
        {DALLAS: unsure("red", None)},
        True,
        (Notice("x", Message("vision.warning.not-in-play"), (DALLAS,)),),
        (ProposedPlace((DALLAS, "dallas--houston-2"), ("single-space",)),),
    ),
    RouteConfirmed(DALLAS),
    RouteCorrected(DALLAS, None),
    PlaceAnswered((DALLAS, "dallas--houston-2"), ("red", None)),
    TicketsSet("red", ("t1", {"from": "a", "to": "b", "points": 8})),
    TicketAdded("red", {"points": 8, "completed": True}),
    TicketRemoved("red", "t1"),
    PassengersSet("red", {"green": 1}),
    TicketStated("red", "t1", True),
    FirstPassScored({"red": ("t1", {"from": "a", "to": "b", "points": 8})}, {"red": {"blue": 1}}),
    TablePointsSet("big-cities", {"chicago": 8}),
    TypedSet("red", "flags", 2),
    SettingsSet({"a": True}),
    TrackLaid(DALLAS),
    MarkersSet({"red": 17}),
    WagonsCounted("red", 3),
    PlayerRenamed("red", "Zoë"),
    PlayerAdded("green", "Cleo"),
    ColourChanged("green", "white"),
    PlayerMoved("white"),
    PlayerRemoved("white"),
    Finished(),
    Reopened(),
    EveningDeleted("1600000000000"),
    EveningRestored("1600000000000"),
    NamesJoined("Ana", "Anna"),
    NamesParted("Ana"),
    ClockSet(("1600000000000",), 604_800),
    Copied(),
    Undone(),
    Redone(),
]
"""One event of every kind."""


def test_every_kind_of_event_has_a_sample_and_a_rule() -> None:
    assert {type(event) for event in SAMPLES} == set(EVENTS)
    for event in SAMPLES:
        with suppress(RefusalError):
            assert advance(fold([START]), event).version == 2


@pytest.mark.parametrize("event", SAMPLES)
def test_every_event_survives_the_log_s_json(event: Event) -> None:
    assert event_from_json(event.kind, event_to_json(event)) == event


def test_an_event_of_a_newer_program_is_named() -> None:
    with pytest.raises(EventError, match="newer version"):
        event_from_json("teleported", {})
    with pytest.raises(EventError, match="damaged"):
        event_from_json("route-confirmed", {})
