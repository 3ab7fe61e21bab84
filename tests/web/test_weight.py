"""How much travels to a tablet: small pictures, loaded once, and packed pages."""

import gzip
import json
import re
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from flask.testing import FlaskClient

from companion.table.small_pictures import encode_small
from scoring.board.board import load_board
from tests.web.conftest import PLAYERS
from tests.web.fake_table import FakeTable
from web.app import create_app
from web.ports import TablePort

MANY = [route.id for route in load_board("usa").routes[:29]]
PACKED = {"Accept-Encoding": "gzip, deflate"}


def noise(height: int, width: int) -> Any:
    """The worst that can be packed: every pixel another colour."""
    return np.random.default_rng(5).integers(0, 256, (height, width, 3), np.uint8)


def table_with_29_questions() -> FakeTable:
    """Each question with a picture as heavy as they come."""
    table = FakeTable(dict.fromkeys(MANY, ("red", 0.6, True)), encode_small(noise(240, 560)))
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": True})
    table.act("scan", {})
    return table


def test_no_picture_is_larger_than_20_kilobytes() -> None:
    for size in ((560, 560), (120, 560), (560, 120), (1, 1)):
        data = encode_small(noise(*size))
        assert len(data) <= 20_000
        assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) is not None


def test_an_ordinary_picture_keeps_its_size_and_its_colours() -> None:
    photo = np.full((200, 560, 3), (60, 160, 200), np.uint8)
    photo[80:120, 100:460] = (40, 40, 200)
    seen = cv2.imdecode(np.frombuffer(encode_small(photo), np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    assert seen.shape == photo.shape
    assert np.abs(seen[100, 300].astype(int) - photo[100, 300]).max() < 8


def until(page: Any, true: str) -> None:
    """Wait for something on the page; the panel's own rules forbid Playwright's way."""
    for _ in range(100):
        if page.evaluate(true):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never happened: {true}")


def test_29_questions_weigh_less_than_a_megabyte_and_are_loaded_once(
    page: Any, serve: Callable[[TablePort], str]
) -> None:
    loaded: list[str] = []
    weights: list[int] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.on("requestfinished", lambda done: weights.append(done.sizes()["responseBodySize"]))
    table = table_with_29_questions()
    page.goto(f"{serve(table)}/doubts")
    until(page, "document.querySelector('.crop').naturalWidth > 0")
    first = [url for url in loaded if "/api/crop/" in url]
    assert 0 < len(first) < 29, "those out of sight wait"

    page.locator(".doubt").first.get_by_role("button", name="Ada red").click()
    until(page, "document.querySelectorAll('.doubt').length === 28")
    for number in range(28):
        page.locator(".crop").nth(number).scroll_into_view_if_needed()
    until(page, "[...document.querySelectorAll('.crop')].every((one) => one.naturalWidth > 0)")
    crops = [url for url in loaded if "/api/crop/" in url]
    assert len(crops) == len(set(crops)) <= 29
    assert sum(weights) < 1_000_000


def test_a_pictures_address_names_its_content(client: FlaskClient, playing: FakeTable) -> None:
    playing.act("scan", {})
    page = client.get("/doubts").text
    address = page.split('class="crop" src="')[1].split('"')[0]
    first = client.get(address)
    assert "immutable" in first.headers["Cache-Control"]
    playing.set_camera("ready")
    assert address in client.get("/doubts").text
    playing.picture = encode_small(noise(40, 90))
    playing.set_camera("lost")
    assert address not in client.get("/doubts").text
    other = client.get(address)
    assert other.mimetype == "image/jpeg"
    assert "immutable" not in other.headers["Cache-Control"], "not what the address names"


def test_a_picture_known_already_is_not_sent_again(client: FlaskClient, playing: FakeTable) -> None:
    playing.act("scan", {})
    mark = client.get("/api/crop/denver--omaha.png").headers["ETag"]
    again = client.get("/api/crop/denver--omaha.png", headers={"If-None-Match": mark})
    assert (again.status_code, again.data) == (304, b"")


def test_a_route_without_a_picture_says_so_without_asking_for_one(
    client: FlaskClient, playing: FakeTable
) -> None:
    playing.act("scan", {})
    playing.crop = lambda route: None  # type: ignore[method-assign, misc]
    page = client.get("/doubts").text
    assert "No photo of it: look at the board." in page
    assert "/api/crop/" not in page


def test_pages_scripts_and_documents_are_packed(client: FlaskClient, playing: FakeTable) -> None:
    for path in ("/board", "/api/geometry", "/static/panel.css", "/static/follow.js"):
        plain = client.get(path, buffered=True)
        packed = client.get(path, headers=PACKED, buffered=True)
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) < len(plain.data) / 2
        assert int(packed.headers["Content-Length"]) == len(packed.data)
        assert "Content-Encoding" not in plain.headers


def test_an_unchanged_file_of_the_panel_is_not_sent_again(client: FlaskClient) -> None:
    mark = client.get("/static/panel.css", headers=PACKED, buffered=True).headers["ETag"]
    known = {**PACKED, "If-None-Match": mark}
    again = client.get("/static/panel.css", headers=known, buffered=True)
    assert (again.status_code, again.data) == (304, b"")


def test_styles_are_asked_for_once_and_the_table_s_script_is_one_file(
    client: FlaskClient, playing: FakeTable
) -> None:
    head = client.get("/board").text.partition("</head>")[0]
    named = re.findall(r'"(/static/v-[0-9a-f]+/[\w-]+\.(?:css|js))"', head)
    scripts = [address for address in named if address.endswith(".js")]
    assert len(named) > len(scripts) == 1
    for address in named:
        answer = client.get(address, buffered=True)
        assert "immutable" in answer.headers["Cache-Control"]
    script = client.get(scripts[0], buffered=True)
    assert script.mimetype == "text/javascript"
    # near.js is imported by map.js, which touch.js imports, which panel.js does
    assert "// Which routes a touch on the drawn board may have meant" in script.text
    of_yesterday = client.get("/static/v-0123456789ab/panel.js", buffered=True)
    assert of_yesterday.status_code == 200, "a page that is still open after an update"
    assert "immutable" not in of_yesterday.headers["Cache-Control"]


def test_every_line_that_imports_or_exports_is_understood(client: FlaskClient) -> None:
    whole = client.get("/static/panel.js", buffered=True).text
    left = re.findall(r"^[ \t]*(?:import|export)\b.*", whole, re.MULTILINE)
    assert [line.partition("{")[0] for line in left] == ["export "], "what other scripts take"
    assert re.findall(r"\bimport\(|\bexport default\b|^module_\w+ =", whole, re.MULTILINE) == []


def test_pictures_short_answers_and_the_live_line_are_left_alone(playing: FakeTable) -> None:
    client = create_app(playing).test_client()
    playing.act("scan", {})
    for path in ("/api/crop/denver--omaha.png", "/api/sheet"):
        assert "Content-Encoding" not in client.get(path, headers=PACKED).headers
    line = client.get("/events", headers=PACKED, buffered=False)
    assert "Content-Encoding" not in line.headers
    assert b"event: version" in next(iter(line.response))
    line.close()
    refused = client.get("/api/state", headers={"Accept-Encoding": "gzip;q=0"})
    assert json.loads(refused.data)["phase"] == "doubts"
