"""The games without a map in Debian's Chromium, from an empty table to a right sheet.

Every total is worked out by hand, and every sheet is the one of `companion score` for the same
`GAME.json`.
"""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.table.table import Table
from hardware.console.console import Button, Lamp
from hardware.console.virtual import VirtualConsole
from scoring.game.mapless import mapless_games
from tests.companion.tables import new_table
from tests.support.command_line import sheet_of_command_line
from tests.web.conftest import STILL, hide_hand, skip_reveal
from tests.web.test_pages import opened, words
from web.app import create_app
from web.ports import TablePort

Serve = Callable[[TablePort], str]

TWO = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]


@pytest.fixture
def console() -> VirtualConsole:
    """The box, its pins left out."""
    return VirtualConsole()


@pytest.fixture
def table(tmp_path: Path, console: VirtualConsole) -> Table:
    """A real table with every game without a map, over a fresh log."""
    return new_table(tmp_path, console=console, open_camera=None, boards=mapless_games())


def begin(page: Any, address: str, game: str, names: Mapping[str, str]) -> None:
    """From the start page into the game; `names` by the colour of the seat."""
    page.goto(address)
    page.get_by_role("link", name=game).click()
    for colour, name in names.items():
        page.get_by_label(f"Name of the {colour} player").fill(name)
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("heading", name="Tickets").wait_for()


@pytest.mark.parametrize(
    ("game", "typed", "told"),
    [
        ("paris-by-counts", ("route_lengths", {"1": 3, "2": 1}), "4 routes"),
        ("paris-by-counts", ("flags", 1), "1 flag"),
        ("card-game", ("cards", {"red": 2}), "pile counted"),
    ],
)
def test_the_list_of_hands_says_what_was_typed_beside_tickets(
    table: Table, game: str, typed: tuple[str, Any], told: str
) -> None:
    """Nothing entered yet stood there, after all lines had been."""
    table.act("start", {"board": game, "players": TWO, "camera": False})
    name, value = typed
    table.act(f"set-{name.replace('_', '-')}", {"player": "red", name: value})
    page = words(create_app(table).test_client().get("/tickets?lang=en").text)
    ada, ben = page.split("Ada red")[1].split("Ben blue")
    assert told in ada
    assert "nothing entered yet" not in ada
    assert "nothing entered yet" in ben


def test_after_a_first_pass_the_list_of_hands_tells_both_what_is_aside_and_the_pile(
    table: Table,
) -> None:
    """A red card completes Ada's only ticket; the other of her two is left on the pile."""
    players = [{"name": name, "colour": colour} for colour, name in FOUR.items()]
    table.act("start", {"board": "card-game", "players": players, "camera": False})
    ticket = {"from": "denver", "to": "omaha", "points": 9, "cards": {"red": 1}}
    table.act("add-ticket", {"player": "blue", "ticket": ticket})
    table.act("set-cards", {"player": "blue", "cards": {"red": 2}})
    table.act("score-first-pass", {})
    page = words(create_app(table).test_client().get("/tickets?lang=en").text)
    assert "Ada blue 1 ticket set aside · pile counted" in page


def test_in_the_second_pass_every_hand_leads_on_to_the_next_seat(table: Table) -> None:
    """All have tickets from the first pass, and all have to look through theirs again."""
    players = [{"name": name, "colour": colour} for colour, name in FOUR.items()]
    table.act("start", {"board": "card-game", "players": players, "camera": False})
    for player in FOUR:
        ticket = {"from": "denver", "to": "omaha", "points": 9, "completed": player == "blue"}
        table.act("add-ticket", {"player": player, "ticket": ticket})
    visitor = create_app(table).test_client()
    first, second, *_, last = FOUR
    assert "Hide, all done" in opened(visitor, first).text
    table.act("score-first-pass", {})
    assert f"Hide and pass to {FOUR[second]}" in opened(visitor, first).text
    assert "Hide, all done" in opened(visitor, last).text


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_card_game_asks_for_no_field_of_a_score_track(
    page: Any, serve: Serve, table: Table, language: str
) -> None:
    address = serve(table)
    for game, has_track in (("card-game", False), ("paris-by-counts", True)):
        page.goto(f"{address}/start?board={game}&lang={language}")
        assert page.locator("[name=setting-score-track]").count() == has_track, game


