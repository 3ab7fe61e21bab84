"""The panel on a phone, and in a browser without the panel's script."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.table.table import Table
from scoring.game.mapless import mapless_games
from tests.companion.tables import OPEN, USA, ToldEye, new_table
from tests.web.conftest import PLAYERS, STILL, skip_reveal
from tests.web.fake_table import FakeTable
from tests.web.studio_rig import Rig
from web.ports import TablePort
from web.table_state import PanelNotice

Serve = Callable[[TablePort], str]
FIVE = [
    {"name": "Maximiliane Alexandra", "colour": "red"},
    {"name": "W" * 24, "colour": "blue"},
    {"name": "Giovannibattista", "colour": "green"},
    {"name": "Dora", "colour": "yellow"},
    {"name": "Eva", "colour": "black"},
]


@pytest.fixture(params=["en", "it"])
def phone(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A phone held upright, in each language."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, locale=request.param, **STILL
    )
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


ROOM_AND_WORDS_PX = """field => {
  const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(field);
  pen.font = style.font;
  const arrow = 20, padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  const words = pen.measureText(field.selectedOptions[0].text).width;
  return [field.clientWidth - padding - arrow, words];
}"""


def box_of(page: Any, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).first.bounding_box()
    return found


def test_the_camera_button_stands_above_the_tabs_with_five_players(
    phone: Any, serve: Serve, table: FakeTable
) -> None:
    table.act("start", {"board": "usa", "players": FIVE, "camera": True})
    phone.goto(serve(table) + "/board")
    tabs = box_of(phone, ".tabs")["y"]
    for selector in ("[data-key=scan]", ".photo label"):
        button = box_of(phone, selector)
        assert button["y"] + button["height"] <= tabs, selector
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = box_of(phone, "[data-key=end]")
    assert last["y"] + last["height"] <= tabs
    phone.evaluate("scrollTo(0, 0)")
    phone.locator("[data-key=scan]").click()
    phone.wait_for_url("**/doubts")
    assert table.acts[-1][0] == "scan"


def test_the_camera_button_stands_above_the_tabs_below_a_tall_map_and_a_notice(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    """It lay half under them until one scrolled."""
    table.act("start", {"board": "germany", "players": PLAYERS, "camera": True})
    values = {"players": "Ada", "routes": "berlin--leipzig-1, berlin--leipzig-2"}
    table.notice(PanelNotice(key="scoring.violation.double-by-one", values=values))
    page.goto(serve(table) + "/board")
    for size in ({"width": 390, "height": 844}, {"width": 360, "height": 740}):
        page.set_viewport_size(size)
        button = box_of(page, "[data-key=scan]")
        assert button["y"] + button["height"] <= box_of(page, ".tabs")["y"], size


def test_the_camera_button_stands_above_the_tabs_below_a_notice_with_a_button(
    phone: Any, serve: Serve, table: FakeTable
) -> None:
    table.act("start", {"board": "germany", "players": PLAYERS, "camera": False})
    route = "augsburg--muenchen-2"
    table.notice(PanelNotice(key="vision.warning.covered.one", values={}, routes=[route]))
    phone.goto(serve(table) + "/board")
    phone.locator("#banner [data-routes]").wait_for()
    for size in ({"width": 390, "height": 844}, {"width": 360, "height": 740}):
        phone.set_viewport_size(size)
        button = box_of(phone, ".photo label")
        assert button["y"] + button["height"] <= box_of(phone, ".tabs")["y"], size


BLACK_AND_RED = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "black"}]


def check_photo_button(page: Any, *sizes: tuple[int, int]) -> None:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        button = box_of(page, ".photo label")
        assert button["y"] + button["height"] <= box_of(page, ".tabs")["y"], (width, height)
        assert box_of(page, "#board")["height"] >= 240, "no stamp"


@pytest.mark.parametrize("board", ["germany", "france"])
def test_the_camera_button_stands_above_the_tabs_of_a_low_phone_below_a_tall_map(
    page: Any, serve: Serve, table: FakeTable, board: str
) -> None:
    """It lay wholly under them."""
    table.act("start", {"board": board, "players": BLACK_AND_RED, "camera": False})
    page.goto(serve(table) + "/board")
    check_photo_button(page, (360, 580), (360, 640), (360, 740))


def test_the_camera_button_stands_above_the_tabs_below_two_lines_that_cross(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    table.act("start", {"board": "france", "players": BLACK_AND_RED, "camera": False})
    lines = ["avignon--toulouse", "montpellier--rodez"]
    values = {"players": "Ada", "routes": "Avignon – Toulouse, Montpellier – Rodez"}
    table.notice(PanelNotice(key="scoring.violation.crossing", values=values, routes=lines))
    page.goto(serve(table) + "/board")
    page.locator("#banner [data-routes]").wait_for()
    check_photo_button(page, (390, 844), (360, 640))


@pytest.mark.parametrize(
    ("size", "count"),
    [
        ({"width": 390, "height": 844}, 2),
        ({"width": 390, "height": 844}, 3),
        ({"width": 360, "height": 740}, 2),
        ({"width": 360, "height": 740}, 3),
        ({"width": 360, "height": 740}, 5),
    ],
)
def test_the_camera_button_stands_above_the_tabs_below_a_tall_map_and_several_notices(
    page: Any, serve: Serve, table: FakeTable, size: dict[str, int], count: int
) -> None:
    """The photo, the box and a violation have a banner each. The map stays larger than a stamp."""
    page.set_viewport_size(size)
    table.act("start", {"board": "germany", "players": PLAYERS, "camera": True})
    values = {"players": "Ada", "routes": "berlin--leipzig-1, berlin--leipzig-2"}
    table.notice(PanelNotice(key="scoring.violation.double-by-one", values=values))
    page.goto(serve(table) + "/board")
    page.locator("#banner .banner").evaluate(
        "(one, more) => { while (more--) one.after(one.cloneNode(true)); }", count - 1
    )
    button, tabs = box_of(page, "[data-key=scan]"), box_of(page, ".tabs")["y"]
    assert button["y"] + button["height"] <= tabs
    assert box_of(page, "#board")["height"] >= 240
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last, button = box_of(page, ".foot .button:last-child"), box_of(page, "[data-key=scan]")
    end = last["y"] + last["height"]
    assert end <= tabs
    assert end <= button["y"] or button["y"] + button["height"] <= last["y"]


def test_a_tap_that_finds_no_network_is_told_where_it_was_made(
    phone: Any, serve: Serve, playing: FakeTable
) -> None:
    """The page is scrolled down: what stands at its top is out of sight."""
    phone.goto(serve(playing) + "/board")
    phone.route("**/api/act/**", lambda request: request.abort())
    phone.route("**/board", lambda request: request.abort())
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    phone.locator("[data-key=end]").click()
    phone.locator("#toast:not([hidden])").wait_for()
    for told in ("#offline", "#toast"):
        box = box_of(phone, told)
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= phone.viewport_size["height"], told
    assert phone.evaluate("scrollY") > 0
    phone.unroute("**/board")
    phone.locator("#offline").wait_for(state="hidden")


def test_a_route_given_by_a_touch_without_network_is_told_as_lost(
    phone: Any, serve: Serve, playing: FakeTable
) -> None:
    phone.goto(serve(playing) + "/board")
    phone.route("**/api/act/**", lambda request: request.abort())
    phone.locator(".brushes button").first.click()
    phone.locator("#r-el-paso--houston .space").nth(2).click()
    phone.locator("#toast:not([hidden])").wait_for()
    assert phone.locator("#r-el-paso--houston.claimed").count() == 0


def test_the_likeliest_owner_stands_on_a_ground_of_its_own(
    phone: Any, serve: Serve, playing: FakeTable
) -> None:
    playing.act("scan", {})
    phone.goto(serve(playing) + "/doubts")
    grounds = phone.locator(".owner").evaluate_all(
        "all => all.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert grounds[0] not in grounds[1:]


def test_a_long_name_beside_three_marks_is_not_broken_within_a_word(
    phone: Any, serve: Serve, playing: FakeTable
) -> None:
    """A double of three lines whose owners stand together, on the narrowest phone."""
    playing.act("scan", {})
    phone.set_viewport_size({"width": 360, "height": 740})
    phone.goto(serve(playing) + "/doubts")
    lines, beyond = phone.locator(".owner.first").evaluate(
        """row => {
          const mark = row.querySelector(".mark").outerHTML;
          row.className = "owner place likely";
          row.innerHTML = `<span class="marks">${mark}${mark}${mark}</span>` +
            '<span class="who"><b>Massimiliano <i>Bonaventura</i> e nessuno</b></span>';
          const word = row.querySelector("i");
          return [word.getClientRects().length, row.scrollWidth - row.clientWidth];
        }"""
    )
    assert (lines, beyond) == (1, 0), "one line, nothing beyond the edge"


def test_a_long_name_among_the_owners_is_not_broken_within_a_word(
    phone: Any, serve: Serve, table: FakeTable
) -> None:
    players = [{"name": "Nonna Giuseppina", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    phone.set_viewport_size({"width": 360, "height": 740})
    phone.goto(serve(table) + "/route/denver--omaha")
    tall = phone.locator(".owner b").evaluate_all(
        "all => all.map(b => b.getBoundingClientRect().height / b.innerText.split(' ').length)"
    )
    line = phone.locator(".owner b", has_text="Ben").bounding_box()["height"]
    assert all(height <= line + 1 for height in tall), "no more lines than words"
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("path", ["studio", "setup/photo?board=usa"])
def test_the_first_choice_of_a_board_is_read_whole_on_a_narrow_phone(
    browser: Any, tmp_path: Path, path: str
) -> None:
    """“Ticket to Ride (USA) · 10th Anniver” stood there."""
    rig = Rig(tmp_path)
    for language in ("en", "it"):
        context = browser.new_context(viewport={"width": 360, "height": 740}, locale=language)
        page = context.new_page()
        with rig.served() as address:
            page.goto(f"{address}/{path}")
        room, words = page.locator("select[name=board]").evaluate(ROOM_AND_WORDS_PX)
        context.close()
        assert words < room, language
    rig.table.close()


def test_nothing_lies_over_a_name_on_the_page_of_tickets(
    phone: Any, serve: Serve, table: FakeTable
) -> None:
    table.act("start", {"board": "usa", "players": FIVE, "camera": False})
    phone.goto(serve(table) + "/tickets")
    for number, _ in enumerate(FIVE):
        card = phone.locator(".hand-card").nth(number)
        name, said = (card.locator(part).bounding_box() for part in ("b", ".sum"))
        apart = name["y"] + name["height"] <= said["y"] or name["x"] + name["width"] <= said["x"]
        assert apart, FIVE[number]["name"]
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_the_script_every_form_leads_to_a_page(
    browser: Any, serve: Serve, table: FakeTable
) -> None:
    """Chromium's own headers, not those that somebody thinks it sends."""
    context = browser.new_context(java_script_enabled=False, locale="en")
    page = context.new_page()
    address = serve(table)
    page.goto(f"{address}/start?board=usa")
    page.get_by_label("Name of the red player").fill("Ada")
    page.get_by_label("Name of the blue player").fill("Ben")
    page.get_by_role("button", name="Start the game").click()
    assert page.url == f"{address}/board"
    page.get_by_role("button", name="Look at the board").click()
    page.get_by_role("heading", name="Whose route is it?").wait_for()
    dead = page.locator("button[type=button]:visible")
    assert dead.count() == 0, "a tap on it would do nothing"
    page.get_by_role("button", name="Ben blue 81 % likely").click()
    page.wait_for_url(f"{address}/tickets")
    page.get_by_role("button", name="Finish all the same").click()
    skip_reveal(page, "wins!")
    assert not page.get_by_text("Tap a line").is_visible(), "no routes would light up"
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("heading", name="Tickets").wait_for()
    context.close()


