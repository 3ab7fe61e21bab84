"""The panel's JSON API: what a program or the page's own script gets back."""

from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.table.actions import ACTIONS
from tests.web.fake_table import FakeTable
from web.app import create_app
from web.listeners import MOST_LISTENERS
from web.sent.payload import FIELDS

ITALIAN = {"Accept-Language": "it", "Accept": "application/json"}


def start(client: FlaskClient, **changes: Any) -> Any:
    game = {
        "board": "usa",
        "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
        "camera": True,
    }
    return client.post("/api/act/start", json=game | changes)


def test_a_whole_evening_in_json(client: FlaskClient) -> None:
    start(client)
    client.post("/api/act/scan", json={})
    state = client.get("/api/state").json
    assert state["phase"] == "doubts"
    assert [doubt["route"] for doubt in state["doubts"]] == ["denver--omaha"]
    client.post("/api/act/correct-route", json={"route": "denver--omaha", "owner": None})
    ticket = {"player": "red", "ticket": "helena--los-angeles"}
    client.post("/api/act/add-ticket", json=ticket)
    client.post("/api/act/finish", json={})
    sheet = client.get("/api/sheet").json
    # Duluth - Helena is 6 wagons for 15, Duluth - Omaha 2 for 2; the ticket of 8 fails; path +10.
    assert {one["name"]: one["total"] for one in sheet["players"]} == {"Ada": 19, "Ben": 0}
    assert sheet["winners"] == ["Ada"]


def test_an_action_answers_with_the_version_it_led_to(client: FlaskClient) -> None:
    first = start(client).json["version"]
    assert client.post("/api/act/scan", json={}).json["version"] == first + 1


def test_every_documented_action_is_known(client: FlaskClient) -> None:
    for action in ACTIONS:
        answer = client.post(f"/api/act/{action}", json={})
        assert "There is no action" not in str(answer.json.get("error"))


def test_the_state_keeps_tickets_secret_until_the_sheet(
    client: FlaskClient, playing: FakeTable
) -> None:
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    assert client.get("/api/state").json["tickets"] == {"red": {"count": 1}, "blue": {"count": 0}}
    playing.act("finish", {})
    shown = client.get("/api/state").json["tickets"]["red"]
    assert [one["ticket"] for one in shown] == ["helena--los-angeles"]


def test_a_hand_is_given_to_who_opened_it_and_to_everybody_with_the_sheet(
    client: FlaskClient, playing: FakeTable
) -> None:
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    closed = client.get("/api/tickets/red")
    assert closed.status_code == 403
    assert "hidden until the final sheet" in closed.json["error"]
    key = {"X-Hand": client.post("/tickets/red").location.partition("hand=")[2]}
    opened = client.get("/api/tickets/red", headers=key)
    assert [one["ticket"] for one in opened.json] == ["helena--los-angeles"]
    assert client.get("/api/tickets/blue", headers=key).status_code == 403
    assert client.get("/api/tickets/green").status_code == 404
    playing.act("finish", {})
    assert client.get("/api/tickets/red").json[0]["ticket"] == "helena--los-angeles"


def test_the_sheet_is_missing_until_the_game_is_finished(client: FlaskClient) -> None:
    answer = client.get("/api/sheet", headers=ITALIAN)
    assert answer.status_code == 404
    assert answer.json["error"].startswith("Il punteggio finale non c'è ancora")


def test_geometry_has_every_space_as_a_quad_in_millimetres(
    client: FlaskClient, playing: FakeTable
) -> None:
    geometry = client.get("/api/geometry").json
    assert geometry["size_mm"] == [795, 525]
    assert len(geometry["routes"]) == 100
    spaces = [space for route in geometry["routes"].values() for space in route["spaces"]]
    assert len(spaces) == 309
    assert all(len(corners) == 4 for corners in spaces)
    assert geometry["places"]["atlanta"]["dots"] == [[620.3, 330.9]]


def test_a_crop_is_the_pictures_bytes(client: FlaskClient, playing: FakeTable) -> None:
    assert client.get("/api/crop/denver--omaha.png").status_code == 404
    playing.act("scan", {})
    answer = client.get("/api/crop/denver--omaha.png")
    assert (answer.mimetype, answer.data) == ("image/png", playing.picture)
    assert client.get("/api/crop/atlantis--eldorado.png").status_code == 404


def test_photos_come_in_as_their_bytes(client: FlaskClient, playing: FakeTable) -> None:
    photos = {"images": [(BytesIO(b"one"), "a.jpg"), (BytesIO(b"two"), "b.jpg")]}
    assert client.post("/api/act/upload-photo", data=photos).status_code == 200
    assert playing.acts == [("upload-photo", {"images": [b"one", b"two"]})]


