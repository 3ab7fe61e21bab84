"""The room's pages: what the tables told, who may shut one out, and nothing that breaks on them."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from html import unescape
from threading import Thread
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from scoring.board.board import load_board
from scoring.documents.game import parse_game
from scoring.language import Message
from scoring.sheet.sheet import score
from tests.web.hub.fake_room import FakeRoom
from tests.web.test_weight import until
from web.access.club import Club, LetIn
from web.access.devices import Devices
from web.hub.app import create_hub_app
from web.hub.ports import Evidence, RoomTable

NIGHT_S = datetime(2026, 3, 1, 20, 14).timestamp()


def told(**more: Any) -> dict[str, Any]:
    """Ada (17 points) leads Ben at USA; one of her routes is doubtful."""
    return {
        "name": "Table 1",
        "phase": "look",
        "board": "usa",
        "title": "Ticket to Ride: USA",
        "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
        "standing": [
            {"name": "Ada", "colour": "red", "points": 17, "wagons_left": 37},
            {"name": "Ben", "colour": "blue", "points": -3, "wagons_left": 45},
        ],
        "winners": [],
        "routes": {"duluth--helena": "red", "duluth--omaha-1": "red"},
        "doubtful": ["duluth--omaha-1"],
        "questions": 1,
        "camera": "lost",
        **more,
    }


def table(id: str, name: str, *, is_online: bool = True, **more: Any) -> RoomTable:
    return RoomTable(id, name, told(**more), is_online, 1)


@pytest.fixture
def room() -> FakeRoom:
    sheet = {"phase": "sheet", "winners": ["Zoe"], "camera": "none"}
    line = [{"name": "Zoe", "colour": "green", "points": 99, "wagons_left": None}]
    return FakeRoom(
        [
            table("table-1", "Table 1"),
            table("table-2", "Table 2", is_online=False, **sheet, standing=line),
        ]
    )


@pytest.fixture
def client(room: FakeRoom, access: Club) -> FlaskClient:
    return create_hub_app(room, access).test_client()


def test_that_a_ninth_device_of_the_organiser_puts_out_the_first_is_told(
    room: FakeRoom,
) -> None:
    club = Club(Devices(b"k" * 32), LetIn([f"device {number}" for number in range(1, 8)]))
    client, said = create_hub_app(room, club).test_client(), "8 devices are the organiser's now."
    assert said not in unescape(client.get("/join").text)
    client.post("/join/host", data={"pin": club.pin.pin})
    assert said in unescape(client.get("/join").text)


def test_the_room_shows_each_table_with_standing_phase_and_camera(client: FlaskClient) -> None:
    page = client.get("/").text
    for words in ("Table 1", "Playing", "1 open question", "The camera is gone", "Ada", "17", "−3"):
        assert words in page
    assert "Not connected" in page
    assert "Table 2" in page


@pytest.mark.parametrize(
    ("left_s", "sent_at", "language", "words"),
    [
        (NIGHT_S, 1.0, "en", "Not connected since 1 March 2026, 20:14"),
        (None, NIGHT_S, "en", "Not connected, last heard on 1 March 2026, 20:14"),
        (NIGHT_S, 1.0, "it", "contatto perso: 1 marzo 2026, 20:14"),
        (None, NIGHT_S, "it", "ultime notizie: 1 marzo 2026, 20:14"),
    ],
)
def test_a_silent_tables_card_and_page_say_since_when(
    room: FakeRoom,
    client: FlaskClient,
    left_s: float | None,
    sent_at: float,
    language: str,
    words: str,
) -> None:
    silent = table("table-2", "Table 2", is_online=False, sent_at=sent_at)
    room.known["table-2"] = replace(silent, left_s=left_s)
    for address in ("/", "/tables/table-2"):
        assert words in client.get(f"{address}?lang={language}").text


def test_what_stood_against_a_game_is_told_with_its_sheet(
    room: FakeRoom, client: FlaskClient
) -> None:
    """Who confirms a result at the club has nothing else to see it by."""
    usa = load_board("usa")
    both = ["dallas--houston-1", "dallas--houston-2"]
    players = [{"name": "Ada", "colour": "red", "routes": both}, {"name": "Ben", "colour": "blue"}]
    game = parse_game({"game": "usa", "players": players}, usa)
    room.known["table-1"] = table("table-1", "Table 1", phase="sheet")
    room.evidences["table-1"] = Evidence(usa, game, score(game), is_whole=True)
    page = client.get("/tables/table-1").text
    assert "Finished all the same, although:" in page
    assert "Dallas – Houston (1) and Dallas – Houston (2)." in page
    assert "No ticket has been entered for Ben." in page


def test_tables_that_play_nothing_are_no_tables_that_told_nothing(
    room: FakeRoom, client: FlaskClient
) -> None:
    """The scoreboard said that no table had told anything, beside a room full of tables."""
    room.known.clear()
    room.known["table-1"] = table("table-1", "Table 1", board=None, players=[], standing=[])
    assert "Table 1" in client.get("/").text
    assert "No game to show yet." in client.get("/scoreboard").text


def test_a_table_tells_its_game_in_the_visitors_language(
    room: FakeRoom, client: FlaskClient
) -> None:
    room.known["table-1"] = table(
        "table-1", "Table 1", board="germany", title="Ticket to Ride Germany"
    )
    for address in ("/?lang=it", "/tables/table-1"):
        page = client.get(address).text
        assert "Ticket to Ride Germania" in page
        assert "Ticket to Ride Germany" not in page


def test_that_a_table_has_no_game_yet_is_said_once(room: FakeRoom, client: FlaskClient) -> None:
    nothing = {"phase": "start", "board": None, "title": "", "players": [], "standing": []}
    room.known = {"table-1": table("table-1", "Table 1", **nothing, questions=0)}
    for address in ("/?lang=it", "/tables/table-1?lang=it"):
        assert client.get(address).text.count("Ancora nessuna partita") == 1


def test_a_game_without_a_map_names_who_plays_and_has_no_heading_for_routes(
    room: FakeRoom, client: FlaskClient
) -> None:
    """Nobody's points are known before its end; the room saw a game of nobody."""
    cards = {"phase": "tickets", "board": "card-game", "title": "Ticket to Ride: The Card Game"}
    nothing: dict[str, Any] = {"standing": [], "routes": {}, "doubtful": [], "questions": 0}
    room.known = {"table-1": table("table-1", "Table 1", **cards, **nothing)}
    for address in ("/?lang=it", "/tables/table-1?lang=it"):
        page = client.get(address).text
        assert re.findall(r"<b>(\w+)</b> <small>(\w+)", page) == [("Ada", "rosso"), ("Ben", "blu")]
        assert "Le tratte" not in page


