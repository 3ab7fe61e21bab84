"""Set-up on the panel: from a photo of the empty board to "ready", by finger and by keys alone."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from numpy.typing import NDArray
from playwright.sync_api import expect

from calibration.calibration import Calibration
from calibration.survey import Survey, survey
from companion.setup.desk import SetupDesk
from companion.setup.kept import KeptCalibrations
from companion.setup.references import TableReferences
from scoring.board.board import Board, load_board
from tests.support.drawn_table import USA, empty_photo, full_photo
from tests.web.conftest import PLAYERS, names_of_posts, served
from tests.web.fake_table import FakeTable
from tests.web.test_accessibility import TAGS, found_by_axe
from web.app import create_app
from web.setup_port import KeptTable

LOOK_MS = 120_000
"""A look takes seconds; a machine that does much else may need longer."""

LOOKED_AGAIN = "() => document.querySelector('#place').elements.number.value !== '1'"
MOVED = "x => document.querySelector('#place').elements.corners.value.split(/[ ,]/)[2] < x - 5"
FOCUSED = "(document.activeElement.ariaLabel || document.activeElement.innerText)"

GERMANY = load_board("germany")


@cache
def jpeg(kind: str) -> bytes:
    image = empty_photo().image_bgr if kind == "empty" else full_photo().image_bgr
    return cv2.imencode(".jpg", image, [int(cv2.IMWRITE_JPEG_QUALITY), 82])[1].tobytes()


class Rig:
    """A table that can be set up, with what it keeps."""

    def __init__(self, data: Path) -> None:
        self.kept = KeptCalibrations(data)
        self.references = TableReferences(self.kept)
        self.camera_sees: NDArray[np.uint8] = empty_photo().image_bgr
        self.desk = SetupDesk(
            self.kept, lambda: [USA, GERMANY], lambda: self.camera_sees, self.references.renew
        )
        self.table = FakeTable()
        self.app = create_app(self.table, setup=self.desk)


SEEN: dict[tuple[object, ...], Any] = {}


def survey_once(
    photo_bgr: NDArray[np.uint8],
    board: Board,
    corners_px: Any = None,
    *,
    really_empty: bool = False,
) -> Survey:
    """The real survey, whose seconds are spent once for each photo and question."""
    asked = None if corners_px is None else corners_px.round(3).tobytes()
    key = (photo_bgr[::16, ::16].tobytes(), board.id, asked, really_empty)
    if key not in SEEN:
        SEEN[key] = survey(photo_bgr, board, corners_px, really_empty=really_empty)
    return SEEN[key]


@pytest.fixture(autouse=True)
def surveys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.setup.draft.survey", survey_once)


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


@pytest.fixture
def visitor(rig: Rig) -> FlaskClient:
    return rig.app.test_client()


@pytest.fixture
def address(rig: Rig) -> Iterator[str]:
    with served(rig.app) as address:
        yield address


def send(
    visitor: FlaskClient, image: bytes, to: str = "/setup/photo", **fields: str
) -> tuple[int, str]:
    data = {**fields, "image": (BytesIO(image), "photo.jpg")}
    answer = visitor.post(to, data=data, follow_redirects=True)
    return answer.status_code, answer.text


def off_px(rig: Rig) -> float:
    """How far the spaces that the table would read with lie from the truth, at the median."""
    reference = rig.references.of(USA)
    assert reference is not None
    away = reference.spaces_px.mean(axis=1) - empty_photo().spaces_px.mean(axis=1)
    return float(np.median(np.hypot(*away.T)))


def middle(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_four_steps_stand_in_one_line_on_a_narrow_phone(
    page: Any, address: str, language: str
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{address}/setup/photo?lang={language}")
    steps = [step.bounding_box() for step in page.locator(".setup-steps li").all()]
    assert len({round(step["y"]) for step in steps}) == 1
    assert len(steps) == 4
    assert steps[-1]["x"] + steps[-1]["width"] <= 360


def test_the_page_does_not_jump_when_the_cameras_picture_comes(page: Any, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.route("**/setup/live.json", lambda route: route.abort())  # it does not come yet
    page.goto(f"{address}/setup/photo")
    heading = page.get_by_role("heading", level=1)
    before = heading.bounding_box()
    page.unroute("**/setup/live.json")
    page.locator(".live img").wait_for()
    after = heading.bounding_box()
    assert abs(after["y"] - before["y"]) <= 1  # a camera of 4 to 3


def test_the_cameras_picture_beside_the_board_goes_on_when_the_screen_is_on_again(
    page: Any, address: str, visitor: FlaskClient
) -> None:
    """It stood still until somebody closed and opened it."""
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    visitor.post("/api/act/start", json={"board": "usa", "players": players, "camera": True})
    page.route("**/setup/live.json", lambda request: request.fulfill(json={"advice": []}))
    page.goto(f"{address}/board")
    with page.expect_response("**/setup/live.json"):
        page.locator("#camera summary").click()
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.wait_for_timeout(3000)  # a glance came due meanwhile
    with page.expect_request("**/setup/live.json"):
        page.evaluate("delete document.hidden")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_phone_sets_a_board_up_and_a_corner_is_dragged_by_finger(
    browser: Any, address: str, rig: Rig
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, locale="it"
    )
    page = context.new_page()
    page.set_default_timeout(LOOK_MS)
    page.goto(f"{address}/start?board=usa")
    red, blue = (f"Nome di chi gioca con il colore {colour}" for colour in ("rosso", "blu"))
    page.get_by_label(red).fill("Niccolò D'Àngelo")
    page.get_by_label(blue).fill("Zoë")
    page.get_by_role("link", name="Preparalo adesso").click()
    photo = {"name": "IMG.jpg", "mimeType": "image/jpeg", "buffer": jpeg("empty")}
    page.locator("input[type=file]").first.set_input_files(photo)
    page.wait_for_url("**/setup/board")
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    before = corners(page)

    touch = Touch(context, page)
    x, y = middle(page.locator(".corner").nth(1).bounding_box())
    touch.down(1, x, y)
    touch.down(2, x + 3, y + 3)  # a second finger on the same corner
    touch.move(2, x - 60, y + 60)
    page.locator("#loupe").wait_for()
    assert corners(page) == before, "the second finger moves nothing"
    touch.move(1, x - 4, y + 3)
    page.wait_for_function(MOVED, arg=before[1][0])
    touch.up()
    moved = corners(page)
    assert moved[0] == before[0]
    assert moved[1][0] < before[1][0] - 5
    assert moved[1][1] > before[1][1] + 4
    page.wait_for_function(LOOKED_AGAIN)
    page.locator("#loupe").wait_for(state="hidden")
    assert page.locator("#spaces .found").count() > 290
    page.get_by_label("Nome di questo tavolo").fill("Cucina")
    page.get_by_role("button", name="Va bene: tienilo").click()
    page.get_by_role("link", name="Vai avanti senza").click()
    page.get_by_role("heading", name="Pronto").wait_for()
    play = page.get_by_role("link", name="Comincia una partita")
    play.click()
    expect(page.get_by_label(red)).to_have_value("Niccolò D'Àngelo")
    expect(page.get_by_label(blue)).to_have_value("Zoë")
    context.close()

    assert [one.name for one in rig.kept.all()] == ["Cucina"]
    assert off_px(rig) < 2.0, "a millimetre of the board has 1.8 pixels"


def test_a_photo_that_is_chosen_before_the_script_has_come_is_sent_all_the_same(
    page: Any, address: str
) -> None:
    held: list[Any] = []
    page.set_default_timeout(LOOK_MS)
    page.route("**/setup.js", lambda route: held.append(route), times=1)
    page.goto(f"{address}/setup/photo?board=usa", wait_until="commit")
    photo = {"name": "IMG.jpg", "mimeType": "image/jpeg", "buffer": jpeg("empty")}
    page.locator("input[type=file]").first.set_input_files(photo)
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_url("**/setup/board")


def test_keys_alone_set_a_board_up_with_the_boxs_camera(page: Any, address: str, rig: Rig) -> None:
    names = names_of_posts(page)
    page.set_default_timeout(LOOK_MS)
    page.goto(f"{address}/setup/photo")
    page.get_by_text("The whole board is in the picture.").wait_for()
    press_tab_to(page, "Photograph with the box's camera")
    page.keyboard.press("Enter")
    page.wait_for_url("**/setup/board")
    page.wait_for_load_state("load")
    before = corners(page)
    press_tab_to(page, "Corner 3 of 4: drag it, or move it with the arrow keys")
    page.locator("#loupe").wait_for()
    for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
    # two to the left; ten up and one down
    assert corners(page)[2] == pytest.approx((before[2][0] - 2, before[2][1] - 9), abs=0.02)
    page.wait_for_function(LOOKED_AGAIN)
    press_tab_to(page, "It fits: keep it")
    page.keyboard.press("Enter")
    page.wait_for_url("**/setup/wagons")
    press_tab_to(page, "Go on without it")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Ready").wait_for()
    assert off_px(rig) < 2.0
    assert all(names)
    assert len(set(names)) == len(names) >= 3, "the photo, the corner, the table"


class Touch:
    """Fingers on the screen, as the browser's own protocol sends them."""

    def __init__(self, context: Any, page: Any) -> None:
        self._line = context.new_cdp_session(page)
        self._points: dict[int, tuple[float, float]] = {}

    def down(self, finger: int, x: float, y: float) -> None:
        self._points[finger] = (x, y)
        self._send("touchStart")

    def move(self, finger: int, x: float, y: float) -> None:
        self._points[finger] = (x, y)
        self._send("touchMove")

    def up(self) -> None:
        self._points.clear()
        self._send("touchEnd")

    def _send(self, kind: str) -> None:
        points = [{"id": n, "x": x, "y": y} for n, (x, y) in self._points.items()]
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def corners(page: Any) -> list[tuple[float, float]]:
    words = page.locator("#place input[name=corners]").input_value().split()
    return [(float(x), float(y)) for x, y in (word.split(",") for word in words)]


