"""The table as the panel finds it: entries, refusals, restarts, a camera with troubles."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.session.event_fields import PHASES as SESSION_PHASES
from companion.session.events import (
    EVENTS,
    Notice,
    ProposedPlace,
    ReadingProposed,
    RouteProposal,
)
from companion.table.actions import ACTIONS
from companion.table.eye import Photo
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.table.watching import Glimpse, glimpse_of
from hardware.cameras.camera import ClosesItself, Frame
from hardware.console.console import Button, Lamp
from hardware.errors import CameraError
from scoring.board.board import load_board
from scoring.language import Message, text
from tests.companion.tables import (
    ADA_AND_BEN,
    USA,
    GatedEye,
    GreyCamera,
    ToldEye,
    ToldWatcher,
    game_by_hand,
    new_table,
    notices,
    scanned,
    sure,
    unsure,
)
from tests.support.cameras import no_camera
from tests.support.threads import no_more_threads
from tests.support.waiting import until
from vision.watch.events import WatchEvent
from web.errors import ActionRefusedError, BusyError
from web.ports import TablePort
from web.table_state import BUTTONS, CAMERA_STATUSES, LAMP_STATES, PHASES, ROUTE_STATUSES

CLOSED = "dallas--houston-2"


def started(tmp_path: Path, eye: ToldEye | None = None, **options: Any) -> Table:
    table = new_table(tmp_path, eye, **options)
    table.act("start", ADA_AND_BEN)
    return table


def look(table: Table) -> None:
    table.act("scan", {})
    scanned(table)


def test_the_box_and_the_panel_use_the_same_words() -> None:
    assert (*BUTTONS, "copy") == tuple(Button), "a copy has a page of its own on the panel"
    assert set(Lamp) == set(LAMP_STATES)
    assert SESSION_PHASES == PHASES


def test_a_table_is_what_the_panel_asks_for(tmp_path: Path) -> None:
    table: TablePort = new_table(tmp_path)
    assert table.state()["phase"] == PHASES[0]
    assert table.moment().board is None
    assert [choice["id"] for choice in table.state()["boards"]] == ["usa"]


def test_the_state_is_plain_json_and_keeps_the_panel_s_words(tmp_path: Path) -> None:
    eye = ToldEye({"denver--omaha": unsure("red", None), "atlanta--miami": sure("blue")})
    table = started(tmp_path, eye)
    look(table)
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    state = json.loads(json.dumps(table.state()))
    assert state["phase"] in PHASES
    assert state["camera"]["status"] in CAMERA_STATUSES
    assert {route["status"] for route in state["routes"].values()} <= set(ROUTE_STATUSES)
    assert state["undo"] == "add-ticket"


def test_what_undo_would_take_back_is_named_as_an_action(tmp_path: Path) -> None:
    extra, never = {"set-settings", "set-points"}, {"redo", "clock-set", "copied"}
    assert {event.action for event in EVENTS} - never <= set(ACTIONS) | extra


def test_after_a_look_that_could_not_begin_the_next_one_can(tmp_path: Path) -> None:
    """The table went on "looking" until the program was started anew."""
    table = started(tmp_path, ToldEye({"atlanta--miami": sure("blue")}))
    with no_more_threads(), pytest.raises(RuntimeError):
        table.act("scan", {})
    look(table)
    assert table.state()["routes"]["atlanta--miami"]["owner"] == "blue"


def test_a_look_gives_owners_doubts_crops_and_standing(tmp_path: Path) -> None:
    eye = ToldEye({"denver--omaha": unsure("red", None), "atlanta--miami": sure("blue")})
    table = started(tmp_path, eye)
    look(table)
    state = table.state()
    assert state["routes"]["atlanta--miami"] == {
        "owner": "blue",
        "status": "proposed",
        "confidence": 0.999,
    }
    assert state["routes"]["denver--omaha"]["status"] == "doubtful"
    assert state["doubts"] == [
        {
            "route": "denver--omaha",
            "alternatives": [
                {"owner": "red", "probability": 0.6},
                {"owner": None, "probability": 0.4},
                {"owner": "blue", "probability": 0.0},
            ],
            "decisive": None,
            "routes": ["denver--omaha"],
            "choices": [
                {"owners": ["red"], "probability": 0.6},
                {"owners": [None], "probability": 0.4},
                {"owners": ["blue"], "probability": 0.0},
            ],
            "why": [],
            "other_side": False,
            "lies_over": False,
        }
    ]
    assert table.crop("denver--omaha") == b"PNG of denver--omaha"
    # Ben's five wagons give 10, Ada's four give 7.
    assert [(row["name"], row["points"], row["wagons_left"]) for row in state["standing"]] == [
        ("Ben", 10, 40),
        ("Ada", 7, 41),
    ]


def test_tickets_are_completed_by_one_s_own_routes_only(tmp_path: Path) -> None:
    table = started(tmp_path, ToldEye({"denver--el-paso": sure("red")}))
    table.act("correct-route", {"route": "denver--santa-fe", "owner": "red"})
    table.act("correct-route", {"route": "el-paso--santa-fe", "owner": "red"})
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    table.act("add-ticket", {"player": "blue", "ticket": "chicago--atlanta"})
    assert table.state()["tickets"] == {
        "red": [
            {
                "ticket": "denver--el-paso",
                "completed": True,
                "path": ["denver--santa-fe", "el-paso--santa-fe"],
            }
        ],
        "blue": [{"ticket": "chicago--atlanta", "completed": False, "path": []}],
    }
    table.act("finish", {})
    sheet = table.state()["sheet"]
    assert sheet is not None
    # Ada: two routes of two wagons (2 + 2), the ticket (4), the longest path (10). Ben: -5.
    assert [player["total"] for player in sheet["players"]] == [18, -5]


@pytest.mark.parametrize(
    ("action", "payload", "sentence"),
    [
        ("add-ticket", {"player": "red", "ticket": "denver--el-paso"}, "Denver – El Paso"),
        ("add-ticket", {"player": "blue", "ticket": "nowhere--else"}, "nowhere--else"),
        ("add-ticket", {"player": "green", "ticket": "chicago--atlanta"}, "plays green"),
        ("correct-route", {"route": "rome--milan", "owner": "red"}, "no route rome--milan"),
        ("correct-route", {"route": "denver--omaha", "owner": "green"}, "plays green"),
        ("start", {**ADA_AND_BEN, "board": "atlantis"}, "atlantis is not here"),
        (
            "state-ticket",
            {"player": "red", "ticket": "denver--el-paso", "completed": True},
            "map of this board",
        ),
        ("set-route-lengths", {"player": "blue", "route_lengths": {}}, "map of this board"),
        ("reopen", {}, "nothing to reopen"),
        ("upload-photo", {"images": [b"not a photo"]}, "cannot be used"),
        ("dance", {}, "no action dance"),
    ],
)
def test_what_cannot_be_is_refused_in_both_languages_and_changes_nothing(
    tmp_path: Path, action: str, payload: dict[str, Any], sentence: str
) -> None:
    table = started(tmp_path, open_camera=None)
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    before = table.state()
    with pytest.raises(ActionRefusedError, match=sentence) as refusal:
        table.act(action, payload)
    assert refusal.value.sentence("it")
    assert table.state() == before


def test_germany_asks_for_passengers_and_refuses_more_than_the_bag_holds(tmp_path: Path) -> None:
    germany = load_board("germany")
    table = Table(TableConfig([USA, germany], tmp_path))
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}]
    table.act("start", {"board": "germany", "players": players, "camera": False})
    assert table.state()["extras"] == ["passengers"]
    table.act("set-passengers", {"player": "red", "passengers": {"green": 2}})
    assert table.state()["passengers"]["red"] == {"green": 2}
    colour, bag = next(iter(germany.passengers_in_bag.items()))
    with pytest.raises(ActionRefusedError):
        table.act("set-passengers", {"player": "white", "passengers": {colour: bag + 1}})
    table.close()


def test_a_restart_comes_back_to_the_same_state_and_crops(tmp_path: Path) -> None:
    eye = ToldEye({"denver--omaha": unsure("red", None), "atlanta--miami": sure("blue")})
    table = started(tmp_path, eye)
    look(table)
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    before = table.state()
    table.close()
    again = new_table(tmp_path)
    after = again.state()
    for name in ("phase", "board", "players", "routes", "doubts", "tickets", "undo", "cursor"):
        assert after[name] == before[name]  # type: ignore[literal-required]
    assert again.crop("denver--omaha") == b"PNG of denver--omaha"
    assert again.crop("atlanta--miami") is None
    again.close()


def test_a_damaged_log_is_told_on_the_panel(tmp_path: Path) -> None:
    (tmp_path / "evening.sqlite3").write_bytes(b"rubbish" * 1000)
    table = new_table(tmp_path)
    (notice,) = table.state()["notices"]
    assert notice["key"] == "companion.store.rescued"
    kept = str(notice["values"]["path"])
    assert (tmp_path / kept).exists()
    assert "/" not in kept, "pages name no folder of the machine"


def test_a_saved_game_on_a_board_that_left_is_put_away_and_can_come_back(tmp_path: Path) -> None:
    started(tmp_path).close()
    elsewhere = Table(TableConfig([load_board("germany")], tmp_path))
    assert elsewhere.state()["phase"] == "start"
    assert elsewhere.state()["notices"][0]["key"] == "companion.store.board-gone"
    with pytest.raises(ActionRefusedError, match="usa is not here"):
        elsewhere.act("undo", {})
    elsewhere.close()
    back = new_table(tmp_path)
    back.act("undo", {})
    assert back.state()["board"] == "usa"
    back.close()


def test_everybody_who_waits_hears_of_a_change(tmp_path: Path) -> None:
    table = started(tmp_path, open_camera=None)
    version = table.state()["version"]
    heard = list[int]()
    waiters = [
        threading.Thread(target=lambda: heard.append(table.wait(version, 20.0))) for _ in range(5)
    ]
    for waiter in waiters:
        waiter.start()
    now = table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    for waiter in waiters:
        waiter.join()
    assert heard == [now] * 5
    table.close()


def test_many_hands_at_once_lose_no_ticket(tmp_path: Path) -> None:
    table = started(tmp_path)
    tickets = [ticket.id for ticket in USA.tickets[:40]]

    def enter(mine: list[str], colour: str) -> None:
        for ticket in mine:
            table.act("add-ticket", {"player": colour, "ticket": ticket})

    hands = [
        threading.Thread(target=enter, args=(tickets[start::4], colour))
        for start, colour in enumerate(("red", "blue", "red", "blue"))
    ]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    held = table.state()["tickets"]
    assert {t["ticket"] for hand in held.values() for t in hand} == set(tickets)
    assert sum(len(hand) for hand in held.values()) == 40
    table.close()


def test_a_photo_without_a_board_is_told_and_nothing_changes(tmp_path: Path) -> None:
    table = started(tmp_path, ToldEye(routes=None))
    look(table)
    camera = table.state()["camera"]
    assert camera["message"] is not None
    assert camera["message"]["key"] == "companion.camera.unreadable"
    assert table.state()["routes"] == {}
    table.close()


def slow_eye() -> GatedEye:
    """For Denver – Omaha, which is Ada's: seven points for four spaces, ten for the longest."""
    return GatedEye({"denver--omaha": sure("red")})


