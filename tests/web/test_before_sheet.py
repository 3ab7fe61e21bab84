"""Before the sheet, on the panel: wagons left, remarks, settings, markers, typed tickets."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from scoring.game.mapless import card_game
from tests.web.test_pages import words
from web.app import create_app
from web.ports import TablePort

PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
HTML = {"Accept": "text/html"}


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Table]:
    """USA and France without camera, nothing played yet."""
    table = Table(TableConfig([load_board("usa"), load_board("france")], tmp_path))
    yield table
    table.close()


@pytest.fixture
def usa(real: Table) -> Table:
    """Ada has 5 wagons on the board (Atlanta - Miami, 10 points), Ben 4 (Denver - Omaha, 7)."""
    real.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    real.act("correct-route", {"route": "atlanta--miami", "owner": "red"})
    real.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    for colour, ticket in (("red", "denver--el-paso"), ("blue", "boston--miami")):
        real.act("add-ticket", {"player": colour, "ticket": ticket})
    return real


@pytest.fixture
def panel(real: Table) -> FlaskClient:
    return create_app(real).test_client()


def send(panel: FlaskClient, action: str, **fields: str) -> Any:
    return panel.post(f"/api/act/{action}", data=fields, headers=HTML)


def test_a_breach_of_the_rules_stands_in_the_list_with_the_way_to_mend_it(
    usa: Table, panel: FlaskClient
) -> None:
    """With two players only one line of a double is open; here each holds one."""
    usa.act("correct-route", {"route": "dallas--houston-1", "owner": "red"})
    usa.act("correct-route", {"route": "dallas--houston-2", "owner": "blue"})
    usa.act("show", {"phase": "tickets"})
    listed = panel.get("/tickets").text.split('id="check-title"')[1].split("</section>")[0]
    assert "Dallas – Houston (1) and Dallas – Houston (2)" in words(listed)
    assert 'href="/route/dallas--houston-1"' in listed
    usa.act("correct-route", {"route": "dallas--houston-2", "owner": None})
    assert "Houston" not in panel.get("/tickets").text.split('id="check-title"')[1]


def test_more_wagons_than_there_are_stand_in_the_list(usa: Table, panel: FlaskClient) -> None:
    """Nine routes of six wagons: with Miami's five Ada would have 59 of 45."""
    long = [route.id for route in load_board("usa").routes if route.length == 6][:9]
    for route in long:
        usa.act("correct-route", {"route": route, "owner": "red"})
    usa.act("show", {"phase": "tickets"})
    listed = words(panel.get("/tickets").text.split('id="check-title"')[1])
    assert "59" in listed.split("Settle")[0]
    assert "A route is probably somebody else's, or nobody's" in listed

    usa.act("count-wagons", {"player": "red", "wagons": 0})
    page = words(panel.get("/check/red").text)
    assert "59" in page
    assert "Look at these first" in page
    assert 'href="/route/' in panel.get("/check/red").text
    assert "agrees with the board" not in page, "none left is no count that agrees"


@pytest.mark.parametrize(
    ("language", "asked", "ended"),
    [
        ("en", "Should these wagons be left", "Nobody has 2 wagons or fewer left"),
        ("it", "Davanti a ognuno restano questi vagoni?", "Nessuno è sceso a 2 vagoni o meno"),
    ],
)
def test_one_page_asks_for_the_wagons_and_tells_what_is_odd(
    usa: Table, panel: FlaskClient, language: str, asked: str, ended: str
) -> None:
    page = panel.get(f"/tickets?lang={language}").text
    assert asked in words(page)
    assert ended in words(page)
    left = re.findall(r'href="/check/(\w+)".*?<strong>(\d+)</strong>', page)
    assert left == [("red", "40"), ("blue", "41")]
    assert page.count('action="/api/act/finish?') == 1, "one button ends it, not several in a row"


def test_a_count_that_differs_leads_to_the_routes_and_is_told_with_the_sheet(
    usa: Table, panel: FlaskClient
) -> None:
    assert "40" in words(panel.get("/check/red").text)
    send(panel, "count-wagons", player="red", wagons="43")
    page = panel.get("/check/red").text
    assert "3 more than by the board" in words(page)
    assert 'href="/route/atlanta--miami"' in page
    send(panel, "count-wagons", player="blue", wagons="38")
    missing = words(panel.get("/check/blue").text)
    assert "3 fewer than by the board" in missing
    assert "Look at these first" not in missing, "played by hand: no camera nearly saw one"
    assert "No route stands out" in missing
    assert "Wagons left of Ada: 43 by count, 40 by the board." in words(panel.get("/tickets").text)
    send(panel, "finish")
    waved = words(panel.get("/sheet").text)
    assert "Finished all the same, although:" in waved
    assert "Wagons left of Ada: 43 by count, 40 by the board." in waved