def press_tab_to(page: Any, name: str) -> None:
    """Tab on until the control with that name has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        has = page.evaluate(FOCUSED)
        if has and has.strip() == name:
            return
    raise AssertionError(f"no way by keys to {name}")


def test_without_script_the_found_corners_are_accepted(visitor: FlaskClient, rig: Rig) -> None:
    status, page = send(visitor, jpeg("empty"), board="usa")
    assert status == 200
    assert "spaces were found" in page
    draft = rig.desk.draft()
    assert draft is not None
    form = {"number": str(draft.number), "name": " Kitchen  table "}
    assert visitor.post("/setup/save", data=form).headers["Location"] == "/setup/wagons"
    assert [one.name for one in rig.kept.all()] == ["Kitchen table"]
    assert "This board is not set up yet" not in visitor.get("/start?board=usa").text
    assert "This board is not set up yet" in visitor.get("/start?board=germany").text

    status, page = send(visitor, b"", "/setup/wagons")
    assert "The file photo.jpg is empty" in page
    status, page = send(visitor, jpeg("full"), "/setup/wagons", number="2")
    assert status == 200
    assert "red" in page, "four red wagons lie on the drawn board"
    assert set(rig.kept.load(rig.kept.all()[0].key).wagon_colours) >= {"red", "blue"}


def test_beside_a_finished_game_set_up_leads_to_the_next_one(
    visitor: FlaskClient, rig: Rig
) -> None:
    rig.table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    rig.table.act("finish", {})
    send(visitor, jpeg("empty"), board="usa")
    draft = rig.desk.draft()
    assert draft is not None
    visitor.post("/setup/save", data={"number": str(draft.number), "name": "Kitchen"})
    assert 'href="/start?board=usa"' in visitor.get("/setup/ready").text


def test_a_photo_delivered_three_times_is_taken_once(visitor: FlaskClient, rig: Rig) -> None:
    numbers = []
    for name in ("first-photo", "first-photo", "first-photo", "second-photo"):
        status, page = send(visitor, jpeg("empty"), f"/setup/photo?request={name}", board="usa")
        assert status == 200
        assert "spaces were found" in page
        draft = rig.desk.draft()
        assert draft is not None
        numbers.append(draft.number)
    assert numbers[0] == numbers[1] == numbers[2] != numbers[3]


def test_a_request_whose_name_is_none_is_refused(visitor: FlaskClient) -> None:
    answer = visitor.post("/setup/save?request=short", data={"number": "1"})
    assert answer.status_code == 400


def test_axe_finds_nothing_on_the_way_to_a_table_that_is_set_up(
    page: Any, address: str, visitor: FlaskClient, rig: Rig
) -> None:
    send(visitor, jpeg("empty"), board="usa")
    draft = rig.desk.draft()
    assert draft is not None
    found = {}
    for path in ("photo", "board", "wagons", "ready", ""):
        if path == "wagons":
            visitor.post("/setup/save", data={"number": str(draft.number), "name": "Kitchen"})
        page.goto(f"{address}/setup/{path}".removesuffix("/"))
        found[path] = found_by_axe(page, {"runOnly": TAGS})
    assert {path: said for path, said in found.items() if said} == {}


def test_wagons_on_the_board_are_named_until_a_person_vouches(
    visitor: FlaskClient, rig: Rig
) -> None:
    _, page = send(visitor, jpeg("full"), board="usa")
    assert "Denver – Omaha" in page
    assert "It fits: keep it" not in page
    assert page.index("Take another photo") < page.index("There is no wagon"), "the likely one"
    draft = rig.desk.draft()
    assert draft is not None
    number = str(draft.number)
    refused = visitor.post("/setup/save", data={"number": number, "name": "x"})
    assert refused.status_code == 409
    assert rig.kept.all() == []
    vouched = visitor.post("/setup/vouch", data={"number": number}, follow_redirects=True).text
    assert "You said that the board is really empty." in vouched
    assert "It fits: keep it" in vouched
    draft = rig.desk.draft()
    assert draft is not None
    visitor.post("/setup/save", data={"number": str(draft.number), "name": "x"})
    reference = rig.references.of(USA)
    assert reference is not None
    assert reference.vouched


def test_another_board_than_the_one_chosen_is_named_and_taken_by_one_tap(
    visitor: FlaskClient,
) -> None:
    _, page = send(visitor, jpeg("empty"), board="germany")
    assert "This looks like Ticket to Ride (USA), not Ticket to Ride Germany." in page
    assert "It fits: keep it" not in page
    form = page.partition("It is Ticket to Ride (USA)")[0].rpartition("<form")[2]
    fields = dict(re.findall('name="([a-z]+)" value="([^"]*)"', form))
    page = visitor.post("/setup/board", data=fields, follow_redirects=True).text
    assert "This looks like" not in page
    assert "It fits: keep it" in page


def test_a_board_has_one_name_in_italian_all_over_its_setup(
    rig: Rig, visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(visitor, jpeg("empty"), board="usa")
    draft = rig.desk.draft()
    assert draft is not None
    mixed = replace(draft, board="germany", board_title=GERMANY.title, name=GERMANY.title)
    monkeypatch.setattr(rig.desk, "draft", lambda: replace(mixed, instead="germany"))
    page = visitor.get("/setup/board?lang=it", follow_redirects=True).text
    assert "È Ticket to Ride Germania" in page
    assert 'name="name" value="Ticket to Ride Germania"' in page
    assert "Ticket to Ride Germany" not in page
    monkeypatch.setattr(rig.desk, "draft", lambda: replace(mixed, name="Cucina"))
    assert 'name="name" value="Cucina"' in visitor.get("/setup/board").text


def test_a_photo_without_a_board_says_what_to_do(visitor: FlaskClient) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (12, 16, 3), np.uint8)
    picture = cv2.resize(noise, (1600, 1200), interpolation=cv2.INTER_NEAREST)  # and no blur
    status, page = send(visitor, cv2.imencode(".jpg", picture)[1].tobytes())
    assert status == 200
    assert "No board was recognised in this photo." in page
    assert page.count('class="corner"') == 4, "the corners can be dragged there by hand"


def test_a_photo_too_dark_to_know_the_board_says_so(visitor: FlaskClient) -> None:
    dark = (empty_photo().image_bgr * 0.08).astype(np.uint8)
    status, page = send(visitor, cv2.imencode(".png", dark)[1].tobytes())
    assert status == 200
    assert "the photo is too dark to tell colours apart" in page
    assert "No board was recognised" not in page


@pytest.mark.parametrize(
    ("image", "sentence"),
    [
        (b"no photo at all", "That photo cannot be used"),
        (
            cv2.imencode(".png", np.full((480, 640, 3), 90, np.uint8))[1].tobytes(),
            "The photo is only 640 × 480 pixels; at least 1,000 across are needed.",
        ),
        (b"", "Choose a photo"),
    ],
)
def test_a_photo_of_no_use_is_refused_and_the_last_one_stays(
    visitor: FlaskClient, rig: Rig, image: bytes, sentence: str
) -> None:
    send(visitor, jpeg("empty"), board="usa")
    status, page = send(visitor, image)
    assert 400 <= status < 500
    assert sentence in page
    assert "Photograph the empty board" in page
    draft = rig.desk.draft()
    assert draft is not None
    assert draft.is_usable


def test_a_page_that_is_out_of_date_changes_nothing(visitor: FlaskClient, rig: Rig) -> None:
    send(visitor, jpeg("empty"), board="usa")
    answer = visitor.post("/setup/save", data={"number": "0", "name": "x"})
    assert answer.status_code == 409
    assert "another device has gone on" in answer.text
    assert rig.kept.all() == []


@pytest.mark.parametrize(
    "words", ["", "1,2", "1,2 3,4 5,6 x,y", "nan,0 1,1 2,2 3,3", "1,1 2,2 3,3 1e99,1", "1,1 " * 5]
)
def test_corners_that_are_none_are_refused(visitor: FlaskClient, words: str) -> None:
    send(visitor, jpeg("empty"), board="usa")
    form = {"number": "1", "board": "usa", "corners": words}
    assert visitor.post("/setup/board", data=form).status_code == 400


def test_corners_beside_the_board_say_so_and_can_be_mended(visitor: FlaskClient, rig: Rig) -> None:
    send(visitor, jpeg("empty"), board="usa")
    form = {"number": "1", "board": "usa", "corners": "100,100 300,100 300,250 100,250"}
    page = visitor.post("/setup/board", data=form, follow_redirects=True).text
    assert "The board does not lie between these corners." in page
    again = {"number": "2", "board": "usa", "corners": "", "by": "search"}
    page = visitor.post("/setup/board", data=again, follow_redirects=True).text
    assert "spaces were found" in page


def test_what_is_looked_at_anew_is_not_kept_yet(visitor: FlaskClient, rig: Rig) -> None:
    """Corners that were mended after the photo was kept were lost without a word."""
    send(visitor, jpeg("empty"))
    draft = rig.desk.draft()
    assert draft is not None
    assert (draft.board, draft.recognised) == ("usa", True)
    visitor.post("/setup/save", data={"number": "1", "name": "Kitchen"})
    again = {"number": "2", "board": "usa", "corners": "", "by": "search"}
    page = visitor.post("/setup/board", data=again, follow_redirects=True).text
    assert "It fits: keep it" in page
    draft = rig.desk.draft()
    assert draft is not None
    assert draft.saved is None, "the wagons would be measured beside the corners of before"
    rig.desk.place(3, "germany", None)
    draft = rig.desk.draft()
    assert draft is not None
    assert (draft.board, draft.recognised) == ("germany", False), "a person chose it"


@pytest.mark.parametrize("path", ["/setup/board", "/setup/vouch", "/setup/save", "/setup/wagons"])
def test_forms_without_a_photo_are_answered(visitor: FlaskClient, path: str) -> None:
    for form in ({}, {"number": "x"}, {"number": "1", "camera": "1", "board": "%F0%28"}):
        answer = visitor.post(path, data=form, follow_redirects=True)
        assert answer.status_code < 500


def test_kept_tables_are_renamed_exported_brought_in_and_deleted(
    visitor: FlaskClient, rig: Rig
) -> None:
    send(visitor, jpeg("empty"), board="usa")
    visitor.post("/setup/save", data={"number": "1", "name": "Kitchen"})
    (one,) = rig.kept.all()
    assert visitor.get(f"/setup/kept/{one.key}.jpg").mimetype == "image/jpeg"
    assert visitor.post(f"/setup/kept/{one.key}/name", data={"name": "Garden"}).status_code == 303
    file = visitor.get(f"/setup/kept/{one.key}.calibration")
    assert "attachment" in file.headers["Content-Disposition"]
    assert rig.references.of(USA) is not None
    assert visitor.post(f"/setup/kept/{one.key}/delete").status_code == 303
    assert rig.kept.all() == []
    assert rig.references.of(USA) is None, "photos are read beside it no more"
    form = {"file": (BytesIO(file.data), "x.calibration")}
    assert "Garden" in visitor.post("/setup", data=form, follow_redirects=True).text
    form = {"file": (BytesIO(b"nothing"), "x.calibration")}
    refused = visitor.post("/setup", data=form)
    assert refused.status_code == 409
    assert "no set-up file of Companion" in refused.text
    assert "Garden" in refused.text, "what was there is still there"
    assert rig.references.of(USA) is not None
    assert visitor.post("/setup/kept/nowhere/use").status_code == 409
    assert visitor.post(f"/setup/kept/{rig.kept.all()[0].key}/eat").status_code == 404


def test_the_table_reads_beside_the_one_that_was_chosen(visitor: FlaskClient, rig: Rig) -> None:
    for number, name in (("1", "Kitchen"), ("3", "Garden")):
        send(visitor, jpeg("empty"), board="usa")
        visitor.post("/setup/save", data={"number": number, "name": name})
    garden = rig.references.of(USA)
    kitchen = next(one for one in rig.kept.all() if one.name == "Kitchen")
    assert visitor.post(f"/setup/kept/{kitchen.key}/use").status_code == 303
    assert rig.references.of(USA) is not garden


def test_a_tables_day_names_its_month(visitor: FlaskClient, monkeypatch: Any) -> None:
    """11/12 and 2026-11-12 are read in two ways."""
    made = datetime(2026, 12, 11, 9, 5).astimezone().isoformat()
    kept = KeptTable("k", "Kitchen", "usa", "USA", made, in_use=True)
    monkeypatch.setattr(SetupDesk, "kept", lambda _: [kept])
    assert "11 December 2026, 09:05" in visitor.get("/setup").text
    assert "11 dicembre 2026, 09:05" in visitor.get("/setup?lang=it").text


def test_a_long_name_is_told_and_the_old_one_stays(visitor: FlaskClient, rig: Rig) -> None:
    send(visitor, jpeg("empty"), board="usa")
    visitor.post("/setup/save", data={"number": "1", "name": "Kitchen"})
    (one,) = rig.kept.all()
    answer = visitor.post(f"/setup/kept/{one.key}/name", data={"name": "K" * 41})
    assert answer.status_code == 409
    assert "is too long: at most 40 letters." in answer.text
    assert rig.kept.all()[0].name == "Kitchen"


def test_a_names_accent_is_one_sign_whichever_device_typed_it(
    visitor: FlaskClient, rig: Rig
) -> None:
    send(visitor, jpeg("empty"), board="usa")
    visitor.post("/setup/save", data={"number": "1", "name": " Caffe\u0300  2"})
    assert rig.kept.all()[0].name == "Caff\u00e8 2"


def test_a_name_given_on_another_device_while_colours_are_learned_stays(
    visitor: FlaskClient, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(visitor, jpeg("empty"), board="usa")
    visitor.post("/setup/save", data={"number": "1", "name": "Kitchen"})
    (one,) = rig.kept.all()

    def measure_and_rename(before: Calibration, board: Board, photo: object) -> Calibration:
        visitor.post(f"/setup/kept/{one.key}/name", data={"name": "Garden"})
        return replace(before, wagon_colours={"red": (41.0, 60.0, 44.0)})

    monkeypatch.setattr("companion.setup.desk.add_wagon_colours", measure_and_rename)
    assert send(visitor, jpeg("full"), "/setup/wagons", number="2")[0] == 200
    assert rig.kept.load(one.key).wagon_colours == {"red": (41.0, 60.0, 44.0)}
    assert "Garden" in visitor.get("/setup").text


def test_the_step_of_the_wagons_is_taken_up_after_a_restart(
    visitor: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And again another day: what was measured under the old lamp is shown, and replaced."""
    send(visitor, jpeg("empty"), board="usa")
    visitor.post("/setup/save", data={"number": "1", "name": "Kitchen"})
    for red in ((41.0, 60.0, 44.0), (38.0, 51.0, 40.0)):
        measured = {"red": red}
        monkeypatch.setattr(
            "companion.setup.desk.add_wagon_colours",
            lambda before, *_, measured=measured: replace(before, wagon_colours=measured),
        )
        again = Rig(tmp_path)
        panel = again.app.test_client()
        (one,) = again.kept.all()
        assert f"/setup/kept/{one.key}/wagons" in panel.get("/setup").text
        page = panel.post(f"/setup/kept/{one.key}/wagons", follow_redirects=True).text
        assert ('class="wagon-colours"' in page) == (red[0] == 38.0)
        assert send(panel, jpeg("full"), "/setup/wagons", number="1")[0] == 200
        assert again.kept.load(one.key).wagon_colours == measured
        assert "Kitchen" in panel.get("/setup/ready").text


