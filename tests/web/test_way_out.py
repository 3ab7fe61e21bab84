"""Whatever is wrong with a table's state, its pages keep a way out: undo and a new game."""

import io
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import pytest
from flask.testing import FlaskClient

from scoring.board.board import Board
from tests.web.conftest import PLAYERS
from tests.web.fake_table import FakeTable
from tests.web.test_pages import PAGES, words
from web.app import create_app
from web.errors import BusyError, NoRoomError, WebError
from web.ports import TablePort
from web.table_state import TableState

CHROMIUM = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,"
    "*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
)
"""What Chromium says it accepts when a form is sent."""


class BrokenTable(FakeTable):
    """A table whose state, or board, fails from some event on, until that is taken back."""

    def __init__(self, broken: str) -> None:
        super().__init__()
        self._broken = ""
        self.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
        self._broken = broken

    def state(self) -> TableState:
        if self._broken == "state":
            raise KeyError("colour")
        return super().state()

    def board(self) -> Board | None:
        if self._broken == "board":
            raise ValueError("min() of nothing")
        return super().board()

    def break_with_news(self, broken: str) -> None:
        """The state moves on, and from then on fails."""
        self.set_camera("lost")
        self._broken = broken

    def act(self, action: str, payload: Mapping[str, Any], request_id: str = "") -> int:
        self._broken = ""
        return super().act(action, payload, request_id)


@pytest.fixture(params=["state", "board"])
def broken(request: pytest.FixtureRequest) -> BrokenTable:
    return BrokenTable(request.param)


def client_of(table: TablePort) -> FlaskClient:
    return create_app(table).test_client()


@pytest.mark.parametrize("path", [*PAGES, "/start", "/nowhere", "/tickets/mauve"])
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_page_of_a_broken_table_is_a_whole_page_with_a_way_out(
    broken: BrokenTable, path: str, language: str
) -> None:
    page = client_of(broken).get(
        path, query_string={"lang": language}, headers={"Accept": CHROMIUM}
    )
    assert page.status_code == (404 if path == "/nowhere" else 500)
    assert f'<html lang="{language}">' in page.text
    assert 'action="/api/act/undo"' in page.text
    assert 'action="/api/act/new-game"' in page.text
    assert ("Take back the last step" if language == "en" else "Annulla l'ultimo passo") in words(
        page.text
    )


@pytest.mark.parametrize("action", ["undo", "new-game"])
def test_the_way_out_works_without_script_and_leads_to_a_page(
    broken: BrokenTable, action: str
) -> None:
    client = client_of(broken)
    headers = {"Accept": CHROMIUM, "Referer": "http://localhost/sheet"}
    assert client.get("/sheet").status_code == 500
    answer = client.post(f"/api/act/{action}", data={}, headers=headers)
    assert answer.status_code == 303
    assert client.get("/", follow_redirects=True).status_code == 200
    assert broken.state()["phase"] == "start"


@pytest.mark.parametrize(
    ("refused", "status", "sentence"),
    [
        (BusyError("web.error.busy"), 503, "send these again in a moment"),
        (NoRoomError("web.error.no-room"), 507, "Companion's disk is full"),
    ],
)
def test_a_box_that_is_busy_or_full_offers_no_new_game(
    playing: FakeTable,
    monkeypatch: pytest.MonkeyPatch,
    refused: WebError,
    status: int,
    sentence: str,
) -> None:
    def refuse(*_: object) -> NoReturn:
        raise refused

    monkeypatch.setattr(playing, "read_hand", refuse)
    photo = {"images": (io.BytesIO(b"a photo"), "hand.jpg")}
    answer = client_of(playing).post("/tickets/red/photo", data=photo)
    assert answer.status_code == status
    assert sentence in words(answer.text)
    assert "/api/act/new-game" not in answer.text


def test_a_program_gets_one_sentence_of_a_broken_table(broken: BrokenTable) -> None:
    answer = client_of(broken).get("/api/geometry")
    assert answer.status_code == 500
    assert answer.json == {"error": "Something went wrong here; try again."}


def test_in_a_browser_the_buttons_of_the_error_page_work(
    page: Any, serve: Callable[[TablePort], str], broken: BrokenTable
) -> None:
    page.goto(serve(broken))
    assert page.get_by_role("link", name="Back to the game").bounding_box()["height"] >= 48
    assert page.get_by_role("button", name="New game").bounding_box()["height"] >= 48
    page.get_by_role("button", name="Take back the last step").click()
    page.get_by_role("heading", name="Who is playing tonight?").wait_for()


def test_an_open_page_of_a_table_that_breaks_comes_to_the_way_out(
    page: Any, serve: Callable[[TablePort], str]
) -> None:
    table = BrokenTable("")
    page.goto(serve(table) + "/board")
    page.get_by_role("heading", name="Standing").wait_for()
    table.break_with_news("state")
    page.get_by_role("button", name="Take back the last step").wait_for()