@pytest.mark.parametrize(
    ("accept", "is_page"),
    [
        (
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,"
            "image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
            True,
        ),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", True),
        ("text/html", True),
        ("*/*", False),
        ("", False),
        ("application/json", False),
        ("application/json, text/html;q=0.5", False),
    ],
)
def test_browsers_get_pages_and_programs_get_json(
    client: Any, table: FakeTable, accept: str, is_page: bool
) -> None:
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": True})
    answer = client.post("/api/act/scan", data={}, headers={"Accept": accept})
    assert answer.status_code == (303 if is_page else 200)


LONG = [
    {"name": "Nonno Giuseppe Garibaldi", "colour": "green"},
    {"name": "Maria Antonietta Rossi", "colour": "blue"},
]
SIXES = (
    "calgary--winnipeg",
    "duluth--helena",
    "el-paso--houston",
    "el-paso--los-angeles",
    "helena--seattle",
    "portland--salt-lake-city",
    "sault-st-marie--winnipeg",
)
"""15 points each: together more than 99."""


@pytest.fixture
def narrow(browser: Any) -> Iterator[Any]:
    """A small phone held upright, in Italian."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="it")
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Table]:
    """A real table that knows the USA board and the games without a map."""
    table = new_table(tmp_path, open_camera=None, boards=(USA, *mapless_games()))
    yield table
    OPEN.remove(table)
    table.close()


def test_points_and_buttons_beside_long_names_stay_on_one_line(
    narrow: Any, serve: Serve, real: Table
) -> None:
    real.act("start", {"board": "usa", "players": LONG, "camera": False})
    for route in SIXES:
        real.act("correct-route", {"route": route, "owner": "green"})
    real.act("finish", {})
    address = serve(real)
    narrow.goto(address + "/history")
    points = narrow.locator(".came .won strong")
    assert len(points.inner_text()) == 3
    two_lines = points.evaluate("e => 2 * parseFloat(getComputedStyle(e).fontSize)")
    assert points.bounding_box()["height"] < two_lines
    narrow.goto(address + "/dispute")
    tops = narrow.locator(".turn > :visible").evaluate_all(
        "all => all.map((e) => Math.round(e.getBoundingClientRect().top))"
    )
    assert len(tops) == 5
    assert len(set(tops)) == 1
    narrow.goto(address + "/reveal?step=1")
    tops = narrow.locator(".turn > :visible").evaluate_all(
        "all => all.map((e) => Math.round(e.getBoundingClientRect().top))"
    )
    assert len(tops) == 4
    assert len(set(tops)) == 1


def test_no_word_sticks_out_of_a_typed_ticket(narrow: Any, serve: Serve, real: Table) -> None:
    real.act("start", {"board": "card-game", "players": PLAYERS, "camera": False})
    narrow.goto(serve(real) + "/tickets/red")
    narrow.get_by_role("button", name="Mostra i miei biglietti").click()
    recipe = narrow.locator(".recipe")
    recipe.wait_for()
    edge = recipe.bounding_box()["x"] + recipe.bounding_box()["width"]
    ends = narrow.locator(".recipe span").evaluate_all(
        "all => all.map((e) => { const words = document.createRange();"
        " words.selectNodeContents(e); return words.getBoundingClientRect().right })"
    )
    assert ends
    assert max(ends) <= edge
    narrow.get_by_label("Da", exact=True).fill("Seattle")
    narrow.get_by_role("button", name="Aggiungi: decidono le carte").click()
    missing = narrow.get_by_label("A", exact=True)
    assert missing.evaluate("e => document.activeElement === e")
    below = missing.bounding_box()["y"]
    bar = narrow.locator(".top").bounding_box()
    assert below >= bar["y"] + bar["height"], "a field that is missing lies under the bar"


def test_below_a_typed_hand_stands_the_way_on_to_the_next_player(
    narrow: Any, serve: Serve, real: Table
) -> None:
    """The button at the top was two screens away from the last ticket's."""
    real.act("start", {"board": "card-game", "players": PLAYERS, "camera": False})
    narrow.goto(serve(real) + "/tickets/red")
    narrow.get_by_role("button", name="Mostra i miei biglietti").click()
    for field, what in (("Da", "Seattle"), ("A", "Miami"), ("Punti", "9")):
        narrow.get_by_label(field, exact=True).fill(what)
    below = narrow.locator(".hand-foot a")
    assert below.count() == 0, "an empty hand is short enough for one"
    last = narrow.get_by_role("button", name="Aggiungi come completato")
    last.click()
    below.wait_for()
    assert 0 < below.bounding_box()["y"] - last.bounding_box()["y"] < 300
    assert below.inner_text() == "Nascondi, poi Ben"
    below.click()
    narrow.get_by_role("heading", name="Guarda solo Ben").wait_for()


