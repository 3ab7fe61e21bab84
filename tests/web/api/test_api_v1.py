"""The API of version 1: strict actions, hands by key, a stream of changes, requests that repeat."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.table.actions import ACTIONS
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.companion.tables import OPEN
from tests.web.fake_table import FakeTable
from web.api.openapi import openapi
from web.api.schemas import FIELDS
from web.app import create_app
from web.live import changed_part
from web.sent.payload import FIELDS as READERS

START = {
    "board": "usa",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    "camera": False,
}
CLAIM = {"route": "duluth--helena", "owner": "red"}


@pytest.fixture
def usa(tmp_path: Path) -> Table:
    table = Table(TableConfig([load_board("usa")], tmp_path))
    OPEN.append(table)
    table.act("start", START)
    return table


@pytest.fixture
def real(usa: Table) -> FlaskClient:
    return create_app(usa).test_client()


def test_the_document_has_every_action_and_every_address(client: FlaskClient) -> None:
    paths = client.get("/api/v1/openapi.json").json["paths"]
    rules = {
        rule.rule.replace("<", "{").replace(">", "}")
        for rule in client.application.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
    }
    actions = {f"/api/v1/actions/{name}" for name in ACTIONS}
    assert set(paths) == (rules - {"/api/v1/actions/{action}"}) | actions


def test_every_field_and_every_action_is_described() -> None:
    assert set(FIELDS) | {"images"} == set(READERS)
    for action in ACTIONS.values():
        assert action.about.endswith("."), action.name
        body = openapi({action.name: action})["paths"][f"/api/v1/actions/{action.name}"]["post"]
        assert body["summary"] == action.about


@pytest.mark.parametrize("address", ["/api/act", "/api/v1/actions"])
def test_a_ticket_may_be_named_by_its_two_places(real: FlaskClient, address: str) -> None:
    def answer(ticket: list[str]) -> TestResponse:
        return real.post(f"{address}/add-ticket", json={"player": "red", "ticket": ticket})

    assert answer(["los-angeles", "helena"]).status_code == 200
    assert real.get("/api/v1/state").json["tickets"]["red"] == {"count": 1}
    assert answer(["helena", "los-angeles"]).status_code == 409, "the set has it once"
    for ticket in (["boston", "houston"], ["boston"], ["rome", "miami"], ["boston"] * 2):
        refused = answer(ticket)
        assert refused.status_code in (400, 409)
        assert refused.json["error"]
    assert real.get("/api/v1/state").json["tickets"]["red"] == {"count": 1}


def test_a_whole_turn_by_the_api_alone(real: FlaskClient) -> None:
    assert real.post("/api/v1/actions/correct-route", json=CLAIM).status_code == 200
    assert real.get("/api/v1/state").json["standing"][0]["points"] == 15  # six wagons
    real.post("/api/v1/actions/show", json={"phase": "tickets"})
    ticket = {"player": "red", "ticket": "helena--los-angeles"}
    real.post("/api/v1/actions/add-ticket", json=ticket)
    assert real.get("/api/v1/hands/red").status_code == 403
    key = real.post("/api/v1/hands/red").json["key"]
    (held,) = real.get("/api/v1/hands/red", headers={"X-Hand": key}).json
    assert (held["ticket"], held["completed"]) == ("helena--los-angeles", False)
    assert real.get("/api/v1/hands/blue", headers={"X-Hand": key}).status_code == 403
    real.post("/api/v1/actions/finish", json={})
    red, blue = real.get("/api/v1/sheet").json["players"]
    # 15 for the route, 8 lost with the ticket, 10 for the longest path
    assert (red["total"], blue["total"]) == (17, 0)


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"route": "duluth--helena"}, "owner"),
        ({**CLAIM, "more": 1}, "JSON"),
        ({**CLAIM, "route": 7}, "route"),
        ({**CLAIM, "owner": ["red"]}, "owner"),
    ],
)
def test_what_the_document_does_not_say_is_refused(
    real: FlaskClient, sent: dict[str, object], field: str
) -> None:
    answer = real.post("/api/v1/actions/correct-route", json=sent)
    assert answer.status_code == 400
    assert answer.json["error"].startswith(f"{field}:")


def test_what_is_well_said_but_not_of_this_game_is_a_conflict(real: FlaskClient) -> None:
    nowhere = {"route": "mars--venus", "owner": None}
    answer = real.post("/api/v1/actions/correct-route", json=nowhere)
    assert (answer.status_code, "mars--venus" in answer.json["error"]) == (409, True)
    assert real.post("/api/v1/actions/fly", json={}).status_code == 404
    assert real.post("/api/v1/actions/undo", data="x").status_code == 415


@pytest.mark.parametrize("images", [7, True, "x", {"0": "x"}, [7]])
def test_a_photo_that_is_a_json_value_is_none(real: FlaskClient, images: object) -> None:
    answer = real.post("/api/v1/actions/upload-photo", json={"images": images})
    assert (answer.status_code, "No photo came" in answer.json["error"]) == (409, True)


def test_a_request_three_times_is_done_once_also_after_a_restart(
    real: FlaskClient, usa: Table, tmp_path: Path
) -> None:
    name = {"Idempotency-Key": "tablet-1-claim-7"}
    ticket = {"player": "red", "ticket": "helena--los-angeles"}
    told = [
        real.post("/api/v1/actions/add-ticket", json=ticket, headers=name).json for _ in range(3)
    ]
    assert told[0] == told[1] == told[2]
    assert real.get("/api/v1/state").json["tickets"]["red"] == {"count": 1}
    usa.close()
    again = Table(TableConfig([load_board("usa")], tmp_path))
    OPEN.append(again)
    client = create_app(again).test_client()
    assert client.post("/api/v1/actions/add-ticket", json=ticket, headers=name).status_code == 200
    assert client.get("/api/v1/state").json["tickets"]["red"] == {"count": 1}
    other = {"Idempotency-Key": "tablet-1-claim-8"}
    another = {"player": "red", "ticket": "boston--miami"}
    client.post("/api/v1/actions/add-ticket", json=another, headers=other)
    assert client.get("/api/v1/state").json["tickets"]["red"] == {"count": 2}


def test_a_name_that_was_used_before_hides_no_other_request(real: FlaskClient) -> None:
    """A program that counts its requests from one again at each start loses none of them."""
    name = {"Idempotency-Key": "scanner-000001"}
    for route, owner in (("duluth--helena", "red"), ("denver--omaha", "blue")):
        sent = {"route": route, "owner": owner}
        for _ in range(2):
            assert (
                real.post("/api/v1/actions/correct-route", json=sent, headers=name).status_code
                == 200
            )
    routes = real.get("/api/v1/state").json["routes"]
    assert {route: one["owner"] for route, one in routes.items()} == {
        "duluth--helena": "red",
        "denver--omaha": "blue",
    }


def test_a_count_that_comes_again_changes_none_that_was_entered_since(tmp_path: Path) -> None:
    """Two red passengers, said twice; in between another device says three, and a green one."""
    table = Table(TableConfig([load_board("germany")], tmp_path))
    OPEN.append(table)
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}]
    table.act("start", {"board": "germany", "players": players, "camera": False})
    client = create_app(table).test_client()

    def say(key: str, **counts: int) -> None:
        sent = {"player": "red", **{f"passengers-{colour}": n for colour, n in counts.items()}}
        told = client.post("/api/act/set-passengers", json=sent, headers={"Idempotency-Key": key})
        assert told.status_code == 200

    say("phone-000001", red=2)
    say("tablet-00001", red=3, green=1)
    say("phone-000001", red=2)
    assert table.state()["passengers"]["red"] == {"red": 3, "green": 1}


def test_a_refused_request_may_be_sent_again(real: FlaskClient) -> None:
    name = {"Idempotency-Key": "tablet-1-claim-9"}
    refused = real.post("/api/v1/actions/reopen", json={}, headers=name)
    assert refused.status_code == 409
    assert real.post("/api/v1/actions/finish", json={}).status_code == 200
    assert real.post("/api/v1/actions/reopen", json={}, headers=name).status_code == 200
    assert real.get("/api/v1/state").json["phase"] != "sheet"


def test_a_name_that_is_none_is_refused_as_the_document_says(real: FlaskClient) -> None:
    """400 is for what is sent wrongly, 409 for what does not fit the game."""
    name = {"Idempotency-Key": "seven-7"}
    refused = real.post("/api/v1/actions/correct-route", json=CLAIM, headers=name)
    assert (refused.status_code, "8 to 64" in refused.json["error"]) == (400, True)


def heard(stream: TestResponse) -> Iterator[dict[str, Any]]:
    """The documents of a stream's events."""
    for piece in stream.response:
        for line in piece.decode().splitlines() if isinstance(piece, bytes) else ():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


def test_the_stream_tells_everything_first_and_then_what_changed(
    real: FlaskClient, usa: Table
) -> None:
    stream = real.get("/api/v1/events", buffered=False)
    events = heard(stream)
    first = next(events)
    assert (first["whole"], first["changed"]["board"]) == (True, "usa")
    version = usa.act("correct-route", CLAIM)
    second = next(events)
    stream.close()
    assert (second["whole"], second["version"]) == (False, version)
    assert set(second["changed"]["routes"]) == {"duluth--helena"}
    assert "boards" not in second["changed"]
    assert "tickets" not in second["changed"]


def test_a_table_s_changes_name_what_is_gone() -> None:
    assert changed_part({"a": 1, "b": 2}, {"b": 3, "c": 4}) == {"a": None, "b": 3, "c": 4}


def test_nothing_of_a_hand_is_in_what_everybody_hears() -> None:
    table = FakeTable()
    table.act("start", START)
    table.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    listener = create_app(table).test_client()
    stream = listener.get("/api/v1/events", buffered=False)
    told = json.dumps(next(heard(stream)))
    stream.close()
    assert "Ada" in told
    assert "helena" not in told
    assert "helena" not in listener.get("/api/v1/state").text
