"""What Safari does otherwise on phones and tablets, as far as Chromium can be made to notice it.

Safari has a tap clicked only on what can be pressed or where the hand would show, makes fields of
small letters larger, and tells no page that it is about to be left.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from scoring.board.board import load_board
from tests.companion.tables import new_table
from tests.web.conftest import PLAYERS, open_hand
from tests.web.fake_table import FakeTable
from tests.web.test_weight import until
from web.ports import TablePort

Serve = Callable[[TablePort], str]

NOBODY_IS_TOLD = """
const listen = window.addEventListener;
window.addEventListener = function (kind, ...rest) {
  if (kind !== "beforeunload") listen.call(this, kind, ...rest);
};
"""
"""A page that hears nothing of its being left."""

KEEPS_NOTHING = """
Object.defineProperty(window, "sessionStorage", {
  get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
});
"""

OF_SAFARI_15 = "delete HTMLFormElement.prototype.requestSubmit;"

SEEN = """
Object.defineProperty(document, "hidden", { value: %s, configurable: true });
document.dispatchEvent(new Event("visibilitychange"));
"""

SLEPT = SEEN % "true" + SEEN % "false"

SHOWS_THE_HAND = """([x, y]) =>
  getComputedStyle(document.elementFromPoint(x, y)).cursor === "pointer" """

FIVE = [
    {"name": name, "colour": colour}
    for name, colour in zip("ABCDE", ("red", "blue", "green", "yellow", "black"), strict=True)
]


def shows_the_hand(page: Any, x: float, y: float) -> bool:
    """Whether Safari tells of a tap there that no link or button takes."""
    return bool(page.evaluate(SHOWS_THE_HAND, [x, y]))


def test_a_tap_beside_a_route_is_told_of(phone: Any, serve: Serve, playing: FakeTable) -> None:
    """Where a finger misses a route by a little, the nearest one is meant; once the map was brought
    nearer as well."""
    phone.goto(f"{serve(playing)}/board")
    for _ in range(2):
        box = phone.locator("svg#board").bounding_box()
        assert shows_the_hand(phone, box["x"] + 6, box["y"] + box["height"] - 12)
        phone.locator("[data-zoom=in]").click()


def test_a_tap_anywhere_goes_on_in_the_reveal(phone: Any, serve: Serve, playing: FakeTable) -> None:
    playing.act("finish", {})
    phone.goto(f"{serve(playing)}/reveal?step=0")
    box = phone.locator("#reveal-title").bounding_box()
    assert shows_the_hand(phone, box["x"] + 5, box["y"] + 5)


def test_a_tap_beside_an_open_question_closes_it(
    phone: Any, serve: Serve, playing: FakeTable
) -> None:
    phone.goto(f"{serve(playing)}/board")
    phone.locator(".find summary").click()
    phone.get_by_label("Change a route").fill("hel")
    phone.locator("#found a").first.click()
    phone.locator("#dialog .owner, #dialog .button").first.wait_for()
    assert shows_the_hand(phone, 195, 60)
    phone.touchscreen.tap(195, 60)
    until(phone, "!document.querySelector('#dialog').open")


def test_the_menu_of_languages_closes_at_a_finger_that_presses_nothing(
    phone: Any, serve: Serve, playing: FakeTable
) -> None:
    """No click follows there: what closes the menu is the finger's coming down."""
    phone.goto(f"{serve(playing)}/board")
    phone.locator(".languages summary").click()
    phone.locator(".languages a").first.wait_for()
    phone.locator("#standing").dispatch_event("pointerdown")
    assert not phone.locator(".languages a").first.is_visible()


def test_two_quick_taps_do_not_zoom(phone: Any, serve: Serve, playing: FakeTable) -> None:
    """Two fingers still do."""
    phone.goto(f"{serve(playing)}/board")
    assert (
        phone.evaluate("getComputedStyle(document.documentElement).touchAction") == "manipulation"
    )
    assert "user-scalable" not in phone.locator("meta[name=viewport]").get_attribute("content")


