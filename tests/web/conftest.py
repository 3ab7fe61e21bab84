"""What the panel's tests share: a fake table, a client without a browser, a real browser."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from tests.companion.tables import OPEN
from tests.support.chromium import chromium_path
from tests.support.compiled_once import compiled_once
from tests.web.fake_table import FakeTable
from web.app import create_app
from web.ports import TablePort

BROWSER_SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

STILL = {"reduced_motion": "reduce"}
"""For a page whose movements are not what is tested: a map with questions that moves for five
seconds costs as much work as six loads of it."""

READING = {
    "duluth--helena": ("red", 0.999, False),
    "duluth--omaha-1": ("red", 0.999, False),
    "denver--omaha": ("blue", 0.81, True),
}
"""Ada (red) has 6 + 2 wagons, 17 points; Ben (blue) perhaps has Denver - Omaha."""

PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]


@pytest.fixture(scope="session", autouse=True)
def apps_are_compiled_once() -> Iterator[None]:
    """They are made by the hundred."""
    with compiled_once():
        yield


@pytest.fixture(autouse=True)
def close_tables() -> Iterator[None]:
    """No real table outlives its test."""
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture
def table() -> FakeTable:
    """A table before the game, whose camera will see READING."""
    return FakeTable(READING)


@pytest.fixture
def playing(table: FakeTable) -> FakeTable:
    """The same table with Ada and Ben at USA, before the first look."""
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": True})
    table.acts.clear()
    return table


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    """Asks the panel for pages without a browser."""
    return create_app(table).test_client()


@pytest.fixture
def serve() -> Iterator[Callable[[TablePort], str]]:
    """Serves the panel of a table on a free port of this machine; gives the address."""
    with ExitStack() as servers:
        yield lambda table: servers.enter_context(served(create_app(table)))


@contextmanager
def served(app: Callable[..., Any]) -> Iterator[str]:
    """Serves an app on a free port of this machine; gives the address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright; without it the test is skipped, in CI it fails."""
    path = chromium_path()
    if path is None:
        reason = "no chromium on this machine: apt install chromium to run the browser tests"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=list(BROWSER_SWITCHES))
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def large_letters(browser: Any) -> Iterator[Any]:
    """The browser of somebody who has asked it for letters twice as large."""
    switches = [*BROWSER_SWITCHES, "--blink-settings=defaultFontSize=32"]
    chromium = browser.browser_type.launch(executable_path=chromium_path(), args=switches)
    yield chromium
    chromium.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A screen as large as a tablet's that fails the test on any error of the page's script.

    It wants no movement; a test of what moves asks for it (`moving`).
    """
    with _opened(browser) as tab:
        yield tab


@pytest.fixture
def tablet(browser: Any) -> Iterator[Any]:
    """The same, under fingers."""
    with _opened(browser, has_touch=True) as tab:
        yield tab


@pytest.fixture
def phone(browser: Any) -> Iterator[Any]:
    """The same as a phone held upright, under fingers."""
    with _opened(browser, 390, 844, has_touch=True, is_mobile=True) as tab:
        yield tab


@contextmanager
def _opened(browser: Any, width: int = 1280, height: int = 800, **more: Any) -> Iterator[Any]:
    size = {"width": width, "height": height}
    context = browser.new_context(viewport=size, locale="en", **STILL, **more)
    tab = context.new_page()
    tab.set_default_timeout(30_000)
    troubles: list[str] = []
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    yield tab
    tab.unroute_all(behavior="ignoreErrors")  # what a test held back may still be on its way
    context.close()
    assert troubles == []


@pytest.fixture
def moving(page: Any) -> Any:
    """The same page, on which things move as they do for most people."""
    page.emulate_media(reduced_motion="no-preference")
    return page


def key_on(page: str) -> str:
    """The key of the hand that lies open on a page."""
    found = re.search(r'data-hand="([^"]+)"', page)
    assert found is not None
    return found[1]


def open_hand(page: Any, address: str) -> None:
    """Go to a hand and lift its curtain (in English)."""
    page.goto(address)
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_label("Add a ticket").wait_for()
    page.wait_for_load_state("load")  # only then the page's script listens


def hide_hand(page: Any) -> None:
    """Leave an open hand for everybody's page, past the curtain of whoever is next."""
    page.locator(".hand-head a").click()
    page.locator(".hands, .curtain").first.wait_for()
    if page.locator(".curtain").count():
        page.locator(".curtain a").click()
        page.locator(".hands").wait_for()


def skip_reveal(page: Any, headline: str) -> None:
    """From the reveal, which a finished game leads to, to the whole sheet (in English)."""
    page.get_by_role("link", name="Skip", exact=True).click()
    page.get_by_role("heading", name=headline).wait_for()
    page.get_by_role("link", name="The whole sheet").click()
    page.get_by_role("heading", name=headline).wait_for()
    page.locator("details.score").first.wait_for()


def names_of_posts(page: Any) -> list[str]:
    """Grows by the name of every request that the page posts, "" where it has none."""
    names: list[str] = []

    def listen(request: Any) -> None:
        if request.method == "POST":
            address = parse_qs(urlsplit(request.url).query)
            known = request.headers.get("idempotency-key")
            names.append(known or "".join(address.get("request", [])))

    page.on("request", listen)
    return names
