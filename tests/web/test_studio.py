"""The pages of the board studio: steps, what is refused, and files."""

import json
import re
import threading
import time
import tracemalloc
from collections.abc import Iterator
from io import BytesIO
from math import hypot
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
from companion.studio.desk import StudioDesk
from companion.studio.store import StudioStore
from scoring.board.board import load_board
from scoring.board.inspection.inspect import inspect_board
from tests.companion.tables import ADA_AND_BEN
from tests.support.drawn_table import drawn, empty_photo
from tests.support.small_board import station_board
from tests.support.threads import no_more_threads
from tests.web.studio_by_touch import ON_THE_CHART
from tests.web.studio_rig import Rig
from tests.web.test_accessibility import TAGS, found_by_axe
from vision.errors import BoardNotFoundError
from vision.reading import Registration
from vision.registration.geometry import homography_of_quads, project
from vision.tickets.map_names import PrintedName
from web.app import create_app
from web.errors import ActionRefusedError
from web.studio_port import StudioLine
from web.studio_suggestions import loose_ends

LOOK_MS = 180_000
"""The proposal takes seconds; a machine that does much else may need longer."""

SIDES = [
    *("place-1", "line-40", "line-40-1", "names", "add-place", "tickets", "rules", "save"),
    *("missing", "map", "place-999", "line-", "x-1-2-3"),
]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.table.close()


@pytest.fixture
def visitor(rig: Rig) -> FlaskClient:
    return rig.app.test_client()


@pytest.fixture
def address(rig: Rig) -> Iterator[str]:
    with rig.served() as address:
        yield address