def test_the_hand_is_opened_above_the_tabs_also_where_the_camera_could_read_it(
    narrow: Any, serve: Serve, table: FakeTable
) -> None:
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": True})
    table.offer_hand_photos("ready", camera=True)
    narrow.goto(serve(table) + "/tickets/red")
    narrow.get_by_role("button", name="Usa la telecamera del tabellone").wait_for()
    tabs = box_of(narrow, ".tabs")["y"]
    for what in ("Mostra i miei biglietti", "Indietro"):
        box = narrow.locator(".curtain .button", has_text=what).bounding_box()
        assert box["y"] + box["height"] <= tabs, what


def test_the_sheet_of_a_board_without_positions_begins_in_sight(
    narrow: Any, serve: Serve, tmp_path: Path
) -> None:
    """The list of routes that stands for its map covered two thirds of the screen.

    Ben: 15 + 10 - 10.
    """
    unplaced = replace(USA, routes=tuple(replace(route, spaces=()) for route in USA.routes))
    table = new_table(tmp_path, open_camera=None, boards=(unplaced,))
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    table.act("correct-route", {"route": "duluth--helena", "owner": "blue"})
    for player, ticket in (("red", "denver--el-paso"), ("blue", "duluth--el-paso")):
        table.act("add-ticket", {"player": player, "ticket": ticket})
    table.act("finish", {})
    narrow.goto(serve(table) + "/sheet")
    tabs = box_of(narrow, ".tabs")["y"]
    assert box_of(narrow, ".route-list")["height"] > 0
    points = box_of(narrow, "#score-blue .points")
    assert points["y"] + points["height"] <= tabs
    assert narrow.locator("#score-blue .points").inner_text() == "15"


