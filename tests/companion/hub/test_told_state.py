"""A state from the broker shows on pages only where every part of it is what it should be."""

import json
from typing import Any

import pytest

from companion.hub.room import Room
from companion.hub.table_names import names_beside
from companion.hub.told_state import told_state
from companion.relay.state_document import room_document
from scoring.game.colours import COLOURS
from scoring.language import Message

WHOLE: dict[str, Any] = {
    "format": 1,
    "name": "Table 1",
    "instance": "a",
    "sent_at": 1000.0,
    "place": 3,
    "phase": "look",
    "board": "usa",
    "title": "USA",
    "players": [{"name": "Ada", "colour": "red"}],
    "standing": [{"name": "Ada", "colour": "red", "points": 15, "wagons_left": 39}],
    "winners": [],
    "routes": {"duluth--helena": "red"},
    "doubtful": [],
    "questions": 0,
    "camera": "ready",
}


def test_a_whole_state_is_taken() -> None:
    state = told_state(json.dumps(WHOLE).encode())
    assert state is not None
    assert state["standing"][0]["points"] == 15


def test_a_player_may_have_the_newest_emoji_in_the_name() -> None:
    """A hub with an older Python than its table's did not show the table at all."""
    named = {"name": "Mia \U0001fa77", "colour": "red"}  # a pink heart, of 2022
    state = told_state(json.dumps({**WHOLE, "players": [named]}).encode())
    assert state is not None
    assert state["players"] == [named]


def test_a_table_of_ten_is_taken() -> None:
    """As many play on a map without a file as there are colours."""
    players = [{"name": f"Player {n}", "colour": one} for n, one in enumerate(COLOURS, 1)]
    standing = [{**one, "points": 0} for one in players]
    state = told_state(json.dumps({**WHOLE, "players": players, "standing": standing}).encode())
    assert state is not None
    assert len(state["players"]) == 10


@pytest.mark.parametrize(
    "wrong",
    [
        {"phase": "nap"},
        {"camera": "eye"},
        {"name": 7},
        {"name": "a\nb"},
        {"name": "Table \u202e1"},
        {"name": "Table\u200b 1"},
        {"sent_at": float("nan")},
        {"sent_at": -1},
        {"players": [{"name": "Ada", "colour": "beige"}]},
        {"players": [{"name": "Ada", "colour": "red"}] * 11},
        {"standing": [{"name": "Ada", "colour": "red", "points": 10**9}]},
        {"standing": None},
        {"routes": ["duluth--helena"]},
        {"routes": {"x": "<b>"}},
        {"questions": True},
        {"routes": {f"route-{number}": "red" for number in range(1001)}},
        {"doubtful": [f"route-{number}" for number in range(1001)]},
    ],
)
def test_a_state_with_anything_wrong_is_none(wrong: dict[str, Any]) -> None:
    assert told_state(json.dumps({**WHOLE, **wrong}).encode()) is None


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"[" * 90_000, b"\xff", b"x" * 200_000])
def test_what_is_no_document_is_none(payload: bytes) -> None:
    assert told_state(payload) is None


def test_a_board_with_a_sign_in_its_title_that_cannot_be_seen_hides_no_table() -> None:
    """Its file was written by hand; the hub takes nothing that is no text."""
    boards = [{"id": "bergamo", "title": "\u202eBergamo\u200b"}]
    camera = {"status": "none", "message": None}
    state: Any = {
        "routes": {},
        "players": [],
        "standing": [],
        "doubts": [],
        "camera": camera,
        "boards": boards,
        "board": "bergamo",
        "phase": "look",
        "sheet": None,
    }
    document = room_document(state, name="Table 1", instance="a", sent_at_s=1.7e9, place=3)
    told = told_state(json.dumps(document).encode())
    assert told is not None
    assert told["title"] == "Bergamo"


class Clock:
    now_s = 100_000.0

    def __call__(self) -> float:
        return self.now_s


def hear(room: Room, table: str = "t1", **more: Any) -> None:
    state = told_state(json.dumps({**WHOLE, **more}).encode())
    assert state is not None
    room.hear_state(table, state)


def keys(room: Room) -> list[str]:
    return [trouble["key"].removeprefix("companion.hub.") for trouble in room.tables()[0].troubles]


def said(room: Room, language: str) -> str:
    (trouble,) = room.tables()[0].troubles
    return Message.from_json(json.loads(json.dumps(trouble))).text(language)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def room(clock: Clock) -> Room:
    return Room({}, now=clock)


