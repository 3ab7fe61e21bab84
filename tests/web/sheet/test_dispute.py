"""Two longest paths side by side, and what another owner would change; the game stays as it is."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.table.table import Table
from scoring.board.board import Board, load_board
from scoring.documents.game import parse_game
from scoring.game.mapless import mapless_games
from scoring.language import LANGUAGES
from tests.companion.tables import ADA_BEN_AND_CLEO, new_table
from tests.web.fake_table import FakeTable
from tests.web.sheet.test_reveal import finished
from tests.web.test_pages import words
from web.app import create_app
from web.drawing.board_svg import draw_board
from web.ports import TablePort
from web.sheet.dispute import view_dispute

Serve = Callable[[TablePort], str]


@pytest.fixture
def table() -> FakeTable:
    """Ada's ring of 6 + 2 + 4 + 4 wagons and a ticket of -4: 37 points. Ben's two wagons: 2."""
    return finished()


def test_both_paths_are_counted_wagon_by_wagon(client: FlaskClient) -> None:
    page = words(client.get("/dispute?by=wagon&at=7").text)
    assert "Ada red 7 of 16" in page
    assert "Ben blue 2 of 2" in page  # his path has ended
    assert "Ada red 16 of 16" in words(client.get("/dispute").text)


def test_route_by_route_the_count_goes_on_by_whole_routes() -> None:
    ring = ["duluth--helena", "duluth--omaha-1", "denver--omaha", "denver--helena"]
    players = [
        {"name": "Ada", "colour": "red", "routes": ring},
        {"name": "Ben", "colour": "blue", "routes": ["houston--new-orleans"]},
    ]
    board = load_board("usa")
    game = parse_game({"game": "usa", "players": players})
    dispute = view_dispute(game, ["red", "blue"], draw_board(board), "en")
    ada = [counts[0] for counts in dispute.counts("route")]
    assert ada[0] == 0
    assert sorted(b - a for a, b in pairwise(ada)) == [2, 4, 4, 6]
    assert [counts[1] for counts in dispute.counts("route")] == [0, 2, 2, 2, 2]
    assert [counts[0] for counts in dispute.counts("wagon")] == list(range(17))


def test_the_line_on_the_map_goes_through_as_many_wagons_as_were_counted() -> None:
    """A single route of 4 between two cities: its line has four wagons and two ends."""
    game = parse_game(
        {"game": "usa", "players": [{"name": "Ada", "colour": "red", "routes": ["denver--omaha"]}]}
    )
    (path,) = view_dispute(game, ["red"], draw_board(load_board("usa")), "en").paths
    assert [len(path.line(count)) for count in range(5)] == [0, 2, 3, 4, 6]
    assert [number for number, _ in path.marks(3)] == [3]
    assert [number for number, _ in path.marks(4)] == [4]
    xs = [x for x, _ in path.line(4)]
    assert xs in (sorted(xs), sorted(xs, reverse=True))  # Denver lies west of Omaha


def test_the_page_says_in_plain_words_why_nothing_longer_exists(client: FlaskClient) -> None:
    page = words(client.get("/dispute").text)
    assert "Why Ada has nothing longer" in page
    assert "The path uses every route of its network, all 16 wagons of it" in page
    assert "A second check, which shares nothing with the search" in page


def test_the_players_to_compare_are_chosen(client: FlaskClient) -> None:
    page = words(client.get("/dispute?a=blue&b=red&by=route&at=1").text)
    assert page.index("Ben blue 2 of 2") < page.index("Ada red")


@pytest.mark.parametrize(
    "query",
    ["a=mars&b=%ff", "at=-1", "at=9999999", "at=x&by=z", "a=red&b=red", "at=²"],
)
def test_odd_addresses_show_the_two_longest(client: FlaskClient, query: str) -> None:
    answer = client.get(f"/dispute?{query}")
    assert answer.status_code == 200
    assert "of 16" in words(answer.text)


DENVER_HELENA = "change=denver--helena:blue"
"""4 wagons, 7 points: Ada keeps 24 - 4 + 10 (a path of 12), Ben has 2 + 7."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_owner_shows_what_moves_and_leaves_the_game_alone(
    client: FlaskClient, table: FakeTable, language: str
) -> None:
    before = table.state()
    page = words(client.get(f"/what-if?{DENVER_HELENA}&lang={language}").text)
    assert "31 → 24" in page
    assert "2 → 9" in page
    assert re.search(r"1\. Ada \S+ −7 30", page)
    assert re.search(r"2\. Ben \S+ \+7 9", page)
    assert table.state() == before