def test_a_photo_taken_before_is_sent_and_an_empty_board_is_said(
    narrow: Any, serve: Serve, tmp_path: Path
) -> None:
    eye = ToldEye({})
    table = new_table(tmp_path, eye, open_camera=None)
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    photo = tmp_path / "before.png"
    cv2.imwrite(str(photo), np.full((900, 1200, 3), 128, np.uint8))
    narrow.goto(serve(table) + "/board")
    with narrow.expect_file_chooser() as chooser:
        narrow.get_by_text("Foto già fatte").click()
    assert chooser.value.is_multiple()
    chooser.value.set_files([photo, photo])
    narrow.get_by_text("nessun vagone").wait_for()
    assert eye.looks == 1, "all photos that are chosen together are one moment"

    with narrow.expect_file_chooser() as chooser:
        narrow.get_by_text("Foto già fatte").click()
    eye.routes = None
    chooser.value.set_files(photo)
    narrow.get_by_text("La foto non si è potuta leggere").wait_for()
    assert narrow.get_by_text("nessun vagone").count() == 0, "that was the photo before"
    again = narrow.locator("#banner").get_by_text("Scatta un'altra foto")
    eye.routes = {}
    with narrow.expect_file_chooser() as chooser:
        again.click()
    chooser.value.set_files(photo)
    narrow.get_by_text("nessun vagone").wait_for()
    assert again.count() == 0
    OPEN.remove(table)
    table.close()