def test_settings_are_chosen_at_the_start_and_later_and_stand_on_the_sheet(
    real: Table, panel: FlaskClient
) -> None:
    page = words(panel.get("/start?board=usa").text)
    assert "Longest path, if nobody has a route" in page
    assert "Globetrotter" not in page, "USA has none"
    name = "setting-longest-path-needs-a-route"
    names = {"name-red": "Ada", "name-blue": "Ben"}
    send(panel, "start", board="usa", **names, **{name: "no", "setting-tie-breaks": "tickets"})
    assert real.state()["settings"]["longest-path-needs-a-route"] is False
    assert real.state()["settings"]["tie-breaks"] == ["tickets"]
    send(panel, "set-settings", **{name: "yes"})
    assert real.state()["settings"]["longest-path-needs-a-route"] is True
    assert real.state()["settings"]["tie-breaks"] == ["tickets"], "the others stay"
    send(panel, "finish")
    sheet = words(panel.get("/sheet").text)
    assert "Longest path, if nobody has a route nobody gets it" in sheet
    assert "completed tickets, then the win is shared" in sheet
    assert "Fields of the score track" not in sheet, "no marker was checked"


def test_markers_are_compared_with_the_board(usa: Table, panel: FlaskClient) -> None:
    send(panel, "set-markers", **{"marker-red": "10", "marker-blue": "9"})
    page = words(panel.get("/markers").text)
    assert "10 points by the board: they agree" in page
    assert "7 points by the board: the marker has 2 too many" in page
    assert "Ben's score marker stands at 9, but the board says 7." in words(
        panel.get("/tickets").text
    )
    send(panel, "set-markers", **{"marker-red": "10", "marker-blue": ""})
    assert list(usa.state()["markers"]) == ["red"], "a blank field is not checked"


def test_after_the_sheet_the_counts_say_why_they_are_closed(usa: Table, panel: FlaskClient) -> None:
    pages = ("/markers", "/check/red")
    assert not any("The sheet is final" in panel.get(page).text for page in pages)
    usa.act("finish", {})
    assert all("The sheet is final" in panel.get(page).text for page in pages)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ({"from": "Chicgo", "to": "Miami", "points": "9"}, "did you mean Chicago?"),
        ({"from": "chic", "to": "Miami", "points": "9"}, "did you mean Chicago?"),
        ({"from": "Oslo", "to": "Miami", "points": "9"}, "has no place “Oslo”"),
        ({"from": "Miami", "to": "miami", "points": "9"}, "not Miami with itself"),
        ({"from": "Miami", "to": "", "points": "9"}, "A place is missing"),
        ({"from": "Miami", "to": "Chicago", "points": "0"}, "from 1 to 100"),
        ({"ticket": "{nothing", "points": "9"}, "“ticket”"),
    ],
)
def test_a_mistyped_ticket_is_told_in_one_sentence(
    usa: Table, panel: FlaskClient, typed: dict[str, str], answer: str
) -> None:
    before = usa.state()["tickets"]
    said = panel.post("/api/act/add-ticket", data={"player": "red", **typed})
    assert said.status_code == 400
    assert answer in said.get_json()["error"]
    assert usa.state()["tickets"] == before


def test_a_typed_ticket_counts_and_goes_again(usa: Table, panel: FlaskClient) -> None:
    """Ada's own route joins Atlanta and Miami: 10 + 5, less 4 for Denver - El Paso, 10 longest."""
    typed = {"player": "red", "from": "atlanta", "to": "MIAMI", "points": "5"}
    send(panel, "add-ticket", **typed)
    send(panel, "add-ticket", player="red", **{"from": "Denver", "to": "El Paso", "points": "9"})
    hand = usa.state()["tickets"]["red"]
    assert [one.get("points") for one in hand] == [None, 5, 9]
    assert [one["completed"] for one in hand] == [False, True, False]
    send(panel, "remove-ticket", player="red", ticket=hand[2]["ticket"])
    send(panel, "finish")
    sheet: Any = usa.state()["sheet"]
    assert sheet["players"][0]["total"] == 10 + 5 - 4 + 10


def test_a_ticket_of_the_set_that_is_typed_is_that_card(usa: Table, panel: FlaskClient) -> None:
    send(panel, "add-ticket", player="red", **{"from": "boston", "to": "miami", "points": "12"})
    assert [one["ticket"] for one in usa.state()["tickets"]["red"]][1:] == ["boston--miami"]