def open_hand(page: Any, name: str) -> None:
    page.locator(".hand-card", has_text=name).click()
    page.get_by_role("button", name="Show my tickets").click()
    page.get_by_role("heading", name=f"{name}'s tickets").wait_for()


def close_hand(page: Any) -> None:
    hide_hand(page)
    page.get_by_role("heading", name="Tickets").wait_for()


def step_up(page: Any, what: str, times: int) -> None:
    """Press the plus of a stepper, waiting for the number each time."""
    row = page.locator(".stepper", has=page.get_by_text(what, exact=True))
    for number in range(1, times + 1):
        row.get_by_role("button", name="One more").click()
        row.locator("output", has_text=str(number)).wait_for()


def type_value(page: Any, points: int, completed: bool) -> None:
    """A ticket by its value."""
    before = page.locator("#held .who").count()
    page.locator("form[action*=add-ticket]").get_by_label("Points", exact=True).fill(str(points))
    name = "Add as completed" if completed else "Add as not completed"
    page.get_by_role("button", name=name).click()
    page.locator("#held .who").nth(before).wait_for()


def type_ticket(page: Any, start: str, end: str, points: int, cards: Mapping[str, int]) -> None:
    """A ticket of the Card Game with its recipe."""
    page.get_by_label("From").fill(start)
    page.get_by_label("To", exact=True).fill(end)
    page.get_by_label("Points", exact=True).fill(str(points))
    for kind, count in cards.items():
        page.get_by_role("group").get_by_label(kind).fill(str(count))
    page.get_by_role("button", name="Add: the cards decide").click()
    page.locator("#held").get_by_text(f"{start} – {end}").wait_for()


def totals(page: Any) -> dict[str, int]:
    """Everybody's points on the sheet."""
    cards = page.locator("details.score")
    names = [cards.nth(i).locator(".who b").first.inner_text() for i in range(cards.count())]
    points = [
        int(cards.nth(i).locator(".points").inner_text().replace("−", "-"))
        for i in range(cards.count())
    ]
    return {name.split(". ")[1]: n for name, n in zip(names, points, strict=True)}