@pytest.mark.parametrize("again", [False, True], ids=["finish", "redo"])
def test_nobody_finishes_while_a_photo_is_read_that_would_count(
    tmp_path: Path, again: bool
) -> None:
    """The sheet said that Ada has none, and nobody heard that her photo had come too late."""
    eye = slow_eye()
    table = started(tmp_path, eye)
    if again:
        table.act("finish", {})
        table.act("undo", {})
    table.act("scan", {})
    with pytest.raises(ActionRefusedError) as told:
        table.act("redo" if again else "finish", {})
    assert told.value.sentence("en").startswith("The board is being looked at, and the final sheet")
    assert told.value.sentence("it").startswith("Sto guardando il tabellone, e il punteggio")
    assert table.state()["phase"] == "look"
    eye.gate.set()
    scanned(table)
    table.act("finish", {})
    assert [one["total"] for one in table.state()["sheet"]["players"]] == [17, 0]
    table.close()


def test_a_reading_of_a_game_that_was_put_away_meanwhile_is_dropped(tmp_path: Path) -> None:
    eye = slow_eye()
    table = started(tmp_path, eye)
    table.act("scan", {})
    with pytest.raises(ActionRefusedError, match="already"):
        table.act("scan", {})
    table.act("new-game", {})
    table.act("start", ADA_AND_BEN)
    eye.gate.set()
    scanned(table)
    assert table.state()["routes"] == {}
    table.close()