def test_wagons_of_one_table_are_not_measured_for_another(visitor: FlaskClient, rig: Rig) -> None:
    """A phone has kept the kitchen's table and photographs wagons; a tablet keeps the garden's."""
    send(visitor, jpeg("empty"), board="usa")
    visitor.post("/setup/save", data={"number": "1", "name": "Kitchen"})
    assert 'name="number" value="2"' in visitor.get("/setup/wagons").text
    send(visitor, jpeg("empty"), board="usa")
    visitor.post("/setup/save", data={"number": "3", "name": "Garden"})
    status, page = send(visitor, jpeg("full"), "/setup/wagons", number="2")
    assert status == 409
    assert "another device has gone on with the set-up" in page
    assert [rig.kept.load(one.key).wagon_colours for one in rig.kept.all()] == [{}, {}]


@pytest.mark.parametrize(
    ("path", "shown"),
    [("/setup/save", "Photograph the empty board"), ("/setup/wagons", "Set up a board")],
)
def test_a_page_of_before_a_power_cut_is_told_that_the_photo_is_gone(
    visitor: FlaskClient, path: str, shown: str
) -> None:
    answer = visitor.post(path, data={"number": "2", "name": "Kitchen", "camera": "1"})
    assert answer.status_code == 409
    assert "There is no photo yet; take one first." in answer.text
    assert shown in answer.text


def test_a_panel_without_set_up_leads_nowhere(client: FlaskClient) -> None:
    assert "/setup" not in client.get("/start").text
    assert client.get("/setup").status_code == 404


def test_another_site_cannot_set_up(visitor: FlaskClient, rig: Rig) -> None:
    headers = {"Origin": "http://evil.example"}
    answer = visitor.post("/setup/photo", data={"camera": "1"}, headers=headers)
    assert answer.status_code == 403
    assert rig.desk.draft() is None
