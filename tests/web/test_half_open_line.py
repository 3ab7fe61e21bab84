"""A network that goes without a word: no connection ends, and nothing comes through any more."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from companion.server.web_server import PanelServer
from companion.table.table import Table
from tests.companion.tables import game_by_hand
from tests.torture.proxy import CuttingProxy

PATIENCE_MS = 60_000
"""For a busy machine; at a table the page tells within twelve seconds."""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return game_by_hand(tmp_path, {"duluth--helena": "red", "denver--omaha": "red"})


@pytest.fixture
def network(table: Table) -> Iterator[CuttingProxy]:
    """What lies between the page and the box."""
    server = PanelServer(table, "127.0.0.1", 0, "en")
    serving = Thread(target=server.serve)
    serving.start()
    yield CuttingProxy(server.port)
    server.stop()
    serving.join()


def look_at_the_board(page: Any, port: int) -> None:
    page.goto(f"http://127.0.0.1:{port}/board")
    page.locator("#r-denver--omaha.claimed").wait_for()


def test_a_page_says_that_nothing_comes_and_catches_up_once_something_does(
    page: Any, table: Table, network: CuttingProxy
) -> None:
    """The score of before stood there for a quarter of an hour, as if it were that of now."""
    with network.listening() as port:
        look_at_the_board(page, port)
        network.is_deaf = True
        table.act("undo", {})
        page.locator("#offline:not([hidden])").wait_for(timeout=PATIENCE_MS)
        network.is_deaf = False
        page.locator("#r-denver--omaha.free").wait_for(timeout=PATIENCE_MS)
        page.locator("#offline").wait_for(state="hidden")


def test_a_tap_that_nobody_heard_is_called_lost_and_not_done_later(
    page: Any, table: Table, network: CuttingProxy
) -> None:
    with network.listening() as port:
        look_at_the_board(page, port)
        network.is_deaf = True
        page.get_by_role("button", name="Undo").click()
        told = page.locator("#toast", has_text="Your last tap may be lost")
        told.wait_for(timeout=2 * PATIENCE_MS)
        network.is_deaf = False
        page.locator("#offline").wait_for(state="hidden", timeout=PATIENCE_MS)
        assert table.state()["routes"]["denver--omaha"]["owner"] == "red"
        page.get_by_role("button", name="Undo").click()
        page.locator("#r-denver--omaha.free").wait_for(timeout=PATIENCE_MS)
    assert table.state()["routes"]["duluth--helena"]["owner"] == "red"


def test_a_tap_is_called_lost_as_long_as_nobody_can_look(
    page: Any, table: Table, network: CuttingProxy
) -> None:
    """After ten seconds only the banner stood, as if the tap would still be sent."""
    with network.listening() as port:
        page.clock.install()
        look_at_the_board(page, port)
        page.context.set_offline(True)
        page.get_by_role("button", name="Undo").click()
        told = page.locator("#toast", has_text="Your last tap may be lost")
        for _ in range(60):
            page.clock.run_for(1000)
            page.wait_for_timeout(20)
        assert told.is_visible(), "a minute later"
        page.context.set_offline(False)
        page.clock.run_for(3000)
        page.locator("#offline").wait_for(state="hidden")
        assert told.is_visible()
        page.wait_for_timeout(300)
        page.clock.run_for(12_000)
        told.wait_for(state="hidden")
    assert table.state()["routes"]["denver--omaha"]["owner"] == "red"


def test_a_line_on_which_nothing_happens_is_left_as_it_is(page: Any, network: CuttingProxy) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/events") else None)
    with network.listening() as port:
        look_at_the_board(page, port)
        ends_s = time.monotonic() + 20
        while time.monotonic() < ends_s:
            page.wait_for_timeout(500)
        assert page.locator("#offline").is_hidden()
    assert len(asked) == 1
