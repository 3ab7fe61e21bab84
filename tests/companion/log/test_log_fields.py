"""Whatever stands in an event of the log, the program starts and every page answers."""

import json
import sys
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.session.event_json import event_from_json, event_to_json
from companion.session.events import (
    ColourChanged,
    Event,
    EventError,
    Finished,
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
    RouteConfirmed,
    RouteCorrected,
    RouteProposal,
    SeatedPlayer,
    SettingsSet,
    Shown,
    Started,
    TicketAdded,
    TicketRemoved,
    TicketsSet,
    Undone,
)
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from scoring.language import Message
from tests.companion.log.test_log_damage import write_version_1
from web.app import create_app

GERMANY = load_board("germany")
DOUBLE = tuple(r.id for r in next(iter(GERMANY.parallel_groups.values())))
FIRST, SECOND, THIRD = [route.id for route in GERMANY.routes if not route.id[-1].isdigit()][:3]
ONE, TWO, THREE = (ticket.id for ticket in GERMANY.tickets[:3])
DOUBT = RouteProposal("red", 0.6, True, (("red", 0.6), (None, 0.4)))
STORY: list[Event] = [
    Started(
        "germany", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "white")), {}, camera=False
    ),
    ReadingProposed(
        {FIRST: DOUBT, SECOND: RouteProposal("white", 0.99, False, ()), THIRD: DOUBT}
        | dict.fromkeys(DOUBLE, DOUBT),
        True,
        (Notice("covered", Message("vision.warning.covered", count=1), (FIRST,)),),
        (ProposedPlace(DOUBLE, ("single-space",)),),
    ),
    RouteConfirmed(FIRST),
    RouteCorrected(THIRD, None),
    Shown("tickets"),
    TicketAdded("red", ONE),
    TicketsSet("white", (TWO, THREE)),
    TicketRemoved("white", THREE),
    PassengersSet("red", {"green": 1}),
    PlayerRenamed("red", "Adele"),
    TicketAdded("red", THREE),
    Undone(),
    SettingsSet({}),
    PlayerAdded("yellow", "Cleo"),
    ColourChanged("yellow", "purple"),
    PlayerMoved("purple"),
    PlayerRemoved("purple"),
    PlaceAnswered(DOUBLE, ("red", *(None for _ in DOUBLE[1:]))),
    Finished(),
]
PAGES = ("/start", "/board", "/doubts", "/tickets", "/sheet", "/box", "/api/state", "/undo")
HANDS = ("/tickets/red?open=1", "/tickets/white?open=1", f"/route/{FIRST}", "/api/geometry")

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["red", "mars", "germany", "usa", FIRST, ONE, "\ud800", "", -1, 10**30]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def fields_of(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in a document, the document itself included."""
    yield path
    parts = document.items() if isinstance(document, dict) else ()
    parts = enumerate(document) if isinstance(document, list) else parts
    for name, value in parts:
        yield from fields_of(value, (*path, name))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = deepcopy(document)
    inner = copy
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return copy


PLACES = [
    (number, path) for number, event in enumerate(STORY) for path in fields_of(event_to_json(event))
]


def statuses(data: Path) -> dict[str, int]:
    """What every page answers on the log in a folder."""
    table = Table(TableConfig([GERMANY], data))
    try:
        client = create_app(table).test_client()
        return {page: client.get(page).status_code for page in (*PAGES, *HANDS)}
    finally:
        table.close()


def rewritten(data: Path, number: int, kind: str, text: str) -> None:
    """A log of version 1, which has no checksums, with one event exchanged."""
    connection = write_version_1(data / "evening.sqlite3", STORY)
    connection.execute("DROP TRIGGER events_stay")
    connection.execute(
        "UPDATE events SET kind = ?, data = ? WHERE number = ?", (kind, text, number + 1)
    )
    connection.commit()
    connection.close()


def test_the_story_itself_is_whole(tmp_path: Path) -> None:
    write_version_1(tmp_path / "evening.sqlite3", STORY).close()
    table = Table(TableConfig([GERMANY], tmp_path))
    state = table.state()
    table.close()
    assert (state["phase"], state["notices"]) == ("sheet", [])
    assert [len(hand) for hand in state["tickets"].values()] == [1, 1]


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(place=st.sampled_from(PLACES), value=VALUES)
def test_any_value_in_any_field_of_any_event_breaks_nothing(
    place: tuple[int, tuple[Any, ...]], value: Any
) -> None:
    number, path = place
    event = STORY[number]
    text = json.dumps(changed(event_to_json(event), path, value))
    with tempfile.TemporaryDirectory() as folder:
        rewritten(Path(folder), number, event.kind, text)
        assert max(statuses(Path(folder)).values()) < 500


def reading_of(owner: str, other: str) -> str:
    """What the camera says of one route, as it stands in the log."""
    proposal = {"owner": owner, "confidence": 0.5, "review": True}
    proposal["alternatives"] = [[owner, 0.5], [other, 0.5]]
    return json.dumps({"routes": {FIRST: proposal}, "whole": False, "notices": []})


def held(ticket: Any) -> str:
    """A ticket in Ada's hand, as it stands in the log."""
    return json.dumps({"colour": "red", "ticket": ticket})


SKIPPED = "companion.store.skipped.one"


@pytest.mark.parametrize(
    ("kind", "data", "key"),
    [
        ("ticket-added", '{"colour": [], "ticket": "x"}', "companion.store.unusable.one"),
        ("shown", '{"phase": "mars"}', "companion.store.unusable.one"),
        ("ticket-added", "{", "companion.store.unusable.one"),
        ("ticket-added", "[" * 10_000 + "]" * 10_000, "companion.store.unusable.one"),
        ("teleported", '{"to": "mars"}', "companion.store.from-newer.one"),
        ("ticket-added", '{"colour": "red", "ticket": "mars"}', SKIPPED),
        ("ticket-added", held({"id": ONE}), SKIPPED),
        (
            "ticket-added",
            held({"from": [], "to": "x", "points": 8}),
            "companion.store.unusable.one",
        ),
        ("ticket-added", held(["emden", 5]), "companion.store.unusable.one"),
        ("ticket-stated", '{"colour": "red", "ticket": ["a", "b"], "completed": true}', SKIPPED),
        ("route-corrected", '{"route": "mars", "owner": null}', SKIPPED),
        ("reading-proposed", reading_of("mauve", "red"), SKIPPED),
        ("reading-proposed", reading_of("red", "mauve"), SKIPPED),
    ],
)
def test_an_event_that_cannot_be_used_is_told_and_costs_no_other(
    tmp_path: Path, kind: str, data: str, key: str
) -> None:
    """Event 6, Ada's only ticket, is exchanged; all else of the evening is as it was."""
    rewritten(tmp_path, 5, kind, data)
    for _ in range(2):
        table = Table(TableConfig([GERMANY], tmp_path))
        state = table.state()
        table.close()
        assert [notice["key"] for notice in state["notices"]] == [key]
        assert {who: len(hand) for who, hand in state["tickets"].items()} == {"red": 0, "white": 1}
        assert (state["phase"], state["players"][0]["name"]) == ("sheet", "Adele")


def test_an_undo_of_what_cannot_be_used_takes_back_nothing_else(tmp_path: Path) -> None:
    """Event 11 is a ticket that event 12 takes back; without it Ada's first ticket stays."""
    rewritten(tmp_path, 10, "teleported", "{}")
    table = Table(TableConfig([GERMANY], tmp_path))
    held = table.state()["tickets"]["red"]
    table.close()
    assert [ticket["ticket"] for ticket in held] == [ONE]


def test_undos_of_two_that_are_refused_take_back_nothing_else(tmp_path: Path) -> None:
    """Nobody plays mauve: the two undos meant those tickets, and Ada keeps her own."""
    refused = [TicketAdded("mauve", ONE), TicketAdded("mauve", TWO)]
    story = [STORY[0], TicketAdded("red", ONE), *refused, Undone(), Undone()]
    write_version_1(tmp_path / "evening.sqlite3", story).close()
    table = Table(TableConfig([GERMANY], tmp_path))
    held = table.state()["tickets"]["red"]
    table.close()
    assert [ticket["ticket"] for ticket in held] == [ONE]


def test_of_two_undos_behind_one_that_is_refused_the_second_takes_back_what_was_before(
    tmp_path: Path,
) -> None:
    story = [STORY[0], TicketAdded("red", ONE), TicketAdded("mauve", TWO), Undone(), Undone()]
    write_version_1(tmp_path / "evening.sqlite3", story).close()
    table = Table(TableConfig([GERMANY], tmp_path))
    held = table.state()["tickets"]["red"]
    table.close()
    assert held == []


def test_a_game_from_before_the_last_one_stays_as_it_was_played(tmp_path: Path) -> None:
    """Its line is no longer on the board, which was taught anew since: nothing is left out."""
    old = [STORY[0], RouteCorrected("old--line", "red"), Finished()]
    now = [PutAway(), STORY[0], TicketAdded("red", ONE)]
    write_version_1(tmp_path / "evening.sqlite3", [*old, *now]).close()
    table = Table(TableConfig([GERMANY], tmp_path))
    state = table.state()
    table.close()
    assert state["notices"] == []
    assert [ticket["ticket"] for ticket in state["tickets"]["red"]] == [ONE]


def test_an_undo_behind_a_claim_that_cannot_be_used_takes_back_what_people_did(
    tmp_path: Path,
) -> None:
    """What the watching camera says by itself is no step: the undo meant Ada's ticket."""
    reading = event_from_json("reading-proposed", json.loads(reading_of("mauve", "red")))
    story = [STORY[0], TicketAdded("red", ONE), TicketAdded("red", TWO), reading, Undone()]
    write_version_1(tmp_path / "evening.sqlite3", story).close()
    table = Table(TableConfig([GERMANY], tmp_path))
    state = table.state()
    table.close()
    assert [notice["key"] for notice in state["notices"]] == [SKIPPED]
    assert [ticket["ticket"] for ticket in state["tickets"]["red"]] == [ONE]


def test_a_start_that_replay_keeps_is_checked_against_its_board(tmp_path: Path) -> None:
    """The undo behind an entry that was refused takes that one back, not the start of the game."""
    story = [STORY[0], TicketAdded("mauve", ONE), Undone(), TicketAdded("red", {"id": "mars"})]
    write_version_1(tmp_path / "evening.sqlite3", story).close()
    table = Table(TableConfig([GERMANY], tmp_path))
    state = table.state()
    table.close()
    assert [notice["key"] for notice in state["notices"]] == ["companion.store.skipped.many"]
    assert (state["board"], state["tickets"]["red"]) == ("germany", [])


@pytest.mark.parametrize(
    ("name", "value"), [("first_pass", 1.5), ("failed", {"a": 1}), ("marker", "ten")]
)
def test_a_figure_of_a_wrong_type_is_no_event(name: str, value: Any) -> None:
    with pytest.raises(EventError, match="damaged"):
        event_from_json("typed-set", {"colour": "red", "name": name, "value": value})


@pytest.mark.parametrize(
    "data",
    [
        {"routes": {}, "whole": 1, "notices": []},
        {"routes": {"a": {"owner": 3}}, "whole": True, "notices": []},
        {"routes": [], "whole": True, "notices": []},
        {"routes": {}, "whole": True, "notices": [{"code": 1, "text": "x", "routes": []}]},
    ],
)
def test_a_reading_of_wrong_types_is_no_event(data: Any) -> None:
    with pytest.raises(EventError, match="damaged"):
        event_from_json("reading-proposed", data)


def notices_after_reading(document: Any) -> tuple[Notice, ...]:
    data = {"routes": {}, "whole": True, "notices": [document]}
    event = event_from_json("reading-proposed", data)
    assert isinstance(event, ReadingProposed)
    return event.notices


def test_a_notice_stands_in_the_log_as_key_and_values_and_comes_back_the_same() -> None:
    said = Message("vision.warning.too-many-wagons", colour="red", used=46, most=45)
    event = ReadingProposed({}, True, (Notice("too-many-wagons", said, (FIRST,)),))
    written = json.loads(json.dumps(event_to_json(event)))
    assert written["notices"] == [
        {
            "code": "too-many-wagons",
            "message": {
                "key": "vision.warning.too-many-wagons",
                "values": {"colour": "red", "used": 46, "most": 45},
            },
            "routes": [FIRST],
        }
    ]
    assert event_from_json("reading-proposed", written) == event


def test_a_notice_that_an_earlier_version_wrote_out_is_still_read() -> None:
    old = {"code": "covered", "text": "Something lies over 2 routes.", "routes": [FIRST]}
    (notice,) = notices_after_reading(old)
    assert notice.message.text("it") == "Something lies over 2 routes."


@pytest.mark.parametrize(
    "message",
    [
        {"key": "vision.warning.of-tomorrow", "values": {}},
        {"key": "vision.warning.too-many-wagons", "values": {"used": 46}},
        {"key": "antigravity.fly", "values": {}},
        {"key": "__main__.x", "values": {}},
        {"key": "", "values": {}},
    ],
)
def test_a_notice_that_this_version_cannot_tell_is_told_as_such(message: Any) -> None:
    (notice,) = notices_after_reading({"code": "new", "message": message, "routes": []})
    assert "newer version" in notice.message.text("en")
    assert "versione più recente" in notice.message.text("it")
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize("message", [None, "x", {}, {"key": 3, "values": {}}, {"key": "a.b"}])
def test_a_notice_without_a_message_is_damaged(message: Any) -> None:
    with pytest.raises(EventError, match="damaged"):
        notices_after_reading({"code": "new", "message": message, "routes": []})