def test_a_long_complaint_stands_until_it_is_read_or_tapped(
    narrow: Any, serve: Serve, real: Table, tmp_path: Path
) -> None:
    """It says in 40 words how to send the photo all the same, over the camera's button."""
    real.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    photo = tmp_path / "board.heic"
    photo.write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 200)
    narrow.clock.install()
    narrow.goto(serve(real) + "/board")
    told = narrow.locator("#toast")
    for leave in (lambda: narrow.clock.run_for(20_000), told.click):
        narrow.locator("input[type=file]").first.set_input_files(photo)
        told.get_by_text("Impostazioni, Fotocamera, Formati").wait_for()
        narrow.clock.run_for(15_000)
        assert told.is_visible()
        leave()
        told.wait_for(state="hidden")


def test_a_line_of_the_sheet_stays_in_sight_when_its_path_is_told(
    phone: Any, serve: Serve, table: FakeTable
) -> None:
    """The map above the lines grows by the words about the path."""
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    for route, owner in (("duluth--helena", "red"), ("duluth--omaha-1", "red")):
        table.act("correct-route", {"route": route, "owner": owner})
    table.act("finish", {})
    phone.goto(serve(table) + "/sheet")
    line = phone.locator("button[data-trail]").last
    line.evaluate(
        """line => {
            document.body.style.paddingBottom = "100vh";
            const map = document.querySelector(".map").getBoundingClientRect();
            scrollBy(0, line.getBoundingClientRect().top - map.bottom - 4);
        }"""
    )
    box = line.bounding_box()
    phone.mouse.click(box["x"] + 50, box["y"] + 20)
    phone.locator(".trail-tools").wait_for()
    phone.wait_for_timeout(200)  # scroll anchoring comes with the next frame
    map_box = box_of(phone, ".map")
    assert line.bounding_box()["y"] >= map_box["y"] + map_box["height"] - 1


