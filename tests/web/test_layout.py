"""What stands where: five players, small windows, large text, and where the focus goes."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.board.board import load_board
from scoring.game.mapless import mapless_games
from tests.companion.tables import ADA_AND_BEN, game_by_hand, new_table
from tests.web.club_devices import ADA, DEVICES, HOST
from tests.web.conftest import PLAYERS, READING, STILL, served
from tests.web.fake_table import FakeTable
from web.access.club import Club, LetIn
from web.app import create_app
from web.ports import TablePort
from web.table_state import PanelNotice

Serve = Callable[[TablePort], str]

FIVE = [
    {"name": name, "colour": colour}
    for name, colour in (
        ("Ada", "red"),
        ("Ben", "blue"),
        ("Carla", "green"),
        ("Dario", "yellow"),
        ("Eva", "black"),
    )
]

DOUBLE = ["duluth--omaha-1", "duluth--omaha-2"]
PHONE_ACROSS = (844, 390)
TWICE_AS_LARGE = (640, 400)  # a window of 1280 x 800 at 200 %

SIZES = [(1280, 800), PHONE_ACROSS, (320, 568), TWICE_AS_LARGE]


CLUB_SIZES = [(ADA, 390, 844), *((HOST, width, 768) for width in (821, 961, 1024, 1081, 1180))]
"""A player's phone, and tablets of who hosts, who has one tool more at the top than at home."""


@pytest.fixture
def crowd() -> FakeTable:
    """Five players, one open question."""
    table = FakeTable(READING)
    table.act("start", {"board": "usa", "players": FIVE, "camera": True})
    table.act("scan", {})
    table.act("show", {"phase": "look"})
    return table


def on_top(page: Any, locator: Any) -> bool:
    """Whether an element stands in the window with nothing over its middle."""
    return bool(
        locator.evaluate(
            """(e) => {
              const box = e.getBoundingClientRect();
              const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
              const top = document.elementFromPoint(x, y) ?? document.body;
              return box.bottom <= innerHeight && e.contains(top);
            }"""
        )
    )


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(("name", "width", "height"), CLUB_SIZES)
def test_nothing_sticks_out_in_a_club(
    page: Any, playing: FakeTable, name: str, width: int, height: int, language: str
) -> None:
    """The player's way to the tickets was 15 px wider than the phone; the host's languages, at the
    end of the bar, stood beside the tablet."""
    playing.act("correct-route", {"route": "duluth--helena", "owner": "red"})
    app = create_app(playing, access=Club(DEVICES, LetIn([HOST], {"red": ADA})))
    with served(app) as address:
        page.context.add_cookies(
            [{"name": "device", "value": DEVICES.signed(name), "url": address}]
        )
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{address}/board?lang={language}")
        page.locator("#standing").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        bar = page.locator(".top > :last-child").bounding_box()
        assert bar["x"] + bar["width"] <= width - 5, "it has its margin"


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("path", ["board", "doubts", "tickets", "settings"])
def test_nothing_sticks_out_with_five_players(
    page: Any, serve: Serve, crowd: FakeTable, path: str, language: str
) -> None:
    page.goto(f"{serve(crowd)}/{path}?lang={language}")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        last = page.locator(".top .languages summary").bounding_box()
        assert last["x"] + last["width"] <= width, f"at {width} the language is cut off"


def test_with_five_players_everything_to_do_is_in_sight_on_a_tablet(
    page: Any, serve: Serve, crowd: FakeTable
) -> None:
    page.goto(f"{serve(crowd)}/board")
    for name in ("Answer 1 question", "Look at the board", "Take a photo", "The game is over"):
        found = page.locator("#flow").get_by_text(name)
        assert on_top(page, found), name
    assert on_top(page, page.get_by_text("Change a route"))