def test_the_places_move_too(client: FlaskClient) -> None:
    """All of Ada's ring to Ben: 2 + 31, and his longest path of 16; Ada keeps the ticket's -4."""
    ring = ["duluth--helena", "duluth--omaha-1", "denver--omaha", "denver--helena"]
    query = "&".join(f"change={route}:blue" for route in ring)
    page = words(client.get(f"/what-if?{query}").text)
    assert "Ben wins!" in page
    assert "Nothing changes at the top" not in page
    assert re.search(r"1\. Ben blue · place 2 → 1 \+41 43", page)
    assert re.search(r"2\. Ada red · place 1 → 2 −41 −4", page)


def test_what_the_rules_would_forbid_is_said(client: FlaskClient) -> None:
    page = words(client.get("/what-if?change=duluth--omaha-2:red").text)
    assert "Duluth – Omaha" in page
    page = client.get("/what-if?change=duluth--omaha-2:red").text
    told = page.partition('class="unconfirmed">')[2].partition("</p>")[0]
    assert told.endswith("."), "a sentence, as the notice about it is one"
    assert 'class="unconfirmed"' not in client.get(f"/what-if?{DENVER_HELENA}").text


def test_a_change_that_is_none_falls_out(client: FlaskClient) -> None:
    for sent in ("denver--helena:red", "mars--venus:red", "denver--helena:green", ":", "x"):
        assert "Take back all changes" not in client.get(f"/what-if?change={sent}").text


def test_an_unknown_route_is_said(client: FlaskClient) -> None:
    assert client.get("/what-if?route=mars--venus").status_code == 404


def test_before_the_end_both_lead_to_the_sheet(client: FlaskClient) -> None:
    client.post("/api/act/reopen", json={})
    for path in ("/dispute", "/what-if"):
        assert client.get(path).headers["Location"] == "/sheet"


def test_a_game_without_a_map_has_no_path_to_compare(tmp_path: Path) -> None:
    table: Table = new_table(tmp_path, open_camera=None, boards=mapless_games())
    players = [{"name": "Ada", "colour": "blue"}, {"name": "Bo", "colour": "red"}]
    table.act("start", {"board": "paris-by-counts", "players": players, "camera": False})
    table.act("finish", {})
    client = create_app(table).test_client()
    for path in ("/dispute", "/what-if"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "scored without a map" in words(answer.text)
    assert "/dispute" not in client.get("/sheet").text


def test_counting_on_the_tablet(moving: Any, serve: Serve, table: FakeTable) -> None:
    moving.goto(f"{serve(table)}/dispute?at=0")
    ada = moving.locator(".counted-path.c-red .sofar")
    assert ada.inner_text() == "0"
    moving.get_by_role("link", name="One more").click()
    moving.get_by_role("link", name="One more").click()
    assert ada.inner_text() == "2"
    assert moving.locator("#trail .c-red .count").last.text_content() == "2"
    moving.get_by_role("link", name="Route by route").click()
    assert int(ada.inner_text()) in (2, 4, 6)
    moving.get_by_role("link", name="To the end").click()
    assert ada.inner_text() == "16"
    assert moving.locator("#trail .c-red .count").count() == 4
    moving.get_by_role("button", name="Count from here").click()
    moving.locator(".counted-path.c-red .sofar", has_text="16").wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_steps_stand_in_one_row_and_names_are_whole_on_a_laptop(
    moving: Any, serve: Serve, tmp_path: Path, language: str
) -> None:
    """Beside the map the step to the end fell into a row of its own, and a name was cut short."""
    table = new_table(tmp_path, open_camera=None)
    table.act("start", {**ADA_BEN_AND_CLEO, "camera": False})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    table.act("finish", {})
    moving.set_viewport_size({"width": 1280, "height": 800})
    moving.goto(f"{serve(table)}/dispute?lang={language}")
    steps = moving.locator(".turn > :visible")
    assert steps.count() == 5
    boxes = [step.bounding_box() for step in steps.all()]
    middles = [box["y"] + box["height"] / 2 for box in boxes]
    assert max(middles) - min(middles) < 2
    row = moving.locator(".pick").bounding_box()
    for choice in moving.locator(".pick select").all():
        assert choice.bounding_box()["width"] == pytest.approx(row["width"], abs=1)


def test_paper_shows_both_ways_and_both_proofs(page: Any, serve: Serve, table: FakeTable) -> None:
    """Whoever prints a dispute wants the other player's proof, too, which is shut on screen."""
    page.goto(f"{serve(table)}/dispute")
    shut = page.locator("#proof-blue p").first
    assert not shut.is_visible()
    page.emulate_media(media="print")
    assert shut.is_visible()
    for part in ("path-red", "path-blue", "proof-red", "proof-blue"):
        assert page.locator(f"#{part}").bounding_box()["height"] > 60


def test_a_tap_on_the_sheets_map_asks_what_if(page: Any, serve: Serve, table: FakeTable) -> None:
    page.goto(f"{serve(table)}/sheet")
    page.locator("#r-denver--helena .space").nth(1).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading", name="What if Denver – Helena belonged to").wait_for()
    dialog.get_by_role("link", name="Ben blue").click()
    page.get_by_role("heading", name="Nothing changes at the top: Ada wins!").wait_for()
    assert page.locator("#r-denver--helena.c-blue").count() == 1
    page.get_by_role("link", name="Take back all changes").click()
    page.locator("#r-denver--helena.c-red").wait_for()
    assert table.acts[-1][0] == "finish"


def test_a_game_without_the_bonus_says_that_the_path_earns_nothing(client: FlaskClient) -> None:
    german = FakeTable()
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "black"}]
    german.act("start", {"board": "germany", "players": players, "camera": False})
    german.act("correct-route", {"route": "berlin--hannover", "owner": "red"})
    german.act("finish", {})
    said = "the longest path earns no points"
    assert said in create_app(german).test_client().get("/dispute").text
    assert said not in client.get("/dispute").text