def test_a_track_piece_is_laid_at_a_line_s_page_and_drawn(real: Table, panel: FlaskClient) -> None:
    real.act("start", {"board": "france", "players": PLAYERS, "camera": False})
    assert 'class="track"' not in panel.get("/board").text
    assert "A track piece lies here" in words(panel.get("/route/angers--rennes").text)
    send(panel, "lay-track", route="angers--rennes")
    board = panel.get("/board").text
    assert 'class="track"' in board
    assert "Angers – Rennes: nobody, a track piece lies here" in board
    assert "Le Mans – Lorient: nobody, closed" in board
    assert "where a track piece lies" in words(panel.get("/route/le-mans--lorient").text)


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
@pytest.mark.parametrize("scripts", [True, False])
def test_a_family_mends_a_wrong_count_and_ends_the_game_in_a_browser(
    browser: Any,
    serve: Callable[[TablePort], str],
    usa: Table,
    size: tuple[int, int],
    scripts: bool,
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, locale="it", java_script_enabled=scripts
    )
    page = context.new_page()
    page.goto(f"{serve(usa)}/tickets")
    page.locator('a[href="/check/red"]').first.click()
    one_line_px = page.locator("p.hint").first.evaluate(
        "(e) => parseFloat(getComputedStyle(e).lineHeight)"
    )
    assert page.get_by_text("Vagoni rimasti").bounding_box()["height"] < 1.5 * one_line_px
    page.get_by_label("Vagoni rimasti").fill("45")
    page.get_by_role("button", name="Conferma questo numero").click()
    page.get_by_text("5 in più rispetto al tabellone").wait_for()
    page.get_by_role("link", name="Atlanta – Miami").click()
    page.get_by_role("button", name="Nessuno").click()
    page.wait_for_timeout(300)
    page.goto(page.url.partition("/route")[0].partition("/check")[0] + "/tickets")
    assert usa.state()["routes"]["atlanta--miami"]["owner"] is None
    assert page.locator(".check .odd").count() == 0, "45 are left, as counted"
    if scripts:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Concludi lo stesso").click()
    page.wait_for_url("**/reveal*")
    page.goto(page.url.partition("/reveal")[0] + "/sheet")
    page.get_by_role("heading", name="Chiuso lo stesso, anche se:").wait_for()
    context.close()


def test_the_virtual_box_tells_what_is_odd_and_a_second_confirm_ends_it(
    usa: Table, panel: FlaskClient
) -> None:
    send(panel, "count-wagons", player="blue", wagons="44")
    send(panel, "show", phase="tickets")
    send(panel, "press", button="next")
    send(panel, "press", button="confirm")
    assert usa.state()["phase"] == "tickets"
    assert set(usa.state()["lamps"].values()) == {"blink"}
    page = words(panel.get("/box").text)
    assert "Wagons left of Ben: 44 by count, 41 by the board." in page
    assert "Press Confirm again to finish all the same." in page
    send(panel, "press", button="confirm")
    assert usa.state()["phase"] == "sheet"


def test_the_virtual_box_tells_of_a_breach_of_the_rules_too(
    real: Table, panel: FlaskClient
) -> None:
    """Ada and Ben hold one line each of a double, of which three players may build one only.

    Nothing else is odd: Ada's six routes of 6, two of 3 and one of 1 leave 2 wagons of 45.
    """
    cleo = {"name": "Cleo", "colour": "green"}
    real.act("start", {"board": "usa", "players": [*PLAYERS, cleo], "camera": False})
    singles = [route for route in load_board("usa").routes if not route.parallel_group]
    mine = [one.id for one in singles if one.length == 6][:6]
    mine += [one.id for one in singles if one.length == 3][:2]
    for route in (*mine, "dallas--houston-1"):
        real.act("correct-route", {"route": route, "owner": "red"})
    real.act("correct-route", {"route": "dallas--houston-2", "owner": "blue"})
    for number, ticket in enumerate(load_board("usa").tickets[:6]):
        colour = ("red", "blue", "green")[number // 2]
        real.act("add-ticket", {"player": colour, "ticket": ticket.id})
    real.act("show", {"phase": "tickets"})
    for button in ("next", "next", "confirm"):
        send(panel, "press", button=button)
    assert real.state()["phase"] == "tickets"
    assert real.state()["lamps"] == {"red": "blink", "blue": "blink", "green": "on"}
    told = words(panel.get("/box").text).split("Confirm")[1]
    assert "With 3 players only one line of a double is open, but Ada and Ben" in told
    assert "Dallas – Houston (2). Press" in told, "a sentence by itself, not run into the next"
    send(panel, "press", button="confirm")
    assert real.state()["phase"] == "sheet"


def test_a_game_without_wagons_asks_for_none(tmp_path: Path) -> None:
    table = Table(TableConfig([card_game()], tmp_path / "cards"))
    table.act("start", {"board": "card-game", "players": PLAYERS, "camera": False})
    client = create_app(table).test_client()
    assert "Should these wagons be left" not in client.get("/tickets").text
    assert client.get("/check/red").status_code == 404
    table.close()


def test_after_the_final_sheet_no_page_offers_what_would_be_refused_but_the_way_back(
    usa: Table, panel: FlaskClient
) -> None:
    usa.act("correct-route", {"route": "dallas--houston-1", "owner": "red"})
    usa.act("finish", {})
    refused = ("finish", "upload-photo", "correct-route", "scan", "show")
    for address in ("/board", "/tickets"):
        page = panel.get(address).text
        assert not [one for one in refused if f'/api/act/{one}"' in page], address
        assert "/api/act/reopen" in page, address
    hand = panel.post("/tickets/red", follow_redirects=True).text
    assert "/api/act/reopen" in hand
    adding = hand.index("/api/act/add-ticket")
    assert '<fieldset class="bare" role="presentation" disabled>' in hand[:adding]
    send(panel, "reopen")
    assert "/api/act/finish" in panel.get("/tickets").text
    assert "/api/act/reopen" not in panel.get("/tickets").text