@pytest.fixture
def across(browser: Any) -> Iterator[Any]:
    """A phone held across, in English."""
    context = browser.new_context(viewport={"width": 844, "height": 390}, locale="en", **STILL)
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def test_held_across_the_curtain_names_whose_hand_it_is(
    across: Any, serve: Serve, table: FakeTable
) -> None:
    table.act("start", {"board": "usa", "players": FIVE[2:], "camera": False})
    table.offer_hand_photos("ready")
    across.goto(serve(table) + "/tickets/green")
    across.wait_for_load_state("load")
    for one in ("h1", ".big"):
        box = box_of(across, f".curtain {one}")
        assert 0 <= box["y"] <= 390 - box["height"], one


def test_held_across_the_reveal_ends_on_who_has_won(
    across: Any, serve: Serve, table: FakeTable
) -> None:
    table.act("start", {"board": "usa", "players": FIVE[2:], "camera": True})
    table.act("correct-route", {"route": "duluth--helena", "owner": "green"})
    table.act("finish", {})
    across.goto(serve(table) + "/reveal?step=1")
    across.locator("#reveal-skip").click()
    across.locator("#reveal-after .primary").wait_for()
    title = box_of(across, "#reveal h1, .side h1")
    assert title["y"] >= 0
    assert "wins" in across.locator("#reveal h1, .side h1").first.inner_text()
