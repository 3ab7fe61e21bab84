"""A board as a whole in the studio: its corners, its file, and boards that are known already."""

import json
import tracemalloc
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.errors import StudioError
from calibration.studio.proposal import BoardProposal, ProposedLine
from companion.errors import RefusalError
from companion.studio.boards import TaughtBoards
from companion.studio.store import StudioStore
from scoring.board.board import load_board
from scoring.board.inspection.inspect import inspect_board
from tests.support.drawn_table import drawn, empty_photo
from tests.support.small_board import station_board
from tests.web.studio_in_work import address as address
from tests.web.studio_in_work import begun as begun
from tests.web.studio_in_work import rig as rig
from tests.web.studio_in_work import visitor as visitor
from tests.web.studio_rig import Rig
from vision.errors import BoardNotFoundError
from vision.registration.geometry import homography_of_quads, project
from web.errors import ActionRefusedError

LOOK_MS = 180_000
"""The proposal takes seconds; a machine that does much else may need longer."""


def test_another_print_of_a_known_board_is_one_tap_from_ready(
    visitor: FlaskClient, rig: Rig, begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rig.studio, "_keep_empty_photo", lambda work, board: None)
    page = visitor.post(f"/studio/{begun}/save", follow_redirects=True)
    assert "Ticket to Ride (USA) is ready" in page.text
    usa = load_board("usa")
    (choice,) = [one for one in rig.table.state()["boards"] if one["id"] == "ticket-to-ride-usa"]
    assert choice["title"] == usa.title
    ours = next(one for one in rig.table.boards if one.id == "ticket-to-ride-usa")
    assert ours.counts() == usa.counts()
    file = visitor.get("/studio/boards/ticket-to-ride-usa.json")
    assert not inspect_board(file.json).errors
    again = visitor.post(f"/studio/{begun}/save", follow_redirects=True)
    assert again.status_code == 200
    assert next(o for o in rig.table.boards if o.id == "ticket-to-ride-usa").version == 2


def test_a_board_without_a_name_is_given_one_where_it_is_saved(
    visitor: FlaskClient, rig: Rig, begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rig.studio, "_keep_empty_photo", lambda work, board: None)
    rig.studio.do(begun, {"do": "title", "title": ""})
    assert 'name="title"' in visitor.get(f"/studio/{begun}?at=save").text
    blank = visitor.post(f"/studio/{begun}/save", data={"title": " ", "really": "on"})
    assert blank.status_code == 409
    assert "The board has no name yet." in blank.text
    page = visitor.post(
        f"/studio/{begun}/save", data={"title": "Our board"}, follow_redirects=True
    ).text
    assert "Our board is ready" in page
    assert "Wagons seem to lie in its photo, so that was not kept" in page
    assert rig.studio.taught()[0].title == "Our board"


def test_another_print_of_a_known_board_is_saved_by_one_tap(
    page: Any, address: str, rig: Rig
) -> None:
    """The print on which photos of the second edition were taken: its spaces lie elsewhere."""
    usa = load_board("usa")
    other = usa.as_printed[1]
    photographed = drawn(other, {}, seed=7)
    image = cv2.imencode(".jpg", photographed.image_bgr, [int(cv2.IMWRITE_JPEG_QUALITY), 90])[1]
    page.set_default_timeout(LOOK_MS)
    page.goto(f"{address}/studio")
    page.locator("select[name=board]").select_option("usa")
    photo = {"name": "IMG.jpg", "mimeType": "image/jpeg", "buffer": image.tobytes()}
    page.locator("input[name=image]").set_input_files(photo)
    page.wait_for_url("**/studio/2*")
    assert page.locator("#studio-side .told .mend").all_inner_texts() == []
    page.get_by_role("button", name="Save the board").click()
    page.get_by_role("heading", name="Ticket to Ride (USA) is ready").wait_for()

    taught = next(one for one in rig.table.boards if one.id == "ticket-to-ride-usa")
    assert len(taught.tickets) == len(usa.tickets)
    reference = rig.references.of(taught)
    assert reference is not None, "its photo is the table's set-up"
    off_px = [
        reference.spaces_px[taught.spaces_of[route.id]]
        - photographed.spaces_px[other.spaces_of[route.id]]
        for route in other.routes
        if route.parallel_group is None
    ]
    away = np.concatenate(off_px).mean(axis=1)
    # A millimetre has 1.8 pixels; the spaces of the print that is known lie 5 pixels elsewhere.
    assert float(np.median(np.hypot(*away.T))) < 1.8


