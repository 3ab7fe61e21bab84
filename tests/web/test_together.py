"""Two tablets at one table: what one does, the other shows; and a reload in every step."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.table.table import Table
from tests.companion.tables import ADA_AND_BEN, ToldEye, new_table, sure, unsure
from tests.web.conftest import STILL
from web.errors import ActionRefusedError
from web.ports import TablePort

Serve = Callable[[TablePort], str]

SEEN = {
    "duluth--helena": sure("red"),
    "duluth--omaha-1": sure("red"),
    "denver--omaha": sure("red"),
    "denver--helena": sure("red"),
    "houston--new-orleans": unsure("blue", None),
}
"""Ada: a ring of 6 + 2 + 4 + 4 = 16 wagons, 15 + 2 + 7 + 7 = 31 points. Ben: 2 wagons, 2 points."""

STEPS = ("Who has won?", "Routes", "Longest path", "Ada wins!")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = new_table(tmp_path, ToldEye(SEEN))
    table.act("start", ADA_AND_BEN)
    return table


@pytest.fixture
def other(browser: Any) -> Iterator[Any]:
    """A phone beside the tablet."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en", **STILL)
    tab = context.new_page()
    tab.set_default_timeout(30_000)
    yield tab
    context.close()


@pytest.fixture
def moving_both(page: Any, other: Any) -> None:
    """The reveal goes on by itself on both."""
    for tab in (page, other):
        tab.emulate_media(reduced_motion="no-preference")


def heading(tab: Any, name: str | re.Pattern[str]) -> None:
    tab.get_by_role("heading", name=name).first.wait_for()


def finished(table: Table) -> None:
    """As far as the sheet, with the question answered for Ben."""
    for route in SEEN:
        owner = "blue" if route == "houston--new-orleans" else "red"
        table.act("correct-route", {"route": route, "owner": owner})
    table.act("show", {"phase": "tickets"})
    table.act("finish", {})


def reveal_paused(page: Any, other: Any, serve: Serve, table: Table) -> None:
    """Both show the reveal's first step, which the page holds for both."""
    finished(table)
    address = serve(table)
    page.goto(f"{address}/reveal")
    page.get_by_role("button", name="Pause").click()
    for step in reversed(range(int(page.locator("#reveal").get_attribute("data-at")))):
        page.get_by_role("link", name="Previous").click()  # it went on by itself meanwhile
        heading(page, STEPS[step])
    other.goto(f"{address}/reveal")
    heading(other, STEPS[0])
    other.get_by_role("button", name="Go on").wait_for()
    for _ in range(int(page.locator("#reveal").get_attribute("data-at"))):
        page.get_by_role("link", name="Previous").click()  # it went on before it was held
    heading(other, STEPS[0])


def test_the_other_tablet_follows_through_the_tally_and_a_reload_changes_nothing(
    page: Any, other: Any, serve: Serve, table: Table
) -> None:
    address = serve(table)
    for tab in (page, other):
        tab.goto(f"{address}/board")
    page.get_by_role("button", name="Look at the board").click()
    for tab in (page, other):
        heading(tab, "Whose route is it?")
        tab.reload()
        heading(tab, "Whose route is it?")
    other.get_by_role("button", name=re.compile("Ben blue")).first.click()
    for tab in (other, page):
        heading(tab, "Standing")
    page.get_by_role("button", name="The game is over: tickets").click()
    for tab in (other, page):
        heading(tab, "Tickets")
        tab.reload()
        heading(tab, "Tickets")
    other.get_by_role("link", name="Ada red").click()
    other.get_by_role("button", name="Show my tickets").click()
    other.get_by_label("Add a ticket").fill("hel los")
    other.get_by_role("button", name="Add Helena – Los Angeles, 8 points").click()
    other.get_by_role("button", name="Remove Helena – Los Angeles").wait_for()
    page.get_by_text("1 ticket", exact=False).first.wait_for()
    other.reload()
    assert other.get_by_role("button", name="Remove Helena – Los Angeles").count() == 0, "secret"
    heading(page, "Before the sheet")  # Ben has no ticket
    page.get_by_role("button", name="Finish all the same").click()
    for tab in (page, other):
        tab.wait_for_url(re.compile("/reveal"))