def test_a_phone_held_across_shows_all_five_players(
    page: Any, serve: Serve, crowd: FakeTable
) -> None:
    page.set_viewport_size({"width": PHONE_ACROSS[0], "height": PHONE_ACROSS[1]})
    page.goto(f"{serve(crowd)}/board")
    rows = page.locator("#standing li").all()
    assert [on_top(page, row) for row in rows] == [True] * 5


def test_a_phone_held_across_reveals_the_points_of_all_five(
    page: Any, serve: Serve, crowd: FakeTable
) -> None:
    crowd.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    crowd.act("finish", {})
    page.set_viewport_size({"width": PHONE_ACROSS[0], "height": PHONE_ACROSS[1]})
    page.goto(f"{serve(crowd)}/reveal")
    page.get_by_role("link", name="Next").click()
    page.locator("#reveal-skip").wait_for()
    assert [on_top(page, row) for row in page.locator(".bars .points").all()] == [True] * 5
    assert on_top(page, page.get_by_role("link", name="Next"))


def test_a_shared_win_of_five_is_told_whole_on_a_tablet(page: Any, serve: Serve) -> None:
    """Of "Level in everything: the win is shared." the second half lay under the first player."""
    level = FakeTable()
    long = ("Giovanna", "Beatrice", "Margherita", "Francesco", "Antonietta")
    five = [player | {"name": name} for player, name in zip(FIVE, long, strict=True)]
    level.act("start", {"board": "usa", "players": five, "camera": False})
    for route, owner in (("duluth--helena", "red"), ("helena--seattle", "blue")):
        level.act("correct-route", {"route": route, "owner": owner})
    level.act("finish", {})
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{serve(level)}/reveal?step=99")
    page.get_by_text("the win is shared").wait_for()
    said, bars = (page.locator(one).bounding_box() for one in ("#reveal-said", ".bars"))
    assert said["y"] + said["height"] <= bars["y"]


def test_a_tall_map_is_as_large_on_a_phone_held_across_as_upright(page: Any, serve: Serve) -> None:
    """Held upright a map fills the phone's 360 pixels, less 8 at each side."""
    germany = FakeTable(READING)
    germany.act("start", {"board": "germany", "players": FIVE, "camera": True})
    page.set_viewport_size({"width": 740, "height": 360})
    page.goto(f"{serve(germany)}/board")
    assert page.locator(".map .board").bounding_box()["width"] >= 360 - 2 * 8


def test_at_200_per_cent_bars_leave_the_page_its_room(
    page: Any, serve: Serve, crowd: FakeTable
) -> None:
    page.set_viewport_size({"width": TWICE_AS_LARGE[0], "height": TWICE_AS_LARGE[1]})
    page.goto(f"{serve(crowd)}/board")
    page.mouse.move(320, 200)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    bars = page.evaluate(
        """[...document.querySelectorAll("body *")].filter((e) =>
          ["fixed", "sticky"].includes(getComputedStyle(e).position) && e.checkVisibility())
        .map((e) => e.getBoundingClientRect()).reduce((sum, box) => sum + box.height, 0)"""
    )
    assert bars <= 0.2 * TWICE_AS_LARGE[1]


@pytest.fixture
def large_print(large_letters: Any) -> Iterator[Any]:
    """A phone whose owner has asked the browser for letters twice as large."""
    tab = large_letters.new_page(viewport={"width": 390, "height": 844}, **STILL)
    yield tab
    tab.close()


HINT_AND_ROOM_PX = """field => {
  const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(field);
  pen.font = getComputedStyle(field, "::placeholder").font;
  const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  return [pen.measureText(field.placeholder).width, field.clientWidth - padding];
}"""


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_hint_in_the_field_for_a_ticket_is_whole_in_letters_twice_as_large(
    large_print: Any, serve: Serve, table: FakeTable, language: str
) -> None:
    """“scrivi una c” stood there."""
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    large_print.goto(f"{serve(table)}/tickets/red?lang={language}")
    large_print.locator("#main form button").last.click()
    field = large_print.locator("[data-search]")
    for width in (320, 390):
        large_print.set_viewport_size({"width": width, "height": 844})
        hint, room = field.evaluate(HINT_AND_ROOM_PX)
        assert 0 < hint <= room, width