def test_names_without_end_fill_no_room(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody floods an open broker: the tables that are here already stay."""
    monkeypatch.setattr("companion.hub.room.MOST_TABLES", 2)
    for table in ("t1", "t2"):
        assert room.has_place(table)
        hear(room, table)
    assert not room.has_place("t3")
    assert room.has_place("t1")


def test_a_clock_of_yesterday_is_told_from_the_second_word_on(room: Room, clock: Clock) -> None:
    hear(room, board=None, sent_at=clock.now_s - 86_400)
    assert keys(room) == []  # the broker may have kept it since yesterday
    hear(room, board=None, sent_at=clock.now_s - 86_400)
    assert keys(room) == ["clock-behind"]
    assert "24 h behind" in said(room, "en")
    hear(room, board=None, sent_at=clock.now_s - 5_400)
    assert "indietro di 1,5 h" in said(room, "it")
    hear(room, board=None, sent_at=clock.now_s)
    assert keys(room) == []


def test_two_boxes_of_one_name_are_told_and_a_restart_is_not(room: Room, clock: Clock) -> None:
    for instance in ("a", "a", "b", "b"):
        hear(room, board=None, sent_at=clock.now_s, instance=instance)
    assert keys(room) == []
    hear(room, board=None, sent_at=clock.now_s, instance="a")
    assert keys(room) == ["two-boxes"]
    clock.now_s += 600
    hear(room, board=None, sent_at=clock.now_s, instance="a")
    assert keys(room) == []


def test_tables_of_one_name_are_numbered_and_told(room: Room, clock: Clock) -> None:
    for table in ("t2", "t1"):
        hear(room, table, board=None, sent_at=clock.now_s)
    assert [one.name for one in room.tables()] == ["Table 1 (1)", "Table 1 (2)"]
    assert keys(room) == ["same-name"]


def test_a_table_that_went_silent_says_since_when(room: Room, clock: Clock) -> None:
    hear(room, board=None, sent_at=clock.now_s)
    room.hear_status("t1", False)
    assert room.tables()[0].left_s is None, "it was away before the hub began"
    room.hear_status("t1", True)
    clock.now_s += 600
    for _ in range(2):
        room.hear_status("t1", False)
        assert room.tables()[0].left_s == 100_600.0
        clock.now_s += 60
    room.hear_status("t1", True)
    assert room.tables()[0].left_s is None


def test_a_table_that_nobody_said_farewell_for_is_away_when_it_tells_nothing(clock: Clock) -> None:
    """Its power went together with the broker's, which keeps "online" of it."""
    seconds = Clock()
    room = Room({}, now=clock, tick=seconds)
    hear(room, board=None, sent_at=99_000.0)
    room.hear_status("t1", True)
    seconds.now_s += 140  # it tells each minute; two words may be lost
    room.note_silence()
    assert room.tables()[0].is_online
    seconds.now_s += 20
    version = room.wait(0, 0.0)
    room.note_silence()
    (table,) = room.tables()
    assert not table.is_online
    assert room.wait(version, 0.0) > version, "the pages hear of it"
    assert (table.left_s, table.state["sent_at"]) == (None, 99_000.0), "its last word tells since"
    hear(room, board=None, sent_at=clock.now_s)
    assert room.tables()[0].is_online
    room.hear_status("t1", False)
    hear(room, board=None, sent_at=clock.now_s)
    assert not room.tables()[0].is_online, "a state that the broker kept brings nobody back"


@pytest.mark.parametrize(
    ("here", "others", "names"),
    [
        ({}, {"b": "Salon", "a": "salon", "c": "Attic"}, ["salon (1)", "Salon (2)", "Attic"]),
        ({"b": "Salon"}, {"a": "Salon", "b": "Salon"}, ["Salon (2)", "Salon"]),
        (
            {"b": "Salon (1)", "c": "Salon (2)"},
            {"a": "Salon", "b": "Salon", "c": "Salon"},
            ["Salon (3)", "Salon (1)", "Salon (2)"],
        ),
    ],
)
def test_a_table_has_one_number_in_the_room_and_in_the_results(
    here: dict[str, str], others: dict[str, str], names: list[str]
) -> None:
    assert [name for _, name in sorted(names_beside(here, others).items())] == names


@pytest.mark.parametrize("name", ["table 1", "Table  1", "Ｔａｂｌｅ １"])
def test_a_name_that_only_looks_like_another_tables_is_told_too(
    room: Room, clock: Clock, name: str
) -> None:
    hear(room, "t1", board=None, sent_at=clock.now_s)
    hear(room, "t2", board=None, sent_at=clock.now_s, name=name)
    assert keys(room) == ["same-name"]


def test_a_name_without_ink_is_none(room: Room, clock: Clock) -> None:
    hear(room, "t1", board=None, sent_at=clock.now_s, name="\u3164 \u2800")
    assert [one.name for one in room.tables()] == ["t1"]


def test_tables_are_listed_as_people_count(room: Room, clock: Clock) -> None:
    for number in (10, 9, 1):
        hear(room, f"t{number}", board=None, sent_at=clock.now_s, name=f"Table {number}")
    assert [one.name for one in room.tables()] == ["Table 1", "Table 9", "Table 10"]


def test_a_board_that_is_not_here_is_told(room: Room, clock: Clock) -> None:
    hear(room, sent_at=clock.now_s)
    assert keys(room) == ["no-board"]


def test_a_message_that_was_set_aside_is_told_for_a_while(room: Room, clock: Clock) -> None:
    room.hear_aside("t1", Message("companion.relay.no-message"))
    assert keys(room) == ["companion.relay.no-message"]
    clock.now_s += 3600
    hear(room, board=None, sent_at=clock.now_s)
    assert keys(room) == []
