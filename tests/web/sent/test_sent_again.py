"""What a page asks for is done once, however often the network delivers it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.table.table import Table
from tests.companion.tables import game_by_hand
from tests.torture.proxy import CuttingProxy
from tests.web.conftest import open_hand
from web.ports import TablePort

WATCH_BANNER = """() => {
  window.banners = 0;
  const offline = document.querySelector("#offline");
  const count = () => (window.banners += !offline.hidden);
  new MutationObserver(count).observe(offline, { attributes: true });
}"""
"""Counts how often the page says that the box does not answer."""

Serve = Callable[[TablePort], str]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Ada holds two routes, given one after the other."""
    return game_by_hand(tmp_path, {"duluth--helena": "red", "denver--omaha": "red"})


def three_times(route: Any) -> None:
    """A proxy that delivers every request three times and hands on the last answer."""
    if route.request.method != "POST":
        return route.continue_()
    for _ in range(2):
        route.fetch()
    return route.continue_()


def owners(table: Table) -> dict[str, str | None]:
    return {route: one["owner"] for route, one in table.state()["routes"].items() if one["owner"]}


def test_an_undo_delivered_three_times_takes_one_step_back(
    page: Any, serve: Serve, table: Table
) -> None:
    page.route("**/api/act/**", three_times)
    page.goto(f"{serve(table)}/board")
    page.get_by_role("button", name="Undo").click()
    page.locator("#r-denver--omaha.free").wait_for()
    assert owners(table) == {"duluth--helena": "red"}
    page.get_by_role("button", name="Redo:").click()
    page.locator("#r-denver--omaha.claimed").wait_for()
    assert owners(table) == {"duluth--helena": "red", "denver--omaha": "red"}


def test_a_route_given_by_a_touch_and_taken_back_by_the_next_is_not_given_again(
    page: Any, serve: Serve, table: Table
) -> None:
    page.route("**/api/act/**", three_times)
    page.goto(f"{serve(table)}/board")
    page.get_by_role("button", name="Give routes to Ben (blue)").click()
    space = page.locator("#r-el-paso--houston .space").nth(2)
    space.click()
    page.locator("#r-el-paso--houston.c-blue").wait_for()
    space.click()
    page.locator("#r-el-paso--houston.free").wait_for()
    assert "el-paso--houston" not in owners(table)


def test_a_ticket_whose_answer_is_lost_is_held_once(page: Any, serve: Serve, table: Table) -> None:
    lost: list[str] = []

    def lose_the_first_answer(route: Any) -> None:
        if lost:
            return route.continue_()
        route.fetch()
        lost.append(route.request.headers["idempotency-key"])
        return route.abort()

    table.act("show", {"phase": "tickets"})
    page.route("**/api/act/add-ticket*", lose_the_first_answer)
    open_hand(page, f"{serve(table)}/tickets/red")
    page.get_by_label("Add a ticket").fill("hel los")
    page.get_by_role("button", name="Add Helena – Los Angeles, 8 points").click()
    page.get_by_role("button", name="Remove Helena – Los Angeles").wait_for()
    assert lost
    assert [one["ticket"] for one in table.state()["tickets"]["red"]] == ["helena--los-angeles"]
    assert page.locator("#offline").is_hidden()
    assert page.locator("#toast").is_hidden()


LOST = "Your last tap may be lost"


@pytest.mark.parametrize("is_done", [True, False])
def test_a_tap_is_called_lost_no_longer_than_the_box_says_that_it_was_not_done(
    page: Any, serve: Serve, table: Table, is_done: bool
) -> None:
    """The network breaks off before the answer is there, or before the tap is."""

    def break_off(route: Any) -> None:
        if is_done:
            route.fetch()
        route.abort()

    page.goto(f"{serve(table)}/board")
    page.route("**/api/act/**", break_off, times=3)
    with page.expect_response("**/api/act/undo*") as told:
        page.get_by_role("button", name="Undo").click()
        page.locator("#toast", has_text=LOST).wait_for()
    assert told.value.ok is is_done
    page.locator("#offline").wait_for(state="hidden")
    if is_done:
        page.locator("#toast").wait_for(state="hidden", timeout=3000)
        assert owners(table) == {"duluth--helena": "red"}
    else:
        page.wait_for_timeout(500)
        assert page.locator("#toast").is_visible()
        assert owners(table) == {"duluth--helena": "red", "denver--omaha": "red"}