def test_a_second_photo_while_one_is_read_may_be_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone keeps what a box is too busy for; what is refused it throws away."""
    grey = GreyCamera().read().image_bgr
    monkeypatch.setattr("companion.table.actions.decode_photos", lambda images: (grey,))
    eye = slow_eye()
    table = started(tmp_path, eye)
    table.act("upload-photo", {"images": [b"Mother's"]})
    with pytest.raises(BusyError, match="being looked at already"):
        table.act("upload-photo", {"images": [b"the child's"]}, "the-child's-photo")
    eye.gate.set()
    scanned(table)
    table.act("upload-photo", {"images": [b"the child's"]}, "the-child's-photo")
    scanned(table)
    assert eye.looks == 2
    table.close()


def test_a_photo_that_is_decoded_while_another_game_begins_is_not_read_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that lay on the board of the game before would have been in the next one."""
    eye = ToldEye({"denver--omaha": sure("red")})
    table = started(tmp_path, eye)

    def decode_for_long(images: Sequence[bytes]) -> tuple[Photo, ...]:
        table.act("new-game", {})
        table.act("start", ADA_AND_BEN)
        return (GreyCamera().read().image_bgr,) * len(images)

    monkeypatch.setattr("companion.table.actions.decode_photos", decode_for_long)
    with pytest.raises(ActionRefusedError, match="Another game has begun meanwhile"):
        table.act("upload-photo", {"images": [b"a photo"]})
    assert (eye.looks, table.state()["routes"]) == (0, {})
    table.close()


