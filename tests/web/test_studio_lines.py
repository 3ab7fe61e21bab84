"""Lines on the studio's pages: their ends, what one tap adds to them, and which cross."""

import re
from math import hypot
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.studio_by_touch import ON_THE_CHART
from tests.web.studio_in_work import address as address
from tests.web.studio_in_work import begun as begun
from tests.web.studio_in_work import rig as rig
from tests.web.studio_in_work import step
from tests.web.studio_in_work import visitor as visitor
from tests.web.studio_rig import Rig
from web.studio_port import StudioLine
from web.studio_suggestions import loose_ends


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


def test_a_space_that_is_tapped_twice_where_nothing_is_printed_stays_there(
    rig: Rig, begun: str
) -> None:
    """The second tap moved it onto the line's first space."""
    line = max(rig.studio.board(begun).lines, key=lambda one: len(one.spaces))
    tap = {"do": "move-space", "line": line.number, "space": "2", "snap": "1"}
    for _ in range(2):
        rig.studio.do(begun, {**tap, "x": "1.1", "y": "1.1", "angle": "30"})
    (moved,) = [one for one in rig.studio.board(begun).lines if one.number == line.number]
    assert moved.spaces[0] == line.spaces[0]
    assert moved.spaces[1].x == pytest.approx(1100)