def test_a_page_to_sign_in_that_answers_for_the_box_does_nothing_in_its_place(
    page: Any, serve: Serve, table: Table
) -> None:
    """A tap was called lost for a moment, and then done."""
    page.goto(f"{serve(table)}/board")
    sign_in = {"status": 200, "content_type": "text/html", "body": "<h1>Sign in</h1>"}
    page.route("**/api/**", lambda route: route.fulfill(**sign_in))
    page.get_by_role("button", name="Undo").click()
    page.locator("#toast", has_text=LOST).wait_for()
    page.wait_for_timeout(3000)
    assert page.locator("#toast").is_visible()
    page.locator("#offline").wait_for()
    page.unroute("**/api/**")
    page.locator("#offline").wait_for(state="hidden")
    assert owners(table) == {"duluth--helena": "red", "denver--omaha": "red"}


def test_each_action_has_a_key_of_its_own(page: Any, serve: Serve, table: Table) -> None:
    keys: list[str] = []
    page.on(
        "request",
        lambda one: keys.append(one.headers["idempotency-key"]) if one.method == "POST" else None,
    )
    page.goto(f"{serve(table)}/board")
    for left in (1, 0):
        page.get_by_role("button", name="Undo").click()
        page.locator(f"#recent li >> nth={left}").wait_for(state="detached")
    assert len(keys) == len(set(keys)) == 2


def test_a_page_whose_lines_are_cut_follows_and_says_nothing_of_it(
    page: Any, serve: Serve, table: Table
) -> None:
    """A proxy on the way ends every line of news after half a second."""
    proxy = CuttingProxy(int(serve(table).rpartition(":")[2]), longest_s=0.5)
    with proxy.listening() as port:
        page.goto(f"http://127.0.0.1:{port}/board")
        page.evaluate(WATCH_BANNER)
        for route in ("el-paso--houston", "boston--montreal-1"):
            lines = proxy.cuts
            while proxy.cuts == lines:
                page.wait_for_timeout(50)
            table.act("correct-route", {"route": route, "owner": "blue"})
            page.locator(f"#r-{route}.c-blue").wait_for()
        page.get_by_role("button", name="Undo").click()
        page.locator("#r-boston--montreal-1.free").wait_for()
        assert page.evaluate("window.banners") == 0
    assert "el-paso--houston" in owners(table)


def test_a_page_without_a_free_line_does_not_say_that_the_box_is_away_after_a_gap(
    page: Any, serve: Serve, table: Table
) -> None:
    """Its line breaks, and then the box answers that none is free."""
    asked: list[str] = []

    def break_then_refuse(route: Any) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            return route.abort()
        return route.fulfill(status=503)

    page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH_BANNER})")
    page.route("**/events", break_then_refuse)
    page.goto(f"{serve(table)}/board")
    page.wait_for_timeout(5_500)
    assert len(asked) > 1
    assert page.evaluate("window.banners") == 0


def test_a_page_that_is_seen_again_says_nothing_of_a_line_cut_as_it_was_hidden(
    page: Any, serve: Serve, table: Table
) -> None:
    page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH_BANNER})")
    with page.expect_event("requestfailed", lambda one: one.url.endswith("/events")):
        page.route("**/events", lambda route: route.abort())
        page.goto(f"{serve(table)}/board")
    page.evaluate(
        """() => {
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    )
    page.wait_for_timeout(4_500)
    assert page.evaluate("window.banners") == 0
