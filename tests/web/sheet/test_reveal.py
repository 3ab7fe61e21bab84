"""The reveal: every step as a page of its own, and in Debian's Chromium set in motion."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.language import LANGUAGES
from scoring.sheet.sheet import Sheet, score_game
from tests.support.golden import GOLDEN, golden_sheet
from tests.web.conftest import PLAYERS
from tests.web.fake_table import FakeTable
from tests.web.test_pages import words
from web.ports import TablePort
from web.sheet.reveal import Reveal, view_reveal
from web.sheet.sheet import view_sheet
from web.table_state import PanelNotice

Serve = Callable[[TablePort], str]

RING = {
    "duluth--helena": ("red", 0.999, False),
    "duluth--omaha-1": ("red", 0.999, False),
    "denver--omaha": ("red", 0.999, False),
    "denver--helena": ("red", 0.999, False),
    "houston--new-orleans": ("blue", 0.999, False),
}
"""Ada: a ring of 6 + 2 + 4 + 4 = 16 wagons, 15 + 2 + 7 + 7 = 31 points. Ben: 2 wagons, 2 points."""


def reveal_of(sheet: Sheet, language: str = "en") -> Reveal:
    board = load_board(sheet.game) if sheet.game in BOARDS_WITH_DATA else None
    return view_reveal(sheet, board, language)


def golden_reveal(path: Path, language: str = "en") -> tuple[Sheet, Reveal]:
    sheet, board = golden_sheet(path)
    return sheet, view_reveal(sheet, board, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_totals_at_the_end_are_those_of_the_sheet(path: Path, language: str) -> None:
    sheet, reveal = golden_reveal(path, language)
    assert reveal.steps[-1].totals == tuple(player.total for player in sheet.players)
    assert set(reveal.steps[0].totals) == {0}
    assert all(step.title for step in reveal.steps)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_step_adds_what_it_says_and_every_bar_fits(path: Path) -> None:
    _, reveal = golden_reveal(path)
    steps = reveal.steps
    for before, after in pairwise(steps):
        moved = [b - a for a, b in zip(before.totals, after.totals, strict=True)]
        assert moved == [gain or 0 for gain in after.gains]
    for total in (total for step in steps for total in step.totals):
        start, length = reveal.bar(total)
        assert start >= 0
        assert start + length <= 100.01


def test_a_negative_total_has_its_bar_left_of_zero() -> None:
    """Ada 7 - 21 = -14, Ben 0: the scale runs from -14 to 7."""
    ada = {"name": "Ada", "routes": ["denver--omaha"], "tickets": ["las-vegas--miami"]}
    settings = {"longest-path-needs-a-route": True}
    reveal = reveal_of(
        score_game({"game": "usa", "players": [ada, {"name": "Ben"}], "settings": settings})
    )
    assert (reveal.lowest, reveal.highest) == (-14, 7)
    assert reveal.bar(-14) == (0.0, 66.67)
    assert reveal.bar(7) == (66.67, 33.33)


def test_a_tie_is_said_in_words_before_the_winner() -> None:
    """Level on 27 points; Bo has two tickets, Ada one."""
    path = next(one for one in GOLDEN if one.stem == "usa-tie-for-the-longest-path")
    tie, winner = golden_reveal(path)[1].steps[-2:]
    assert tie.said == (
        "Ada and Bo are level on 27 points. "
        "Level on points: more completed tickets decide. Bo 2, Ada 1."
    )
    assert winner.title == "Bo wins!"


def test_the_last_page_names_what_decided_for_whoever_skipped_to_it() -> None:
    """Bo and Ada have 27 points, Cyd has 1; Bo has more tickets. The sheet says it as well."""
    path = next(one for one in GOLDEN if one.stem == "usa-tie-for-the-longest-path")
    english, italian = (golden_reveal(path, one)[1].steps[-1] for one in ("en", "it"))
    assert words(english.said) == (
        "1. Bo 27, 2. Ada 27, 3. Cyd 1. "
        "Level on points: more completed tickets decide. Bo 2, Ada 1."
    )
    assert words(italian.said) == (
        "1. Bo 27, 2. Ada 27, 3. Cyd 1. "
        "Parità di punti: decide chi ha completato più biglietti. Bo 2, Ada 1."
    )


TIE_BREAKS_AGREED = [
    (
        ["tickets", "passengers"],
        "Level on points: more completed tickets decide. Ada 1, Bo 0.",
        "Ada",
    ),
    (["passengers"], "Level on points: more passengers decide. Bo 2, Ada 0.", "Bo"),
    (["passengers", "tickets"], "Level on points: more passengers decide. Bo 2, Ada 0.", "Bo"),
    ([], "Level on points: the win is shared.", "Ada and Bo"),
]


@pytest.mark.parametrize(("agreed", "said", "winners"), TIE_BREAKS_AGREED)
def test_what_decides_a_tie_is_said_as_the_table_agreed_it(
    agreed: list[str], said: str, winners: str
) -> None:
    """Both have 20 points. Ada: 1 for the route, 4 for the typed ticket, 15 as the globetrotter.

    Bo: 20 for the most green passengers, two of them. Ada has the ticket, Bo the passengers.
    """
    ticket = {"from": "dortmund", "to": "muenster", "points": 4}
    ada = {"name": "Ada", "colour": "red", "routes": ["dortmund--muenster-1"], "tickets": [ticket]}
    bo = {"name": "Bo", "colour": "white", "passengers": {"green": 2}}
    game = {"game": "germany", "players": [ada, bo], "settings": {"tie-breaks": agreed}}
    view = view_sheet(score_game(game), load_board("germany"), "en")
    assert view.tie_break == said
    assert view.headline.startswith(winners)


def test_what_could_not_decide_is_named_before_what_did() -> None:
    """20 points and no ticket each; Ada has three white passengers, Bo two green ones."""
    ada = {"name": "Ada", "colour": "red", "passengers": {"white": 3}}
    bo = {"name": "Bo", "colour": "white", "passengers": {"green": 2}}
    sheet = score_game({"game": "germany", "players": [ada, bo]})
    english, italian = (view_sheet(sheet, None, one).tie_break for one in ("en", "it"))
    assert english == (
        "Level on points and completed tickets: more passengers decide. Ada 3, Bo 2."
    )
    assert italian == (
        "Parità di punti e biglietti completati: decide chi ha più passeggeri. Ada 3, Bo 2."
    )


def test_passengers_are_told_with_everybodys_number() -> None:
    """Two green passengers score 20, one scores 10."""
    players = [
        {"name": "Ada", "colour": "red", "passengers": {"green": 1}},
        {"name": "Ben", "colour": "white", "passengers": {"green": 2}},
    ]
    reveal = reveal_of(score_game({"game": "germany", "players": players}))
    (step,) = (one for one in reveal.steps if one.kind == "passengers")
    assert (step.title, step.said, step.gains) == ("Passengers: green", "Ben 2, Ada 1.", (10, 20))


def test_where_two_have_most_passengers_it_says_that_nobody_is_second() -> None:
    """Rulebook 001: 20 points each, and Cyd's one passenger gets nothing."""
    counts = {"Ada": 2, "Ben": 2, "Cyd": 1}
    colours = ("red", "white", "yellow")
    players = [
        {"name": name, "colour": colour, "passengers": {"green": count}}
        for (name, count), colour in zip(counts.items(), colours, strict=True)
    ]
    reveal = reveal_of(score_game({"game": "germany", "players": players}))
    (step,) = (one for one in reveal.steps if one.kind == "passengers")
    assert step.said == "Tied for most, so nobody is second: Ada 2, Ben 2, Cyd 1."
    assert step.gains == (20, 20, None)