def plain(words: str) -> Message:
    return Message("companion.notice.plain", text=words)


def test_the_reading_s_warnings_and_the_rules_breaches_are_notices(tmp_path: Path) -> None:
    notice = Notice("no-such-code", plain("The lamp dazzles."), ("denver--omaha",))
    table = started(tmp_path, ToldEye({}, (notice,)))
    look(table)
    for number in (1, 2):
        table.act("correct-route", {"route": f"dallas--houston-{number}", "owner": "red"})
    first, second = table.state()["notices"]
    assert first["values"] == {"text": "The lamp dazzles."}
    assert first["routes"] == ["denver--omaha"]
    assert second["routes"] == ["dallas--houston-1", "dallas--houston-2"]
    table.close()


def test_a_warning_of_the_reading_counts_the_routes_that_are_still_open(tmp_path: Path) -> None:
    routes = ("denver--omaha", "atlanta--miami")
    notices = (
        Notice("covered", plain("Something lies over 2 routes."), routes),
        Notice("not-in-play", plain("Some wagons look strange."), routes),
    )
    table = started(tmp_path, ToldEye({}, notices))
    look(table)
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    covered, stranger = table.state()["notices"]
    assert text(covered["key"], "en", **covered["values"]) == "Something lies over a route."
    said = text(stranger["key"], "it", **stranger["values"])
    assert "un colore con cui nessuno gioca" in said  # anew, in the panel's language
    assert stranger["routes"] == ["atlanta--miami"]
    table.close()


def test_what_lay_over_the_board_is_told_to_no_hand_once_all_is_answered(tmp_path: Path) -> None:
    """Something lies over both routes, and hid the owner of one."""
    routes = ("denver--omaha", "atlanta--miami")
    covered = Notice("covered", plain("Something lies over 2 routes."), routes)
    seen = {"denver--omaha": unsure("blue", None), "atlanta--miami": sure("red")}
    table = started(tmp_path, ToldEye(seen, (covered,)))
    look(table)
    table.act("show", {"phase": "tickets"})
    (notice,) = table.state()["notices"]
    assert notice["routes"] == ["denver--omaha"]
    table.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    assert table.state()["notices"] == []
    table.act("show", {"phase": "look"})
    assert len(table.state()["notices"]) == 1, "on the board it can still be taken away"
    table.close()


