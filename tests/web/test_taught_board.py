"""A board whose file gives no positions is played by lists, on the real table."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.table.live_score import game_json
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import Board, board_from_json
from scoring.documents.card_set import card_set_from_json
from scoring.game.game import CardSet
from tests.companion.tables import OPEN
from tests.web.conftest import hide_hand, skip_reveal
from tests.web.studio_rig import Rig
from tests.web.test_pages import words
from web.app import create_app
from web.ports import TablePort

DOCS = Path(__file__).parents[2] / "docs" / "boards.md"
PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
PAGES = ("/board", "/doubts", "/route/bakery--bridge", "/tickets", "/tickets/red?open=1", "/sheet")


def documented(game: str) -> str:
    """The example of a game's file on the page on board files."""
    blocks = re.findall(r"```json\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    (found,) = (block for block in blocks if f'"id": "{game}"' in block)
    return str(found)


def small_card_set() -> CardSet:
    """The Card Game's file of that page."""
    return card_set_from_json(json.loads(documented("card-game")))


def small_paris() -> Board:
    """The board of that example."""
    return board_from_json(json.loads(documented("paris")))


def lay(data: Path) -> Table:
    table = Table(TableConfig([small_paris()], data))
    OPEN.append(table)
    return table


def start(table: Table) -> None:
    table.act("start", {"board": "paris", "players": PLAYERS, "camera": False})


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_page_is_shown_after_a_restart_too(tmp_path: Path, language: str) -> None:
    table = lay(tmp_path)
    start(table)
    for phase in ("before", "after"):
        client = create_app(table).test_client()
        for path in PAGES:
            page = client.get(path, headers={"Accept-Language": language})
            assert page.status_code == 200, (phase, path)
        table.close()
        table = lay(tmp_path)


@pytest.mark.parametrize(
    ("language", "wagon", "left"),
    [
        ("en", "wagon", "Should these buses be left in front of each player?"),
        ("it", "vagon", "Davanti a ognuno restano questi autobus?"),
    ],
)
def test_paris_has_buses_on_every_page(
    tmp_path: Path, language: str, wagon: str, left: str
) -> None:
    table = lay(tmp_path)
    start(table)
    table.act("correct-route", {"route": "bridge--market-1", "owner": "red"})
    table.act("add-ticket", {"player": "blue", "ticket": "bakery--market"})
    client = create_app(table).test_client()
    read = {"Accept-Language": language}
    for path in ("/board", "/tickets", "/check/red"):
        assert wagon not in words(client.get(path, headers=read).text).casefold(), path
    assert left in words(client.get("/tickets", headers=read).text)
    table.act("correct-route", {"route": "bakery--bridge", "owner": "red"})
    table.act("add-ticket", {"player": "red", "ticket": "bakery--market"})
    table.act("finish", {})
    for path in ("/sheet", "/dispute", "/what-if", "/reveal?step=1"):
        page = client.get(path, headers=read).text.split('<script type="application/json"')[0]
        assert wagon not in words(page).casefold(), path
    steps = re.findall(r"data-trail='(.*?)'", client.get("/sheet", headers=read).text)
    assert steps, "the completed ticket is drawn on the board"
    assert all(wagon not in one for one in steps)


def test_set_up_and_studio_speak_of_wagons_whatever_is_played(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.table.offer(small_paris())
    rig.table.act("start", {"board": "paris", "players": PLAYERS, "camera": False})
    client = rig.app.test_client()
    for page in ("/studio", "/setup/photo"):
        said = words(client.get(page, headers={"Accept-Language": "en"}).text)
        assert "Take all wagons off the board." in said, page
    rig.table.close()


def test_there_is_no_map_and_the_sentence_says_why(tmp_path: Path) -> None:
    table = lay(tmp_path)
    start(table)
    answer = create_app(table).test_client().get("/api/geometry")
    assert answer.status_code == 404
    assert answer.json == {
        "error": "The file of Our Paris gives no positions, so there is no map of it."
    }


def test_a_taught_paris_with_flags_is_scored_as_on_the_command_line(
    page: Any,
    serve: Callable[[TablePort], str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Ada: a route of 1 and one of 3 with 1 + 4 points, the ticket of 5, two flags of 4: 18."""
    table = lay(tmp_path)
    start(table)
    for route in ("bakery--bridge", "bridge--market-1"):
        table.act("correct-route", {"route": route, "owner": "red"})
    page.goto(f"{serve(table)}/tickets/red")
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_label("Add a ticket").fill("bak")
    page.get_by_role("button", name="Add Bakery – Market").click()
    for count in ("1", "2"):
        page.get_by_role("button", name="One more: French flags").click()
        page.locator("#flags output", has_text=count).wait_for()
    hide_hand(page)
    page.get_by_role("button", name="Finish all the same").click()
    skip_reveal(page, "Ada wins!")
    assert page.locator("#score-red .points").inner_text() == "18"

    game, board = tmp_path / "GAME.json", tmp_path / "paris.json"
    evening = table._evening
    assert evening.board is not None
    game.write_text(json.dumps(game_json(evening.state, evening.board)), "utf-8")
    board.write_text(documented("paris"), "utf-8")
    capsys.readouterr()
    assert main(["score", str(game), "--board", str(board), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == table.state()["sheet"]


def test_a_game_is_played_by_lists_to_its_sheet(
    page: Any, serve: Callable[[TablePort], str], tmp_path: Path
) -> None:
    """Ada: 1 + 4 points for routes of 1 and 3, and the ticket of 5."""
    table = lay(tmp_path)
    start(table)
    page.goto(serve(table))
    page.get_by_role("link", name="Bakery – Old Bridge").click()
    page.get_by_role("button", name="Ada red").click()
    page.locator("#r-bakery--bridge.claimed").wait_for()
    page.get_by_text("Change a route").click()
    page.get_by_label("Change a route").fill("market")
    page.locator("#found").get_by_role("link", name="Old Bridge – Market (● red)").click()
    page.get_by_role("button", name="Ada red").click()
    page.locator("#r-bridge--market-1.claimed").wait_for()
    assert page.get_by_role("button", name="Take a photo").count() == 0
    table.act("add-ticket", {"player": "red", "ticket": "bakery--market"})
    table.act("finish", {})
    page.wait_for_url("**/reveal*")
    page.goto(page.url.partition("/reveal")[0] + "/sheet")
    page.get_by_role("heading", name="Ada wins!").wait_for()
    assert page.locator("#score-red .points").inner_text() == "10"
    page.get_by_role("button", name="Bakery – Market completed").click()
    assert page.locator(".route-list .lit").count() == 2
