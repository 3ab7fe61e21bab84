"""The main way once in Debian's Firefox: a game by hand from the start page to the winner."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.table.table import Table
from scoring.board.board import load_board
from tests.companion.tables import OPEN, new_table
from tests.support.firefox import firefox, firefox_path
from web.ports import TablePort

Serve = Callable[[TablePort], str]

PICTURE = "firefox.png"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    yield new_table(tmp_path / "table", open_camera=None, boards=(load_board("usa"),))
    while OPEN:
        OPEN.pop().close()


@pytest.mark.skipif(firefox_path() is None, reason="no firefox-esr: apt install firefox-esr")
def test_a_game_by_hand_from_the_start_to_the_winner(
    serve: Serve, table: Table, tmp_path: Path
) -> None:
    """Ada: 6 and 2 wagons, 15 + 2 points, a ticket of 8 that fails, the longest path 10: 19."""
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox(profile) as tab:
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
        tab.click("//main//a[contains(., 'All players') or contains(@href, '/tickets')]")
        tab.click("//button[contains(., 'Finish')]")
        tab.click("//a[@id='reveal-skip']")
        assert tab.see("//h1[contains(., 'wins')]") == "Ada wins!"
        tab.see("//li[contains(@class, 'won')]//*[@class='points' and normalize-space() = '19']")
        assert tab.run("return document.documentElement.scrollWidth <= innerWidth")
        (tmp_path / PICTURE).write_bytes(tab.picture())