def test_the_scoreboard_lists_everybody_most_points_first(client: FlaskClient) -> None:
    page = client.get("/scoreboard").text
    assert page.index("Zoe") < page.index("Ada") < page.index("Ben")
    assert "winner" in page


def test_the_scoreboard_is_of_this_evening(room: FakeRoom, client: FlaskClient) -> None:
    """A table that was switched off a week ago led it with the points of then."""
    for hours, is_shown in ((11, True), (13, False)):
        away = replace(room.known["table-2"], left_s=time.time() - hours * 3600)
        room.known["table-2"], room.version = away, room.version + 1
        page = client.get("/scoreboard").text
        assert ("Zoe" in page, "Ada" in page) == (is_shown, True)
    assert "Zoe" in client.get("/").text, "its card says since when it is away"


def test_a_table_has_its_board_with_owners_and_doubts(client: FlaskClient) -> None:
    page = client.get("/tables/table-1").text
    assert 'data-route="duluth--helena" data-owner="red"' in page
    assert "Duluth" in page
    assert "doubtful" in page
    assert 'href="/route/' not in page


def test_a_board_that_is_not_here_breaks_no_page(room: FakeRoom, client: FlaskClient) -> None:
    room.known["table-1"] = table("table-1", "Table 1", board="atlantis", title="Atlantis")
    room.known["table-3"] = RoomTable("table-3", "table-3", {}, False, 1)
    assert "Atlantis" in client.get("/tables/table-1").text
    for address in ("/", "/scoreboard", "/tables/table-3"):
        assert client.get(address).status_code == 200
    assert client.get("/tables/nobody").status_code == 404