def test_paris_by_counts_from_start_to_sheet(
    page: Any,
    serve: Serve,
    table: Table,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The example of the rules: 11 + 5 - 3 + 8 = 21, and 12 + 4 + 5 = 21; two tickets beat one."""
    begin(page, serve(table), "Ticket to Ride Paris, by counts", {"blue": "Ada", "red": "Bo"})
    assert page.get_by_role("link", name="Board").count() == 0
    page.get_by_role("button", name="These are our points").click()
    page.get_by_text("These points count.").wait_for()

    open_hand(page, "Ada")
    for length, count in (("1", 3), ("2", 2), ("3", 1)):
        points = {"1": "1 point", "2": "2 points", "3": "4 points"}[length]
        step_up(page, f"Length {length} ({points} each)", count)
    step_up(page, "French flags", 2)
    type_value(page, 5, completed=True)
    type_value(page, 3, completed=False)
    close_hand(page)
    open_hand(page, "Bo")
    for length, count in (("1", 2), ("2", 1), ("3", 2)):
        points = {"1": "1 point", "2": "2 points", "3": "4 points"}[length]
        step_up(page, f"Length {length} ({points} each)", count)
    type_value(page, 4, completed=True)
    type_value(page, 5, completed=False)
    page.get_by_role("button", name="Ticket: completed").click()
    page.locator("#held .done").nth(1).wait_for()
    close_hand(page)
    page.get_by_role("button", name=FINISH).click()

    skip_reveal(page, "Bo wins!")
    assert totals(page) == {"Ada": 21, "Bo": 21}
    page.locator("#score-blue summary").click()
    by_length = "3 of length 1 = 3, 2 of length 2 = 4, 1 of length 3 = 4"
    assert page.locator("#main").get_by_text(by_length).first.is_visible()
    assert page.locator("#main").get_by_text("completed flags: 2").first.is_visible()
    said = sheet_of_command_line(table, tmp_path, capsys, monkeypatch)
    assert said == table.state()["sheet"]


def test_paris_by_counts_says_when_nobody_has_confirmed_the_points(
    page: Any, serve: Serve, table: Table
) -> None:
    """A phone in Italian; one line of two counts 2 by the table that is offered."""
    page.set_viewport_size({"width": 390, "height": 844})
    players = [{"name": "Ada", "colour": "blue"}, {"name": "Bo", "colour": "red"}]
    table.act("start", {"board": "paris-by-counts", "players": players, "camera": False})
    page.goto(f"{serve(table)}/tickets/blue?lang=it")
    page.get_by_role("button", name="Mostra").click()
    row = page.locator(".stepper", has_text="Lunghezza 2")
    row.get_by_role("button", name="Più uno").click()
    row.locator("output", has_text="1").wait_for()
    page.get_by_role("button", name="Annulla: le tratte per lunghezza di Ada").wait_for()
    wide = "document.documentElement.scrollWidth <= innerWidth"
    assert page.evaluate(wide)
    table.act("finish", {})
    page.wait_for_url("**/reveal*")
    page.goto(page.url.partition("/reveal")[0] + "/sheet")
    page.get_by_role("heading", name="Vince Ada!").wait_for()
    assert page.get_by_text("nessuno li ha confrontati").is_visible()
    assert totals(page) == {"Ada": 2, "Bo": 0}
    assert page.evaluate(wide)


@pytest.fixture
def hand_in_paris(page: Any, serve: Serve, table: Table) -> Any:
    """The page of Ada's hand in a new game of Paris by counts."""
    table.act("start", {"board": "paris-by-counts", "players": TWO, "camera": False})
    page.goto(f"{serve(table)}/tickets")
    open_hand(page, "Ada")
    return page


def test_a_ticket_that_was_typed_and_not_added_is_not_lost_without_a_question(
    hand_in_paris: Any, table: Table
) -> None:
    page = hand_in_paris
    page.get_by_label("Points", exact=True).fill("5")
    asked: list[str] = []
    page.once("dialog", lambda one: (asked.append(one.message), one.dismiss()))
    page.get_by_role("link", name="Hide and pass to Ben").click()
    assert asked == ["What you typed was not added. Hide it all the same?"]
    page.get_by_role("button", name="Add as completed").click()
    page.get_by_role("link", name="Hide and pass to Ben").click()
    page.get_by_role("heading", name="Only Ben looks").wait_for()
    assert table.state()["tickets"]["red"][0]["points"] == 5
    assert len(asked) == 1


def test_a_number_with_a_digit_too_many_is_told_and_not_cut(
    hand_in_paris: Any, table: Table
) -> None:
    """A ticket of 12 on which a finger stays would be one of 100 points, 1111 flags be 11."""
    page = hand_in_paris
    points = page.get_by_label("Points", exact=True)
    points.press_sequentially("1222")
    page.get_by_role("button", name="Add as completed").click()
    page.get_by_text("Points: type a whole number from 0 to 100.").wait_for()
    expect(points).to_have_value("1222")
    page.get_by_role("button", name="French flags: 0. Type the number").click()
    page.get_by_label("French flags: 0. Type the number").press_sequentially("1111")
    page.keyboard.press("Enter")
    page.get_by_text("French flags: type a whole number from 0 to 99.").wait_for()
    assert table.state()["tickets"]["red"] == []
    assert table.state()["flags"].get("red", 0) == 0


def test_points_of_big_cities_that_were_only_typed_are_counted(
    page: Any, serve: Serve, table: Table
) -> None:
    """Ada's one ticket, of 5, names both cities: 5 + 8 + 6. Nobody tapped "Save the big cities"."""
    table.act("start", {"board": "card-game", "players": TWO, "camera": False})
    ticket = {"from": "chicago", "to": "miami", "points": 5, "completed": True}
    table.act("add-ticket", {"player": "red", "ticket": ticket})
    page.goto(f"{serve(table)}/tickets")
    page.get_by_label("Chicago").fill("8")
    page.get_by_label("Miami").fill("many")
    page.get_by_role("button", name="Finish all the same").click()
    page.get_by_text("type a whole number from 0 to 100").wait_for()
    page.get_by_label("Miami").fill("6")
    page.get_by_role("button", name="Finish all the same").click()
    page.wait_for_url("**/reveal*")
    sheet = table.state()["sheet"]
    assert sheet is not None
    assert [one["total"] for one in sheet["players"]] == [19, 0]


def test_any_map_by_counts_from_start_to_sheet(
    page: Any,
    serve: Serve,
    table: Table,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ada: 2×2 + 15 + 21 = 40, 20 - 5, a station of 4, a bonus of 10: 69. Bo: 21 + 12 + 12 = 45."""
    begin(page, serve(table), "Any map, by counts", {"red": "Ada", "blue": "Bo"})
    open_hand(page, "Ada")
    step_up(page, "Length 2 (2 points each)", 2)
    step_up(page, "Length 6 (15 points each)", 1)
    step_up(page, "Length 8 (21 points each)", 1)
    step_up(page, "Stations left", 1)
    page.get_by_label("Name of the bonus").fill("Mandala")
    page.locator("form[action*=set-bonuses] input[name=points]").fill("10")
    page.get_by_role("button", name="Add the bonus").click()
    page.get_by_role("button", name="Remove Mandala").wait_for()
    type_value(page, 20, completed=True)
    type_value(page, 5, completed=False)
    close_hand(page)
    open_hand(page, "Bo")
    step_up(page, "Length 4 (7 points each)", 3)
    step_up(page, "Stations left", 3)
    type_value(page, 12, completed=True)
    close_hand(page)
    page.get_by_role("button", name=FINISH).click()
    skip_reveal(page, "Ada wins!")
    assert totals(page) == {"Ada": 69, "Bo": 45}
    assert page.locator("#main").get_by_text("Bonus: Mandala").first.is_visible()
    said = sheet_of_command_line(table, tmp_path, capsys, monkeypatch)
    assert said == table.state()["sheet"]


def test_a_hand_that_is_hidden_does_not_come_back_with_news_that_was_on_its_way(
    page: Any, serve: Serve, table: Table
) -> None:
    """The curtain, too, is still on its way when they come."""
    begin(page, serve(table), "Any map, by counts", {"red": "Ada", "blue": "Bo"})
    table.act("set-bonuses", {"player": "red", "bonuses": {"Mandala": 10}})
    open_hand(page, "Ada")
    page.get_by_role("button", name="Remove Mandala").wait_for()
    page.wait_for_load_state("load")
    on_their_way: list[Any] = []
    page.route("**/tickets/red*", lambda route: on_their_way.append(route))
    with page.expect_request(lambda request: "x-hand" in request.headers):
        table.act("set-bonuses", {"player": "red", "bonuses": {"Mandala": 10, "Globe": 5}})
    page.wait_for_timeout(200)
    page.evaluate(
        """() => {
        Object.defineProperty(document, 'hidden', {value: true});
        document.dispatchEvent(new Event('visibilitychange'));
        const main = () => document.querySelector('#main').textContent;
        const note = () => main().includes('Mandala') && sessionStorage.setItem('shown', 'yes');
        new MutationObserver(note).observe(document.body, {childList: true, subtree: true});
        }"""
    )
    page.wait_for_timeout(3200)  # for so long nothing that comes undoes a tap on a link
    news, curtain = on_their_way
    assert "x-hand" in news.request.headers
    news.continue_()
    page.wait_for_timeout(1000)
    curtain.continue_()
    page.get_by_role("button", name="Show my tickets").wait_for()
    assert page.evaluate("sessionStorage.getItem('shown')") is None


def test_a_ticket_that_was_added_on_a_phone_is_seen_at_once(
    phone: Any, serve: Serve, table: Table
) -> None:
    """It stood below the form, out of sight: nothing said that it had been added."""
    table.act("start", {"board": "card-game", "players": TWO, "camera": False})
    phone.goto(f"{serve(table)}/tickets")
    open_hand(phone, "Ada")
    type_ticket(phone, "Denver", "Omaha", 9, {"red": 2})
    added = phone.locator("#held li", has_text="Denver – Omaha").bounding_box()
    bar = phone.locator("header.top").bounding_box()
    assert added["y"] >= bar["y"] + bar["height"]
    assert added["y"] + added["height"] <= phone.locator("nav.tabs").bounding_box()["y"]


FINISH = re.compile("Show the final sheet|Finish all the same")
"""What the button says depends on whether the referee finds anything odd."""

FOUR = {"blue": "Ada", "red": "Ben", "green": "Cleo", "yellow": "Dan"}


def test_the_card_game_with_four_players_in_two_passes(
    page: Any,
    serve: Serve,
    table: Table,
    console: VirtualConsole,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """First pass: Ada completes 9 with two reds; her 5, without blue, costs nothing yet.

    Second pass: a locomotive completes her 5 as well, 14 in all; Chicago's 8 make it 22. Ben's 7
    is done in the first pass, his 6 never: 1. Cleo's 4 fails: -4. Dan says that his 3 is done.
    """
    begin(page, serve(table), "Ticket to Ride The Card Game", FOUR)
    page.get_by_text("6 big-city values are missing: Seattle,").wait_for()

    open_hand(page, "Ada")
    step_up(page, "red", 2)
    type_ticket(page, "Denver", "Omaha", 9, {"red": 2})
    type_ticket(page, "Chicago", "Boston", 5, {"blue": 1})
    close_hand(page)
    open_hand(page, "Ben")
    step_up(page, "green", 1)
    type_ticket(page, "Helena", "Duluth", 7, {"green": 1})
    type_ticket(page, "Dallas", "Boston", 6, {"black": 3})
    close_hand(page)
    open_hand(page, "Cleo")
    type_ticket(page, "Omaha", "Miami", 4, {"white": 1})
    close_hand(page)
    for _ in range(3):
        console.press(Button.CONFIRM)
    console.press(Button.CONFIRM)
    page.locator("#pointing, .unconfirmed").first.wait_for()
    assert console.lamps == (Lamp.ON, Lamp.ON, Lamp.ON, Lamp.BLINK)
    console.press(Button.CONFIRM)

    page.get_by_role("heading", name="Set aside in the first pass").wait_for()
    aside = page.locator(".aside").inner_text()
    assert "Denver – Omaha: 9 points" in aside
    assert "Helena – Duluth: 7 points" in aside
    assert "Chicago" not in aside
    assert page.get_by_text("Now play the second pass.").is_visible()
    assert page.get_by_role("button", name="Score the first pass").count() == 0
    assert page.get_by_role("button", name="Undo: the end of the first pass").count() == 1

    open_hand(page, "Ada")
    step_up(page, "locomotive", 1)
    close_hand(page)
    open_hand(page, "Dan")
    page.get_by_label("From").fill("Reno")
    page.get_by_label("To", exact=True).fill("Omaha")
    type_value(page, 3, completed=True)
    close_hand(page)
    page.get_by_label("Chicago").fill("8")
    page.get_by_role("button", name="Save the big cities").click()
    page.get_by_text("5 big-city values are missing: Seattle,").wait_for()
    page.get_by_role("button", name=FINISH).click()

    skip_reveal(page, "Ada wins!")
    assert totals(page) == {"Ada": 22, "Ben": 1, "Cleo": -4, "Dan": 3}
    assert page.locator("#main").get_by_text("completed with 1 × locomotive").first.is_visible()
    assert page.locator("#main").get_by_text("5 big-city values are missing").first.is_visible()
    assert console.lamps == (Lamp.ON, Lamp.OFF, Lamp.OFF, Lamp.OFF)
    said = sheet_of_command_line(table, tmp_path, capsys, monkeypatch)
    assert said == table.state()["sheet"]


def test_on_a_narrow_phone_the_sheet_breaks_no_name_from_its_place_and_the_counts_are_told_apart(
    browser: Any, serve: Serve, table: Table
) -> None:
    """“4.” stood alone above Massimiliano, and one row of the lines ran into the next."""
    names = {"blue": "Massimiliano", "red": "Giuseppina", "green": "Ada", "yellow": "Zoë"}
    players = [{"name": name, "colour": colour} for colour, name in names.items()]
    table.act("start", {"board": "paris-by-counts", "players": players, "camera": False})
    for colour, count in zip(names, (3, 4, 5, 6), strict=True):
        table.act("set-route-lengths", {"player": colour, "route_lengths": {"3": count}})
    size = {"width": 360, "height": 740}
    phone = browser.new_context(viewport=size, locale="it", **STILL).new_page()
    address = serve(table)
    phone.goto(f"{address}/tickets/blue")
    phone.get_by_role("button", name="Mostra").click()
    phone.locator("#held").wait_for()
    labels = [one.bounding_box() for one in phone.locator("#lengths .stepper > span").all()]
    for upper, lower in pairwise(labels):
        assert lower["y"] - upper["y"] - upper["height"] >= 8
    table.act("finish", {})
    phone.goto(f"{address}/reveal")
    phone.locator(".bars li").first.wait_for()
    for row in phone.locator(".bars li").all():
        mark, bar = row.locator(".mark").bounding_box(), row.locator(".bar").bounding_box()
        assert bar["y"] - mark["y"] - mark["height"] >= 2
    phone.goto(f"{address}/sheet")
    last = phone.get_by_text("4. Massimiliano", exact=True).bounding_box()
    assert last["height"] < 1.5 * phone.get_by_text("1. Zoë", exact=True).bounding_box()["height"]
    phone.context.close()
