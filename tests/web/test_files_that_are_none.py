"""Whatever file comes in a photo's place, every page and route says in one sentence what it is.

Nothing that stood on the page before is lost by it.
"""

from collections.abc import Iterator
from html import unescape
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.setup.pictures import page_photo
from tests.web.fake_table import FakeTable, grey_png
from tests.web.studio_rig import Rig
from tests.web.test_hand_photos import HELENA, SURE, hand_of, key_on, send
from web.app import create_app

PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
HEIC = b"\0\0\0\x18ftypheic" + b"\0" * 200
EMPTY, NO_PHOTO = "The file hand.jpg is empty", "is not a photo (JPEG, PNG, WebP or BMP expected)"
FILES = {
    "0 bytes": (b"", "hand.jpg", EMPTY),
    "text": (b"dear diary", "hand.jpg", NO_PHOTO),
    "text without a name": (b"dear diary", "", NO_PHOTO),
    "HEIC": (HEIC, "hand.heic", "is a HEIC picture or a film"),
}
PAGES = {
    "/setup/photo": "image",
    "/studio": "image",
}
"""The pages of the host that take a photo of a board, with the name of its field."""
EMPTY_TOO = {
    "/setup": "file",
    "/studio/boards": "file",
    "/studio/{board}/step": "file",
    "/studio/{board}/cards": "images",
}
"""Those that take another file, or a photo that only a larger installation reads."""


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    """A game of the USA; a table is being set up, a board is being taught."""
    made = Rig(tmp_path_factory.mktemp("data"))
    made.table.act("start", {"board": "usa", "players": PLAYERS, "camera": True})
    yield made
    made.table.close()


@pytest.fixture(scope="module")
def board(rig: Rig) -> str:
    """The key of the board that is being taught."""
    noise = np.random.default_rng(0).integers(0, 255, (900, 1200, 3), dtype=np.uint8)
    return rig.studio.begin(page_photo(noise), None, really_empty=False)


@pytest.fixture
def visitor(rig: Rig) -> FlaskClient:
    client = rig.app.test_client()
    client.environ_base |= {"HTTP_ACCEPT": "text/html", "HTTP_ACCEPT_LANGUAGE": "en"}
    return client


def post(client: FlaskClient, path: str, field: str, data: bytes, name: str, **more: str) -> Any:
    sent = {field: (BytesIO(data), name), **more}
    return client.post(path, data=sent, content_type="multipart/form-data", follow_redirects=True)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("path", ["/api/act/upload-photo", "/api/v1/actions/upload-photo"])
def test_the_api_refuses_what_is_no_photo(visitor: FlaskClient, path: str, kind: str) -> None:
    data, name, sentence = FILES[kind]
    visitor.environ_base["HTTP_ACCEPT"] = "application/json"
    answer = post(visitor, path, "images", data, name)
    assert answer.status_code in (400, 409)
    assert sentence in answer.get_json()["error"]


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("path", PAGES)
def test_the_page_that_asked_for_a_photo_says_so(
    visitor: FlaskClient, path: str, kind: str
) -> None:
    data, name, sentence = FILES[kind]
    answer = post(visitor, path, PAGES[path], data, name, board="usa")
    assert sentence in unescape(answer.text)
    assert 'type="file"' in answer.text, "another can be chosen there"


@pytest.mark.parametrize("path", EMPTY_TOO)
def test_the_page_that_asked_for_a_file_says_that_it_is_empty(
    visitor: FlaskClient, board: str, path: str
) -> None:
    answer = post(visitor, path.format(board=board), EMPTY_TOO[path], b"", "hand.jpg", at="tickets")
    assert EMPTY in unescape(answer.text)
    assert "That didn't work" not in unescape(answer.text)


@pytest.fixture
def phone(playing: FakeTable) -> FlaskClient:
    """Ada's, whose first photo will show one card."""
    playing.offer_hand_photos("ready")
    playing.photographed = [(SURE[0],)]
    client = create_app(playing).test_client()
    client.environ_base |= {"HTTP_ACCEPT": "text/html", "HTTP_ACCEPT_LANGUAGE": "en"}
    return client


@pytest.mark.parametrize("photo", [(b"", "hand.jpg"), (b"", "")])
def test_an_empty_photo_of_a_hand_leaves_the_cards_found_before(
    phone: FlaskClient, playing: FakeTable, photo: tuple[bytes, str]
) -> None:
    """The browser's answer was a page of errors, and the cards were gone."""
    key = key_on(send(phone))
    told = post(phone, "/tickets/red/photo", "images", *photo, hand=key, earlier="yes")
    assert (EMPTY if photo[1] else "No photo came with that") in told.text
    assert "One card lies here, and it was read." in told.text
    sent = {"hand": key_on(told.text), "card-0": HELENA}
    phone.post("/tickets/red/photo/enter", data=sent)
    assert hand_of(playing) == [HELENA]


def test_one_empty_photo_among_others_is_not_passed_over(
    phone: FlaskClient, playing: FakeTable
) -> None:
    photos = [(BytesIO(grey_png()), "1.jpg"), (BytesIO(b""), "2.jpg")]
    told = phone.post("/tickets/red/photo", data={"images": photos}, follow_redirects=True)
    assert "The file 2.jpg is empty" in told.text
    assert playing.images == []


def test_seven_photos_of_a_hand_are_told_on_it(phone: FlaskClient) -> None:
    photos = [(BytesIO(grey_png()), f"{number}.jpg") for number in range(7)]
    told = phone.post("/tickets/red/photo", data={"images": photos}, follow_redirects=True)
    assert "Ada's tickets" in unescape(told.text)
    assert "6 photos" in told.text