def test_names_from_tables_are_text(room: FakeRoom, client: FlaskClient) -> None:
    room.known["table-1"] = table("table-1", "<script>alert(1)</script>")
    for address in ("/", "/scoreboard", "/tables/table-1"):
        assert "<script>alert" not in client.get(address).text


def test_only_the_organiser_shuts_a_table_out(
    room: FakeRoom, client: FlaskClient, access: Club
) -> None:
    assert client.post("/tables/table-1/shut-out").status_code == 403
    assert "Shut this table out" not in client.get("/tables/table-1").text
    client.post("/join/host", data={"pin": access.pin.pin})
    assert "Shut this table out" in client.get("/tables/table-1").text
    assert client.post("/tables/table-1/shut-out", data={"shut": "yes"}).status_code == 303
    assert room.shut == [("table-1", True)]
    before_update = client.post("/tables/table-1/shut-out")
    assert (before_update.status_code, len(room.shut)) == (400, 1)
    assert "This page is from before the hub was updated" in before_update.text


def test_a_second_tap_lets_no_table_in_again_that_was_shut_out(
    room: FakeRoom, client: FlaskClient, access: Club
) -> None:
    """Two desks, or two taps: the second one took the first back."""
    client.post("/join/host", data={"pin": access.pin.pin})
    page = client.get("/tables/table-1").text
    sent = dict(re.findall(r'name="(shut)" value="([^"]*)"', page))
    for _ in range(2):
        assert client.post("/tables/table-1/shut-out", data=sent).status_code == 303
        room.known["table-1"] = replace(room.known["table-1"], is_shut_out=room.shut[-1][1])
    assert room.shut == [("table-1", True)] * 2
    page = client.get("/tables/table-1").text
    sent = dict(re.findall(r'name="(shut)" value="([^"]*)"', page))
    client.post("/tables/table-1/shut-out", data=sent)
    assert room.shut[-1] == ("table-1", False)


def test_the_live_line_sends_the_piece_at_once(client: FlaskClient) -> None:
    answer = client.get("/events", headers={"Accept": "text/event-stream"}, buffered=False)
    first = next(iter(answer.response)).decode()
    answer.close()
    assert first.startswith("retry: 2000\nevent: piece\n")
    assert "Table 1" in first


GONE = Message("companion.hub.database-gone", reason='role "ada" at 10.0.0.7').to_json()


def test_only_the_organiser_reads_what_is_wrong_with_the_hub(
    room: FakeRoom, client: FlaskClient, access: Club
) -> None:
    room.said = [GONE]
    for address in ("/", "/scoreboard", "/tables/table-1", "/join"):
        page = client.get(address).text
        assert "Something is wrong with the hub" in page
        assert "10.0.0.7" not in page
    client.post("/join/host", data={"pin": access.pin.pin})
    page = client.get("/").text
    assert "10.0.0.7" in page
    assert "Something is wrong with the hub" not in page


@pytest.mark.parametrize("is_organiser", [False, True])
def test_the_live_line_tells_at_once_what_is_wrong_with_the_hub(
    room: FakeRoom, client: FlaskClient, access: Club, is_organiser: bool
) -> None:
    if is_organiser:
        client.post("/join/host", data={"pin": access.pin.pin})
    answer = client.get("/events", headers={"Accept": "text/event-stream"}, buffered=False)
    line = iter(answer.response)
    first = next(line).decode()
    room.said, room.version = [GONE], 2
    second = next(line).decode()
    answer.close()
    assert 'id=\\"banner\\"' in first
    assert "Something is wrong" not in first
    assert ("Something is wrong" in second) is not is_organiser
    assert ("10.0.0.7" in second) is is_organiser


def pieces(client: FlaskClient, address: str) -> tuple[Iterator[str], Callable[[], None]]:
    answer = client.get(address, headers={"Accept": "text/event-stream"}, buffered=False)
    events = (bytes(one).decode() for one in answer.response)
    return events, answer.close


