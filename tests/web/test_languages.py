"""Several languages in one browser: a page stays in its own, and what was chosen last holds."""

from collections.abc import Callable
from typing import Any

from flask.testing import FlaskClient

from tests.web.fake_table import FakeTable
from web.ports import TablePort

Serve = Callable[[TablePort], str]


def test_a_page_that_follows_the_table_stays_in_its_language(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    """Another tab chose Italian: "Standing" and "Players" stood above "restano 41 vagoni"."""
    address = serve(playing)
    page.goto(f"{address}/board")
    other = page.context.new_page()
    other.goto(f"{address}/board?lang=it")
    playing.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    for tab, first in ((page, "41 wagons left"), (other, "restano 41 vagoni")):
        tab.locator("#standing li", has_text=first).wait_for()
    assert page.get_by_role("button", name="Undo").count() == 1
    page.reload()
    page.get_by_text("restano 41 vagoni").wait_for()


def test_back_at_an_earlier_page_the_language_that_was_chosen_last_holds(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    """Its address still asked for Italian: every page after it was Italian once more."""
    address = serve(playing)
    page.goto(f"{address}/board")
    for language, name in (("Italiano", "Situazione"), ("English", "Standing")):
        page.locator(".languages summary").click()
        page.get_by_role("link", name=language).click()
        page.get_by_role("heading", name=name).wait_for()
    page.go_back()
    page.get_by_role("heading", name="Standing").wait_for()
    page.goto(f"{address}/tickets")
    page.get_by_role("heading", name="Tickets").wait_for()


def test_what_a_script_asks_for_chooses_no_language(client: FlaskClient) -> None:
    follows = {"X-Language": "it"}
    assert "Scegli il gioco" in client.get("/start?lang=en", headers=follows).text
    assert "Choose the game" in client.get("/start", headers={"Accept-Language": "en"}).text
    assert "Choose the game" in client.get("/start", headers={"X-Language": "?"}).text
