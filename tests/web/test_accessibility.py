"""axe-core finds nothing on any page, and words have contrast in any setting of the device."""

import re
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from typing import Any

import pytest

from tests.web.conftest import READING, STILL, open_hand
from tests.web.fake_table import FakeTable, grey_png
from tests.web.test_hand_photos import ASKED, SURE, UNREAD
from tests.web.test_layout import FIVE
from web.drawing.colour_styles import contrast, luminance
from web.ports import TablePort
from web.table_state import PanelNotice

Serve = Callable[[TablePort], str]

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}

MAP = ("#board",)
"""axe cannot tell the contrast of words in a drawing: looking for it there is work for nothing."""

USUAL = {"color_scheme": "light", "contrast": "no-preference", "forced_colors": "none"}

SETTINGS: dict[str, dict[str, str]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
    "dark contrast": {"contrast": "more", "color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
}

PAGES = [
    "start",
    "start?board=usa",
    "board",
    "doubts",
    "route/denver--omaha",
    "tickets",
    "tickets/red",
    "settings",
    "names",
    "markers",
    "box",
    "help",
    "join",
    "scoreboard",
    "sheet",
    "reveal",
]


@pytest.fixture(scope="module")
def device(browser: Any) -> Iterator[Any]:
    """One page for all: only the first run of axe in it pays for compiling axe."""
    context = browser.new_context(locale="en", **STILL)
    yield context.new_page()
    context.close()


@pytest.fixture
def tab(device: Any) -> Any:
    """A device that has visited no table yet, in light colours."""
    device.context.clear_cookies()
    put(device, "light")
    return device


def put(page: Any, setting: str) -> None:
    """Give the page's device the colours of a setting."""
    page.emulate_media(**{**USUAL, **SETTINGS[setting]})


def brought_to(path: str) -> FakeTable:
    """A table at which a page shows what it is there for."""
    table = FakeTable(READING)
    if not path.startswith("start"):
        table.act("start", {"board": "usa", "players": FIVE, "camera": True})
        table.act("scan", {})
    if path in ("sheet", "reveal"):
        table.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
        table.act("finish", {})
    return table


LOOKED_AT = """async ([exclude, options]) => {
  const left = exclude.flatMap((one) => [...document.querySelectorAll(one)]);
  const parts = left.map((element) => [...element.childNodes]);
  left.forEach((element) => element.replaceChildren());
  const { violations } = await axe.run({ exclude }, options);
  left.forEach((element, i) => element.replaceChildren(...parts[i]));
  return violations.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 120)}`));
}"""


def found_by_axe(page: Any, rules: dict[str, Any], without: Sequence[str] = ()) -> list[str]:
    """What axe finds on a page; `without` are selectors of what is looked at elsewhere.

    That is empty meanwhile: axe would go through all of it to leave it out.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    return list(page.evaluate(LOOKED_AT, [list(without), {**rules, "resultTypes": ["violations"]}]))


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_on_a_page(tab: Any, serve: Serve, path: str) -> None:
    tab.goto(f"{serve(brought_to(path))}/{path}")
    without = MAP if path == "doubts" else ()  # it is the one of the board's page
    assert found_by_axe(tab, {"runOnly": TAGS}, without) == []


@pytest.mark.parametrize("path", ["start", "board", "doubts", "sheet"])
def test_words_have_contrast_in_every_setting(tab: Any, serve: Serve, path: str) -> None:
    tab.goto(f"{serve(brought_to(path))}/{path}")
    for setting in ("dark", "contrast", "dark contrast"):
        put(tab, setting)
        assert found_by_axe(tab, CONTRAST, MAP) == [], setting


def test_what_is_refused_at_a_field_can_be_read_in_every_setting(tab: Any, serve: Serve) -> None:
    tab.goto(f"{serve(FakeTable(READING))}/start?board=usa")
    tab.locator("[name=name-red]").fill("A" * 25)
    tab.get_by_role("button", name="Start the game").click()
    tab.locator(".refused").wait_for()
    assert found_by_axe(tab, {"runOnly": TAGS}) == []
    for setting in ("dark", "contrast", "dark contrast"):
        put(tab, setting)
        assert found_by_axe(tab, CONTRAST) == [], setting


def test_the_cards_of_a_photo_can_be_read_in_every_setting(tab: Any, serve: Serve) -> None:
    """The first photo shows a sure, a doubtful and an unread card, the second is refused."""
    table = brought_to("tickets/red")
    table.offer_hand_photos("ready")
    table.photographed = [(SURE[0], ASKED, UNREAD)]
    open_hand(tab, f"{serve(table)}/tickets/red")
    photo = {"name": "hand.png", "mimeType": "image/png", "buffer": grey_png()}
    for said in ("Which ticket is this?", "No ticket card was found in the photo"):
        tab.locator("[data-photo] input[type=file]").first.set_input_files(photo)
        tab.get_by_text(said).wait_for()
    tab.get_by_role("radio").first.check()
    for setting in ("light", "dark", "contrast", "dark contrast"):
        put(tab, setting)
        assert found_by_axe(tab, CONTRAST) == [], setting


def test_in_forced_colours_the_current_page_can_be_told(tab: Any, serve: Serve) -> None:
    put(tab, "forced")
    tab.goto(f"{serve(brought_to('board'))}/board")
    grounds = tab.evaluate(
        """[...document.querySelectorAll(".tabs a")].map((e) =>
          [e.getAttribute("aria-current"), getComputedStyle(e).backgroundColor])"""
    )
    here = {ground for current, ground in grounds if current}
    assert len(here) == 1
    assert not here & {ground for current, ground in grounds if not current}


def test_axe_finds_nothing_in_the_questions_of_the_map(tab: Any, serve: Serve) -> None:
    tab.goto(f"{serve(brought_to('board'))}/board")
    tab.locator("#r-denver--omaha .space").nth(1).click()
    tab.get_by_role("dialog").get_by_role("heading").wait_for()
    assert found_by_axe(tab, {"runOnly": TAGS}, MAP) == []


def test_every_bar_of_the_scoreboard_stands_out_black_ones_too(tab: Any, serve: Serve) -> None:
    tab.goto(f"{serve(brought_to('scoreboard'))}/scoreboard")
    ground, *edges = tab.evaluate(
        """[getComputedStyle(document.body).backgroundColor,
          ...[...document.querySelectorAll(".bar rect")].map((e) => getComputedStyle(e).stroke)]"""
    )
    assert len(edges) == len(FIVE)
    assert all(contrast(light_of(edge), light_of(ground)) >= 3 for edge in edges)


def light_of(colour: str) -> float:
    """The luminance of `rgb(1, 2, 3)`."""
    return luminance("#" + "".join(f"{int(one):02x}" for one in re.findall(r"\d+", colour)[:3]))


def test_whoever_does_not_see_the_page_hears_points_questions_and_news(
    page: Any, serve: Serve
) -> None:
    """A part that is read aloud must stay in the page: one that is put in anew is not heard."""
    table = FakeTable({})
    table.act("start", {"board": "usa", "players": FIVE, "camera": True})
    page.goto(f"{serve(table)}/board")
    heard = page.locator("#heard[role=status]")
    assert heard.text_content() == ""
    page.evaluate("for (const e of document.querySelectorAll('[role=status]')) e.stays = true")
    table.act("correct-route", {"route": "duluth--helena", "owner": FIVE[0]["colour"]})
    page.locator("#heard", has_text=f"{FIVE[0]['name']}: 15 points").wait_for()
    assert FIVE[1]["name"] not in (heard.text_content() or ""), "their points are as they were"

    values = {"players": "Ada", "routes": "duluth--omaha-1, duluth--omaha-2"}
    table.notice(PanelNotice(key="scoring.violation.double-by-one", values=values, routes=[]))
    page.locator("#banner .banner").wait_for()
    assert page.evaluate("['banner', 'heard'].every((id) => document.getElementById(id).stays)")


def test_whoever_does_not_see_the_page_hears_that_a_question_came(page: Any, serve: Serve) -> None:
    table = FakeTable(READING)
    table.act("start", {"board": "usa", "players": FIVE, "camera": True})
    open_hand(page, f"{serve(table)}/tickets/red")
    table.act("scan", {})  # a page with an open hand is led nowhere
    page.locator("#heard", has_text="Questions: 1").wait_for()


def test_a_claimed_route_shows_that_the_keyboard_is_on_it(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    """Its spaces, which alone changed, lie under its wagons: nothing was seen on a full board."""
    table.act("start", {"board": "usa", "players": FIVE, "camera": False})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    page.goto(f"{serve(table)}/board")
    claimed = page.locator("#r-denver--omaha a[aria-label]")
    band = claimed.locator(".hit")
    for key in ("Shift", "Tab"):  # the browser shows the focus once a key was pressed
        page.keyboard.press(key)
    unseen = band.evaluate("e => getComputedStyle(e).stroke")
    claimed.focus()
    assert claimed.evaluate("e => e.matches(':focus-visible')")
    seen = band.evaluate("e => getComputedStyle(e).stroke")
    assert (unseen, seen) == ("rgba(0, 0, 0, 0)", "rgb(179, 84, 30)")
