"""Whatever a table goes through, every page can be shown, in words that people know.

`EVENINGS=500 pytest tests/web/test_random_evenings.py` walks further than the few of each run;
with `SHRINK=1` a fault's evening is made as short as can be, which takes minutes.
"""

import os
import re
import tempfile
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from companion.table.camera_feed import CameraFeed
from companion.table.table import Table
from companion.table.table_config import TableConfig
from hardware.console.virtual import VirtualConsole
from scoring.board.board import Board, load_board
from scoring.documents.game import GAMES
from scoring.game.mapless import mapless_games
from scoring.language import LANGUAGES
from tests.companion.tables import OPEN, GreyCamera, scanned
from tests.support.catalogues import whole_catalogue
from tests.web.random_evening import (
    NAMES,
    RandomEye,
    addresses,
    look_at_it,
    play_one,
    start_payload,
    unplaced,
)
from tests.web.test_taught_board import small_card_set, small_paris
from web.app import create_app

EVENINGS = int(os.environ.get("EVENINGS", "4"))
STEPS = 14
PAGES_A_STEP = 2

SPOKEN = ("aria-label", "title", "alt", "placeholder", "data-missing", "data-busy", "data-sure")
"""Attributes that people see or hear."""

RAW_KEY = re.compile(r"\b(?:scoring|web|companion|vision|hardware|calibration)\.[a-z][\w.-]*")
PLACEHOLDER = re.compile(r"\{[^{}]*\}")


SILENT = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
SAID = re.compile(rf'\s(?:{"|".join(SPOKEN)})="([^"]*)"')


def visible_text(html: str) -> str:
    """Everything on a page that people see or hear. (A parser needs ten times as long.)"""
    shown = SILENT.sub(" ", html)
    return unescape(" ".join([*SAID.findall(shown), re.sub("<[^>]*>", " ", shown)]))


@cache
def words_of_catalogues() -> frozenset[str]:
    texts = " ".join(" ".join(whole_catalogue(language).values()) for language in LANGUAGES)
    return frozenset(re.findall(r"[\w-]+", texts))


PATTERNS: dict[str, re.Pattern[str]] = {}
"""By the board's id: each is made once."""


def ids_of(board: Board) -> re.Pattern[str]:
    """Finds the ids of the board's routes, doubles, tickets and places that are no plain words."""
    if board.id not in PATTERNS:
        PATTERNS[board.id] = _pattern_of_ids(board)
    return PATTERNS[board.id]


def _pattern_of_ids(board: Board) -> re.Pattern[str]:
    names = {word for place in board.places for word in re.findall(r"[\w-]+", place.name)}
    ids = {one.id for one in (*board.routes, *board.tickets, *board.places)}
    ids = (ids | set(board.parallel_groups)) - names - words_of_catalogues()
    if not ids:
        return re.compile(r"(?!)")
    longest = sorted(ids, key=len, reverse=True)
    return re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, longest)) + r")(?![\w-])")


def faults_of(text: str, board: Board | None) -> list[str]:
    """What nobody should read on a page: raw keys, placeholders, ids."""
    for name in NAMES:
        text = text.replace(name.strip(), "")
    text = re.sub("“[^”]*”|«[^»]*»", "", text)  # what somebody sent, told back
    found = [*RAW_KEY.findall(text), *PLACEHOLDER.findall(text)]
    return found if board is None else [*found, *ids_of(board).findall(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Kansas City – Omaha: Ada (red)", []),
        ("now scoring.colour.red", ["scoring.colour.red"]),
        ("{n} wagons", ["{n}"]),
        ("kansas-city--omaha-1 is doubtful", ["kansas-city--omaha-1"]),
        ("kansas-city--omaha, New York, new-york", ["kansas-city--omaha", "new-york"]),
        ("http://companion.local:8000 or Zoë {n}", []),
    ],
)
def test_what_nobody_should_read_is_found(text: str, found: list[str]) -> None:
    assert faults_of(text.replace("companion.local", ""), load_board("usa")) == found


@cache
def boards() -> tuple[Board, ...]:
    """Three that ship, one taught from the documents, one whose file gives no positions.

    Then the games without a map that scoring knows, the Card Game with the documents' tickets.
    """
    usa, germany, france = map(load_board, ("usa", "germany", "france"))
    without_map = [game for game in mapless_games(small_card_set()) if game.game in GAMES]
    return usa, germany, france, small_paris(), unplaced(usa, "usa-by-name"), *without_map


@settings(
    max_examples=EVENINGS,
    derandomize="EVENINGS" not in os.environ,
    deadline=None,
    database=None,
    phases=[Phase.generate, *([Phase.shrink] if "SHRINK" in os.environ else [])],
    suppress_health_check=list(HealthCheck),
)
@given(st.data())
def test_every_page_can_be_shown_in_every_state_of_a_random_evening(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        eye = RandomEye()
        feed = CameraFeed(GreyCamera, interval_s=0.01)
        table = Table(TableConfig(boards(), Path(folder), eye, feed, VirtualConsole()))
        OPEN.append(table)
        try:
            walk(data, table, eye)
        finally:
            table.close()


def walk(data: st.DataObject, table: Table, eye: RandomEye) -> None:
    """One evening: a start, some actions with a look at some pages, all pages at the end."""
    app = create_app(table)
    client = app.test_client()
    told = [f"start {(payload := start_payload(data.draw, table))}"]
    assert client.post("/api/act/start", json=payload).status_code == 200
    for number in range(STEPS):
        step = look_at_it if number == data.draw(st.integers(0, 2)) else play_one
        sent, answer = step(data.draw, table, eye, client)
        told.append(sent)
        scanned(table)
        check_answer(answer, table, told)
        shown = data.draw(st.permutations(addresses(app, table)))[:PAGES_A_STEP]
        check_pages(client, table, shown, told)
    check_pages(client, table, addresses(app, table), told)
    told.append("finish")
    check_answer(client.post("/api/act/finish", json={}), table, told)
    check_pages(client, table, ["/sheet", "/board", "/api/sheet", "/tickets"], told)


def check_pages(client: FlaskClient, table: Table, shown: list[str], told: list[str]) -> None:
    for address in shown:
        for language in LANGUAGES:
            headers = {"Accept": "text/html", "Accept-Language": language}
            check_answer(client.get(address, headers=headers), table, told)
            if address.startswith("/tickets/"):
                hand = client.post(address, headers=headers, follow_redirects=True)
                check_answer(hand, table, told)


def check_answer(answer: Any, table: Table, told: list[str]) -> None:
    """No fault of the program, and nothing on the page that is no word."""
    assert answer.status_code < 500, (answer.request.path, told)
    if answer.mimetype == "text/html":
        text = visible_text(answer.text)
        found = faults_of(text, table.in_play().board)
        assert not found, (answer.request.path, found, told, text[:4000])