@pytest.mark.parametrize(("beside", "told"), [(sure("red"), []), (unsure("red", None), [CLOSED])])
def test_what_lies_over_a_closed_line_is_told_only_while_the_other_one_is_in_doubt(
    tmp_path: Path, beside: RouteProposal, told: list[str]
) -> None:
    """With two players one line of a double is open: on the other one no wagon can be hidden."""
    covered = Notice("covered", plain("Something lies over a route."), (CLOSED,))
    seen = {"dallas--houston-1": beside, CLOSED: sure(None)}
    table = started(tmp_path, ToldEye(seen, (covered,)))
    look(table)
    routes = [r for one in table.state()["notices"] for r in one["routes"]]
    assert routes == told
    table.close()


def test_a_final_sheet_no_longer_speaks_of_the_photo(tmp_path: Path) -> None:
    notice = Notice("no-such-code", plain("The lamp dazzles."), ("denver--omaha",))
    table = started(tmp_path, ToldEye({}, (notice,)))
    look(table)
    assert len(table.state()["notices"]) == 1
    table.act("finish", {})
    assert table.state()["notices"] == []
    table.act("reopen", {})
    assert len(table.state()["notices"]) == 1, "the photo can be taken again now"
    table.close()


def test_who_answers_a_place_has_answered_for_the_covered_line_beside_the_doubted_one(
    tmp_path: Path,
) -> None:
    """A hand lies over both lines, and hid the owner of one; both are asked about together."""
    lines = ("dallas--houston-1", "dallas--houston-2")
    seen = {lines[0]: unsure("blue", None), lines[1]: sure("red")}
    covered = Notice("covered", plain("Something lies over 2 routes."), lines)
    table = started(tmp_path, ToldEye(seen, (covered,), places=(ProposedPlace(lines),)))
    look(table)
    assert table.state()["notices"][0]["routes"] == list(lines)
    table.act("answer-place", {"routes": list(lines), "owners": ["blue", "red"]})
    told = [one["key"] for one in table.state()["notices"]]
    assert "vision.warning.covered" not in told
    table.close()


def watched(events: list[WatchEvent]) -> Glimpse:
    return glimpse_of(events, lambda route: f"PNG of {route}".encode())


def test_what_a_watcher_sees_becomes_a_proposal(tmp_path: Path) -> None:
    claim = WatchEvent("claimed", 1.0, "denver--omaha", "red", 0.99)
    doubt = WatchEvent("doubt", 1.0, "atlanta--miami", "blue", 0.6, (("blue", 0.6), (None, 0.4)))
    watcher = ToldWatcher(watched([claim, doubt]))
    table = new_table(tmp_path, new_watcher=lambda board, colours: watcher)
    table.act("start", ADA_AND_BEN)
    until(lambda: len(table.state()["doubts"]) == 1)
    assert table.state()["routes"]["denver--omaha"]["owner"] == "red"
    assert table.state()["phase"] == "look", "the page stays where it is"
    assert table.crop("atlanta--miami") == b"PNG of atlanta--miami"


def test_a_wagon_taken_back_leaves_the_route_to_nobody(tmp_path: Path) -> None:
    watcher = ToldWatcher(
        watched([WatchEvent("claimed", 1.0, "denver--omaha", "red", 0.99)]),
        watched([WatchEvent("removed", 2.0, "denver--omaha", "red", 0.99)]),
    )
    table = new_table(tmp_path, new_watcher=lambda board, colours: watcher)
    table.act("start", ADA_AND_BEN)
    until(lambda: not watcher.glimpses)
    until(lambda: table.state()["routes"]["denver--omaha"]["owner"] is None)


def test_a_blocked_view_is_told_until_the_board_is_seen_again(tmp_path: Path) -> None:
    watcher = ToldWatcher(watched([WatchEvent("blocked", 1.0)]))
    table = new_table(tmp_path, new_watcher=lambda board, colours: watcher)
    table.act("start", ADA_AND_BEN)
    until(lambda: table.state()["camera"]["status"] == "blocked")
    watcher.glimpses.append(watched([WatchEvent("settled", 2.0)]))
    until(lambda: table.state()["camera"]["status"] == "ready")