@pytest.mark.parametrize(
    ("action", "sent", "part_of_sentence"),
    [
        ("start", {"board": "mars"}, "no board “mars”"),
        ("start", {"board": "usa", "players": "Ada"}, "“players” is missing or wrong"),
        (
            "start",
            {"board": "usa", "players": [{"name": "Ada", "colour": "red"}]},
            "2 to 5 players",
        ),
        ("fly", {}, "no action “fly”"),
        ("confirm-route", {"route": "atlantis--eldorado"}, "no route “atlantis--eldorado”"),
        ("correct-route", {"route": "denver--omaha", "owner": "green"}, "Nobody plays the colour"),
        ("add-ticket", {"player": "red", "ticket": "rome--paris"}, "no ticket “rome--paris”"),
        ("add-ticket", {"player": "red"}, "“ticket” is missing or wrong"),
        ("set-tickets", {"player": "red", "tickets": "all"}, "“tickets” is missing or wrong"),
        ("set-passengers", {"player": "red", "passengers": {"red": 1}}, "has no passengers"),
        ("set-flags", {"player": "red", "flags": -1}, "whole number from 0 to 99"),
        ("set-flags", {"player": "red", "flags": "many"}, "whole number from 0 to 99"),
        ("set-flags", {"player": "red", "flags": "1_0"}, "whole number from 0 to 99"),
        ("show", {"phase": "sheet"}, "“phase” is missing or wrong"),
        ("press", {"button": "self-destruct"}, "“button” is missing or wrong"),
        ("upload-photo", {}, "No photo came with that"),
    ],
)
def test_a_wrong_request_gets_one_clear_sentence_and_reaches_no_table(
    client: FlaskClient,
    playing: FakeTable,
    action: str,
    sent: dict[str, Any],
    part_of_sentence: str,
) -> None:
    answer = client.post(f"/api/act/{action}", json=sent)
    assert answer.status_code == 400
    assert part_of_sentence in answer.json["error"]
    assert playing.acts == []


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ("“player” is missing or wrong", "no ticket “rome--paris”")),
        ("it", ("«player» manca", "«rome--paris»")),
    ],
)
def test_everything_wrong_with_a_request_is_said_at_once(
    client: FlaskClient, playing: FakeTable, language: str, sentences: tuple[str, ...]
) -> None:
    headers = {"Accept-Language": language}
    answer = client.post("/api/act/add-ticket", json={"ticket": "rome--paris"}, headers=headers)
    assert answer.status_code == 400
    for sentence in sentences:
        assert sentence in answer.json["error"]
    assert playing.acts == []


def test_every_field_of_every_action_can_be_read_from_a_request() -> None:
    assert {field for action in ACTIONS.values() for field in action.fields} == set(FIELDS)


def test_what_the_table_refuses_is_said_in_the_visitors_language(
    client: FlaskClient, playing: FakeTable
) -> None:
    playing.set_camera("lost")
    assert client.post("/api/act/scan", json={}).status_code == 409
    answer = client.post("/api/act/scan", json={}, headers=ITALIAN)
    assert answer.json["error"].startswith("La telecamera non risponde")


def test_broken_json_and_lists_are_refused(client: FlaskClient) -> None:
    for body in ('{"board": ', "[1, 2]", ""):
        answer = client.post("/api/act/scan", data=body, content_type="application/json")
        assert (answer.status_code, answer.json["error"]) == (400, "That is not a JSON document.")


def test_too_large_a_request_is_refused(client: FlaskClient, playing: FakeTable) -> None:
    answer = client.post("/api/act/scan", data={"route": "x" * 100_000})
    assert answer.status_code == 413
    assert "too large" in answer.json["error"]
    photos = {"images": [(BytesIO(b"x"), f"{n}.jpg") for n in range(7)]}
    answer = client.post("/api/act/upload-photo", data=photos)
    assert (answer.status_code, answer.json["error"]) == (
        400,
        "At most 6 photos at once; send fewer.",
    )


def test_a_big_photo_passes_where_other_requests_do_not(
    client: FlaskClient, playing: FakeTable
) -> None:
    photo = b"\xff\xd8" + bytes(300_000)
    client.post("/api/act/upload-photo", data={"images": [(BytesIO(photo), "a.jpg")]})
    assert playing.acts == [("upload-photo", {"images": [photo]})]


def test_the_live_line_says_the_version_at_once_and_after_a_change(
    client: FlaskClient, playing: FakeTable
) -> None:
    answer = client.get("/events", buffered=False)
    lines = iter(answer.response)
    first = next(lines)
    playing.act("scan", {})
    second = next(lines)
    answer.close()
    before = playing.state()["version"] - 1
    assert answer.mimetype == "text/event-stream"
    assert f"event: version\ndata: {before}\n\n".encode() in bytes(first)
    assert bytes(second) == f"event: version\ndata: {before + 1}\n\n".encode()


def test_a_seat_at_the_live_line_is_given_back(client: FlaskClient, playing: FakeTable) -> None:
    for _ in range(30):
        answer = client.get("/events", buffered=False)
        assert answer.status_code == 200
        answer.close()


def test_the_live_line_has_a_limit(client: FlaskClient, playing: FakeTable) -> None:
    answers = [client.get("/events", buffered=False) for _ in range(MOST_LISTENERS + 1)]
    statuses = [answer.status_code for answer in answers]
    for answer in answers:
        answer.close()
    assert statuses == [200] * MOST_LISTENERS + [503]


class TwoAtOnce(FakeTable):
    """Two requests have looked at what stands before either of them changes it, if they can."""

    both_looked: Barrier | None = None

    def act(self, action: str, payload: Mapping[str, Any], request_id: str = "") -> int:
        if self.both_looked is not None:
            with suppress(BrokenBarrierError):  # the other one waits until this one is done
                self.both_looked.wait(1)
        return super().act(action, payload, request_id)


def test_two_devices_that_enter_in_one_hand_at_once_both_count() -> None:
    """Ada's phone adds a red passenger while the tablet adds two green ones."""
    table = TwoAtOnce()
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}]
    table.act("start", {"board": "germany", "players": players, "camera": False})
    table.both_looked = Barrier(2)
    app = create_app(table)

    def enter(field: str, count: str) -> None:
        sent = {"player": "red", field: count}
        app.test_client().post("/api/act/set-passengers", data=sent)

    both = [("passengers-red", "1"), ("passengers-green", "2")]
    threads = [Thread(target=enter, args=one) for one in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.state()["passengers"]["red"] == {"red": 1, "green": 2}
