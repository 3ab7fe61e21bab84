"""Doubles on the page of questions, in the real browser: one question a place, one tap."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.session.events import ProposedPlace
from companion.table.eye import Photo, Seen
from companion.table.small_pictures import encode_small
from companion.table.table import Table
from scoring.board.board import Board
from tests.companion.table.test_places import (
    ASKED_TOO,
    DALLAS,
    KANSAS,
    PLACES,
    SEEN,
    THREE,
    owners,
)
from tests.companion.tables import ToldEye, new_table, scanned, sure, unsure
from tests.support.usa_routes import SIXES
from tests.web.conftest import STILL
from web.app import create_app
from web.ports import TablePort

Serve = Callable[[TablePort], str]


class PaintedEye(ToldEye):
    """Its pictures of a route are real ones, so that the page shows them."""

    def look(self, photos_bgr: Any, board: Board, colours: Any) -> Seen:
        return Seen(super().look(photos_bgr, board, colours).proposed, lambda route: painted())


def painted() -> bytes:
    """Two rows of boxes on brown."""
    picture: Photo = np.full((160, 560, 3), (60, 90, 120), np.uint8)
    for y in (40, 100):
        cv2.rectangle(picture, (180, y), (380, y + 36), (255, 0, 255), 2)
    return encode_small(picture)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A game whose camera doubts both lines of two doubles."""
    table = new_table(tmp_path, PaintedEye(SEEN, places=PLACES))
    table.act("start", THREE)
    table.act("scan", {})
    scanned(table)
    return table


def test_one_tap_answers_for_both_lines_and_undo_takes_both_back(
    page: Any, serve: Serve, table: Table
) -> None:
    page.goto(f"{serve(table)}/doubts")
    assert page.locator("h1 small").inner_text() == "2 questions"
    assert page.locator("#badge").inner_text() == "2"
    titles = page.locator(".doubt h2")
    assert titles.all_inner_texts() == ["Kansas City – Omaha", "Dallas – Houston"]
    kansas = page.locator(".doubt").first
    assert "a single space, not clear" in kansas.locator(".why").inner_text()
    assert kansas.locator(".owner").first.inner_text().split("\n")[0] == "Only Ada"

    kansas.get_by_role("button", name="Only Ada black · 60 % likely").click()
    page.locator(f"#d-{KANSAS[0]}").wait_for(state="detached")
    assert owners(table, KANSAS) == ["black", None]
    undo = page.get_by_role("button", name="Undo: Kansas City – Omaha set to Ada (black) alone")
    undo.click()
    page.locator(f"#d-{KANSAS[0]}").wait_for()
    assert len(table.state()["doubts"]) == 2

    page.get_by_role("button", name="Chiara and Ben").click()
    page.locator(f"#d-{DALLAS[0]}").wait_for(state="detached")
    assert owners(table, DALLAS) == ["green", "blue"]


def test_line_by_line_is_a_tap_away(page: Any, serve: Serve, table: Table) -> None:
    page.goto(f"{serve(table)}/doubts")
    page.locator(".doubt").nth(1).get_by_text("Somebody else?").click()
    page.get_by_role("link", name="Dallas – Houston (2)", exact=True).click()
    page.locator("#dialog").get_by_role("button", name="Ada black").click()
    page.locator(f"#d-{DALLAS[0]} .owner.first", has_text="Chiara and Ada").wait_for()
    assert table.state()["routes"][DALLAS[1]]["owner"] == "black"