def test_a_card_that_has_changed_comes_alone(room: FakeRoom, client: FlaskClient) -> None:
    events, close = pieces(client, "/events")
    assert "Table 1" in next(events)
    line = [{"name": "Zoe", "colour": "green", "points": 101, "wagons_left": None}]
    room.known["table-2"] = table("table-2", "Table 2", standing=line)
    room.version = 2
    second = next(events)
    close()
    assert "<strong>101</strong>" in second
    assert "Table 1" not in second


def test_of_a_table_a_claim_sends_its_route_and_the_words_alone(
    room: FakeRoom, client: FlaskClient
) -> None:
    events, close = pieces(client, "/tables/table-1/events")
    assert 'id=\\"board\\"' in next(events)
    claimed = {**told()["routes"], "denver--omaha": "blue"}
    room.known["table-1"] = table("table-1", "Table 1", routes=claimed)
    room.version = 2
    second = next(events)
    assert re.findall(r'id=\\"r-([a-z0-9-]+)', second) == ["denver--omaha"]
    assert 'id=\\"board\\"' not in second
    room.known["table-1"] = table("table-1", "Table 1", board="france", routes={})
    room.version = 3
    third = next(events)
    close()
    assert 'id=\\"piece\\"' in third, "another board is another page"


def test_a_table_that_comes_takes_its_place_in_the_list(
    room: FakeRoom, client: FlaskClient
) -> None:
    events, close = pieces(client, "/events")
    next(events)
    room.known["table-0"] = table("table-0", "Table 0")
    room.version = 2
    second = next(events)
    close()
    assert second.index("Table 0") < second.index("Table 1") < second.index("Table 2")


def test_who_shows_the_present_room_is_told_only_what_comes(
    room: FakeRoom, client: FlaskClient
) -> None:
    events, close = pieces(client, "/events")  # somebody listens all the time
    next(events)
    at = client.get("/").text.partition('data-at="')[2].partition('"')[0]
    own, end = pieces(client, f"/events?at={at}")
    assert "Table 1" not in next(own)
    room.known["table-1"] = table("table-1", "Table One")
    room.version = 2
    assert "Table One" in next(own)
    for one in (close, end):
        one()


def test_after_a_restart_of_the_hub_a_page_keeps_what_is_still_so(access: Club) -> None:
    many = [table(f"table-{n}", f"Table {n:02}") for n in range(40)]
    before, after = FakeRoom(many), FakeRoom(many)
    page = create_hub_app(before, access).test_client().get("/").text
    at = page.partition('data-at="')[2].partition('"')[0]
    client = create_hub_app(after, access).test_client()

    def first_news(name: str) -> str:
        events, close = pieces(client, f"/events?at={name}")
        told = next(events)
        close()
        return told

    assert "Table" not in first_news(at)
    after.known["table-7"] = table("table-7", "Table 07", questions=3)
    after.version = 2
    told = first_news(at)
    assert "3 open questions" in told
    assert told.count("<header>") < 10  # those of its bucket; not all forty
    after.known["table-99"] = table("table-99", "Table 99")
    after.version = 3
    for name in (at, "other-1", "other-1-", f"other-1-{'0.' * 16}0", "other-1-%00"):
        assert first_news(name).count("<header>") == 41


COUNT_PIECES = """
    const Plain = EventSource;
    window.pieces = 0;
    window.EventSource = class extends Plain {
      constructor(address) {
        super(address);
        this.addEventListener("piece", () => (window.pieces += 1));
      }
    };
"""


def test_a_card_under_a_finger_stays_until_it_is_up(
    page: Any, room: FakeRoom, access: Club
) -> None:
    """Its table tells something new while it is pressed; the tap still opens the table."""
    server = make_server("127.0.0.1", 0, create_hub_app(room, access), threaded=True)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    page.add_init_script(COUNT_PIECES)
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    page.get_by_role("heading", name="Table 1").hover()
    page.mouse.down()
    known = room.known["table-1"]
    room.known["table-1"] = replace(known, state=told(questions=5))
    room.version += 1
    until(page, "window.pieces > 0")
    page.mouse.up()
    page.wait_for_url("**/tables/table-1")
    server.shutdown()
    server.server_close()
