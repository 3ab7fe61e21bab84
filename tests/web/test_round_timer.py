"""The rest of a tournament's round, counted down on the table's phones."""

import re
import time
from collections.abc import Callable
from typing import Any

from tests.web.fake_table import FakeTable
from web.ports import TablePort


def test_a_phone_whose_clock_is_ten_minutes_off_shows_the_right_rest(
    page: Any, serve: Callable[[TablePort], str], playing: FakeTable
) -> None:
    """44 minutes and a half are left; by the phone's own clock it would be 34."""
    from playwright.sync_api import expect

    playing._state["club_round"] = {
        "tournament": "Cup",
        "number": 1,
        "table": "T1",
        "ends_s": time.time() + 44.5 * 60,
    }
    page.clock.install(time=time.time() + 600)
    page.goto(serve(playing))
    expect(page.locator(".timer b")).to_have_text(re.compile("^44:"), timeout=20_000)


def test_a_round_that_has_just_begun_never_has_more_time_than_it_lasts(
    page: Any, serve: Callable[[TablePort], str], playing: FakeTable
) -> None:
    """The box tells its time in whole seconds: of 44 minutes there were 44:01 at first."""
    from playwright.sync_api import expect

    began_s = 1_800_000_000.9
    round_ = {"tournament": "Cup", "number": 1, "table": "T1", "ends_s": began_s + 44 * 60}
    playing._state["club_round"] = round_
    page.clock.set_fixed_time(began_s)
    date = "Fri, 15 Jan 2027 08:00:00 GMT"
    page.route(
        "**/round_timer.js",
        lambda route: (
            route.fulfill(headers={"Date": date})
            if route.request.method == "HEAD"
            else route.continue_()
        ),
    )
    with page.expect_request(lambda sent: sent.method == "HEAD"):
        page.goto(serve(playing))
    expect(page.locator(".timer b")).to_have_text("44:00")
