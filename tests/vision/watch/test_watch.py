"""Watching a drawn table: what is told, when, and what costs nothing."""

import numpy as np

from scoring.board.board import load_board
from tests.vision.watch.watch_stories import FIRST, SIZE, Table, drawn, nudged, told
from vision.errors import BoardNotFoundError
from vision.images.photo import TAKE_ANOTHER
from vision.reading import OCCLUDED
from vision.watch.changes import is_blind
from vision.watch.watcher import WatchState

MOMENTS_S = 2.0
LIVE_S = 0.2
CLAIM = ("claimed", "el-paso--los-angeles", "yellow")
NEXT_CLAIM = ("claimed", "portland--salt-lake-city", "red")
BLACK = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)


def live_table(claimed: int = 0) -> Table:
    """A stream that has shown the same picture long enough to be known as one."""
    table = Table(LIVE_S)
    for _ in range(3):
        table.show(drawn(claimed))
    return table


def test_an_empty_board_is_told_once() -> None:
    table = Table(MOMENTS_S)
    assert told(table.show(drawn(0))) == [("empty",)]
    assert table.show(drawn(0)) == []
    assert table.watcher.state is WatchState.EMPTY


def test_single_moments_are_claimed_in_the_picture_that_shows_them() -> None:
    table = Table(MOMENTS_S)
    table.show(drawn(0))
    assert told(table.show(drawn(1))) == [CLAIM, ("settled",)]
    assert told(table.show(drawn(2))) == [NEXT_CLAIM, ("settled",)]
    assert table.watcher.routes["el-paso--los-angeles"] == "yellow"


def test_a_recording_of_moments_is_no_stream_however_fast_it_is_played() -> None:
    table = Table(0.1)
    table.show(drawn(0))
    assert told(table.show(drawn(1))) == [CLAIM, ("settled",)]


def test_what_stands_there_at_the_first_look_is_claimed_at_once() -> None:
    assert told(Table(MOMENTS_S).show(drawn(1))) == [CLAIM, ("settled",)]


def test_a_picture_in_which_nothing_moved_is_never_read() -> None:
    table = live_table(1)
    reads = table.eye.reads
    for _ in range(5):
        assert table.show(drawn(1)) == []
    assert table.eye.reads == reads
    assert table.eye.searches == 1


def test_a_claim_is_told_within_two_seconds_of_the_hand_leaving_and_never_again() -> None:
    table = live_table()
    table.show(drawn(1, hand=True))
    events = [table.show(drawn(1)) for _ in range(int(2 / LIVE_S))]
    assert [told(e) for e in events if e] == [[CLAIM, ("settled",)]]


def test_a_hand_is_told_once_and_nothing_under_it_is_empty_or_claimed() -> None:
    table = live_table(1)
    hand = drawn(1, hand=True)
    told_events = [event for _ in range(6) for event in table.show(hand)]
    assert told(told_events) == [("hand",)]
    reading = table.watcher.reading
    assert reading is not None
    labels = [space.label for route in reading.routes.values() for space in route.spaces]
    hidden = [index for index, label in enumerate(hand.labels) if label == OCCLUDED]
    assert len(hidden) >= 5
    assert {labels[index] for index in hidden} == {OCCLUDED}
    assert {r: o for r, o in table.watcher.routes.items() if o} == FIRST


def test_a_hand_that_comes_and_goes_changes_nothing() -> None:
    table = live_table(1)
    table.show(drawn(1, hand=True))
    events = [event for _ in range(6) for event in table.show(drawn(1))]
    assert told(events) == [("settled",)]


def test_something_left_lying_on_the_board_becomes_part_of_the_table() -> None:
    table = live_table(1)
    events = [event for _ in range(30) for event in table.show(drawn(1, hand=True))]
    assert told(events) == [("hand",), ("settled",)]
    lifted = [event for _ in range(6) for event in table.show(drawn(1))]
    assert told(lifted) == [("settled",)]
    reading = table.watcher.reading
    assert reading is not None
    hidden = {route for one in reading.warnings if one.code == "covered" for route in one.routes}
    assert hidden == set(), "nothing lies there any more"


def test_wagons_taken_back_are_told_when_their_spaces_are_seen_empty() -> None:
    table = live_table(2)
    hand = [event for _ in range(4) for event in table.show(drawn(1, hand=True))]
    after = [event for _ in range(4) for event in table.show(drawn(1))]
    removed = [("removed", "portland--salt-lake-city", "red")]
    assert [e for e in told(hand + after) if len(e) > 1] == removed
    assert table.watcher.routes["portland--salt-lake-city"] is None


def test_a_nudged_board_is_told_and_followed_with_nothing_claimed_or_lost() -> None:
    table = live_table(1)
    board = nudged(drawn(1), (3.0, -2.0))
    events = [event for _ in range(4) for event in table.show(board)]
    assert told(events) == [("moved",), ("settled",)]
    reading = table.watcher.reading
    assert reading is not None
    error_px = np.abs(reading.registration.spaces_px - board.spaces_px).max()
    assert error_px < 0.6
    assert table.eye.searches == 1
    later = [event for _ in range(4) for event in table.show(nudged(drawn(2), (3.0, -2.0)))]
    assert ("moved",) not in told(later), "it was told"


