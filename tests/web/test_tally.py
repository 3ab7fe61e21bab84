"""The tally of three players, counted: from the scan to the sheet in few taps and keys.

The page itself counts what a person does: every press of a finger and every key.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.table.table import Table
from scoring.board.board import Ticket
from tests.companion.tables import OPEN, USA, ToldEye, new_table, scanned, sure, unsure
from tests.web.conftest import STILL
from web.ports import TablePort

Serve = Callable[[TablePort], str]

MOST_TAPS, MOST_KEYS = 18, 30

COUNTS = """
const count = (name) => sessionStorage.setItem(name, Number(sessionStorage.getItem(name)) + 1);
addEventListener("pointerdown", (event) => event.isTrusted && count("taps"), true);
addEventListener("keydown", (event) => event.isTrusted && count("keys"), true);
"""

NAMES = {"blue": "Ben", "red": "Ada", "green": "Chiara"}
"""In the order of the seats."""

SEEN = {
    # Ada: 6 + 6 + 5 + 5 + 3 + 2 + 6 + 4 + 4 + 2 = 43 wagons surely, and perhaps one more.
    "helena--seattle": sure("red"),
    "duluth--helena": sure("red"),
    "denver--phoenix": sure("red"),
    "helena--omaha": sure("red"),
    "helena--salt-lake-city": sure("red"),
    "denver--santa-fe": sure("red"),
    "portland--salt-lake-city": sure("red"),
    "denver--oklahoma-city": sure("red"),
    "denver--helena": sure("red"),
    "duluth--omaha-1": sure("red"),
    "seattle--vancouver-1": unsure("red", None),
    "chicago--toronto": sure("blue"),
    "pittsburgh--toronto": sure("blue"),
    "boston--montreal-1": unsure("blue", None),
    "atlanta--miami": sure("green"),
    "atlanta--charleston": unsure("green", "blue"),
}

HANDS = {
    colour: USA.tickets[seat :: len(USA.tickets) // 3][:3] for seat, colour in enumerate(NAMES)
}
"""Three tickets each, spread over the set however they fall."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Three players at USA whose camera will see SEEN, three of its routes doubtful."""
    table = new_table(tmp_path, ToldEye(SEEN))
    players = [{"name": name, "colour": colour} for colour, name in NAMES.items()]
    table.act("start", {"board": "usa", "players": players, "camera": True})
    yield table
    table.close()
    OPEN.remove(table)


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["tablet", "phone"])
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A device with a touch screen, whose pages count taps and keys."""
    width, height = request.param
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, locale="en", **STILL
    )
    context.add_init_script(COUNTS)
    tab = context.new_page()
    tab.set_default_timeout(30_000)
    yield tab
    context.close()


def enter(page: Any, ticket: Ticket) -> None:
    """Type the first letters of both places until the ticket is first, or tap it in the list."""
    first, second = (USA.place_by_id[place].name.replace(" ", "") for place in ticket.places)
    offered: list[str] = []
    page.wait_for_function("document.activeElement.matches('[data-search]')")
    for typed in range(1, len(second) + 1):
        letters = first[0] + second[:typed]
        with page.expect_response(lambda answer, q=letters: f"q={q}" in answer.url):
            page.keyboard.type(letters if typed == 1 else letters[-1])
        page.wait_for_timeout(150)
        hits = page.locator("#found button")
        offered = hits.evaluate_all("hits => hits.map((hit) => hit.value)")
        if ticket.id in offered:
            break
    if offered[0] == ticket.id:
        page.keyboard.press("Enter")
    else:
        page.locator(f'#found button[value="{ticket.id}"]').tap()
    page.locator(f'#held button[name=ticket][value="{ticket.id}"]').wait_for()


def test_three_players_tally_nine_tickets_and_three_questions(
    page: Any, serve: Serve, table: Table
) -> None:
    page.goto(serve(table) + "/board")
    page.get_by_role("button", name="Look at the board").tap()
    page.wait_for_url("**/doubts")
    for asked in ("seattle--vancouver-1", "boston--montreal-1", "atlanta--charleston"):
        page.locator(f"#d-{asked} .owner.first").tap()
        page.locator(f"#d-{asked}").wait_for(state="detached")

    page.get_by_role("button", name="Enter Ben's tickets").tap()
    for colour, name in NAMES.items():
        page.get_by_role("heading", name=f"{name}'s tickets").wait_for()
        page.wait_for_load_state("load")
        for ticket in HANDS[colour]:
            enter(page, ticket)
        page.locator(".hand-head a").tap()
        if name != "Chiara":
            page.get_by_role("button", name="Show my tickets").tap()
    page.get_by_role("button", name="Show the final sheet").tap()
    page.wait_for_url("**/reveal*")

    held = {colour: [one["ticket"] for one in table.state()["tickets"][colour]] for colour in NAMES}
    assert held == {colour: [ticket.id for ticket in HANDS[colour]] for colour in NAMES}
    taps, keys = (int(page.evaluate(f"sessionStorage.{name} ?? 0")) for name in ("taps", "keys"))
    print(f"scan to sheet: {taps} taps, {keys} keys")
    assert 0 < taps <= MOST_TAPS
    assert 0 < keys <= MOST_KEYS


def test_a_ticket_is_found_by_its_two_places_on_the_board_and_lights_its_path(
    page: Any, serve: Serve, table: Table
) -> None:
    table.act("scan", {})
    scanned(table)
    page.goto(serve(table) + "/tickets/red")
    page.get_by_role("button", name="Show my tickets").tap()
    page.get_by_label("Add a ticket").wait_for()
    page.wait_for_load_state("load")
    assert page.locator("[data-brush]").count() == 0, "a tap on this map names a place"
    for place in ("Salt Lake City", "Portland"):
        tap_place(page, place)
    page.wait_for_timeout(500)
    assert page.locator("#held li").count() == 1, "no ticket joins these two"

    for place in ("Duluth", "El Paso"):
        tap_place(page, place)
    page.get_by_role("button", name="Remove Duluth – El Paso").wait_for()
    assert page.locator(".route.lit").count() == 0, "not completed"
    search = page.get_by_label("Add a ticket")
    assert not search.evaluate("e => e === document.activeElement"), "a keyboard hides the board"
    for place in ("Denver", "El Paso"):
        tap_place(page, place)
    page.get_by_role("button", name="Remove Denver – El Paso").wait_for()
    assert page.locator(".route.lit").count() == 0

    table.act("correct-route", {"route": "el-paso--santa-fe", "owner": "red"})
    page.locator("#held li.done").first.wait_for()
    page.get_by_role("button", name="Show Denver – El Paso on the board").tap()
    page.locator(".route.lit").nth(1).wait_for()
    lit = page.locator(".route.lit").evaluate_all("routes => routes.map((r) => r.dataset.route)")
    assert sorted(lit) == ["denver--santa-fe", "el-paso--santa-fe"]

    page.set_viewport_size({"width": 1024, "height": 768})
    side = page.locator(".side")
    assert side.evaluate("e => e.scrollWidth <= e.clientWidth"), "the column scrolls sideways"
    card = page.locator(".card", has=page.locator("#held")).bounding_box()
    for button in page.locator("#held [name=ticket]").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= card["x"] + card["width"] - 16, "it sticks to the edge"


def tap_place(page: Any, name: str) -> None:
    """A finger near the middle of a place's dot."""
    dot = page.locator(f'[data-place="{name}"] circle').first
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 - 2)
    page.wait_for_timeout(300)