def test_without_the_script_a_place_is_answered_by_its_form(
    browser: Any, serve: Serve, table: Table
) -> None:
    context = browser.new_context(java_script_enabled=False, locale="it")
    page = context.new_page()
    page.goto(f"{serve(table)}/doubts")
    with page.expect_navigation():
        page.get_by_role("button", name="Solo Ada").click()
    assert page.url.endswith("/doubts")
    assert page.locator(".doubt h2").all_inner_texts() == ["Dallas – Houston"]
    assert owners(table, KANSAS) == ["black", None]
    context.close()


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_buttons_fit_a_phone(browser: Any, serve: Serve, table: Table, language: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale=language, **STILL)
    page = context.new_page()
    page.goto(f"{serve(table)}/doubts")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for more in page.locator(".doubt summary").all():
        more.click()
    for button in page.locator(".doubt :is(.owner, .by-line a)").all():
        box = button.bounding_box()
        assert box["height"] >= 48
        assert box["width"] >= 48
    context.close()


def test_a_long_line_of_a_double_stays_in_its_question_on_a_tablet(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """ "Salt Lake City – San Francisco (1)" stood beyond the edge of the tablet."""
    lines = ("salt-lake-city--san-francisco-1", "salt-lake-city--san-francisco-2")
    seen = {lines[0]: unsure("green", None), lines[1]: unsure("blue", None)}
    table = new_table(tmp_path, PaintedEye(seen, places=(ProposedPlace(lines, ("unsure",)),)))
    table.act("start", THREE)
    table.act("scan", {})
    scanned(table)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{serve(table)}/doubts")
    page.locator(".doubt summary").first.click()
    card = page.locator(".doubt").bounding_box()
    links = page.locator(".doubt .by-line a").all()
    assert links
    for link in links:
        box = link.bounding_box()
        assert box["x"] + box["width"] < card["x"] + card["width"]


def test_the_box_page_names_the_owners_on_offer(table: Table) -> None:
    page = create_app(table).test_client().get("/box").text
    assert "Kansas City – Omaha: Ada (black) and nobody" in page


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The camera has said nothing of Denver – Omaha; say who owns it."),
        ("it", "La telecamera non ha detto nulla di Denver – Omaha"),
    ],
)
def test_a_refusal_names_the_route(table: Table, language: str, sentence: str) -> None:
    client = create_app(table).test_client()
    headers = {"Accept-Language": language}
    answer = client.post("/api/act/confirm-route", json={"route": "denver--omaha"}, headers=headers)
    assert answer.status_code == 409
    assert answer.get_json()["error"].startswith(sentence)


def test_whoever_has_too_few_wagons_left_is_told_as_such_where_a_question_offers_them(
    tmp_path: Path,
) -> None:
    """Ada's seven routes of six and one of two are 44 of 45 wagons. Denver - Omaha takes four, a
    line of Boston - New York two, one of Kansas City - Omaha only one. What is asked counts for
    nobody yet: the camera's guess that Denver - Omaha is hers takes no wagon from her elsewhere.
    """
    boston = ("boston--new-york-1", "boston--new-york-2")
    hers = dict.fromkeys((*SIXES[:7], "duluth--omaha-1"), sure("black"))
    asked = {
        "denver--omaha": unsure("black", None),
        boston[0]: unsure("black", None),
        boston[1]: ASKED_TOO,
        KANSAS[0]: unsure("black", None),
        KANSAS[1]: ASKED_TOO,
    }
    places = (ProposedPlace(boston), ProposedPlace(KANSAS))
    table = new_table(tmp_path, ToldEye({**hers, **asked}, places=places))
    table.act("start", THREE)
    table.act("scan", {})
    scanned(table)
    page = create_app(table).test_client().get("/doubts").text
    denver, new_york, kansas = page.split("<article ")[1:]
    assert "black · 1 wagon left" in denver
    assert "blue · " not in denver, "Ben has all of his"
    assert "black · 1 wagon left · 60 % likely" in new_york
    assert "Ada: 1 wagon left" in new_york, "where Ben would have the other line"
    assert "left" not in kansas.split("</article>")[0]
    table.act("correct-route", {"route": "denver--omaha", "owner": "black"})
    assert table.state()["routes"]["denver--omaha"]["owner"] == "black", "it may be true"
