"""Doubles are asked about as they score: one question about both lines, answered at once.

Kansas City - Omaha and Dallas - Houston are doubles of one space each, worth 1 point a line.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.session.event_json import event_from_json, event_to_json
from companion.session.events import (
    ProposedPlace,
    ReadingProposed,
    RouteCorrected,
    RouteProposal,
    SeatedPlayer,
    Started,
    TicketsSet,
)
from companion.session.reducer import advance, fold
from companion.session.state import doubtful_routes, owner_of
from companion.table.choices import choices_for
from companion.table.live_score import LiveScore
from companion.table.table import Table
from companion.table.watching import glimpse_of
from hardware.console.console import Button, Lamp
from hardware.console.virtual import VirtualConsole
from scoring.language import Message
from tests.companion.tables import USA, ToldEye, new_table, scanned, sure, unsure
from vision.routes.places import places_of
from vision.watch.events import DOUBT, WatchEvent
from web.errors import ActionRefusedError

KANSAS = ("kansas-city--omaha-1", "kansas-city--omaha-2")
DALLAS = ("dallas--houston-1", "dallas--houston-2")
THREE = {
    "board": "usa",
    "players": [
        {"name": "Ada", "colour": "black"},
        {"name": "Ben", "colour": "blue"},
        {"name": "Chiara", "colour": "green"},
    ],
    "camera": True,
}
START = Started("usa", tuple(SeatedPlayer(**player) for player in THREE["players"]))  # type: ignore[attr-defined]
ASKED_TOO = RouteProposal(None, 0.999, review=True, alternatives=((None, 0.999),))
SEEN = {
    KANSAS[0]: unsure("black", None),
    KANSAS[1]: ASKED_TOO,
    DALLAS[0]: unsure("green", None),
    DALLAS[1]: unsure("blue", None),
}
PLACES = (ProposedPlace(KANSAS, ("single-space", "unsure")), ProposedPlace(DALLAS, ("neighbour",)))


@pytest.fixture
def console() -> VirtualConsole:
    return VirtualConsole()


@pytest.fixture
def table(tmp_path: Path, console: VirtualConsole) -> Table:
    """A table whose camera doubts both lines of two doubles."""
    table = new_table(tmp_path, ToldEye(SEEN, places=PLACES), console)
    table.act("start", THREE)
    table.act("scan", {})
    scanned(table)
    return table


def owners(table: Table, place: tuple[str, ...]) -> list[str | None]:
    return [table.state()["routes"][line]["owner"] for line in place]


def offered(table: Table, number: int) -> list[tuple[set[str | None], float]]:
    """The answers of a question that the camera thinks likely: who, and how probable."""
    choices: Any = table.state()["doubts"][number]["choices"]
    return [(set(o["owners"]), round(o["probability"], 2)) for o in choices if o["probability"]]


def test_two_doubtful_lines_of_a_double_are_one_question(table: Table) -> None:
    doubts = table.state()["doubts"]
    assert [doubt["routes"] for doubt in doubts] == [list(KANSAS), list(DALLAS)]
    reasons = [[message["key"] for message in doubt["why"]] for doubt in doubts]
    assert reasons == [
        ["vision.why.single-space", "vision.why.unsure"],
        ["vision.why.neighbour"],
    ]
    assert offered(table, 0) == [({"black", None}, 0.6), ({None}, 0.4)]
    # 0.6 * 0.6, then one of the two alone (0.24 each), then nobody, 0.4 * 0.4.
    assert offered(table, 1) == [
        ({"green", "blue"}, 0.36),
        ({"green", None}, 0.24),
        ({"blue", None}, 0.24),
        ({None}, 0.16),
    ]


def test_a_question_about_what_a_person_had_entered_says_so(tmp_path: Path) -> None:
    """The camera was sure that nobody was there, and the question gave no reason at all."""
    eye = ToldEye({"denver--omaha": sure(None), "atlanta--miami": sure("blue")})
    table = new_table(tmp_path, eye)
    table.act("start", THREE)
    name = table.state()["players"][0]["name"]
    colour = table.state()["players"][0]["colour"]
    table.act("correct-route", {"route": "denver--omaha", "owner": colour})
    table.act("correct-route", {"route": "atlanta--miami", "owner": None})
    table.act("scan", {})
    scanned(table)
    why = {one["route"]: one["why"] for one in table.state()["doubts"]}
    told = {route: [Message.from_json(one).text("it") for one in why[route]] for route in why}
    assert told == {
        "denver--omaha": [f"era stata segnata per {name}, ma ora si vede altro"],
        "atlanta--miami": ["era stata segnata libera, ma ora si vede altro"],
    }


def test_one_answer_settles_both_lines_and_one_undo_takes_both_back(table: Table) -> None:
    table.act("answer-place", {"routes": list(DALLAS), "owners": ["green", "blue"]})
    assert [doubt["route"] for doubt in table.state()["doubts"]] == [KANSAS[0]]
    assert owners(table, DALLAS) == ["green", "blue"]
    table.act("answer-place", {"routes": list(KANSAS), "owners": [None, "black"]})
    assert table.state()["phase"] == "look", "nobody is near the end: the game goes on"
    step: Any = table.state()["undo_step"]
    assert (step["action"], step["owners"]) == ("answer-place", [None, "black"])
    table.act("undo", {})
    assert table.state()["phase"] == "doubts"
    assert [doubt["route"] for doubt in table.state()["doubts"]] == [KANSAS[0]]
    assert owners(table, KANSAS) == ["black", None]


def test_nobody_is_offered_both_lines_and_each_combination_once(table: Table) -> None:
    """Beyond what is likely, each answer gives one line to somebody else than the first answer."""
    first, second = (
        [sorted(str(owner) for owner in choice["owners"]) for choice in doubt["choices"]]
        for doubt in table.state()["doubts"]
    )
    alone = [["None", colour] for colour in ("black", "blue", "green")]
    both = [["black", "blue"], ["black", "green"], ["None", "None"]]
    assert sorted(first) == sorted([*alone, *both])
    assert sorted(second) == sorted([*alone[1:], *both, ["blue", "green"]])


def test_the_box_asks_the_same_and_its_lamps_tell_two_owners_apart(
    table: Table, console: VirtualConsole
) -> None:
    assert table.state()["cursor"]["owners"] == ["black", None]
    assert console.lamps == (Lamp.BLINK, Lamp.OFF, Lamp.OFF)
    console.press(Button.NEXT)
    assert console.lamps == (Lamp.BLINK,) * 3, "nobody's"
    console.press(Button.BACK)
    console.press(Button.CONFIRM)
    assert owners(table, KANSAS) == ["black", None]
    assert table.state()["cursor"]["routes"] == list(DALLAS)
    assert console.lamps == (Lamp.OFF, Lamp.PULSE, Lamp.BLINK), "green first, then blue"
    console.press(Button.NEXT)
    console.press(Button.CONFIRM)
    assert (owners(table, DALLAS), table.state()["phase"]) == (["green", None], "look")
    table.act("show", {"phase": "doubts"})
    table.act("undo", {})
    assert len(table.state()["doubts"]) == 1


def test_back_on_the_box_takes_back_the_answer_about_both_lines(
    table: Table, console: VirtualConsole
) -> None:
    console.press(Button.CONFIRM)
    console.press(Button.BACK)
    assert table.state()["cursor"]["routes"] == list(KANSAS)
    assert len(table.state()["doubts"]) == 2


def test_answers_about_single_lines_go_on_working(table: Table) -> None:
    table.act("confirm-route", {"route": KANSAS[0]})
    doubt = table.state()["doubts"][0]
    assert (doubt["route"], doubt["routes"]) == (KANSAS[1], list(KANSAS))
    assert all("black" in choice["owners"] for choice in doubt["choices"]), "that is settled"
    table.act("correct-route", {"route": KANSAS[1], "owner": "blue"})
    assert owners(table, KANSAS) == ["black", "blue"]
    assert [doubt["route"] for doubt in table.state()["doubts"]] == [DALLAS[0]]


@pytest.mark.parametrize(
    ("routes", "given"),
    [
        ([KANSAS[0], DALLAS[0]], ["black", None]),
        (["denver--omaha", "atlanta--miami"], ["black", None]),
        ([KANSAS[0], KANSAS[0]], ["black", None]),
        (list(KANSAS), ["black"]),
        ([], []),
        (list(KANSAS), ["red", None]),
        (["kansas-city--moon-1", KANSAS[1]], ["black", None]),
    ],
)
def test_an_answer_that_fits_no_place_is_refused_and_changes_nothing(
    table: Table, routes: list[str], given: list[str | None]
) -> None:
    with pytest.raises(ActionRefusedError):
        table.act("answer-place", {"routes": routes, "owners": given})
    assert len(table.state()["doubts"]) == 2


@pytest.mark.parametrize(
    ("action", "payload", "why"),
    [
        (
            "answer-place",
            {"routes": list(KANSAS), "owners": ["black"]},
            "non c'è un proprietario per ognuna delle linee",
        ),
        (
            "answer-place",
            {"routes": [KANSAS[0], KANSAS[0]], "owners": ["black", None]},
            "la stessa linea è indicata due volte",
        ),
        ("answer-place", {"routes": list(KANSAS)}, "manca owners"),
        ("count-wagons", {"player": "black", "wagons": "nine"}, "nessun conteggio"),
    ],
)
def test_what_is_wrong_with_an_answer_is_told_in_one_language(
    table: Table, action: str, payload: dict[str, Any], why: str
) -> None:
    with pytest.raises(ActionRefusedError) as refused:
        table.act(action, payload)
    assert refused.value.sentence("it") == f"Non si può scrivere nel registro: {why}."


def test_that_the_camera_takes_the_other_line_for_the_owners_is_no_news() -> None:
    start = [START, ReadingProposed(SEEN, places=PLACES)]
    state = fold([*start, RouteCorrected(KANSAS[0], "black"), RouteCorrected(KANSAS[1], None)])
    swapped = ReadingProposed({KANSAS[0]: sure(None), KANSAS[1]: sure("black")}, places=PLACES)
    assert doubtful_routes(advance(state, swapped)) == ()
    another = {KANSAS[0]: sure("blue"), KANSAS[1]: sure("black")}
    state = advance(state, ReadingProposed(another, places=PLACES))
    assert doubtful_routes(state) == KANSAS


def test_what_nobody_doubted_of_a_place_stays_the_cameras() -> None:
    """Watching doubts one line: an answer about both keeps nobody from claiming the other."""
    told = (ProposedPlace(KANSAS),)
    doubt = ReadingProposed({KANSAS[0]: unsure("black", None)}, whole=False, places=told)
    answer = event_from_json("place-answered", {"routes": list(KANSAS), "owners": ["black", None]})
    claim = ReadingProposed({KANSAS[1]: sure("blue")}, whole=False, places=told)
    state = fold([START, doubt, answer, claim])
    assert doubtful_routes(state) == ()
    assert [owner_of(state, line) for line in KANSAS] == ["black", "blue"]


def test_doubts_between_two_scans_are_asked_by_place_as_well() -> None:
    event = WatchEvent(DOUBT, 3.0, KANSAS[1], "green", 0.7, (("green", 0.7), (None, 0.3)))
    seen = glimpse_of([event], lambda route: b"", places_of(USA)).seen
    assert seen is not None
    state = fold([START, seen.proposed])
    choices = choices_for(state, KANSAS[1])
    assert [set(choice.owners) for choice in choices[:2]] == [{"green", None}, {None}]


def test_the_likeliest_answer_comes_first_also_where_something_else_was_read() -> None:
    """Crossing lines, say, are read together: black (30 %) where alone blue (60 %) is likelier."""
    odds = (("black", 0.3), ("blue", 0.6), (None, 0.1))
    black = RouteProposal("black", 0.3, review=True, alternatives=odds)
    alone = fold([START, ReadingProposed({"denver--omaha": black})])
    assert [one.owners for one in choices_for(alone, "denver--omaha")[:3]] == [
        ("blue",),
        ("black",),
        (None,),
    ]
    table = fold([START, ReadingProposed({KANSAS[0]: black, KANSAS[1]: sure(None)}, places=PLACES)])
    choices = choices_for(table, KANSAS[0])
    shown = [({*one.owners} - {None}, round(one.probability, 2)) for one in choices[:3]]
    assert shown == [({"blue"}, 0.6), ({"black"}, 0.3), (set(), 0.1)]


def test_a_log_without_places_asks_line_by_line() -> None:
    document = event_to_json(ReadingProposed(SEEN))
    del document["places"]
    state = fold([START, event_from_json("reading-proposed", document)])
    assert LiveScore().questions(state, USA).routes == (*KANSAS, *DALLAS)
    assert [choice.owners for choice in choices_for(state, KANSAS[0])[:2]] == [("black",), (None,)]


def test_the_places_that_could_change_the_ranking_are_asked_first() -> None:
    """Miami - New Orleans (15 points) lies between Ada and Ben; Dallas - Houston is worth 1."""
    seen = {
        DALLAS[0]: unsure("green", None),
        "atlanta--miami": sure("blue"),
        "miami--new-orleans": unsure("black", None),
        DALLAS[1]: ASKED_TOO,
    }
    tickets = [
        TicketsSet("black", ("helena--los-angeles",)),
        TicketsSet("blue", ("denver--el-paso",)),
        TicketsSet("green", ("new-york--atlanta",)),
    ]
    state = fold([START, ReadingProposed(seen, places=PLACES[1:]), *tickets])
    questions = LiveScore().questions(state, USA)
    assert questions.routes == ("miami--new-orleans", *DALLAS)
