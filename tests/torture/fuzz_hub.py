"""What a table that somebody stole can tell a hub: states, messages, and the rows of its log."""

import json
import math
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from companion.hub.evidence import replayed_rows
from companion.hub.room import Room
from companion.hub.told_state import told_state
from companion.log.file import read_log
from companion.log.rows import Row
from companion.log.store import LOG_NAME
from companion.relay.wire import Link, WireError, link_from_json, link_row, link_to_json
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from web.access.club import Club, LetIn
from web.access.devices import Devices
from web.hub.app import create_hub_app

BOARDS = {"usa": load_board("usa")}

PAGES = ("/", "/scoreboard", "/tables/t1")

STATE: dict[str, Any] = {
    "name": "Table 1",
    "instance": "a",
    "sent_at": 1000.0,
    "place": 3,
    "phase": "sheet",
    "board": "usa",
    "title": "USA",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    "standing": [
        {"name": "Ada", "colour": "red", "points": 15, "wagons_left": 39},
        {"name": "Ben", "colour": "blue", "points": 4, "wagons_left": 41},
    ],
    "winners": ["Ada"],
    "routes": {"duluth--helena": "red", "denver--omaha": "blue", "duluth--omaha-1": "red"},
    "doubtful": ["denver--omaha"],
    "questions": 1,
    "camera": "ready",
}


ACTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("start", {"board": "usa", "players": STATE["players"], "camera": False}),
    ("correct-route", {"route": "duluth--helena", "owner": "red"}),
    ("correct-route", {"route": "denver--omaha", "owner": "blue"}),
    ("show", {"phase": "tickets"}),
    ("add-ticket", {"player": "red", "ticket": "helena--los-angeles"}),
    ("add-ticket", {"player": "blue", "ticket": "boston--miami"}),
    ("finish", {}),
    ("reopen", {}),
    ("finish", {}),
    ("new-game", {}),
    ("start", {"board": "usa", "players": STATE["players"], "camera": False}),
    ("correct-route", {"route": "duluth--omaha-1", "owner": "blue"}),
    ("finish", {}),
)


def states() -> list[bytes]:
    """A table's public state, in play and with its sheet."""
    return [json.dumps({**STATE, "phase": phase}).encode() for phase in ("look", "sheet")]


def state(data: bytes, folder: Path) -> None:
    """Take a state from the broker, and show it."""
    told = told_state(data)
    if told is None:
        raise WireError("companion.relay.no-message")
    room, client = _pages()
    room.hear_state("t1", told)
    for page in PAGES:
        assert client.get(page).status_code == 200, page


@cache
def _pages() -> tuple[Room, FlaskClient]:
    room = Room(BOARDS)
    return room, create_hub_app(room, Club(Devices(b"k" * 32), LetIn())).test_client()


def messages() -> list[bytes]:
    """Messages of a chain as they are sent."""
    return [link_to_json(link).encode() for link in _links(json.loads(logs()[0]))]


def message(data: bytes, folder: Path) -> None:
    """Take a message from the broker."""
    link = link_from_json(data)
    assert math.isfinite(link.at_s)


@cache
def logs() -> list[bytes]:
    """Two games, one corrected and one deleted, in rows: number, time, kind, data, nonce."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(TableConfig([BOARDS["usa"]], Path(folder)))
        for action, payload in ACTS:
            table.act(action, payload)
        table.close()
        _, rows = read_log(Path(folder) / LOG_NAME)
    said = [[row.number, row.at, row.kind, json.loads(row.data), "b" * 32] for row in rows]
    return [json.dumps(said).encode()]


def log(data: bytes, folder: Path) -> None:
    """Work out the games of a log whose checksums somebody made anew after the change."""
    try:
        said = json.loads(data)
        told = [link_from_json(link_to_json(link).encode()) for link in _links(said)]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        raise WireError("companion.relay.no-message") from None
    rows = [
        {
            "number": link.number,
            "at_s": link.at_s,
            "kind": link.content and link.content.kind,
            "data": link.content and link.content.data,
        }
        for link in told
    ]
    replayed_rows(rows, BOARDS)


def _links(said: Any) -> list[Link]:
    links: list[Link] = []
    for number, at_s, kind, data, nonce in said:
        row = Row(number, at_s, kind, json.dumps(data), "", "")
        before = links[-1] if links else None
        links.append(link_row("a" * 32, before, row, nonce, is_open=kind is not None))
    return links