def test_claims_and_a_nudge_in_one_picture_are_both_told() -> None:
    table = Table(MOMENTS_S)
    table.show(drawn(1))
    assert told(table.show(nudged(drawn(2), (3.0, -2.0)))) == [("moved",), NEXT_CLAIM, ("settled",)]


def test_a_board_carried_far_away_is_looked_for_anew() -> None:
    table = Table(MOMENTS_S)
    table.show(drawn(1))
    events = told(table.show(nudged(drawn(1), (80.0, -40.0))))
    assert events[0] == ("moved",)
    assert table.eye.searches == 2
    assert not [event for event in events if len(event) > 1]


def test_brighter_light_is_told_and_nothing_else() -> None:
    table = live_table(1)
    events = [event for _ in range(3) for event in table.show(drawn(1), gain=0.7)]
    assert told(events) == [("light",)]


def test_a_covered_lens_is_blocked_until_the_board_is_seen_again() -> None:
    table = live_table(1)
    blocked = [event for _ in range(3) for event in table.show_picture(BLACK)]
    assert told(blocked) == [("blocked",)]
    assert table.watcher.state is WatchState.NO_BOARD
    back = [event for _ in range(3) for event in table.show(drawn(1))]
    assert told(back) == [("settled",)]


def test_a_cloth_over_the_lens_and_a_dark_room_show_no_board() -> None:
    cloth = np.full((760, 1014, 3), 200, np.uint8)
    dark = np.zeros_like(cloth)
    dark[np.arange(760) // 16 % 2 == 1] = 20  # what a window lets in
    assert [is_blind(frame) for frame in (cloth, dark, drawn(1).image_bgr)] == [True, True, False]


def test_a_camera_turned_away_is_blocked_and_claims_nothing_until_it_is_put_right() -> None:
    """A third of the board is out of the picture, and stays so while the game goes on."""
    table = live_table(1)
    outside = BoardNotFoundError("vision.board.outside", again=TAKE_ANOTHER)
    table.eye.lost = outside
    turned = [e for _ in range(40) for e in table.show(nudged(drawn(1), (300.0, 0.0)))]
    played_on = [e for _ in range(40) for e in table.show(nudged(drawn(2), (300.0, 0.0)))]
    assert (turned[-1].kind, turned[-1].reason) == ("blocked", outside.message)
    assert (played_on[-1].kind, played_on[-1].reason) == ("blocked", outside.message)
    assert {event.kind for event in turned + played_on} <= {"hand", "blocked"}
    table.eye.lost = None
    put_right = [event for _ in range(10) for event in table.show(drawn(2))]
    assert NEXT_CLAIM in told(put_right)
    assert put_right[-1].kind == "settled"


def test_a_picture_without_a_board_is_no_fault() -> None:
    table = Table(MOMENTS_S)
    table.eye.lost = BoardNotFoundError("vision.board.none", again=TAKE_ANOTHER)
    assert told(table.show(drawn(0))) == [("blocked",)]
    assert table.show(drawn(0)) == []
    table.eye.lost = None
    assert told(table.show(drawn(0))) == [("empty",)]


def test_a_board_that_is_another_one_is_named() -> None:
    table = Table(MOMENTS_S)
    assert told(table.show_picture(BLACK)) == [("blocked",)]
    table.eye.lost = BoardNotFoundError("vision.board.other", seen="Paris", wanted="Rome")
    (event,) = table.show(drawn(0))
    assert event.to_json()["kind"] == "blocked"
    assert "looks like Paris, not Rome" in event.to_json()["reason"]
    assert "questo sembra Paris, non Rome" in event.text(table.watcher.board, "it")
    assert table.show(drawn(0)) == []


def test_a_reason_goes_when_it_is_found_no_more_and_changes_with_the_board_seen() -> None:
    table = Table(MOMENTS_S)
    table.eye.lost = BoardNotFoundError("vision.board.other", seen="Paris", wanted="Rome")
    assert len(table.show(drawn(0))) == 1
    table.eye.lost = BoardNotFoundError("vision.board.other", seen="Berlin", wanted="Rome")
    (event,) = table.show(drawn(0))
    assert "looks like Berlin" in event.to_json()["reason"]
    table.eye.lost = BoardNotFoundError("vision.board.none", again=TAKE_ANOTHER)
    assert table.show(drawn(0)) == [], "one look without it may be a blur"
    (event,) = table.show(drawn(0))
    assert (event.kind, event.reason) == ("blocked", None)
    assert table.show(drawn(0)) == []


def test_what_waits_for_a_second_look_is_told_at_the_end_of_a_recording() -> None:
    table = live_table()
    table.show(drawn(1, hand=True))
    assert table.show(drawn(1)) == []
    assert table.show(drawn(1)) == []
    assert told(table.watcher.finish()) == [CLAIM]


def test_events_speak_both_languages_and_name_colour_and_symbol() -> None:
    table = Table(MOMENTS_S)
    event = table.show(drawn(1))[0]
    usa = load_board("usa")
    assert event.text(usa) == "★ yellow claims El Paso – Los Angeles."
    assert event.text(usa, "it") == "★ giallo occupa El Paso – Los Angeles."
    assert event.to_json() == {
        "t": 0.0,
        "kind": "claimed",
        "route": "el-paso--los-angeles",
        "owner": "yellow",
        "confidence": round(event.confidence or 0.0, 4),
    }