@pytest.mark.usefixtures("moving_both")
def test_the_reveal_goes_on_step_by_step_on_both(
    page: Any, other: Any, serve: Serve, table: Table
) -> None:
    reveal_paused(page, other, serve, table)
    at = int(page.locator("#reveal").get_attribute("data-at"))
    for number, tab, follower in ((at + 1, page, other), (at + 2, other, page)):
        tab.get_by_role("link", name="Next").click()
        heading(follower, STEPS[number])
        for one in (tab, follower):
            one.reload()
            heading(one, STEPS[number])
    page.get_by_role("link", name="Previous").click()
    heading(other, STEPS[at + 1])


@pytest.mark.usefixtures("moving_both")
def test_who_skips_to_the_end_leaves_the_others_their_reveal(
    page: Any, other: Any, serve: Serve, table: Table
) -> None:
    reveal_paused(page, other, serve, table)
    other.get_by_role("link", name="Skip", exact=True).click()
    heading(other, STEPS[-1])
    page.get_by_role("link", name="Next").click()
    at = int(page.locator("#reveal").get_attribute("data-at"))
    heading(page, STEPS[at])
    page.wait_for_timeout(500)
    assert other.locator("#reveal").get_attribute("data-at") == "3"


@pytest.mark.usefixtures("moving_both")
def test_both_play_to_the_winner_by_themselves(
    page: Any, other: Any, serve: Serve, table: Table
) -> None:
    finished(table)
    address = serve(table)
    page.goto(f"{address}/reveal")
    page.locator('#reveal[data-at="1"]').wait_for()
    other.goto(f"{address}/reveal")
    heading(other, re.compile("Routes|Longest path"))  # not from the beginning again
    for tab in (page, other):
        heading(tab, STEPS[-1])
        tab.locator(".bars li.c-red .points", has_text="41").wait_for()


def test_of_several_that_go_on_at_once_one_step_comes(table: Table) -> None:
    """Each tablet asks for step 1 after step 0: it becomes 1, and not 1 again after 2."""
    finished(table)
    begun = table.state()["reveal"]
    assert begun == {"step": 0, "playing": True}
    table.act("show-reveal", {"step": 1, "playing": True, "after": 0})
    table.act("show-reveal", {"step": 2, "playing": True, "after": 1})
    late = {"step": 1, "playing": True, "after": 0}
    versions = [table.act("show-reveal", late) for _ in range(3)]
    assert table.state()["reveal"] == {"step": 2, "playing": True}
    assert len(set(versions)) < 3, "each was told to everybody"  # one may be about something else


def test_another_end_is_revealed_from_the_beginning(table: Table) -> None:
    finished(table)
    table.act("show-reveal", {"step": 3})
    table.act("reopen", {})
    assert table.state()["reveal"] is None
    with pytest.raises(ActionRefusedError) as refused:
        table.act("show-reveal", {"step": 1})
    assert refused.value.sentence("en") == "The reveal begins when the game is finished."
    table.act("finish", {})
    assert table.state()["reveal"] == {"step": 0, "playing": True}


def test_a_reopening_that_is_taken_back_shows_the_finished_sheet_at_once(
    page: Any, other: Any, serve: Serve, table: Table
) -> None:
    """It is no news any more, also for a phone that had left the reveal, and without script."""
    address = serve(table)
    finished(table)
    other.goto(f"{address}/sheet")
    table.act("reopen", {})
    heading(other, "Tickets")
    table.act("undo", {})
    other.wait_for_url("**/reveal")
    heading(other, STEPS[-1])
    assert table.state().get("reveal") == {"step": 999, "playing": False}
    page.goto(f"{address}/reveal")
    assert page.locator("#reveal").get_attribute("data-at") == "3"
    table.act("reopen", {})
    table.act("finish", {})
    assert table.state().get("reveal") == {"step": 0, "playing": True}, "another sheet is news"