def test_the_globetrotter_is_told_in_a_sentence_as_all_steps_are() -> None:
    ada = {"name": "Ada", "routes": ["berlin--hamburg-1"], "tickets": ["hamburg--berlin"]}
    reveal = reveal_of(score_game({"game": "germany", "players": [ada, {"name": "Ben"}]}))
    (step,) = (one for one in reveal.steps if one.kind == "globetrotter")
    assert (step.said, step.gains) == ("Tickets completed: Ada 1, Ben 0.", (15, None))


def finished() -> FakeTable:
    table = FakeTable(RING)
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": True})
    table.act("scan", {})
    table.act("add-ticket", {"player": "red", "ticket": "denver--el-paso"})
    table.act("finish", {})
    return table


class Links(HTMLParser):
    """The addresses of a page's links, by their ids."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.known: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "a" and given.get("id"):
            self.known[str(given["id"])] = str(given["href"])


@pytest.fixture
def table() -> FakeTable:
    return finished()


def test_a_finished_game_leads_to_the_reveal(client: FlaskClient) -> None:
    assert client.get("/").headers["Location"] == "/reveal"


def test_before_the_end_the_reveal_leads_to_the_way_there(client: FlaskClient) -> None:
    client.post("/api/act/reopen", json={})
    assert client.get("/reveal").headers["Location"] == "/sheet"


def test_without_script_every_step_is_a_page_and_links_lead_through(client: FlaskClient) -> None:
    """Ada 31, then the ticket -4: 27, then the longest path: 37."""
    seen = []
    address = "/reveal?step=0"
    for _ in range(9):
        page = client.get(address).text
        text = words(page)
        seen.append(re.search(r"Ada red(?: · )?.*?(\d+) Ben", text).group(1))  # type: ignore[union-attr]
        if "The whole sheet" in text and 'id="reveal-turn" aria-label="The reveal" hidden' in page:
            break
        address = "/reveal" + Links(page).known["reveal-next"]
    assert seen == ["0", "31", "27", "37", "37"]
    assert "Ada wins!" in text


def test_without_script_the_longest_path_is_drawn_on_the_still(client: FlaskClient) -> None:
    page = client.get("/reveal?step=3").text
    drawn = page[page.index('<g id="trail"') : page.index("</svg>", page.index('<g id="trail"'))]
    assert drawn.count('class="over"') == 4
    assert re.findall(r"<text>(\d)</text>", drawn) == ["1", "2", "3", "4"]
    assert page.count("route lit") == 4


def test_nothing_to_check_stands_above_the_reveal(client: FlaskClient, table: FakeTable) -> None:
    """The sheet tells it again."""
    values = {"players": "Ada", "routes": "duluth--omaha-1, duluth--omaha-2"}
    table.notice(PanelNotice(key="scoring.violation.double-by-one", values=values))
    assert "Ada holds more than one line" not in client.get("/reveal").text
    assert "Ada holds more than one line" in client.get("/sheet").text


@pytest.mark.parametrize("asked", ["-1", "99", "x", "9" * 50, "%ff", "²"])
def test_an_odd_step_is_answered(client: FlaskClient, asked: str) -> None:
    assert client.get(f"/reveal?step={asked}").status_code == 200


def test_the_bars_grow_and_a_tap_goes_on(moving: Any, serve: Serve, table: FakeTable) -> None:
    moving.goto(serve(table))
    moving.get_by_role("heading", name="Routes").wait_for()  # by itself
    moving.get_by_role("button", name="Pause").click()
    moving.locator(".bars li.c-red .points", has_text="31").wait_for()
    moving.locator("#board").click(position={"x": 40, "y": 40})
    moving.get_by_role("heading", name="Ada's tickets").wait_for()
    moving.get_by_role("link", name="Next").click()
    moving.get_by_role("heading", name="Longest path").wait_for()
    moving.get_by_text("Ada has the longest path: 16 wagons. Ben 2.").wait_for()
    assert moving.locator("#trail .badge").count() == 4
    moving.get_by_role("link", name="Skip", exact=True).click()
    moving.get_by_role("heading", name="Ada wins!").wait_for()
    moving.locator(".bars li.c-red .points", has_text="37").wait_for()
    moving.locator(".bars li.c-blue .points", has_text="2").wait_for()
    assert moving.locator(".bars li.won").count() == 1


def test_it_plays_to_the_winner_by_itself_and_is_not_played_twice(
    moving: Any, serve: Serve, table: FakeTable
) -> None:
    address = serve(table)
    moving.goto(f"{address}/reveal")
    moving.get_by_role("heading", name="Ada wins!").wait_for()
    moving.goto(address)
    moving.get_by_role("heading", name="Ada wins!").wait_for()
    assert moving.locator("#reveal").get_attribute("data-at") == "4"
    moving.get_by_role("link", name="Play it again").click()
    moving.get_by_role("heading", name="Who has won?").wait_for()


THREE_LINES = (
    "Seattle – New York: not completed: "
    "Helena – Seattle, Saint Louis – Chicago and Denver – Helena were missing."
)


def test_on_an_upright_phone_the_bars_stay_where_they_are_under_a_long_sentence(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{serve(table)}/reveal?step=1")
    bars = page.locator(".bars")
    before = bars.bounding_box()
    page.evaluate(
        "words => document.querySelector('#reveal-said').textContent = words", THREE_LINES
    )
    assert page.locator("#reveal-said").bounding_box()["height"] > 60
    assert bars.bounding_box() == before


def test_with_reduced_motion_it_waits_for_a_tap(
    browser: Any, serve: Serve, table: FakeTable
) -> None:
    context = browser.new_context(reduced_motion="reduce", locale="en")
    tab = context.new_page()
    tab.goto(f"{serve(table)}/reveal")
    tab.get_by_role("heading", name="Who has won?").wait_for()
    assert tab.get_by_role("button", name="Pause").count() == 0
    for heading in ("Routes", "Ada's tickets", "Longest path", "Ada wins!"):
        tab.keyboard.press("ArrowRight")
        tab.get_by_role("heading", name=heading).wait_for()
    assert tab.locator(".bars li.c-red .points").inner_text() == "37"
    context.close()