def test_a_board_that_is_hardly_begun_is_saved_and_played(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """One line between two places: too few spaces to be read from photos."""
    first, *others = rig.studio.board(begun).lines
    for line in others:
        rig.studio.do(begun, {"do": "delete-line", "line": str(line.number)})
    for place in rig.studio.board(begun).places:
        if place.number not in first.ends:
            rig.studio.do(begun, {"do": "delete-place", "place": str(place.number)})
    rig.studio.do(begun, {"do": "title", "title": "Begun"})
    answer = visitor.post(f"/studio/{begun}/save")
    assert (answer.status_code, rig.studio.photo_is_kept(begun)) == (303, False)
    page = visitor.get(answer.headers["Location"]).text
    assert ("too few spaces yet" in page, "/setup/photo" in page) == (True, False)
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    rig.table.act("start", {"board": "begun", "players": players, "camera": False})
    assert visitor.get("/board").status_code == 200


def test_a_damaged_photo_is_told_and_what_was_taught_is_still_saved(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    (rig.data / "studio" / begun / "photo.jpg").write_bytes(b"")
    told = "begin with a new photo"
    answer = visitor.get(f"/studio/{begun}/corners")
    assert (answer.status_code, told in answer.text) == (409, True)
    sent = {"do": "add-line", "from": "1", "to": "5", "length": "2"}
    answer = visitor.post(f"/studio/{begun}/step", data=sent)
    assert (answer.status_code, told in answer.text) == (409, True)
    assert visitor.get(f"/studio/{begun}/photo.jpg").status_code == 404
    assert visitor.post(f"/studio/{begun}/save", data={"title": "Mine"}).status_code == 303
    assert "mine" in {one.id for one in rig.studio.taught()}


def test_corners_are_moved_and_what_was_taught_stays_in_the_photo(
    page: Any, address: str, rig: Rig, begun: str
) -> None:
    def seen_px(place: int) -> Any:
        """Where a place lies in the photo."""
        work = StudioStore(rig.data).load(begun)
        one = work.now.places[place]
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
        return project(homography_of_quads(unit, work.corners_px), np.array([[one.x, one.y]]))[0]

    rig.studio.do(begun, {"do": "name-place", "place": "1", "name": "Old Town"})
    before, town = StudioStore(rig.data).load(begun).corners_px, seen_px(1)
    picture = rig.studio.picture(begun)
    page.goto(f"{address}/studio/{begun}")
    page.get_by_role("link", name="Askew or upside down? Show the corners").click()
    second = page.locator(".corner").nth(1)
    box = second.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y + 30, steps=4)
    assert page.locator("#loupe").is_visible()
    page.mouse.up()
    third = page.locator(".corner").nth(2)
    third.focus()
    for key in ("Shift+ArrowLeft", "ArrowUp", "ArrowUp"):
        third.press(key)
    page.get_by_role("button", name="These are its corners").click()
    page.wait_for_url("**/studio/2*?at=map")
    page.locator("#chart").wait_for()

    after = StudioStore(rig.data).load(begun).corners_px
    width_px = empty_photo().image_bgr.shape[1]
    unit_px = width_px / 1000
    assert after[[0, 3]] == pytest.approx(before[[0, 3]], abs=0.02 * unit_px)
    assert after[2] - before[2] == pytest.approx((-10 * unit_px, -2 * unit_px), abs=0.1)
    shown = page.locator("#chart image").get_attribute("href")
    assert after[1][0] < before[1][0] - 10 * unit_px
    assert after[1][1] > before[1][1] + 10 * unit_px
    assert seen_px(1) == pytest.approx(town, abs=0.1)
    moved = rig.studio.picture(begun)
    assert moved != picture
    page.locator("[data-key=studio-undo]").click()
    page.wait_for_function(
        "before => document.querySelector('#chart image').getAttribute('href') !== before",
        arg=shown,
    )
    assert StudioStore(rig.data).load(begun).corners_px == pytest.approx(before)
    assert rig.studio.picture(begun) != moved
    assert rig.studio.board(begun).undo == "name-place"


@pytest.mark.parametrize("quarters", ["1", "2"])
def test_a_board_that_stands_wrong_is_turned_with_all_that_was_taught(
    visitor: FlaskClient, rig: Rig, begun: str, quarters: str
) -> None:
    """Turned round, the top left is at the bottom right; by a quarter, at the top right."""
    rig.studio.do(begun, {"do": "names", "names": "Atlanta"})
    before, photo = rig.studio.board(begun), rig.studio.corners(begun)
    corners = " ".join(f"{x},{y}" for x, y in photo.corners)
    visitor.post(f"/studio/{begun}/corners", data={"corners": corners, "turn": quarters})
    after = rig.studio.board(begun)
    here, now = before.place(1), after.place(1)
    x, y = here.x / 1000, here.y / before.height
    wanted = (1 - x, 1 - y) if quarters == "2" else (1 - y, x)
    assert (now.x / 1000, now.y / after.height) == pytest.approx(wanted, abs=0.002)
    assert [line.name for line in after.lines] == [line.name for line in before.lines]
    square = before.height / 1000 if quarters == "2" else 1000 / before.height
    assert after.height / 1000 == pytest.approx(square, rel=0.02)


def test_a_board_that_is_not_found_is_shown_by_its_corners(
    visitor: FlaskClient, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def sees_it_between_corners(photo: Any, corners_px: Any, **more: Any) -> BoardProposal:
        asked.append(corners_px)
        if corners_px is None:
            raise BoardNotFoundError("vision.board.none", again="again")
        if corners_px[0][0] < 10:
            raise StudioError("calibration.studio.no-boxes")
        line = ProposedLine((0,), "red", None, (0, 1))
        places = np.array([[0.4, 0.5], [0.6, 0.5]])
        spaces = np.array([[0.5, 0.5, 0.0]])
        return BoardProposal(corners_px, (800.0, 500.0), (25.0, 9.0), spaces, (line,), places)

    monkeypatch.setattr("companion.studio.beginning.propose", sees_it_between_corners)
    image = cv2.imencode(".jpg", empty_photo().image_bgr, [1, 70])[1].tobytes()
    form = {"image": (BytesIO(image), "x.jpg")}
    begun = visitor.post("/studio", data=form, follow_redirects=True)
    assert "No board was found in this photo." in begun.text
    assert begun.text.count('class="corner"') == 4
    (draft,) = rig.studio.drafts()
    where = f"/studio/{draft.key}/corners"
    wrong = visitor.post(where, data={"corners": "1,1 900,9 900,600 9,600"})
    assert wrong.status_code == 409
    assert "1.0,1.0 900.0,9.0" in wrong.text, "the corners stay where they were put"
    assert visitor.post(where, data={"corners": "nothing"}).status_code == 400
    right = visitor.post(where, data={"corners": "90,90 900,9 900,600 9,600"})
    assert right.status_code == 303
    unit_px = empty_photo().image_bgr.shape[1] / 1000
    assert asked[-1][0] == pytest.approx([90 * unit_px, 90 * unit_px])
    assert rig.studio.board(draft.key).spaces == 1
    assert "Askew or upside down?" in visitor.get(f"/studio/{draft.key}").text


def test_a_photo_of_no_use_begins_nothing(visitor: FlaskClient, rig: Rig) -> None:
    small = cv2.imencode(".png", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()
    for image in (b"nothing", small):
        answer = visitor.post("/studio", data={"image": (BytesIO(image), "x.jpg")})
        assert answer.status_code == 409
        assert "Teach a board" in answer.text
    nothing = visitor.post("/studio", data={})
    assert nothing.status_code == 400
    assert "I have looked" not in nothing.text, "nobody saw wagons"
    assert rig.studio.drafts() == []


def test_a_board_with_wagons_is_refused_until_somebody_vouches(
    visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the engine sees is tested beside it; here it is how the page takes that."""
    vouched: list[bool] = []

    def sees_wagons(photo: Any, corners_px: Any, *, really_empty: bool) -> Any:
        vouched.append(really_empty)
        raise StudioError("calibration.studio.wagons", count=12)

    monkeypatch.setattr("companion.studio.beginning.propose", sees_wagons)
    image = cv2.imencode(".jpg", empty_photo().image_bgr, [1, 70])[1].tobytes()
    for form in ({}, {"really": "on"}):
        answer = visitor.post("/studio", data={**form, "image": (BytesIO(image), "x.jpg")})
        assert answer.status_code == 409
        assert "Wagons seem to lie on this board: 12 spaces look covered." in answer.text
        assert "--" not in answer.text.partition("12 spaces")[2][:150], "no option of a command"
        assert "I have looked: no wagon lies on it" in answer.text
    assert vouched == [False, True]


def test_work_of_a_newer_program_is_told_and_left(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    path = rig.data / "studio" / begun / "draft.json"
    newer = path.read_text("utf-8").replace('"format": 1', '"format": 9', 1)
    path.write_text(newer, "utf-8")
    rig.studio._work.clear()
    assert "Another version of the program made this work" in visitor.get("/studio").text
    assert visitor.get(f"/studio/{begun}").status_code == 409
    assert path.read_text("utf-8") == newer


def test_board_files_come_in_or_are_refused(visitor: FlaskClient, rig: Rig) -> None:
    def send(document: object) -> Any:
        data = json.dumps(document).encode() if not isinstance(document, bytes) else document
        form = {"file": (BytesIO(data), "board.json")}
        return visitor.post("/studio/boards", data=form, follow_redirects=True)

    assert "Wood is here and can be chosen for a new game." in send(station_board()).text
    assert "wood" in [one["id"] for one in rig.table.state()["boards"]]
    for bad in (b"{", [], {**station_board(), "format": 2}, {**station_board(), "id": "usa"}):
        refused = send(bad)
        assert refused.status_code == 409
        assert "Wood" in refused.text, "what was there is still there"
    assert "it is damaged or cut short" in send(b"{").text
    assert "A newer version of the program wrote" in send({**station_board(), "format": 2}).text
    assert visitor.get("/studio/boards/wood.json").status_code == 200
    assert visitor.get("/studio/boards/nowhere.json").status_code == 409


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"title": "W" * 200_000}, "title: at most 200 characters, not 200000"),
        ({"edition": "W" * 200_000}, "edition: at most 200 characters, not 200000"),
        ({"id": "w" * 200_000}, "id: at most 90 characters, not 200000"),
        ({"hand_bonuses": ["W" * 200_000]}, "at most 200 characters, not 200000"),
    ],
)
def test_over_long_texts_in_a_board_file_are_told_in_one_sentence(
    visitor: FlaskClient, rig: Rig, change: dict[str, Any], told: str
) -> None:
    data = json.dumps({**station_board(), **change}).encode()
    refused = visitor.post("/studio/boards", data={"file": (BytesIO(data), "board.json")})
    assert refused.status_code == 409
    assert told in refused.text
    assert len(refused.text) < 30_000
    assert rig.studio.taught() == []


@pytest.mark.parametrize("key", ["nowhere", "..", "20260101-000000", "%2e%2e"])
def test_a_key_never_leads_out_of_the_folder(visitor: FlaskClient, key: str) -> None:
    assert visitor.get(f"/studio/{key}").status_code in (404, 409)
    assert visitor.post(f"/studio/{key}/delete").status_code in (404, 405, 409)


def test_work_never_grows_past_what_can_be_read_again(
    visitor: FlaskClient, rig: Rig, begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = len((rig.data / "studio" / begun / "draft.json").read_text("utf-8")) + 3_000
    monkeypatch.setattr("companion.studio.store.LARGEST_DOCUMENT", room)
    monkeypatch.setattr("companion.studio.store.MOST_DRAFTS", 1)
    step = f"/studio/{begun}/step"
    assert visitor.post(step, data={"do": "names", "names": "Rome"}).status_code == 303
    full = visitor.post(step, data={"do": "names", "names": ("x" * 38 + "\n") * 100 + "y"})
    assert full.status_code == 409
    assert "This step does not fit any more" in full.text
    again = StudioStore(rig.data).load(begun)
    assert again.now.names == ("Rome",)
    with pytest.raises(ActionRefusedError, match="boards in work already"):
        rig.studio.begin(
            cv2.imencode(".jpg", empty_photo().image_bgr)[1].tobytes(), "usa", really_empty=False
        )


def test_a_board_file_with_half_a_character_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    half = station_board()
    half["places"][0]["\ud800"] = "a key that nobody reads"
    with pytest.raises(RefusalError, match="no board"):
        TaughtBoards(tmp_path).bring_in(json.dumps(half).encode())
    assert not list(tmp_path.rglob("*.draft"))


def test_a_huge_board_file_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    huge = b"[" + b"[]," * 2_000_000 + b"[]]"
    tracemalloc.start()
    try:
        with pytest.raises(RefusalError):
            TaughtBoards(tmp_path).bring_in(huge)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000, "parsed it takes 130 MB"