@pytest.mark.parametrize("language", ["en", "it"])
def test_letters_twice_as_large_fit_a_phone(
    large_print: Any, serve: Serve, crowd: FakeTable, language: str
) -> None:
    address = serve(crowd)
    for path in ("board", "doubts", "tickets", "settings", "names", "markers"):
        large_print.goto(f"{address}/{path}?lang={language}")
        size_px = large_print.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
        assert size_px >= 32, "the browser's own setting counts"
        assert large_print.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        for bar in large_print.locator(".top summary, .tabs a").all():
            box = bar.bounding_box()
            assert box["x"] + box["width"] <= 390, f"{path}: {bar.inner_text()}"
        lines = large_print.locator(".who b").evaluate_all(
            "names => names.map((e) => e.offsetHeight / parseFloat(getComputedStyle(e).fontSize))"
        )
        assert all(height < 2 for height in lines), f"{path}: a name of five letters is broken"


@pytest.mark.parametrize("language", ["en", "it"])
def test_statistics_in_letters_twice_as_large_are_in_sight_without_scrolling_sideways(
    large_print: Any, serve: Serve, tmp_path: Path, language: str
) -> None:
    """A table of figures lay beside the screen, also after a reload."""
    table = new_table(tmp_path, open_camera=None)
    players = [{"name": "W" * 24, "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    table.act("correct-route", {"route": "duluth--helena", "owner": "red"})
    table.act("finish", {})
    large_print.goto(f"{serve(table)}/statistics?lang={language}")
    for width in (320, 390):
        large_print.set_viewport_size({"width": width, "height": 844})
        large_print.reload()
        room, wide = large_print.locator(".wide-table").evaluate(
            "e => [e.clientWidth, e.scrollWidth]"
        )
        assert wide <= room
        assert large_print.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert large_print.get_by_text("25", exact=True).count() == 1, "6 wagons, 15 and 10 points"


def tabs_beside_each_other(tab: Any, address: str, width: int, height: int) -> None:
    """All tabs stand whole in sight, and no word of one lies on another."""
    tab.set_viewport_size({"width": width, "height": height})
    tab.goto(f"{address}/board?lang=it")
    ends = tab.locator(".tabs a").evaluate_all(
        """all => all.flatMap((e) => {
            const inside = document.createRange();
            inside.selectNodeContents(e);
            const { left, right } = inside.getBoundingClientRect();
            return [left, right];
        })"""
    )
    assert len(ends) == 8, "four tabs"
    assert ends == sorted(ends)
    assert ends[0] >= 0
    assert ends[-1] <= width
    assert tab.locator(".tabs").bounding_box()["height"] <= height / 5


def test_all_tabs_of_a_phone_held_across_fit_with_letters_twice_as_large(
    large_print: Any, serve: Serve, crowd: FakeTable
) -> None:
    """The way to the points lay beside the screen."""
    address = serve(crowd)
    for size in ((640, 360), (844, 390)):
        tabs_beside_each_other(large_print, address, *size)


def test_all_tabs_fit_a_phone_whose_browser_takes_room_from_it(
    page: Any, serve: Serve, crowd: FakeTable
) -> None:
    address = serve(crowd)
    for size in ((360, 560), (320, 480), (640, 360)):
        tabs_beside_each_other(page, address, *size)


@pytest.mark.parametrize("language", ["en", "it"])
def test_letters_twice_as_large_fit_the_pages_of_old_evenings(
    large_print: Any, serve: Serve, tmp_path: Path, language: str
) -> None:
    table = game_by_hand(tmp_path)
    table.act("finish", {})
    address = serve(table)
    evening = table.history.evenings()[0].id
    large_print.set_viewport_size({"width": 360, "height": 740})
    for path in ("history", f"history/{evening}", "statistics"):
        large_print.goto(f"{address}/{path}?lang={language}")
        assert large_print.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        tall = large_print.locator("main .button:visible").evaluate_all(
            "all => all.filter((e) => e.offsetHeight > 200).map((e) => e.innerText)"
        )
        assert tall == [], f"{path}: buttons as tall as they should be wide"


BROKEN_WORDS = """all => all.flatMap((element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    for (const word of text.data.matchAll(/\\p{L}+/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""
"""The words in some elements that begin on one line and end on the next."""


def test_no_place_of_a_ticket_that_is_looked_for_is_broken_in_letters_twice_as_large(
    large_print: Any, serve: Serve, tmp_path: Path
) -> None:
    table = game_by_hand(tmp_path)
    table.act("show", {"phase": "tickets"})
    large_print.goto(f"{serve(table)}/tickets/red?lang=it")
    large_print.get_by_role("button", name="Mostra i miei biglietti").click()
    for typed in ("vancouver", "los angeles"):
        large_print.get_by_label("Aggiungi un biglietto").fill(typed)
        found = large_print.locator("#found .hit-row")
        found.filter(has_text=re.compile(typed, re.IGNORECASE)).first.wait_for()
        assert found.evaluate_all(BROKEN_WORDS) == []
        assert large_print.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_name_beside_points_below_zero_is_whole_in_letters_twice_as_large_and_on_a_tablet(
    large_print: Any, page: Any, serve: Serve, tmp_path: Path
) -> None:
    """Giovanna's Los Angeles - Miami was not completed: -19. All bars keep one scale."""
    table = new_table(tmp_path, open_camera=None)
    long = [
        {"name": "Giovanna", "colour": "red"},
        {"name": "Lea", "colour": "blue"},
        {"name": "Nonna Maria Antonietta", "colour": "green"},
    ]
    table.act("start", {"board": "usa", "players": long, "camera": False})
    table.act("correct-route", {"route": "duluth--helena", "owner": "blue"})
    table.act("add-ticket", {"player": "red", "ticket": "los-angeles--miami"})
    table.act("finish", {})
    address = serve(table)
    large_print.set_viewport_size({"width": 360, "height": 640})
    page.set_viewport_size({"width": 1024, "height": 768})
    for path in ("reveal?step=1", "reveal?step=2", "reveal?step=99", "history"):
        large_print.goto(f"{address}/{path}")
        first = large_print.locator(".bars li, .came").filter(has_text="Giovanna")
        assert first.evaluate_all(BROKEN_WORDS) == [], path
        page.goto(f"{address}/{path}")
        assert page.locator(".bars, .came").evaluate_all(BROKEN_WORDS) == [], path
        for tab in (large_print, page):
            bars = tab.locator(".bar").evaluate_all("all => all.map((e) => e.clientWidth)")
            assert len(set(bars)) <= 1, path


def test_letters_twice_as_large_break_no_word_of_buttons_and_counters(
    large_print: Any, serve: Serve, tmp_path: Path
) -> None:
    """The longest words of all stand in Italian: “completato”, “francesi”, “proclamazione”."""
    large_print.set_viewport_size({"width": 360, "height": 740})
    ended = game_by_hand(tmp_path / "usa")
    ended.act("finish", {})
    address = serve(ended)
    for path in ("reveal", "sheet", "tickets"):
        large_print.goto(f"{address}/{path}?lang=it")
        assert large_print.locator("main .button:visible").evaluate_all(BROKEN_WORDS) == [], path
    paris = new_table(tmp_path / "paris", open_camera=None, boards=mapless_games())
    paris.act("start", {**ADA_AND_BEN, "board": "paris-by-counts", "camera": False})
    large_print.goto(f"{serve(paris)}/tickets?lang=it")
    large_print.locator("[data-key='enter']").click()
    large_print.get_by_role("heading", name="Tratte per lunghezza").wait_for()
    counters = large_print.locator(".stepper, main .button:visible")
    assert counters.evaluate_all(BROKEN_WORDS) == []
    steppers = large_print.locator(".stepper").all()
    for stepper in steppers:
        less, more = (stepper.locator("button.round").nth(i).bounding_box() for i in (0, 1))
        assert less["y"] == more["y"], "less and more stand beside their number"


def test_a_thing_to_check_has_the_width_of_a_phone(
    page: Any, serve: Serve, crowd: FakeTable
) -> None:
    """The button that shows it on the map stands below it, not in its way."""
    values = {"players": "Ada", "routes": "duluth--omaha-1, duluth--omaha-2"}
    double = PanelNotice(key="scoring.violation.double-by-one", values=values, routes=DOUBLE)
    crowd.notice(double, double)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{serve(crowd)}/board")
    page.locator("#notices summary").click()
    sentence = page.locator("#notices li span").first.bounding_box()
    assert sentence["width"] > 0.8 * 360


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.tagName"))


def test_the_focus_goes_on_to_the_next_question(page: Any, serve: Serve) -> None:
    two = FakeTable({**READING, "calgary--winnipeg": ("red", 0.6, True)})
    two.act("start", {"board": "usa", "players": FIVE, "camera": True})
    two.act("scan", {})
    page.goto(f"{serve(two)}/doubts")
    page.locator(".owner").first.focus()
    page.keyboard.press("Enter")
    page.get_by_text("1 question", exact=True).wait_for()
    assert focused(page) == "H1"


def test_after_a_dialog_the_focus_is_back_on_the_map(
    page: Any, serve: Serve, crowd: FakeTable
) -> None:
    page.goto(f"{serve(crowd)}/board")
    page.locator("#r-duluth--helena a").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Ben blue").press("Enter")
    page.locator("#r-duluth--helena.c-blue").wait_for()
    assert page.evaluate("document.activeElement.closest('.route')?.id") == "r-duluth--helena"


def test_the_map_of_a_final_sheet_offers_no_answer_that_would_be_refused(
    page: Any, serve: Serve, crowd: FakeTable
) -> None:
    crowd.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    crowd.act("finish", {})
    address = serve(crowd)
    page.goto(f"{address}/sheet")
    page.locator("#r-denver--omaha .space").nth(1).click()
    page.get_by_role("dialog").locator("h1, h2").first.wait_for()
    assert page.locator("[action*='/correct-route']").count() == 0
    page.goto(f"{address}/route/denver--omaha")
    assert page.locator("[action*='/correct-route']").count() == 0
    page.get_by_role("button", name="Open the count again").click()
    page.locator("button.owner").filter(has_text="Nobody").click()
    page.locator("#r-denver--omaha.free").wait_for()


LONG_NAMES = [
    {"name": "Bartholomäus", "colour": "red"},
    {"name": "Maximiliana von Habsburg", "colour": "blue"},
]

BROKEN = """names => names.filter((e) => {
  const text = document.createTreeWalker(e, NodeFilter.SHOW_TEXT).nextNode();
  return [...text.data.matchAll(/[^\\s]+/g)].some((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return range.getClientRects().length > 1;
  });
}).map((e) => e.innerText)"""
"""The names of which a word goes on in the next line."""


@pytest.mark.parametrize("language", ["en", "it"])
def test_letters_twice_as_large_break_no_word_of_a_name(
    large_print: Any, serve: Serve, tmp_path: Path, language: str
) -> None:
    table = new_table(tmp_path, open_camera=None)
    table.act("start", {**ADA_AND_BEN, "players": LONG_NAMES, "camera": False})
    address = serve(table)
    large_print.set_viewport_size({"width": 360, "height": 740})
    for path in ("board", "tickets", "sheet", "dispute"):
        if path == "sheet":
            table.act("show", {"phase": "tickets"})
            table.act("finish", {})
        large_print.goto(f"{address}/{path}?lang={language}")
        names = large_print.locator(
            ".standing .who b, .hand-card .who b, .score .who b, .counted-path .who b"
        )
        assert names.count() >= 2, path
        assert names.evaluate_all(BROKEN) == [], path
        assert large_print.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.parametrize("language", ["en", "it"])
def test_on_a_narrow_phone_the_fields_show_whole_what_they_are_for(
    page: Any, serve: Serve, tmp_path: Path, language: str
) -> None:
    """Ten colours can be played by counts, "arancione" among them."""
    address = serve(new_table(tmp_path, open_camera=None, boards=mapless_games()))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{address}/start?board=any-map&lang={language}")
    cut = page.locator(".seats input:visible").evaluate_all(
        """fields => fields.filter((field) => {
          const [own, hint] = [getComputedStyle(field), getComputedStyle(field, "::placeholder")];
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = `${hint.fontWeight} ${hint.fontSize} ${hint.fontFamily}`;
          const room = field.clientWidth - 2 * parseFloat(own.paddingLeft);
          return pen.measureText(field.placeholder).width > room;
        }).map((field) => field.placeholder)"""
    )
    assert cut == []


@pytest.mark.parametrize("language", ["en", "it"])
def test_on_a_narrow_phone_who_is_compared_is_chosen_by_whole_names(
    page: Any, serve: Serve, tmp_path: Path, language: str
) -> None:
    table = new_table(tmp_path, open_camera=None)
    three = [*LONG_NAMES, {"name": "Eva", "colour": "green"}]
    table.act("start", {**ADA_AND_BEN, "players": three, "camera": False})
    table.act("finish", {})
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{serve(table)}/dispute?lang={language}")
    cut = page.locator(".pick select").evaluate_all(
        """fields => fields.filter((field) => {
          const own = getComputedStyle(field);
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = `${own.fontWeight} ${own.fontSize} ${own.fontFamily}`;
          const widths = [...field.options].map((one) => pen.measureText(one.text).width);
          const arrow = 20;
          return Math.max(...widths) + arrow > field.clientWidth - 2 * parseFloat(own.paddingLeft);
        }).map((field) => field.name)"""
    )
    assert cut == []


def test_whoever_opens_the_search_types_at_once(page: Any, serve: Serve) -> None:
    table = FakeTable()
    table.act("start", {"board": "usa", "players": FIVE, "camera": False})
    page.goto(f"{serve(table)}/board")
    page.get_by_text("Change a route").click()
    page.keyboard.type("den om")
    page.locator("#found").get_by_role("link", name="Denver – Omaha").wait_for()
    page.get_by_text("Change a route").click()
    page.get_by_label("Change a route").wait_for(state="hidden")


def test_in_the_last_round_a_phone_shows_the_way_to_the_tickets_beside_the_photo(
    phone: Any, serve: Serve
) -> None:
    """It stood below the standing, out of sight, when it was needed next."""
    table = FakeTable()
    table.act("start", {"board": "usa", "players": FIVE, "camera": False})
    phone.set_viewport_size({"width": 390, "height": 664})
    phone.goto(f"{serve(table)}/board")
    tickets = phone.get_by_role("button", name="The game is over: tickets")
    tickets.wait_for()
    assert not on_top(phone, tickets)
    values = {"who": "Ada (2)", "turns": "", "last": "Ada"}
    table.notice(PanelNotice(key="scoring.remark.last-round", values=values))
    phone.get_by_text("Last round").first.wait_for()
    assert tickets.count() == 1
    assert on_top(phone, tickets)
    assert on_top(phone, phone.get_by_text("Take a photo").first)


def test_in_the_last_round_the_first_question_stays_in_sight_of_a_phone(
    phone: Any, serve: Serve, crowd: FakeTable
) -> None:
    """What is told of the round and of the photo filled the screen above it."""
    values = {"who": "Carla (2): Denver – Omaha, Dallas – Houston (1) and Atlanta – Miami"}
    crowd.notice(
        PanelNotice(key="scoring.remark.last-round-asked", values=values, routes=["denver--omaha"]),
        PanelNotice(key="vision.warning.covered", values={"count": 28}, routes=["denver--omaha"]),
    )
    phone.set_viewport_size({"width": 390, "height": 664})
    phone.goto(f"{serve(crowd)}/doubts")
    assert on_top(phone, phone.locator(".doubt .owner").first)
    folded = phone.get_by_text("2 things to check")
    folded.click()
    for told in ("Perhaps the last round", "Something lies over 28 routes"):
        assert phone.get_by_text(told).is_visible()


def test_whose_tickets_come_next_is_one_tap_away_on_a_phone(phone: Any, serve: Serve) -> None:
    """Four hands already pushed the button under the tabs."""
    table = FakeTable()
    table.act("start", {"board": "usa", "players": FIVE, "camera": False})
    table.act("show", {"phase": "tickets"})
    phone.set_viewport_size({"width": 390, "height": 664})
    phone.goto(f"{serve(table)}/tickets")
    button = phone.get_by_role("button", name="Enter Ada's tickets")
    assert on_top(phone, button)
    phone.get_by_role("button", name="Finish all the same").scroll_into_view_if_needed()
    last = phone.get_by_role("button", name="Finish all the same")
    assert button.bounding_box()["y"] < last.bounding_box()["y"], "it lies over nothing there"


SOUTH = ["freiburg--karlsruhe", "freiburg--konstanz", "konstanz--lindau", "lindau--muenchen"]

COVERED = """all => all.flatMap((one, i) => all.slice(i + 1).filter((other) => {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 1 && high > 1;
}).map((other) => `${one.textContent} ${other.textContent}`))"""
"""Those of some elements that lie over each other."""


def test_a_step_to_redo_pushes_nothing_out_of_the_narrowest_phone(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """Undo stood under the step forward, or the page was wider than the screen."""
    table = new_table(tmp_path, open_camera=None)
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    for route in ("miami--new-orleans", "duluth--helena"):
        table.act("correct-route", {"route": route, "owner": "red"})
    table.act("undo", {})
    page.goto(serve(table) + "/board?lang=it")
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        tools = page.locator(".tools :is(.tool, .tool span):visible")
        assert tools.count() > 3
        assert page.locator(".tools .tool:visible").evaluate_all(COVERED) == [], width
        sizes = [one.bounding_box() for one in page.locator(".tools .tool:visible").all()]
        assert min(box["width"] for box in sizes) >= 44, width


def test_the_narrowest_phone_shows_places_counters_and_names_whole(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """320 wide, in Italian: a completed ticket has two buttons, "Ancora uno" four neighbours."""
    table = new_table(tmp_path, open_camera=None, boards=(load_board("germany"),))
    players = [
        {"name": "Nonna Giuseppina", "colour": "red"},
        {"name": "Bartholomäus", "colour": "black"},
    ]
    table.act("start", {"board": "germany", "players": players, "camera": False})
    for route in [*SOUTH, "muenchen--regensburg"]:
        table.act("correct-route", {"route": route, "owner": "black"})
    table.act("add-ticket", {"player": "black", "ticket": "karlsruhe--regensburg"})
    address = serve(table)
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{address}/tickets/black?lang=it")
    page.get_by_role("button", name="Mostra i miei biglietti").click()
    page.locator("#held button[data-routes]").wait_for()
    assert page.locator("#held").evaluate_all(BROKEN_WORDS) == []
    counters = page.locator(".stepper > span, .stepper .number, .stepper .round")
    assert counters.count() == 6 * 5, "a pawn, its colour, less, the number and more, six times"
    assert counters.evaluate_all(COVERED) == []
    page.goto(f"{address}/markers")
    field = page.get_by_label("Nonna Giuseppina")
    assert page.locator(".seats .colour").first.is_visible()
    words = page.locator(".seats .colour").first.evaluate(
        "e => { const r = document.createRange(); r.selectNodeContents(e); "
        "const b = r.getBoundingClientRect(); return [b.right, b.bottom]; }"
    )
    box = field.bounding_box()
    assert words[0] <= box["x"] or words[1] <= box["y"], "the name ends before its field"


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_tabs_of_the_narrowest_phone_can_be_read_without_glasses(
    page: Any, serve: Serve, tmp_path: Path, language: str
) -> None:
    """They were 12.8 px high on a phone 320 wide; 14 is the least on every other."""
    table = game_by_hand(tmp_path)
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{serve(table)}/tickets?lang={language}")
    words = page.locator(".tabs a > span")
    assert words.count() == 4
    for word in words.all():
        assert word.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= 14
        tab, box = word.locator("..").bounding_box(), word.bounding_box()
        assert tab["x"] <= box["x"], "the word is whole in its tab"
        assert box["x"] + box["width"] <= tab["x"] + tab["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_narrowest_phone_shows_the_steps_of_dispute_and_reveal_whole(
    page: Any, serve: Serve, tmp_path: Path, language: str
) -> None:
    table = game_by_hand(tmp_path, {"denver--omaha": "red", "duluth--omaha-1": "blue"})
    table.act("finish", {})
    page.set_viewport_size({"width": 320, "height": 568})
    page.emulate_media(reduced_motion="no-preference")  # "play" stands in the row then
    page.goto(f"{serve(table)}/dispute?lang={language}")
    page.locator('[data-turn="play"]').wait_for()
    room, words = page.locator('.turn [data-turn="next"]').evaluate(
        "e => { const r = document.createRange(); r.selectNodeContents(e); "
        "return [e.getBoundingClientRect(), r.getBoundingClientRect()].map((b) => b.toJSON()); }"
    )
    assert room["left"] <= words["left"]
    assert words["right"] <= room["right"]
    assert room["top"] <= words["top"]
    assert words["bottom"] <= room["bottom"]
    page.goto(f"{page.url.partition('/dispute')[0]}/reveal?step=1")
    page.locator("#reveal-play").wait_for()
    steps = [step.bounding_box() for step in page.locator(".turn > :visible").all()]
    assert len(steps) == 4, "back, pause, next and skip"
    assert len({round(step["y"] + step["height"] / 2) for step in steps}) == 1
    assert steps[-1]["x"] + steps[-1]["width"] <= 320


OUT_OF_THEM = """all => all.flatMap((element) => {
  const words = document.createRange();
  words.selectNodeContents(element);
  return words.getBoundingClientRect().right > element.getBoundingClientRect().right + 1
    ? [element.innerText] : [];
})"""
"""The texts that are wider than the elements they stand in."""


def test_a_name_of_24_letters_without_a_space_stays_in_its_line(
    large_print: Any, page: Any, serve: Serve, tmp_path: Path
) -> None:
    """So many letters are allowed; what cannot be broken pushed all of its line out of the card."""
    table = new_table(tmp_path, open_camera=None)
    players = [
        {"name": "BartholomaeusMaximiliano", "colour": "red"},
        {"name": "Lea", "colour": "blue"},
    ]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    table.act("correct-route", {"route": "duluth--helena", "owner": "blue"})
    table.act("finish", {})
    address = serve(table)
    large_print.goto(f"{address}/sheet")
    lines = large_print.locator(".line button:visible")
    lines.filter(has_text="6 wagons (BartholomaeusMaximiliano 0)").wait_for()
    assert lines.evaluate_all(OUT_OF_THEM) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/statistics")
    card = page.locator(".wide-table")
    assert card.evaluate("e => e.scrollWidth <= e.clientWidth"), "its figures are in sight"


def test_a_name_that_is_refused_is_quoted_within_its_form(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{serve(new_table(tmp_path, open_camera=None))}/start?board=usa")
    page.locator("[name=name-blue]").fill("AdaBenCarlaDarioEvaFrancaGiulia")
    page.get_by_role("button", name="Start the game").click()
    page.locator(".refused").wait_for()
    assert page.locator(".refused").evaluate_all(OUT_OF_THEM) == []