def test_nothing_hidden_makes_the_page_longer_than_a_tablet(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    """The field behind "Photos taken before" did: once it had the focus the bar at the top was gone
    and nothing led back to it."""
    table.act("start", {"board": "usa", "players": FIVE, "camera": True})
    page.set_viewport_size({"width": 1024, "height": 600})
    page.goto(f"{serve(table)}/board")
    page.locator(".foot input[type=file]").focus()
    page.evaluate("scrollTo(0, 9999)")
    assert page.evaluate("scrollY") == 0


def test_a_phone_held_across_has_nothing_to_press_under_its_camera(
    phone: Any, serve: Serve, playing: FakeTable
) -> None:
    """47 points at each side of an iPhone 14, 21 below."""
    phone.goto(serve(playing))
    insets = {"left": 47, "right": 47, "bottom": 21, "top": 0}
    tools = phone.context.new_cdp_session(phone)
    tools.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    for width, height in ((844, 390), (740, 360)):  # with the tabs above, and with them below
        phone.set_viewport_size({"width": width, "height": height})
        for path in ("board", "tickets", "settings"):
            phone.goto(f"{phone.url.rsplit('/', 1)[0]}/{path}")
            boxes = phone.locator("main :is(a, button, label):visible, .top :is(a, button):visible")
            spans = [box for box in (one.bounding_box() for one in boxes.all()) if box]
            assert min(box["x"] for box in spans) >= 47, (path, width)
            assert max(box["x"] + box["width"] for box in spans) <= width - 47, (path, width)
            bar = phone.locator("header.top").bounding_box()
            assert (bar["x"], bar["width"]) == (0, width), "its colour goes from edge to edge"


def test_a_table_that_moves_on_does_not_undo_a_tap_on_a_link(
    phone: Any, serve: Serve, playing: FakeTable
) -> None:
    """The answer to the tap is slow; meanwhile another device ends the game."""
    phone.add_init_script(NOBODY_IS_TOLD)
    address = serve(playing)
    phone.goto(f"{address}/board")
    held: list[Any] = []
    phone.route("**/help", lambda route: held.append(route))
    phone.get_by_role("link", name="Help").click(no_wait_after=True)
    until_held(phone, held)
    with phone.expect_response("**/board"):
        playing.act("show", {"phase": "tickets"})
    phone.wait_for_timeout(300)
    held[0].continue_()
    phone.wait_for_url("**/help")


def until_held(page: Any, held: list[Any]) -> None:
    while not held:
        page.wait_for_timeout(20)


def test_a_rematch_has_its_players_though_the_table_moves_on_at_once(
    phone: Any, serve: Serve, tmp_path: Path
) -> None:
    """The page hears of the new game before it has left for its players."""
    table = new_table(tmp_path, boards=[load_board("usa")], open_camera=None)
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    table.act("finish", {})
    phone.add_init_script(NOBODY_IS_TOLD)
    phone.goto(f"{serve(table)}/sheet")
    held: list[Any] = []
    phone.route("**/start?board=*", lambda route: held.append(route))
    phone.get_by_role("button", name="Rematch").click(no_wait_after=True)
    until_held(phone, held)
    phone.wait_for_timeout(500)
    held[0].continue_()
    phone.locator("input[name=name-red]").wait_for()
    expect(phone.locator("input[name=name-red]")).to_have_value("Ada")


@pytest.mark.parametrize("path", ["board", "doubts"])
def test_a_page_that_slept_shows_what_happened_meanwhile(
    phone: Any, serve: Serve, playing: FakeTable, path: str
) -> None:
    """Its line is dead: nothing comes by it any more, and the browser does not know."""
    phone.route("**/events", lambda _: None)
    phone.goto(f"{serve(playing)}/{path}")
    playing.act("correct-route", {"route": "duluth--helena", "owner": "red"})
    phone.wait_for_timeout(300)
    version = phone.evaluate("document.body.dataset.version")
    phone.unroute("**/events")
    with phone.expect_request("**/events"):
        phone.evaluate(SLEPT)
    until(phone, f"document.body.dataset.version !== '{version}'")


def test_the_seventh_tab_of_a_browser_opens(phone: Any, serve: Serve, playing: FakeTable) -> None:
    """A browser has six lines to one box; whoever scans the code each evening leaves a tab each."""
    address = f"{serve(playing)}/board"
    for _ in range(6):
        tab = phone.context.new_page()
        with tab.expect_response("**/events"):
            tab.goto(address)
        tab.evaluate(SEEN % "true")
    phone.goto(address, timeout=10_000)
    playing.act("correct-route", {"route": "duluth--helena", "owner": "red"})
    phone.locator("#r-duluth--helena.c-red").wait_for()
    tab.evaluate(SEEN % "false")
    tab.locator("#r-duluth--helena.c-red").wait_for()


def test_a_photo_is_sent_from_an_ipad_of_2014(phone: Any, serve: Serve, playing: FakeTable) -> None:
    phone.add_init_script(OF_SAFARI_15)
    phone.goto(f"{serve(playing)}/board")
    chosen = {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": b"\xff\xd8\xff"}
    with phone.expect_request("**/api/act/upload-photo*") as sent:
        phone.locator("form.photo input[type=file]").set_input_files(chosen)
    assert sent.value.headers["content-type"].startswith("multipart/form-data")


def test_a_browser_that_keeps_nothing_plays_all_the_same(
    phone: Any, serve: Serve, table: FakeTable
) -> None:
    phone.add_init_script(KEEPS_NOTHING)
    phone.goto(f"{serve(table)}/start?board=usa")
    for colour in ("red", "blue"):
        phone.locator(f"input[name=name-{colour}]").fill(colour)
    phone.get_by_role("button", name="Start the game").click()
    phone.locator("#standing").wait_for()


CORRECTED = """[...document.querySelectorAll("input, textarea")].filter((field) =>
  ["text", "search", "textarea"].includes(field.type) && field.inputMode !== "numeric"
  && field.getAttribute("autocorrect") !== "off").map((field) => field.name)"""
"""Fields in which an iPhone puts another word in the place of a name or of a piece of one."""


def test_no_name_is_corrected(phone: Any, serve: Serve, playing: FakeTable) -> None:
    """Of "hel" a search for Helena makes "he'll"."""
    address = serve(playing)
    for path in ("board", "names", "settings"):
        phone.goto(f"{address}/{path}")
        assert phone.evaluate(CORRECTED) == [], path
    open_hand(phone, f"{address}/tickets/red")
    assert phone.evaluate(CORRECTED) == []
    playing.act("new-game", {})
    phone.goto(f"{address}/start?board=usa")
    assert phone.evaluate(CORRECTED) == []


def test_a_phone_held_across_has_letters_of_the_same_size(
    phone: Any, serve: Serve, playing: FakeTable
) -> None:
    phone.goto(f"{serve(playing)}/board")
    assert phone.evaluate("getComputedStyle(document.body).webkitTextSizeAdjust") == "100%"