def test_each_game_has_a_watcher_of_its_own(tmp_path: Path) -> None:
    hired = list[tuple[str, ...]]()

    def hire(board: object, colours: tuple[str, ...]) -> ToldWatcher:
        hired.append(tuple(colours))
        return ToldWatcher()

    table = new_table(tmp_path, new_watcher=hire)
    table.act("start", ADA_AND_BEN)
    until(lambda: len(hired) == 1)
    players = [{"name": "Zoe", "colour": "green"}, {"name": "Ben", "colour": "blue"}]
    table.act("start", {**ADA_AND_BEN, "players": players})
    until(lambda: len(hired) == 2)
    assert hired == [("red", "blue"), ("green", "blue")]


def test_a_game_without_a_camera_is_entered_by_hand(tmp_path: Path) -> None:
    table = game_by_hand(tmp_path)
    assert table.state()["camera"]["status"] == "none"
    with pytest.raises(ActionRefusedError, match="no camera"):
        table.act("scan", {})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    assert table.state()["standing"][0]["points"] == 7
    table.close()


class UnpluggedOnce(ClosesItself):
    """A camera that is not there at first and works when it is plugged in again."""

    name = "usb"
    tries = 0

    def __init__(self) -> None:
        UnpluggedOnce.tries += 1
        if UnpluggedOnce.tries == 1:
            raise CameraError("hardware.camera.no-device", device="/dev/video0")

    def read(self) -> Frame:
        return GreyCamera().read()


def test_a_camera_that_vanishes_is_told_and_comes_back(tmp_path: Path) -> None:
    table = started(tmp_path, open_camera=UnpluggedOnce)
    until(lambda: table.state()["camera"]["status"] == "ready")
    assert UnpluggedOnce.tries == 2
    table.close()


def test_a_camera_that_never_comes_does_not_stop_the_table(tmp_path: Path) -> None:
    table = started(tmp_path, open_camera=no_camera)
    until(lambda: table.state()["camera"]["status"] == "lost")
    message = table.state()["camera"]["message"]
    assert message is not None
    assert message["key"] == "hardware.camera.no-device"
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    assert table.state()["routes"]["denver--omaha"]["owner"] == "red"
    table.close()


def test_the_last_answer_leads_to_the_tickets_only_once_the_game_may_be_over(
    tmp_path: Path,
) -> None:
    """Ada's 43 wagons of 45 begin the last round; with 4 fewer the game goes on."""
    long = ["calgary--winnipeg", "duluth--helena", "duluth--toronto", "el-paso--houston"]
    long += ["el-paso--los-angeles", "helena--seattle", "miami--new-orleans"]  # seven of 6
    seen = {**dict.fromkeys(long, sure("red")), "atlanta--miami": unsure("blue", None)}
    table = started(tmp_path, ToldEye({**seen, "dallas--houston-1": sure("red")}))  # and 1
    table.act("scan", {})
    scanned(table)
    table.act("correct-route", {"route": "calgary--winnipeg", "owner": None})
    table.act("confirm-route", {"route": "atlanta--miami"})
    assert table.state()["phase"] == "look"
    table.act("undo", {})
    assert table.state()["phase"] == "doubts", "one step, however many pages it turned"
    table.act("correct-route", {"route": "calgary--winnipeg", "owner": "red"})
    table.act("confirm-route", {"route": "atlanta--miami"})
    assert table.state()["phase"] == "tickets"
    table.close()


def test_while_the_camera_watches_the_answer_that_begins_the_last_round_leads_to_the_board(
    tmp_path: Path,
) -> None:
    """Everybody has one more turn. Ada's 43 wagons of 45 are seven lines of 6 and the asked one."""
    long = ["calgary--winnipeg", "duluth--helena", "duluth--toronto", "el-paso--houston"]
    long += ["el-paso--los-angeles", "helena--seattle", "miami--new-orleans"]
    claims = [WatchEvent("claimed", 1.0, route, "red", 0.99) for route in long]
    odds = (("red", 0.6), (None, 0.4))
    doubt = WatchEvent("doubt", 1.0, "dallas--houston-1", "red", 0.6, odds)
    watcher = ToldWatcher(watched([*claims, doubt]))
    table = new_table(tmp_path, new_watcher=lambda board, colours: watcher)
    table.act("start", ADA_AND_BEN)
    until(lambda: len(table.state()["doubts"]) == 1)
    table.act("show", {"phase": "doubts"})
    table.act("confirm-route", {"route": "dallas--houston-1"})
    assert table.state()["phase"] == "look"
    (notice,) = table.state()["notices"]
    assert notice["key"] == "scoring.remark.last-round"
    assert notice["values"]["last"] == "Ada", "she began it, so hers is the last turn"
    table.close()


