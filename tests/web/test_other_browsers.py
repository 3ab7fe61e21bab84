"""The main way in Debian's Firefox and WebKit, the engine of Safari: a game by hand, and Back."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from companion.table.table import Table
from scoring.board.board import load_board
from tests.companion.tables import ADA_AND_BEN, new_table
from tests.support.browser_tab import Tab
from tests.support.firefox import firefox, firefox_path
from tests.support.webkit import webkit, webkit_path
from web.ports import TablePort

Serve = Callable[[TablePort], str]
Browser = Callable[[Path], AbstractContextManager[Tab]]

PICTURE = "browser.png"

NO_FIREFOX = pytest.mark.skipif(
    firefox_path() is None, reason="no firefox-esr: apt install firefox-esr"
)
NO_WEBKIT = pytest.mark.skipif(
    webkit_path() is None, reason="no WebKit: apt install webkit2gtk-driver xvfb"
)

BROWSERS = [
    pytest.param(firefox, marks=NO_FIREFOX, id="firefox"),
    pytest.param(webkit, marks=NO_WEBKIT, id="webkit"),
]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    return new_table(tmp_path / "table", open_camera=None, boards=(load_board("usa"),))


@pytest.fixture(params=BROWSERS)
def tab(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tab]:
    browser: Browser = request.param
    profile = tmp_path / "profile"
    profile.mkdir()
    with browser(profile) as tab:
        yield tab


def test_a_game_by_hand_from_the_start_to_the_winner(
    serve: Serve, table: Table, tab: Tab, tmp_path: Path
) -> None:
    """Ada: 6 and 2 wagons, 15 + 2 points, a ticket of 8 that fails, the longest path 10: 19."""
    tab.go(serve(table))
    tab.click("//a[contains(., 'Ticket to Ride (USA)')]")
    tab.write("//input[@name='name-red']", "Ada")
    tab.write("//input[@name='name-blue']", "Ben")
    tab.click("//button[contains(., 'Start the game')]")
    tab.click("//button[@data-brush='red']")
    for route in ("duluth--helena", "duluth--omaha-1"):
        tab.click(f"//*[@id='r-{route}']//*[@class='space'][1]")
        tab.see(f"//*[@id='r-{route}' and contains(@class, 'c-red')]//*[@class='wagon']/..")
    tab.click("//button[contains(., 'The game is over')]")
    tab.click("//*[@id='hands']//a[contains(., 'Ada')]")
    tab.click("//button[contains(., 'Show my tickets')]")
    tab.write("//input[@data-search]", "hel los")
    tab.click("//*[@id='found']//button")
    tab.see("//*[@id='held']//*[contains(., 'Helena')]")
    tab.click("//*[contains(@class, 'hand-head')]//a")
    tab.see("//button[contains(., 'Show my tickets')]")  # Ben's, who is next
    tab.click("//main//a[contains(., 'All players') or contains(@href, '/tickets')]")
    tab.click("//button[contains(., 'Finish')]")
    tab.click("//a[@id='reveal-skip']")
    assert tab.see("//h1[contains(., 'wins')]") == "Ada wins!"
    tab.see("//li[contains(@class, 'won')]//*[@class='points' and normalize-space() = '19']")
    assert tab.run("return document.documentElement.scrollWidth <= innerWidth")
    (tmp_path / PICTURE).write_bytes(tab.picture())


def test_a_page_that_is_come_back_to_shows_the_score_of_now(
    serve: Serve, table: Table, tab: Tab
) -> None:
    """Browsers keep a page as it was left; six wagons that Ada gets meanwhile count 15."""
    table.act("start", {**ADA_AND_BEN, "camera": False})
    address = serve(table)
    tab.go(f"{address}/board")
    tab.see("//*[@id='standing']//*[@class='points' and normalize-space() = '0']")
    tab.go(f"{address}/help")
    table.act("correct-route", {"route": "duluth--helena", "owner": "red"})
    tab.back()
    tab.see("//*[@id='standing']//*[@class='points' and normalize-space() = '15']")
    table.act("correct-route", {"route": "duluth--omaha-1", "owner": "red"})
    tab.see("//*[@id='standing']//*[@class='points' and normalize-space() = '17']")