@pytest.fixture
def begun(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> str:
    """A board in work: USA as it is known, on a plain picture; no look is taken."""
    photo = empty_photo()
    found = Registration("corners", photo.corners_px, photo.spaces_px, 0.5)
    monkeypatch.setattr("companion.studio.beginning.register", lambda *args, **more: found)
    monkeypatch.setattr("companion.studio.beginning.reference_of", lambda *args, **more: None)
    image = cv2.imencode(".jpg", photo.image_bgr)[1].tobytes()
    return rig.studio.begin(image, "usa", really_empty=False)


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


def test_a_line_that_ends_elsewhere_is_mended_by_one_tap(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """Denver – Santa Fe, made to end in Phoenix: Santa Fe lies nearest to its last space."""
    board = rig.studio.board(begun)
    numbers = {one.name: one.number for one in board.places}
    denver, santa_fe, phoenix = (numbers[name] for name in ("Denver", "Santa Fe", "Phoenix"))
    line = next(one for one in board.lines if set(one.ends) == {denver, santa_fe})
    wrong = {"do": "line-ends", "line": line.number, "from": denver, "to": phoenix}
    rig.studio.do(begun, wrong)
    page = visitor.get(f"/studio/{begun}?at=line-{line.number}").text
    assert "It ends at Santa Fe, not at Phoenix" in page
    assert page.count("It ends at") == 1, "it does begin at Denver"
    form = page.partition("It ends at Santa Fe, not at Phoenix")[0].rpartition("<form")[2]
    sent = dict(re.findall('name="([a-z]+)" value="([^"]*)"', form))
    assert visitor.post(f"/studio/{begun}/step", data=sent).status_code == 303
    (mended,) = [one for one in rig.studio.board(begun).lines if one.number == line.number]
    assert set(mended.ends) == {denver, santa_fe}


def test_ends_at_nameless_places_are_mended_together(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """Two nameless copies of Santa Fe, one at the end of its line to Denver, one to Phoenix."""
    board = rig.studio.board(begun)
    numbers = {one.name: one.number for one in board.places}
    moved = []
    for far in ("Denver", "Phoenix"):
        ends = {numbers["Santa Fe"], numbers[far]}
        line = next(one for one in board.lines if set(one.ends) == ends)
        here = board.place(numbers["Santa Fe"])
        assert here is not None
        copy = {"do": "add-place", "name": "", "x": here.x / 1000, "y": here.y / board.height}
        number = rig.studio.do(begun, copy)
        step = {"do": "line-ends", "line": line.number, "from": number, "to": numbers[far]}
        rig.studio.do(begun, step)
        moved.append((line.number, ends))
    found = loose_ends(rig.studio.board(begun))
    assert {end.line for end in found} == {number for number, _ in moved}
    assert all(end.places[0].name == "Santa Fe" for end in found)

    page = visitor.get(f"/studio/{begun}?at=ends").text
    fields = dict(re.findall(r'name="(end-\d+-\d)" value="(\d+)"(?: checked)', page))
    assert fields == {f"end-{one.line}-{one.side}": str(numbers["Santa Fe"]) for one in found}
    visitor.post(f"/studio/{begun}/step", data={"do": "loose-ends", **fields})
    after = rig.studio.board(begun)
    assert all(set(after.line(number).ends) == ends for number, ends in moved)
    assert all(place.name for place in after.places), "the copies are gone"
    assert "end of a line" not in visitor.get(f"/studio/{begun}").text


def test_missing_places_are_added_one_after_the_other(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """Each name of the list goes once it has its place; after the last the page shows it."""
    rig.studio.do(begun, {"do": "names", "names": "Oakville\nElmstead"})
    for name, left in (("Oakville", ["Elmstead"]), ("Elmstead", [])):
        form = {"do": "add-place", "onward": "place", "name": name, "px": "300", "py": "200"}
        to = visitor.post(f"/studio/{begun}/step", data=form).headers["Location"]
        page = visitor.get(to).text
        assert re.findall('data-put="([^"]*)"', page) == left
        assert ("at=add-place" in to) == bool(left)


def test_a_place_leads_to_its_lines(visitor: FlaskClient, rig: Rig, begun: str) -> None:
    """On the map a short line may lie under its places, where no finger reaches it."""
    board = rig.studio.board(begun)
    place = next(one for one in board.places if one.name == "Boston")
    page = visitor.get(f"/studio/{begun}?at=place-{place.number}").text
    assert "4 lines from here" in page
    side = page.partition('id="studio-side"')[2]
    told = set(re.findall(r'at=line-(\d+)" data-part>(.*?) \((\d)\)', side))
    ours = [one for one in board.lines if place.number in one.ends]
    assert told == {(str(one.number), one.name, str(len(one.spaces))) for one in ours}


def test_a_kept_list_of_names_leads_to_the_first_place_without_one(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    form = {"do": "names", "onward": "next", "names": "Oakville"}
    to = visitor.post(f"/studio/{begun}/step", data=form).headers["Location"]
    assert to.endswith("at=map"), "all have one"
    rig.studio.do(begun, {"do": "name-place", "place": 7, "name": ""})
    to = visitor.post(f"/studio/{begun}/step", data=form).headers["Location"]
    assert to.endswith("at=place-7")


def test_names_of_the_list_that_were_read_are_taken_together(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """Only the ticked ones."""
    for number in (1, 2):
        rig.studio.do(begun, {"do": "name-place", "place": number, "name": ""})
    fields = {"name-1": "Atlanta", "take-1": "on", "name-2": "Boston"}
    visitor.post(f"/studio/{begun}/step", data={"do": "name-places", **fields})
    names = [rig.studio.board(begun).place(number).name for number in (1, 2)]
    assert names == ["Atlanta", ""]


def test_a_step_lasts_and_another_device_goes_on_with_it(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    form = {"do": "name-place", "place": "1", "name": "Old Town", "onward": "map"}
    assert visitor.post(f"/studio/{begun}/step", data=form).status_code == 303
    other = Rig(rig.data / "elsewhere")
    other.table.close()
    fresh = StudioDesk(
        StudioStore(rig.data), TaughtBoards(rig.data), rig.kept, lambda: rig.table.boards
    )
    place = fresh.board(begun).place(1)
    assert place is not None
    assert place.name == "Old Town"
    assert visitor.post(f"/studio/{begun}/undo", data={"at": "map"}).status_code == 303
    place = rig.studio.board(begun).place(1)
    assert place is not None
    assert place.name == "Atlanta"
    assert visitor.post(f"/studio/{begun}/undo", data={"at": "map"}).status_code == 409


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


def test_an_undo_takes_back_no_step_that_another_tablet_has_just_taken(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """Quick taps on one tablet all count: their page is older than the step before, not newer."""
    for name in ("Old Town", "New Town"):
        rig.studio.do(begun, {"do": "name-place", "place": "1", "name": name})
    page = visitor.get(f"/studio/{begun}").text
    assert '<input type="hidden" name="seen" value="2">' in page
    rig.studio.do(begun, {"do": "name-place", "place": "2", "name": "Elsewhere"})
    stale = visitor.post(f"/studio/{begun}/undo", data={"at": "map", "seen": "2"})
    assert (stale.status_code, "Something else was done" in stale.text) == (409, True)
    assert rig.studio.board(begun).version == 3
    for left in (2, 1):
        assert visitor.post(f"/studio/{begun}/undo", data={"seen": "3"}).status_code == 303
        assert rig.studio.board(begun).version == left


def test_the_game_s_undo_stands_beside_no_page_of_the_studio(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """Two buttons of the same name: the wrong one took back a step of the game that was on."""
    rig.table.act("start", ADA_AND_BEN)
    rig.studio.do(begun, {"do": "name-place", "place": "1", "name": "Old Town"})
    for page in ("/studio", f"/studio/{begun}", "/setup"):
        assert 'id="undo"' not in visitor.get(page).text
    assert f'action="/studio/{begun}/undo"' in visitor.get(f"/studio/{begun}").text
    assert 'id="undo"' in visitor.get("/board").text


def test_each_ticket_in_the_list_is_taken_away_by_its_places(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """Two taps, the second before the page has come back."""
    known = rig.studio.board(begun).tickets
    forms = [
        {"do": "remove-ticket", "from": str(one), "to": str(other)}
        for one, other in (known[0].numbers, known[1].numbers)
    ]
    first, second = known[0].numbers
    pair = f'name="from" value="{first}"><input type="hidden" name="to" value="{second}">'
    assert pair in visitor.get(f"/studio/{begun}?at=tickets").text
    for form in forms:
        assert visitor.post(f"/studio/{begun}/step", data=form).status_code == 303
    assert rig.studio.board(begun).tickets == known[2:]


def test_an_undo_delivered_three_times_takes_one_step_back(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    for name in ("Old Town", "New Town"):
        form = {"do": "name-place", "place": "1", "name": name, "onward": "map"}
        visitor.post(f"/studio/{begun}/step", data=form)
    for name, called in (("first-undo", "Old Town"), ("second-undo", "Atlanta")):
        for _ in range(3):
            sent = {"Idempotency-Key": name}
            answer = visitor.post(f"/studio/{begun}/undo", data={"at": "map"}, headers=sent)
            assert answer.headers["Location"] == f"/studio/{begun}?at=map"
            place = rig.studio.board(begun).place(1)
            assert place is not None
            assert place.name == called


def test_axe_finds_nothing_on_any_side(page: Any, address: str, begun: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    found = {}
    for at in SIDES[:10]:
        page.goto(f"{address}/studio/{begun}?at={at}")
        without = () if at in ("map", "line-40") else ("#chart",)  # it is the same on the others
        found[at] = found_by_axe(page, {"runOnly": TAGS}, without)
    assert {at: said for at, said in found.items() if said} == {}


def test_lines_that_cross_are_marked_and_set_free_again_on_their_page(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """A line is drawn over USA's map from Vancouver to Miami: it runs across many."""
    ends = {p.name: str(p.number) for p in rig.studio.board(begun).places}
    draw = {"do": "add-line", "from": ends["Vancouver"], "to": ends["Miami"], "length": "9"}
    assert visitor.post(f"/studio/{begun}/step", data=draw).status_code == 303
    drawn = rig.studio.board(begun).lines[-1]
    at = f"line-{drawn.number}"
    assert (
        "It crosses Denver – Omaha: only one can be claimed"
        in visitor.get(f"/studio/{begun}?at={at}").text
    )
    other = next(one for one in rig.studio.board(begun).lines if one.name == "Denver – Omaha")
    form = {"line": str(drawn.number), "other": str(other.number), "at": at}
    page = visitor.post(
        f"/studio/{begun}/step", data={"do": "cross-lines", **form}, follow_redirects=True
    ).text
    assert "It crosses Denver – Omaha: only one of the two can be claimed." in page
    marked = rig.studio.board(begun).line(other.number)
    assert marked is not None
    assert marked.excludes == [drawn.number]
    page = visitor.post(
        f"/studio/{begun}/step", data={"do": "uncross-lines", **form}, follow_redirects=True
    ).text
    assert "only one of the two can be claimed." not in page


def line_called(rig: Rig, key: str, name: str) -> StudioLine:
    (line,) = [one for one in rig.studio.board(key).lines if one.name == name]
    return line


def step(visitor: FlaskClient, key: str, do: str, **form: Any) -> Any:
    sent = {"do": do, **{name: str(value) for name, value in form.items()}}
    return visitor.post(f"/studio/{key}/step", data=sent)


def test_one_tap_on_a_space_of_a_line_that_was_not_found_brings_all_of_it(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    line = line_called(rig, begun, "Denver – Omaha")
    step(visitor, begun, "delete-line", line=line.number)
    tapped = line.spaces[1]
    assert step(visitor, begun, "tap-space", px=tapped.x + 3, py=tapped.y).status_code == 303
    back = line_called(rig, begun, "Denver – Omaha")
    assert (len(back.spaces), back.colour) == (4, "pink")
    off = [
        hypot(one.x - was.x, one.y - was.y)
        for one, was in zip(back.spaces, line.spaces, strict=True)
    ]
    assert max(off) < 2.5  # thousandths of 795 mm: 2 mm


@pytest.mark.parametrize("missing", [2, 4])
def test_a_tap_on_a_missing_space_puts_it_into_its_line(
    visitor: FlaskClient, rig: Rig, begun: str, missing: int
) -> None:
    """In the middle of the line, and at its end."""
    line = line_called(rig, begun, "Denver – Omaha")
    step(visitor, begun, "delete-space", line=line.number, space=missing)
    tapped = line.spaces[missing - 1]
    step(visitor, begun, "tap-space", px=tapped.x, py=tapped.y)
    back = line_called(rig, begun, "Denver – Omaha")
    assert back.number == line.number
    ways = [(one.x, one.y) for one in back.spaces]
    assert ways == [
        (pytest.approx(was.x, abs=2.5), pytest.approx(was.y, abs=2.5)) for was in line.spaces
    ]


def test_a_tap_between_two_parts_makes_them_one_line(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    line = line_called(rig, begun, "Denver – Omaha")
    step(visitor, begun, "split-line", line=line.number, after=2)
    step(visitor, begun, "delete-space", line=line.number, space=2)
    lines = len(rig.studio.board(begun).lines)
    step(visitor, begun, "tap-space", px=line.spaces[1].x, py=line.spaces[1].y)
    assert len(rig.studio.board(begun).lines) == lines - 1
    assert len(line_called(rig, begun, "Denver – Omaha").spaces) == 4


@pytest.mark.parametrize(
    ("at", "said"),
    [((500.0, 5.0), "No printed space is seen where you tapped"), (None, "is on the map already")],
)
def test_a_tap_on_nothing_or_on_what_is_known_is_told_and_changes_nothing(
    visitor: FlaskClient, rig: Rig, begun: str, at: tuple[float, float] | None, said: str
) -> None:
    known = line_called(rig, begun, "Denver – Omaha").spaces[0]
    x, y = at or (known.x, known.y)
    answer = step(visitor, begun, "tap-space", px=x, py=y, at="missing")
    assert answer.status_code == 409
    assert said in answer.text
    assert rig.studio.board(begun).undo is None


def test_two_parts_of_a_line_that_end_at_different_places_are_offered_as_one(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    line = line_called(rig, begun, "Denver – Omaha")
    step(visitor, begun, "split-line", line=line.number, after=2)
    board = rig.studio.board(begun)
    second, gap = board.lines[-1], line.spaces[1]
    x, y = str(gap.x + 10), str(gap.y - 10)
    step(visitor, begun, "add-place", name="Nowhere", px=x, py=y)
    nowhere = rig.studio.board(begun).places[-1].number
    ends = {"from": nowhere, "to": second.ends[1]}
    step(visitor, begun, "line-ends", line=second.number, **ends)
    page = visitor.get(f"/studio/{begun}?at=line-{line.number}").text
    assert "It goes on in Nowhere – Omaha (2 spaces): one line" in page
    assert "It goes on in Denver – Salt Lake City" not in page  # they meet in Denver
    step(visitor, begun, "join-lines", line=line.number, other=second.number)
    assert len(line_called(rig, begun, "Denver – Omaha").spaces) == 4


def test_taps_on_missing_spaces_follow_each_other_however_quick(
    page: Any, address: str, rig: Rig, begun: str
) -> None:
    """No other tap between them, none is lost, and the way back to the map is open."""
    lines = [line_called(rig, begun, name) for name in ("Denver – Omaha", "Helena – Winnipeg")]
    for line in lines:
        rig.studio.do(begun, {"do": "delete-line", "line": line.number})
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/studio/{begun}")
    page.get_by_role("link", name="Tap what was not found").click()
    page.wait_for_selector("body.tapping")
    page.evaluate(
        """(points) => {
            const chart = document.querySelector("#chart");
            const to = chart.getScreenCTM();
            for (const [x, y] of points) {
              const at = new DOMPoint(x, y).matrixTransform(to);
              const touched = document.elementFromPoint(at.x, at.y) ?? chart;
              touched.dispatchEvent(new MouseEvent("click", {
                bubbles: true, cancelable: true, clientX: at.x, clientY: at.y }));
            }
        }""",
        [[line.spaces[1].x, line.spaces[1].y] for line in lines],
    )
    for line in lines:
        page.wait_for_selector(f'#chart a[aria-label^="Line {line.name}, "]', state="attached")
        assert len(line_called(rig, begun, line.name).spaces) == len(line.spaces)
    assert page.locator("body.tapping").count() == 1
    page.get_by_role("link", name="Back to the map").click()
    page.get_by_role("link", name="Tap what was not found").wait_for()
    assert page.locator("body.tapping").count() == 0


def test_points_of_the_map_are_given_by_keys_alone(
    page: Any, address: str, rig: Rig, begun: str
) -> None:
    """A place is moved from where it is; a space is looked for from the middle of the map."""
    place = rig.studio.board(begun).places[0]
    page.goto(f"{address}/studio/{begun}?at=place-{place.number}")
    page.wait_for_load_state("load")
    for name in ("Move, join, delete", "Move it: tap where it is"):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.innerText").startswith(name):
                break
        page.keyboard.press("Enter")
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.locator("[data-key=studio-undo]:enabled").wait_for()
    moved = rig.studio.board(begun).place(place.number)
    assert moved is not None
    assert (moved.x, moved.y) == pytest.approx((place.x + 4, place.y + 18), abs=0.2)

    line = line_called(rig, begun, "Denver – Omaha")
    rig.studio.do(begun, {"do": "delete-line", "line": line.number})
    page.goto(f"{address}/studio/{begun}?at=missing")
    page.wait_for_selector("body.tapping")
    way = line.spaces[1].x - 500, line.spaces[1].y - rig.studio.board(begun).height / 2
    for length, keys in zip(way, (("Left", "Right"), ("Up", "Down")), strict=True):
        for _ in range(round(abs(length) / 2)):
            page.keyboard.press(f"Arrow{keys[length > 0]}")
    page.keyboard.press("Enter")
    page.wait_for_selector('#chart a[aria-label^="Line Denver – Omaha, "]', state="attached")
    assert len(line_called(rig, begun, line.name).spaces) == len(line.spaces)


def test_a_finger_beside_a_line_opens_it_and_one_far_from_all_nothing(
    tablet: Any, address: str, rig: Rig, begun: str
) -> None:
    """On a phone a printed space is 4 pixels wide; a line's end lies under its place's rim."""
    tablet.set_viewport_size({"width": 390, "height": 844})
    line = line_called(rig, begun, "Denver – Omaha")
    middle, end = line.spaces[2], line.spaces[0]
    for space, aside_px in ((middle, 10), (end, 0)):
        tablet.goto(f"{address}/studio/{begun}")
        tablet.wait_for_load_state("load")
        x, y = tablet.evaluate(ON_THE_CHART, [space.x, space.y])
        tablet.touchscreen.tap(x, y + aside_px)
        tablet.get_by_role("heading", name="Denver – Omaha").wait_for()
    x, y = tablet.evaluate(ON_THE_CHART, [500, 8])
    tablet.touchscreen.tap(x, y)
    tablet.get_by_role("link", name="Back to the map").tap()
    tablet.get_by_role("link", name="Add a place").wait_for()


def test_a_refused_step_is_told_on_its_page_and_changes_nothing(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    form = {"do": "name-place", "place": "1", "name": "boston", "at": "place-1", "onward": "next"}
    answer = visitor.post(f"/studio/{begun}/step", data=form)
    assert answer.status_code == 409
    assert "Another place is called boston already." in answer.text
    assert "Name of this place" in answer.text, "the page of that place"
    assert rig.studio.board(begun).undo is None


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


def test_printed_names_are_offered_at_their_places_and_taken_by_a_tap(rig: Rig, begun: str) -> None:
    """Place 1 is Atlanta; words beside it are offered, those far away are not."""
    asked: list[bytes] = []
    place = rig.studio.board(begun).place(1)
    assert place is not None
    x, y = place.x / 1000, place.y / rig.studio.board(begun).height

    def read(board: bytes) -> list[PrintedName]:
        asked.append(board)
        near = [PrintedName("Atianta", x + 0.02, y), PrintedName("Georgia", x, y + 0.05)]
        return [*near, PrintedName("Seattle", 0.1, 0.1)]

    def desk() -> StudioDesk:
        return StudioDesk(
            StudioStore(rig.data),
            TaughtBoards(rig.data),
            rig.kept,
            lambda: rig.table.boards,
            read_names=read,
        )

    studio = desk()
    ours = create_app(rig.table, studio=studio).test_client()
    with no_more_threads():  # the next page tries again
        assert ours.get(f"/studio/{begun}").status_code == 200
    ours.post(f"/studio/{begun}/step", data={"do": "name-place", "place": "1", "name": ""})
    for _ in range(500):  # it is read on a thread of its own
        if studio.board(begun).printed:
            break
        time.sleep(0.02)
    page = ours.get(f"/studio/{begun}?at=place-1").text
    assert re.findall('name="chip" value="([^"]*)"', page) == ["Atianta", "Georgia"]
    assert studio.board(begun).place(1).name == "", "nothing is entered by itself"
    ours.post(f"/studio/{begun}/step", data={"do": "names", "names": "Atlanta; Boston"})
    page = ours.get(f"/studio/{begun}?at=place-1").text
    offered = re.findall('name="chip" value="([^"]*)"', page)
    assert offered[:2] == ["Atlanta", "Georgia"], "spelled as in the list of names"
    page = ours.get(f"/studio/{begun}?at=printed").text
    assert re.findall('name="(name-1)" value="Atlanta"><input type="checkbox"', page) == ["name-1"]
    form = {"do": "name-place", "place": "1", "name": "", "chip": "Atlanta"}
    ours.post(f"/studio/{begun}/step", data=form)
    assert studio.board(begun).place(1).name == "Atlanta"
    other = desk()
    assert {one.words for one in other.board(begun).printed} == {"Atianta", "Georgia", "Seattle"}
    assert len(asked) == 1, "kept with the board: it is read once"


def test_names_are_typed_where_the_photo_of_a_board_in_work_is_cut_short(
    rig: Rig, begun: str
) -> None:
    """The map's names are looked for in it, on a thread of its own, whose fault fails the test."""
    photo = rig.data / "studio" / begun / "photo.jpg"
    photo.write_bytes(photo.read_bytes()[:5000])
    studio = StudioDesk(
        StudioStore(rig.data),
        TaughtBoards(rig.data, rig.table.offer),
        rig.kept,
        lambda: rig.table.boards,
        read_names=lambda board: [],
    )
    before = set(threading.enumerate())
    assert studio.board(begun).printed == []
    for look in set(threading.enumerate()) - before:
        look.join()


def test_tickets_come_as_a_file_from_windows(visitor: FlaskClient, rig: Rig, begun: str) -> None:
    rows = "von;nach;Punkte\r\nMontréal;Miami;13\r\nNowhere;Miami;5\r\n".encode("cp1252")
    form = {"do": "tickets", "at": "tickets", "file": (BytesIO(rows), "t.csv")}
    answer = visitor.post(f"/studio/{begun}/step", data=form)
    assert answer.status_code == 409
    assert "row 3: no place is called “Nowhere”" in answer.text
    form = {"do": "tickets", "at": "tickets", "file": (BytesIO(rows[:-17]), "t.csv")}
    assert visitor.post(f"/studio/{begun}/step", data=form).status_code == 303
    (ticket,) = rig.studio.board(begun).tickets
    assert (set(ticket.places), ticket.points) == ({"Montréal", "Miami"}, 13)


def test_a_misspelt_place_leaves_the_pasted_tickets_in_their_field(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """Who has typed a whole deck mends one word of it."""
    rows = "Montréal;Miami;13\nNowhere;Miami;5"
    form = {"do": "tickets", "at": "tickets", "rows": rows}
    answer = visitor.post(f"/studio/{begun}/step?at=tickets", data=form)
    assert answer.status_code == 409
    assert f"{rows}</textarea>" in answer.text
    form["rows"] = rows.replace("Nowhere", "Boston")
    taken = visitor.post(f"/studio/{begun}/step?at=tickets", data=form, follow_redirects=True)
    assert "Miami;13</textarea>" not in taken.text
    assert [one.points for one in rig.studio.board(begun).tickets] == [13, 5]


@pytest.mark.parametrize("file", [b"\xff\xd8\xff\xe0\0\x10JFIF", b"Boston;Mi\0ami;3"])
def test_a_file_that_is_no_table_is_refused_in_words(
    visitor: FlaskClient, begun: str, file: bytes
) -> None:
    form = {"do": "tickets", "at": "tickets", "file": (BytesIO(file), "t.csv")}
    answer = visitor.post(f"/studio/{begun}/step", data=form)
    assert "That is no table of tickets: save the sheet as CSV" in answer.text


def test_tickets_of_a_spreadsheets_unicode_text_are_read(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """UTF-16 with tabs; lines end as old programs end them."""
    file = BytesIO("Montréal\tMiami\t13\rBoston\tMiami\t12".encode("utf-16"))
    form = {"do": "tickets", "at": "tickets", "file": (file, "t.txt")}
    assert visitor.post(f"/studio/{begun}/step", data=form).status_code == 303
    assert [one.points for one in rig.studio.board(begun).tickets] == [13, 12]


def test_a_tap_without_script_gives_a_point(visitor: FlaskClient, rig: Rig, begun: str) -> None:
    form = {"do": "move-place", "place": "1", "at": "place-1", "tap.x": "250", "tap.y": "330"}
    assert visitor.post(f"/studio/{begun}/step", data=form).status_code == 303
    place = rig.studio.board(begun).place(1)
    assert place is not None
    assert (place.x, place.y) == pytest.approx((250, 330), abs=0.1)


@pytest.mark.parametrize("at", SIDES)
def test_every_side_is_shown(visitor: FlaskClient, begun: str, at: str) -> None:
    for language in ("en", "it"):
        page = visitor.get(f"/studio/{begun}?at={at}&lang={language}")
        assert page.status_code == 200
        assert 'id="studio-side"' in page.text


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"do": "eat"},
        {"do": "move-space", "line": "40", "space": "1", "px": "x", "py": "1"},
        {"do": "move-space", "line": "40", "space": "1", "px": "1", "py": "1", "nudge": "1,2"},
        {"do": "add-line", "from": "1", "to": "1", "length": "3"},
        {"do": "add-space", "line": "-1", "px": "1", "py": "1", "snap": "1"},
        {"do": "set-tickets"},
        {"do": "set-tickets", "tickets": "x"},
        {"do": "rules", "colours": "x"},
        {"do": "add-line", "from": "1", "to": "2", "boxes": "x", "length": "1"},
        {"do": "names", "names": ";" * 5000},
        {"do": "names", "names": "A", "place": "9" * 5000, "onward": "next"},
        {"do": "names", "tap.x": "1"},
        {"do": "cross-lines", "line": "40", "other": "40"},
        {"do": "uncross-lines", "line": "40"},
        {"do": "loose-ends", "end-40-0": "x"},
        {"do": "loose-ends", "end-40": "1", "end-": "", "end-x-y-z": "1"},
        {"do": "name-places", "name-x": "A", "take-x": "on"},
        {"do": "name-places", "name-": "A", "take-": "on", "take-5": "on"},
    ],
)
def test_odd_forms_are_answered(visitor: FlaskClient, begun: str, form: dict[str, str]) -> None:
    assert visitor.post(f"/studio/{begun}/step", data=form).status_code < 500
    assert visitor.get(f"/studio/{begun}").status_code == 200


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


def test_cards_of_a_board_that_nobody_teaches_are_told_as_its_other_pages_are(
    visitor: FlaskClient,
) -> None:
    """Deleted on another device, perhaps: it answered as if it had forgotten something."""
    for page in ("undo", "cards/forget"):
        refused = visitor.post(f"/studio/20260101-000000/{page}")
        assert refused.status_code == 409
        assert "That board is no longer there." in refused.text


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


def test_of_two_quick_taps_the_second_one_s_page_stays(page: Any, address: str, begun: str) -> None:
    """The first place's page takes a second to come: it took the place of the second's."""
    page.goto(f"{address}/studio/{begun}")
    links = page.locator('#chart a[href*="at=place-"]')
    first, second = (links.nth(n).get_attribute("href").split("?")[1] for n in (0, 1))
    page.route(f"**?{first}", lambda route: (time.sleep(1), route.continue_()))
    page.evaluate(
        """() => [...document.querySelectorAll('#chart a[href*="at=place-"]')].slice(0, 2).forEach(
        (link) => link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))
        )"""
    )
    page.wait_for_url(f"**?{second}")
    page.wait_for_timeout(1500)
    assert page.url.endswith(second)


def test_back_leads_from_a_place_to_the_map(page: Any, address: str, begun: str) -> None:
    page.goto(f"{address}/studio")
    page.goto(f"{address}/studio/{begun}")
    page.locator("#studio-side").get_by_role("link", name="List of names").click()
    page.wait_for_url("**?at=names")
    page.go_back()
    page.locator("#studio-side").get_by_role("link", name="List of names").wait_for()
    assert page.url == f"{address}/studio/{begun}"
    page.go_back()
    page.wait_for_url(f"{address}/studio")
