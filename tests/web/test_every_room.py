"""The rooms around the game (set-up, studio, history, check-up, club) for everybody's eyes.

One browser and one page for them all; axe looks at each in light, dark and forced colours.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from companion.copies.desk import CopyDesk
from companion.copies.restore import RestoreDesk
from companion.copies.sticks import Stick
from companion.setup.board_photos import TableBoardPhotos
from companion.setup.desk import SetupDesk
from companion.setup.kept import KeptCalibrations
from companion.setup.references import TableReferences
from companion.studio.boards import TaughtBoards
from companion.studio.desk import StudioDesk
from companion.studio.store import StudioStore
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.support.drawn_table import true_calibration
from tests.web.conftest import served
from tests.web.sheet.test_reveal import RING
from tests.web.test_accessibility import CONTRAST, MAP, TAGS, found_by_axe
from tests.web.test_checkup import FOUND
from tests.web.test_club import DEVICES, HOST
from web.access.club import Club, LetIn
from web.app import create_app

PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]

PAGES = (
    "setup",
    "setup/photo",
    "studio",
    "checkup",
    "copy",
    "restore",
    "club",
    "history",
    "history/{evening}",
    "history/{evening}/reveal?step=3",
    "history/{evening}/dispute",
    "history/{evening}/what-if?change=denver--omaha%3Ablue",
    "statistics",
    "statistics/names",
    "dispute",
    "what-if?route=denver--omaha",
    "board?map=photo",
    "sheet",
)

NARROW = {"width": 320, "height": 640}
PHONE = {"width": 390, "height": 844}
TWICE = {"width": 640, "height": 400}
"""A tablet of 1280 by 800 at 200 %."""

MAP_IS_LOOKED_AT = ("board?map=photo", "dispute", "what-if?route=denver--omaha", "sheet")
"""It is the same on the other pages."""

SMALL_FIELDS = """[...document.querySelectorAll("main :is(input, select, textarea)")]
  .filter((field) => !["hidden", "file", "checkbox", "radio"].includes(field.type))
  .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
  .map((field) => field.name)"""
"""Fields whose letters are below 16 px: an iPhone makes the page larger when one is tapped, and
leaves it so."""

SMALL_LETTERS = """[...document.body.querySelectorAll(":not(script, style, title, svg *)")]
  .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .filter((e) => e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 14)
  .map((e) => e.innerText)"""
"""What is written on a phone in letters that somebody without glasses does not read."""

STRUCTURE = {"runOnly": ["wcag2a", "wcag22aa"], "rules": {"color-contrast": {"enabled": False}}}
"""For forced colours, whose grounds the system paints and axe does not know."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A finished game, which is an evening of the history as well."""
    made = Table(TableConfig([load_board("usa")], tmp_path_factory.mktemp("data")))
    made.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    for route, (owner, _, _) in RING.items():
        made.act("correct-route", {"route": route, "owner": owner})
    made.act("finish", {})
    yield made
    made.close()


@pytest.fixture(scope="module")
def app(table: Table, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    data = tmp_path_factory.mktemp("kept")
    kept = KeptCalibrations(data)
    kept.save(true_calibration())
    stick = data / "stick"
    stick.mkdir()
    (stick / "companion-salon-2026-01-31-2015.zip").touch()
    plugged_in = [Stick("k", "KINGSTON", stick, is_mounted=False)]
    return create_app(
        table,
        access=Club(DEVICES, LetIn([HOST], {}), lambda _: None),
        setup=SetupDesk(kept, lambda: table.boards),
        studio=StudioDesk(StudioStore(data), TaughtBoards(data), kept, lambda: table.boards),
        examine=lambda: FOUND,
        copies=CopyDesk(data, lambda: table.evening, "salon", lambda: plugged_in),
        restore=RestoreDesk(data, lambda: True, lambda: None, lambda: plugged_in),
        photos=TableBoardPhotos(TableReferences(kept).of),
    )


@pytest.fixture(scope="module")
def address(app: Flask) -> Iterator[str]:
    with served(app) as address:
        yield address


@pytest.fixture(scope="module")
def tab(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    signed = DEVICES.signed(HOST)
    context.add_cookies([{"name": "device", "value": signed, "url": address}])
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_and_nothing_sticks_out(
    tab: Any, address: str, table: Table, path: str
) -> None:
    evening = table.history.evenings()[0].id
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.emulate_media(color_scheme="light", forced_colors="none", reduced_motion="reduce")
    answer = tab.goto(f"{address}/{path.format(evening=evening)}")
    assert answer.status == 200
    without = () if path in MAP_IS_LOOKED_AT else MAP
    assert found_by_axe(tab, {"runOnly": TAGS}, without) == []
    tab.emulate_media(color_scheme="dark")
    assert found_by_axe(tab, CONTRAST, MAP) == []
    tab.emulate_media(color_scheme="light", forced_colors="active")
    assert found_by_axe(tab, STRUCTURE, MAP) == []
    tab.emulate_media(forced_colors="none")
    tab.set_viewport_size(PHONE)
    assert tab.evaluate(SMALL_FIELDS) == []
    assert tab.evaluate(SMALL_LETTERS) == []
    for size in (NARROW, TWICE):
        tab.set_viewport_size(size)
        assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, size