def test_the_virtual_box_is_pressed_from_the_panel(tmp_path: Path) -> None:
    table = started(tmp_path, ToldEye({"denver--omaha": unsure("red", None)}))
    assert table.state()["virtual_box"] is True
    table.act("press", {"button": "scan"})
    scanned(table)
    assert table.state()["lamps"] == {"red": "blink", "blue": "off"}
    table.act("press", {"button": "confirm"})
    assert table.state()["phase"] == "look"
    table.act("press", {"button": "confirm"})
    assert table.state()["lamps"] == {"red": "pulse", "blue": "off"}
    table.close()


def test_every_proposal_names_only_owners_at_the_table(tmp_path: Path) -> None:
    stranger = RouteProposal("green", 0.5, True, (("green", 0.5), ("red", 0.3), (None, 0.2)))
    table = started(tmp_path, ToldEye({"denver--omaha": stranger}))
    look(table)
    (doubt,) = table.state()["doubts"]
    assert [choice["owner"] for choice in doubt["alternatives"]] == ["red", None, "blue"]
    table.close()


@pytest.mark.parametrize(("hours", "told"), [(1, []), (23, ["23 hours"]), (75, ["3 days"])])
def test_a_game_that_was_left_the_day_before_is_told_until_somebody_plays_on(
    tmp_path: Path, hours: int, told: list[str]
) -> None:
    """The box opened yesterday's game without a word, and today's was played on top of it."""
    began_s = 1_800_000_000.0
    table = new_table(tmp_path, open_camera=None, now=lambda: began_s)
    table.act("start", ADA_AND_BEN)
    assert table.state()["notices"] == []
    table.close()
    table = new_table(tmp_path, open_camera=None, now=lambda: began_s + 3600 * hours)

    def said() -> list[str]:
        return [text(one["key"], "en", **one["values"]) for one in table.state()["notices"]]

    assert [part in one for part, one in zip(told, said(), strict=True)] == [True] * len(told)
    table._evening.record(ReadingProposed({"atlanta--miami": sure("red")}, whole=False))
    assert len(said()) == len(told), "what the camera sees is nobody's hand"
    table.act("correct-route", {"route": "duluth--helena", "owner": "red"})
    assert said() == []


def test_nobody_knows_how_long_a_game_was_left_that_began_before_the_clock_was_set(
    tmp_path: Path,
) -> None:
    table = new_table(tmp_path, open_camera=None, now=lambda: 86_400.0)
    table.act("start", ADA_AND_BEN)
    table.close()
    table = new_table(tmp_path, open_camera=None, now=lambda: 1_800_000_000.0)
    assert table.state()["notices"] == []


def test_a_game_that_was_left_is_told_once_the_box_knows_the_day(tmp_path: Path) -> None:
    """Without a battery its clock goes on where it was switched off, until it finds a network."""
    clock = [1_800_000_000.0]
    table = new_table(tmp_path, open_camera=None, now=lambda: clock[0])
    table.act("start", ADA_AND_BEN)
    table.close()
    clock[0] -= 600
    table = new_table(tmp_path, open_camera=None, now=lambda: clock[0])
    assert notices(table) == []
    clock[0] += 600 + 20 * 3600
    assert notices(table) == ["companion.notice.left-hours"]
    table.act("undo", {"really": True})
    table.act("redo", {})
    assert notices(table) == []
    clock[0] += 20 * 3600
    assert notices(table) == [], "the clock was set, and nobody was away"


def test_a_finished_game_of_the_day_before_is_no_game_that_was_left(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=None, now=lambda: 1_800_000_000.0)
    table.act("start", ADA_AND_BEN)
    table.act("finish", {})
    table.close()
    table = new_table(tmp_path, open_camera=None, now=lambda: 1_800_090_000.0)
    assert table.state()["notices"] == []
