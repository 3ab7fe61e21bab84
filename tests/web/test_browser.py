"""The panel in Debian's Chromium: an evening by touch, and the box's buttons moving the page."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PLAYERS, STILL, hide_hand, open_hand, skip_reveal
from tests.web.fake_table import FakeTable
from web.ports import TablePort

Serve = Callable[[TablePort], str]

LONG_READING = {
    "duluth--helena": ("red", 0.999, False),
    "duluth--omaha-1": ("red", 0.999, False),
    "denver--omaha": ("red", 0.999, False),
    "denver--helena": ("red", 0.999, False),
}
"""A ring of 6 + 2 + 4 + 4 = 16 wagons."""


def test_an_evening_by_touch_from_the_start_page_to_the_sheet(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    page.goto(serve(table))
    page.get_by_role("link", name="Ticket to Ride (USA)").click()
    page.get_by_label("Name of the red player").fill("Ada")
    page.get_by_label("Name of the blue player").fill("Ben")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="Look at the board").click()

    page.get_by_role("heading", name="Whose route is it?").wait_for()
    assert page.locator("#r-denver--omaha.doubtful").count() == 1
    page.get_by_role("button", name="Ben blue 81 % likely").click()

    page.get_by_role("link", name="Ada red").click()
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_label("Add a ticket").fill("hel los")
    page.get_by_role("button", name="Add Helena – Los Angeles, 8 points").click()
    page.get_by_role("button", name="Remove Helena – Los Angeles").wait_for()
    expect(page.get_by_label("Add a ticket")).to_have_value("")
    hide_hand(page)
    page.get_by_role("button", name="Finish all the same").click()

    skip_reveal(page, "Ada wins!")
    assert page.locator("#score-red .points").inner_text() == "19"
    assert page.locator("#score-blue .points").inner_text() == "7"


def test_a_map_with_questions_comes_to_rest(moving: Any, serve: Serve, playing: FakeTable) -> None:
    """Drawing one that goes on moving takes half a core of a tablet, all evening; and what moves
    for more than five seconds wants a button that stops it (WCAG 2.2.2)."""
    playing.act("scan", {})
    moving.goto(f"{serve(playing)}/board")
    moving.locator("#r-denver--omaha.doubtful").wait_for()
    ends_ms = "document.getAnimations().map(one => one.effect.getComputedTiming().endTime)"
    times = moving.evaluate(ends_ms)
    assert times, "the doubtful route draws the eye at first"
    assert max(times) <= 5_000


def test_a_tap_before_the_script_has_come_leads_to_the_questions_all_the_same(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    held: list[Any] = []
    page.route("**/panel.js", lambda route: held.append(route), times=1)
    page.goto(f"{serve(playing)}/board", wait_until="commit")
    page.get_by_role("button", name="Look at the board").click(no_wait_after=True)
    page.get_by_role("heading", name="Whose route is it?").wait_for()
    assert len(held) == 1, "the page's script had not come"


def test_a_button_of_the_box_moves_the_page_of_every_tablet(
    page: Any, browser: Any, serve: Serve, playing: FakeTable
) -> None:
    address = serve(playing)
    page.goto(f"{address}/board")
    phone = browser.new_context(
        viewport={"width": 390, "height": 844}, locale="it", **STILL
    ).new_page()
    phone.goto(f"{address}/board")
    box = browser.new_context(**STILL).new_page()
    box.goto(f"{address}/box")

    box.get_by_role("button", name="Scan").click()
    page.get_by_role("heading", name="Whose route is it?").wait_for()
    phone.get_by_role("heading", name="Di chi è la tratta?").wait_for()
    box.locator(".lamp.blink.c-blue").wait_for()

    playing.act("press", {"button": "confirm"})
    page.get_by_role("heading", name="Tickets").wait_for()
    phone.get_by_role("heading", name="Biglietti").wait_for()
    for tab in (phone, box):
        tab.context.close()


def test_a_claim_appears_on_the_board_without_reloading(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    page.goto(f"{serve(playing)}/board")
    page.evaluate("window.sameDocument = true")
    assert page.locator("#r-denver--omaha.claimed").count() == 0
    playing.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    page.locator("#r-denver--omaha.claimed.c-blue").wait_for()
    first = page.locator("#standing li").first.inner_text()
    assert " ".join(first.split()) == "Ben blue · 41 wagons left 7"
    assert page.evaluate("window.sameDocument") is True


def test_a_route_is_corrected_by_tapping_it(page: Any, serve: Serve, playing: FakeTable) -> None:
    page.goto(f"{serve(playing)}/board")
    page.locator("#r-duluth--helena .space").nth(2).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading", name="Whose is Duluth – Helena?").wait_for()
    dialog.get_by_role("button", name="Ada red").click()
    page.locator("#r-duluth--helena.claimed.c-red").wait_for()
    dialog.wait_for(state="hidden")
    page.get_by_role("button", name="Undo").click()
    page.locator("#r-duluth--helena.free").wait_for()


def test_a_refusal_is_one_sentence_in_the_pages_language(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    playing.act("scan", {})
    playing.act("show", {"phase": "tickets"})
    page.goto(f"{serve(playing)}/tickets?lang=it")
    page.get_by_role("button", name="Concludi lo stesso").click()
    page.get_by_text("Prima rispondi a 1 sul tabellone.").wait_for()


def test_the_longest_path_is_drawn_step_by_step(page: Any, serve: Serve) -> None:
    table = FakeTable(LONG_READING)
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": True})
    table.act("scan", {})
    table.act("finish", {})
    page.goto(f"{serve(table)}/sheet")
    page.get_by_role("button", name="Longest path 16 wagons").click()
    caption = page.locator("#caption p")
    assert caption.inner_text().startswith("4 of 4: ")
    assert caption.inner_text().endswith("16 in all")
    assert page.locator("#trail .badge").count() == 4
    assert page.locator(".route.lit").count() == 4
    page.get_by_role("button", name="Previous step").click()
    assert page.locator("#trail .badge").count() == 3
    page.get_by_role("button", name="Draw it step by step").click()
    page.get_by_text("2 of 4: ").wait_for()
    page.get_by_role("button", name="Show the whole board").click()
    assert page.locator(".route.lit").count() == 0


def test_a_page_that_only_peeked_elsewhere_still_turns_with_the_button(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    playing.act("show", {"phase": "tickets"})
    page.goto(f"{serve(playing)}/board")
    page.get_by_role("button", name="The game is over: tickets").click()
    page.get_by_role("button", name="Finish all the same").wait_for()


def test_evidence_stays_lit_while_the_table_changes(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    playing.act("scan", {})
    playing.act("correct-route", {"route": "denver--omaha", "owner": None})
    playing.act("finish", {})
    page.goto(f"{serve(playing)}/sheet")
    said = "Routes 2 routes, 8 wagons (1 of length 2 = 2, 1 of length 6 = 15)"
    page.get_by_role("button", name=said).click()
    assert page.locator(".route.lit").count() == 2
    playing.set_camera("lost")
    page.get_by_text("Check its cable").wait_for()
    assert page.locator(".route.lit").count() == 2


def test_a_player_typing_tickets_is_not_moved_by_the_box(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    open_hand(page, f"{serve(playing)}/tickets/red")
    page.get_by_label("Add a ticket").fill("hel")
    page.get_by_role("button", name="Add Helena – Los Angeles, 8 points").wait_for()
    playing.act("press", {"button": "scan"})
    page.locator("#badge", has_text="1").wait_for()
    expect(page.get_by_label("Add a ticket")).to_have_value("hel")


def test_tickets_are_entered_with_the_keyboard_alone(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    open_hand(page, f"{serve(playing)}/tickets/red")
    page.keyboard.type("mia")
    page.get_by_role("button", name=re.compile("Add .*Miami")).first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    second = page.evaluate("document.activeElement.value")
    page.keyboard.press("Enter")
    page.locator("#held button").wait_for()
    assert [one["ticket"] for one in playing.state()["tickets"]["red"]] == [second]


def test_enter_takes_a_ticket_that_was_typed_in_a_gap_of_the_network(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    """The ticket stood there once the box was back, and Enter did nothing."""
    open_hand(page, f"{serve(playing)}/tickets/red")
    page.route("**/tickets/red?*q=*", lambda request: request.abort())
    page.keyboard.type("bosmia")
    page.locator("#offline:not([hidden])").wait_for()
    page.unroute("**/tickets/red?*q=*")
    page.get_by_role("button", name=re.compile("Add .*Miami")).wait_for()
    page.keyboard.press("Enter")
    page.locator("#held button").wait_for()
    assert [one["ticket"] for one in playing.state()["tickets"]["red"]] == ["boston--miami"]


def test_a_photo_that_is_missing_is_told_also_where_the_script_comes_late(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    playing.act("scan", {})
    late: list[Any] = []
    page.route("**/panel.js", lambda request: late.append(request))
    page.route("**/api/crop/**", lambda request: request.fulfill(status=404))
    page.goto(f"{serve(playing)}/doubts", wait_until="commit")
    page.wait_for_function("() => document.querySelector('img.crop')?.complete")
    late[0].continue_()
    page.get_by_text("No photo of it: look at the board.").wait_for()


def test_the_page_follows_again_after_the_line_broke(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    page.route("**/events", lambda request: request.abort())
    page.goto(f"{serve(playing)}/board")
    page.locator("#offline:not([hidden])").wait_for()
    page.unroute("**/events")
    playing.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    page.locator("#r-denver--omaha.claimed.c-blue").wait_for(timeout=20_000)
    page.locator("#offline").wait_for(state="hidden")


def test_a_link_tapped_while_the_box_is_away_leads_there_once_it_is_back(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    """The browser's own page of errors took the panel's place, and nothing led back."""
    page.goto(f"{serve(playing)}/board")
    page.route("**/*", lambda request: request.abort())
    page.locator("[data-key=end]").click()
    page.locator("#offline:not([hidden])").wait_for()
    page.get_by_role("link", name="Sheet").click()
    page.get_by_role("link", name="Questions").click()
    page.wait_for_timeout(2000)
    assert page.url.endswith("/board")
    assert page.locator("#offline").is_visible()
    page.unroute("**/*")
    page.wait_for_url("**/doubts", timeout=20_000)


def test_a_page_whose_tap_found_nobody_asks_until_the_box_answers(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    """The line of news was not cut, and says nothing: the table has not changed."""
    page.goto(f"{serve(playing)}/board")
    page.route("**/api/act/**", lambda request: request.abort())
    page.locator("[data-key=end]").click()
    page.locator("#offline:not([hidden])").wait_for()
    page.unroute("**/api/act/**")
    page.locator("#offline").wait_for(state="hidden")


def test_a_page_that_finds_no_seat_asks_now_and_then(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    page.route("**/events", lambda request: request.fulfill(status=503))
    page.goto(f"{serve(playing)}/board")
    playing.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    page.locator("#r-denver--omaha.claimed.c-blue").wait_for(timeout=20_000)
    assert page.locator("#offline").is_hidden()


@pytest.mark.parametrize("path", ["board", "doubts", "tickets", "tickets/red", "box"])
def test_everything_to_be_touched_is_at_least_48_pixels_and_nothing_sticks_out(
    page: Any, serve: Serve, playing: FakeTable, path: str
) -> None:
    playing.act("scan", {})
    page.goto(f"{serve(playing)}/{path}")
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert small_targets(page) == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_an_open_hand_can_be_touched_and_nothing_sticks_out(
    page: Any, serve: Serve, playing: FakeTable, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_hand(page, f"{serve(playing)}/tickets/red")
    page.get_by_label("Add a ticket").fill("a")
    page.locator("#found button").first.wait_for()
    assert small_targets(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def small_targets(page: Any) -> list[str]:
    """Whatever can be touched and is smaller than 48 pixels."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('button, a, input:not([type=hidden]), summary')]
        .filter((e) => !e.closest('svg') && !e.matches('.skip, [type=file]') && e.offsetParent)
        .filter((e) => e.getBoundingClientRect().height < 47.5
                    || e.getBoundingClientRect().width < 47.5)
        .map((e) => e.outerHTML.slice(0, 80))"""
    )
    return found


def test_nothing_is_loaded_from_anywhere_else(page: Any, serve: Serve, playing: FakeTable) -> None:
    playing.act("scan", {})
    address = serve(playing)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/board", "/doubts", "/tickets", "/box"):
        page.goto(address + path)
    assert asked
    assert all(url.startswith(address) for url in asked)
