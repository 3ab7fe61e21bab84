"""Two games that differ in one secret ticket look the same to everybody but its owner."""

import re
from pathlib import Path

import pytest
from flask import Flask

from companion.documentation.guards import guarded_routes
from companion.table import box_face
from companion.table.table import Table
from tests.companion.tables import new_table
from tests.web.test_club import DEVICES, HOST
from web.access.club import Club, LetIn
from web.app import create_app

ADA, BEN = "ada", "ben"
PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
NAMES = {"<route>": "denver--omaha", "<colour>": "red", "<player>": "red", "<board>": "usa"}
OTHERS = {"<evening>": "1600000000000", "<action>": "undo", "<link>": "none"}
NEVER_ENDS = ("/events", "/scoreboard/events", "/api/v1/events")
MAY_DIFFER = re.compile(r'v=[0-9a-f]+|game="?\d+|"moved_s": ?[\d.]+|\d{3} \d{3}</strong>')
"""Marks of pictures, moments, the PIN."""


@pytest.fixture
def two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Flask]:
    """Ada holds Duluth – El Paso in the one, Toronto – Miami in the other, Ben the same.

    No lamp goes out meanwhile that said that a claim was seen: that is news of the table.
    """
    monkeypatch.setattr(box_face, "CLAIM_SIGN_S", 3600.0)
    apps: list[Flask] = []
    for ticket in ("duluth--el-paso", "toronto--miami"):
        table: Table = new_table(tmp_path / ticket, open_camera=None)
        table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
        table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
        table.act("show", {"phase": "tickets"})
        table.act("add-ticket", {"player": "red", "ticket": ticket})
        table.act("add-ticket", {"player": "blue", "ticket": "boston--miami"})
        seats = LetIn([HOST], {"red": ADA, "blue": BEN}, game_ms=table.in_play().began_ms)
        apps.append(create_app(table, access=Club(DEVICES, seats, lambda _: None)))
    return apps


def pages(app: Flask, device: str) -> dict[str, tuple[int, str]]:
    """Every page and document by its address, as this device gets it."""
    client, found = app.test_client(), {}
    client.set_cookie("device", DEVICES.signed(device))
    for one in guarded_routes(app):
        address = one.address
        if one.method != "GET" or address in NEVER_ENDS or "filename" in address:
            continue
        for part, value in {**NAMES, **OTHERS}.items():
            address = address.replace(part, value)
        answer = client.get(address, headers={"Accept-Language": "en"})
        found[address] = (answer.status_code, MAY_DIFFER.sub("", answer.text))
    return found


@pytest.mark.parametrize("device", [HOST, BEN, "a-stranger"])
def test_nobody_else_can_tell_which_ticket_it_is(two_games: list[Flask], device: str) -> None:
    one, other = (pages(app, device) for app in two_games)
    assert len(one) > 30
    assert [address for address in one if one[address] != other[address]] == []


def test_its_owner_can(two_games: list[Flask]) -> None:
    hands = []
    for app in two_games:
        client = app.test_client()
        client.set_cookie("device", DEVICES.signed(ADA))
        hands.append(client.post("/tickets/red", follow_redirects=True).text)
    assert "Duluth – El Paso" in hands[0]
    assert "Toronto – Miami" in hands[1] or "Miami – Toronto" in hands[1]
