"""A spectator's page in Chromium: what has changed takes its place, and a lost hub is said."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.hub.room import Room
from companion.server.web_server import WebServer
from scoring.board.board import load_board
from tests.torture.proxy import CuttingProxy
from tests.web.hub.test_room_pages import told
from tests.web.test_safari import SLEPT
from web.access.club import Club
from web.hub.app import create_hub_app


def hear(room: Room, number: int, points: int, name: str = "") -> None:
    """Ada at a table has so many points now."""
    state = told(name=name or f"Table {number}", **({"title": name} if name else {}))
    state["standing"][0]["points"] = points
    room.hear_state(f"table-{number}", {**state, "instance": "i", "sent_at": 1.7e9})


@pytest.fixture
def room() -> Room:
    known = Room({"usa": load_board("usa")}, now=lambda: 1.7e9)
    hear(known, 1, 17)
    hear(known, 2, 18)
    return known


@pytest.fixture
def server(room: Room, access: Club) -> Iterator[WebServer]:
    app = create_hub_app(room, access)
    running = WebServer(app, "127.0.0.1", 0)
    thread = threading.Thread(target=running.serve)
    thread.start()
    yield running
    running.stop()
    thread.join()


def test_only_the_card_that_has_changed_is_replaced(
    page: Any, room: Room, server: WebServer
) -> None:
    page.clock.install()
    with page.expect_response("**/events?*"):
        page.goto(server.own_address)
    page.evaluate("document.querySelectorAll('.table').forEach((card) => { card.kept = true; })")
    hear(room, 2, 55)
    page.wait_for_selector("#card-table-2 strong:has-text('55')")
    kept = "(id) => document.getElementById(id).kept === true"
    assert page.evaluate(kept, "card-table-1")
    assert not page.evaluate(kept, "card-table-2")
    hear(room, 3, 60, "W" * 60)
    page.wait_for_selector("#card-table-3 strong:has-text('60')")
    wide_px = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide_px <= 0, "no name of a table or its board makes the room wider than the screen"
    server.stop()
    said = page.locator("#offline:not([hidden])")
    for _ in range(100):
        if said.is_visible():
            break
        page.clock.run_for(1_000)  # of the page's own time
    assert said.inner_text().startswith("The hub doesn't answer")


def test_on_a_tables_page_a_claim_is_drawn_into_the_map_that_stays(
    page: Any, room: Room, server: WebServer
) -> None:
    with page.expect_response("**/tables/table-1/events?*"):
        page.goto(f"{server.own_address}tables/table-1")
    page.evaluate("document.querySelector('#board').kept = true")
    assert page.locator("#r-denver--omaha .wagon").count() == 0
    claimed = {**told()["routes"], "denver--omaha": "blue"}
    room.hear_state("table-1", {**told(routes=claimed), "instance": "i", "sent_at": 1.7e9})
    page.locator("#r-denver--omaha.c-blue .wagon").nth(3).wait_for(state="visible")
    assert page.evaluate("document.querySelector('#board').kept === true")


def test_a_page_that_slept_shows_what_happened_meanwhile(
    page: Any, room: Room, server: WebServer
) -> None:
    """Its line is dead: nothing comes by it any more, and the browser does not know."""
    page.route("**/events?*", lambda _: None)
    page.goto(server.own_address)
    hear(room, 1, 42)
    page.wait_for_timeout(300)
    assert page.get_by_text("42", exact=True).count() == 0
    page.unroute("**/events?*")
    page.evaluate(SLEPT)
    page.get_by_text("42", exact=True).first.wait_for()


def test_a_form_beside_a_line_of_news_needs_no_other_look_for_the_hub(
    page: Any, room: Room, server: WebServer, access: Club
) -> None:
    """The page hears that the network went without a word: its form is told as unanswered."""
    network = CuttingProxy(server.port)
    with network.listening() as port:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.method))
        page.goto(f"http://127.0.0.1:{port}/join")
        page.get_by_label("PIN of the organiser").fill(access.pin.pin)
        page.get_by_role("button", name="I am the organiser").click()
        page.wait_for_url(f"http://127.0.0.1:{port}/")
        with page.expect_response("**/tables/table-1/events?*"):
            page.goto(f"http://127.0.0.1:{port}/tables/table-1")
        network.is_deaf = True
        page.get_by_role("button", name="Shut this table out").click()
        expect(page.get_by_role("alert")).to_contain_text("didn't answer", timeout=60_000)
        assert not room.tables()[0].is_shut_out
        assert "HEAD" not in asked
        network.is_deaf = False
        page.get_by_role("button", name="Shut this table out").click()
        page.get_by_role("button", name="Take from this table again").wait_for(timeout=60_000)
        page.goto("about:blank")


def test_news_that_cannot_be_shown_keep_back_none_after_them(page: Any, server: WebServer) -> None:
    """A big screen hangs there all evening, and nobody reloads it."""
    told = '{"html": "<p id=\\"banner\\">Table 1 has finished</p>"}'
    news = f"event: piece\ndata: half of\n\nevent: piece\ndata: {told}\n\n"
    page.route(
        "**/events?*",
        lambda request: request.fulfill(body=news, content_type="text/event-stream"),
    )
    page.goto(server.own_address)
    page.get_by_text("Table 1 has finished").wait_for()
