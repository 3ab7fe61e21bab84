"""Whatever is sent to the panel is answered with a sentence, never with a fault of the program."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.table.actions import ACTIONS
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.companion.tables import OPEN
from tests.support.hostile import variations, wholes
from tests.web.fake_table import FakeTable
from web.app import create_app

ROUTE, TICKET = "berlin--magdeburg", load_board("germany").tickets[0].id
START = {
    "board": "germany",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}],
    "camera": False,
}
SENT: dict[str, dict[str, Any]] = {
    "start": START,
    "new-game": {},
    "show": {"phase": "look"},
    "scan": {},
    "upload-photo": {"images": ["x"]},
    "answer-place": {"routes": ["dallas--houston-1", "dallas--houston-2"], "owners": ["red", None]},
    "confirm-route": {"route": ROUTE},
    "correct-route": {"route": ROUTE, "owner": "red"},
    "add-ticket": {"player": "red", "ticket": TICKET},
    "remove-ticket": {"player": "red", "ticket": TICKET},
    "set-tickets": {"player": "red", "tickets": [TICKET]},
    "set-passengers": {"player": "red", "passengers": {"green": 1}, "passengers-red": 1},
    "set-flags": {"player": "red", "flags": 1},
    "set-stations": {"player": "red", "stations": 2},
    "set-cards": {"player": "red", "cards": {"red": 2}},
    "set-route-lengths": {"player": "red", "route_lengths": {"3": 1}},
    "set-bonuses": {"player": "red", "bonuses": {"mayor": 10}},
    "set-route-points": {"route_points": {"1": 1}},
    "set-big-cities": {"big_cities": {"chicago": 8}},
    "set-settings": {"settings": {"fewest-tickets": 2}},
    "set-markers": {"markers": {"red": 12}},
    "rename-player": {"player": "red", "name": "Adele"},
    "add-player": {"colour": "yellow", "name": "Dora"},
    "change-colour": {"player": "red", "colour": "black"},
    "move-player": {"player": "red"},
    "remove-player": {"player": "red"},
    "count-wagons": {"player": "red", "wagons": 3},
    "lay-track": {"route": ROUTE},
    "state-ticket": {"player": "red", "ticket": {"points": 5}, "completed": True},
    "score-first-pass": {},
    "finish": {},
    "reopen": {},
    "delete-evening": {"evening": "1600000000000"},
    "restore-evening": {"evening": "1600000000000"},
    "join-names": {"alias": "Ana", "person": "Anna"},
    "part-names": {"alias": "Ana"},
    "undo": {},
    "redo": {},
    "show-reveal": {"step": 2, "playing": True, "after": 1},
    "press": {"button": "next"},
}
"""A payload with every field for every action."""

ACCEPTED = ("application/json", "text/html")


@pytest.fixture
def germany(tmp_path: Path) -> Table:
    """A real table with its log, at a game of Germany."""
    table = Table(TableConfig([load_board("germany")], tmp_path))
    OPEN.append(table)
    table.act("start", START)
    return table


def test_every_action_has_a_payload_here() -> None:
    assert set(SENT) == set(ACTIONS)


@pytest.mark.parametrize("action", sorted(SENT))
def test_no_field_of_any_action_makes_the_program_fail(germany: Table, action: str) -> None:
    client = create_app(germany).test_client()
    sent = [*variations(SENT[action]), *wholes()]
    for number, document in enumerate(sent):
        answer = post(client, action, document, ACCEPTED[number % 2])
        assert answer.status_code < 500, document[:200]
    assert client.get("/", follow_redirects=True).status_code == 200


def post(client: FlaskClient, action: str, document: str, accept: str) -> Any:
    return client.post(
        f"/api/act/{action}",
        data=document.encode("utf-8"),
        content_type="application/json",
        headers={"Accept": accept},
    )


def test_what_is_wrong_is_said(client: FlaskClient, playing: FakeTable) -> None:
    halves = json.dumps(START).replace("Ada", "\\ud800")
    deep = json.dumps({"route": [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]})
    for action, document, sentence in (
        ("start", halves, "The text holds an invalid character; type it again."),
        ("show", deep, "That document is nested too deeply."),
        ("show", "[" * 10_000, "That is not a JSON document."),
        (
            "correct-route",
            '{"route": "denver--omaha", "owner": "red", "owner": "blue"}',
            "“owner” stands twice in one object of that document: send it once.",
        ),
        (
            "add-ticket",
            json.dumps({"player": "red", "ticket": '{"from":"a","to":"b","to":"c","points":4}'}),
            "“to” stands twice in one object of that document: send it once.",
        ),
    ):
        answer = post(client, action, document, "application/json")
        assert (answer.status_code, answer.json["error"]) == (400, sentence)
    assert playing.acts == []


@pytest.mark.parametrize("action", ["show", "undo", "start"])
def test_forms_with_odd_fields_are_answered(
    client: FlaskClient, playing: FakeTable, action: str
) -> None:
    for value in ("\x00", "x" * 5_000, "\N{GRINNING FACE}", "%ff", ""):
        form = {"phase": value, "board": value, "name-red": value, value or "y": value}
        answer = client.post(f"/api/act/{action}", data=form, headers={"Accept": "text/html"})
        assert answer.status_code < 500
    raw = b"phase=%ff%00&name-red=\xed\xa0\x80&board=usa"
    form_type = "application/x-www-form-urlencoded"
    assert client.post(f"/api/act/{action}", data=raw, content_type=form_type).status_code < 500


@pytest.mark.parametrize(
    "sender", ["http://[", "http://[::1", "http://a:b/", "//", "http://localhost:99999999/", "\\"]
)
def test_a_sender_that_is_no_address_is_refused_like_another_site(
    client: FlaskClient, playing: FakeTable, sender: str
) -> None:
    headers = {"Accept": "text/html", "Referer": sender}
    assert client.post("/api/act/undo", data={}, headers=headers).status_code == 403
    assert not playing.acts


@pytest.mark.parametrize(
    "path", ["/tickets/%ff", "/route/%00", "/api/crop/%ed%a0%80.png", "/start?board=%ff&lang=%00"]
)
def test_odd_addresses_are_answered(client: FlaskClient, playing: FakeTable, path: str) -> None:
    for accept in ACCEPTED:
        assert client.get(path, headers={"Accept": accept}).status_code < 500


@pytest.mark.parametrize(
    ("action", "sent"),
    [
        ("correct-route", {"route": ROUTE}),
        ("correct-route", {"route": ROUTE, "Owner": "red"}),
        ("set-markers", {}),
        ("set-markers", {"markers": "12"}),
        ("set-passengers", {"player": "red", "passengers": "3"}),
        ("count-wagons", {"player": "red"}),
    ],
)
def test_a_field_that_is_missing_takes_nothing_away(
    germany: Table, action: str, sent: dict[str, str]
) -> None:
    """A route whose owner was not sent, or misspelt, was confirmed as nobody's; markers and a count
    of wagons were forgotten, and all markers where one figure was sent for them."""
    germany.act("correct-route", {"route": ROUTE, "owner": "red"})
    germany.act("set-markers", {"markers": {"red": 12}})
    germany.act("count-wagons", {"player": "red", "wagons": 3})
    before, client = germany.evening.facts, create_app(germany).test_client()
    for sending in ({"json": sent}, {"data": sent}):
        answer = client.post(f"/api/act/{action}", headers={"Accept-Language": "en"}, **sending)
        assert answer.status_code == 400
        assert "is missing or wrong" in answer.get_json()["error"]
    assert germany.evening.facts == before
    answer = client.post("/api/act/correct-route", json={"route": ROUTE, "owner": None})
    assert answer.status_code == 200
    assert germany.state()["routes"][ROUTE]["owner"] is None