@pytest.mark.parametrize(
    ("board", "route", "is_offered"),
    [
        (load_board("france"), "paris--reims-1", True),  # 10 points for the longest path
        (load_board("germany"), "berlin--hannover", False),
        (replace(load_board("germany"), tie_breaks=("longest-path",)), "berlin--hannover", True),
    ],
)
def test_paths_are_compared_only_where_their_length_counts(
    tmp_path: Path, board: Board, route: str, is_offered: bool
) -> None:
    first, second = board.player_colours[:2]
    players = [{"name": "Ada", "colour": first}, {"name": "Ben", "colour": second}]
    table = new_table(tmp_path, boards=(board,), open_camera=None)
    table.act("start", {"board": board.id, "players": players, "camera": False})
    table.act("correct-route", {"route": route, "owner": first})
    table.act("finish", {})
    visitor, evening = create_app(table).test_client(), table.history.evenings()[0].id
    for page in ("/sheet", f"/history/{evening}"):
        assert ("/dispute" in visitor.get(page).text) == is_offered, page


def test_a_route_that_was_read_wrongly_is_put_right_from_the_sheet(
    phone: Any, serve: Serve, table: FakeTable
) -> None:
    """Whoever taps it there was only asked what if; the way to correct it began on another page."""
    address = serve(table)
    phone.goto(f"{address}/what-if?route=denver--helena")
    phone.get_by_role("button", name="Is it wrong? Reopen and correct it").click()
    phone.wait_for_url("**/route/denver--helena#asked")
    owner = phone.get_by_role("button", name="Ben blue")
    assert owner.bounding_box()["y"] < 844 - 80, "in sight above the tabs"
    owner.click()
    phone.get_by_text("Now: Ben (blue)").wait_for()
    phone.get_by_role("link", name="On to the tickets").click()
    phone.get_by_role("heading", name="Tickets").first.wait_for()
    assert table.state()["routes"]["denver--helena"]["owner"] == "blue"


def test_an_old_evening_cannot_be_put_right(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=None, boards=(load_board("usa"),))
    players = [{"name": "Ada", "colour": "blue"}, {"name": "Bo", "colour": "red"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    table.act("finish", {})
    visitor, evening = create_app(table).test_client(), table.history.evenings()[0].id
    asked = "what-if?route=denver--helena"
    assert "Reopen and correct it" in visitor.get(f"/{asked}").text
    assert "Reopen and correct it" not in visitor.get(f"/history/{evening}/{asked}").text
