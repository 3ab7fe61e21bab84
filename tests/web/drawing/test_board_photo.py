"""The table's own empty board under the map: a choice of each device, and never the first view."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from scoring.board.board import Board
from tests.web.conftest import served
from tests.web.fake_table import FakeTable
from web.app import create_app


class GreenUsa:
    """A green photo of one board."""

    def has(self, board: Board) -> bool:
        return board.id == "usa"

    def picture(self, board: Board) -> bytes | None:
        green = np.full((53, 80, 3), (40, 160, 40), np.uint8)
        return bytes(cv2.imencode(".jpg", green)[1]) if self.has(board) else None


@pytest.fixture
def photographed(playing: FakeTable) -> FlaskClient:
    return create_app(playing, photos=GreenUsa()).test_client()


def test_the_drawn_board_is_what_everybody_sees_first(photographed: FlaskClient) -> None:
    page = photographed.get("/board").text
    assert "<image" not in page
    assert 'href="?map=photo"' in page


def test_a_device_keeps_its_choice_and_another_one_does_not_follow(playing: FakeTable) -> None:
    app = create_app(playing, photos=GreenUsa())
    mine, other = app.test_client(), app.test_client()
    assert '<image href="/api/board-photo/usa.jpg"' in mine.get("/board?map=photo").text
    assert '<image href="/api/board-photo/usa.jpg"' in mine.get("/board").text
    assert 'href="?map=drawn"' in mine.get("/board").text
    assert "<image" not in other.get("/board").text
    mine.get("/board?map=drawn")
    assert "<image" not in mine.get("/board").text


def test_without_a_photo_there_is_nothing_to_choose(
    client: FlaskClient, playing: FakeTable
) -> None:
    page = client.get("/board?map=photo").text
    assert "<image" not in page
    assert "?map=" not in page.partition("</header>")[2]


def test_the_photo_of_a_board_that_has_none_is_told_in_a_sentence(
    photographed: FlaskClient,
) -> None:
    assert photographed.get("/api/board-photo/usa.jpg").mimetype == "image/jpeg"
    for board in ("france", "atlantis"):
        answer = photographed.get(f"/api/v1/boards/{board}/photo")
        assert answer.status_code == 404
        assert answer.json == {"error": "This table keeps no photo of that board."}


@pytest.fixture
def address(playing: FakeTable) -> Iterator[str]:
    with served(create_app(playing, photos=GreenUsa())) as address:
        yield address


def green(page: Any) -> bool:
    """Whether the ground between two routes is the photo's green."""
    where = page.locator("svg#board").bounding_box()
    shot = np.frombuffer(page.screenshot(clip=where), np.uint8)
    bgr = cv2.imdecode(shot, cv2.IMREAD_COLOR)
    assert bgr is not None
    blue, shade, red = (float(np.median(bgr[..., i])) for i in range(3))
    return shade > blue + 30 and shade > red + 30


def test_one_tap_changes_the_map_and_keeps_where_one_is(
    page: Any, address: str, playing: FakeTable
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/board")
    assert not green(page)
    assert not any("board-photo" in url for url in asked), "who does not ask loads no photo"
    page.get_by_role("button", name="Larger").click()
    view = page.locator("svg#board").get_attribute("viewBox")
    with page.expect_event("requestfinished", lambda one: "board-photo" in one.url):
        page.get_by_role("link", name="Show the photo of your board").click()
    page.get_by_role("link", name="Show the drawn board").wait_for()
    page.wait_for_timeout(200)  # to be decoded and painted
    assert green(page)
    assert page.locator("svg#board").get_attribute("viewBox") == view
    playing.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    page.locator("#r-denver--omaha.claimed.c-blue").wait_for()
    assert green(page)
