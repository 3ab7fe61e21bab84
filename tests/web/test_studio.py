"""The pages of the board studio: steps, what is refused, and files."""

import re
import threading
import time
from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.studio.boards import TaughtBoards
from companion.studio.desk import StudioDesk
from companion.studio.store import StudioStore
from tests.companion.tables import ADA_AND_BEN
from tests.support.threads import no_more_threads
from tests.support.waiting import until
from tests.web.studio_in_work import address as address
from tests.web.studio_in_work import begun as begun
from tests.web.studio_in_work import rig as rig
from tests.web.studio_in_work import visitor as visitor
from tests.web.studio_rig import Rig
from tests.web.test_accessibility import TAGS, found_by_axe
from vision.tickets.map_names import PrintedName
from web.app import create_app

SIDES = [
    *("place-1", "line-40", "line-40-1", "names", "add-place", "tickets", "rules", "save"),
    *("missing", "map", "place-999", "line-", "x-1-2-3"),
]


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


def test_what_is_odd_in_the_game_stands_on_no_page_of_the_studio(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    """That there are things to check seemed to be about the board that is being taught."""
    rig.table.act("start", ADA_AND_BEN)
    for number in (1, 2):
        rig.table.act("correct-route", {"route": f"dallas--houston-{number}", "owner": "red"})
    said = "Dallas – Houston (1) and Dallas – Houston (2)"
    assert said in visitor.get("/board").text
    for page in ("/studio", f"/studio/{begun}", "/setup", "/setup/photo"):
        assert said not in visitor.get(page).text, page


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


def test_a_refused_step_is_told_on_its_page_and_changes_nothing(
    visitor: FlaskClient, rig: Rig, begun: str
) -> None:
    form = {"do": "name-place", "place": "1", "name": "boston", "at": "place-1", "onward": "next"}
    answer = visitor.post(f"/studio/{begun}/step", data=form)
    assert answer.status_code == 409
    assert "Another place is called boston already." in answer.text
    assert "Name of this place" in answer.text, "the page of that place"
    assert rig.studio.board(begun).undo is None


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
    until(lambda: bool(studio.board(begun).printed), "it is read on a thread of its own")
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


def test_cards_of_a_board_that_nobody_teaches_are_told_as_its_other_pages_are(
    visitor: FlaskClient,
) -> None:
    """Deleted on another device, perhaps: it answered as if it had forgotten something."""
    for page in ("undo", "cards/forget"):
        refused = visitor.post(f"/studio/20260101-000000/{page}")
        assert refused.status_code == 409
        assert "That board is no longer there." in refused.text


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
