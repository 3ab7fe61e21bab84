"""Old evenings on the panel: the list, one opened again, statistics, files, the bin, a rematch."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.log.file import write_first_log
from companion.log.rows import chain_anew
from companion.log.store import LOG_NAME
from companion.log.table_file import log_rows
from companion.table.table import Table
from scoring.board.board import load_board
from scoring.language import LANGUAGES
from tests.companion.tables import ADA_AND_BEN, OPEN, ToldEye, new_table, scanned, unsure
from tests.web.conftest import STILL
from tests.web.test_pages import words
from web.app import create_app
from web.drawing.colour_styles import luminance
from web.exports import COLUMNS, bg_stats_link, evenings_csv
from web.history_port import EveningSummary, PlayerResult
from web.ports import TablePort
from web.statistics import chosen, statistics

Serve = Callable[[TablePort], str]

PLAYERS = [{"name": "Chloé", "colour": "red"}, {"name": "Ben", "colour": "blue"}]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Two old evenings. First Chloé 17 : 0 (4 wagons, 7 points), then Ben 25 : 0 (6, 15)."""
    table = new_table(tmp_path, open_camera=None, boards=(load_board("usa"),))
    for route, owner in (("denver--omaha", "red"), ("duluth--helena", "blue")):
        table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
        table.act("correct-route", {"route": route, "owner": owner})
        table.act("finish", {})
        table.act("new-game", {})
    return table


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table).test_client()


def test_the_address_of_a_sheet_says_that_the_game_goes_on_after_it_was_reopened(
    table: Table, client: FlaskClient
) -> None:
    """It was said that there is no such evening."""
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    table.act("finish", {})
    shared = f"/history/{newest(table)}"
    assert client.get(shared).status_code == 200
    table.act("reopen", {})
    for address in (shared, f"{shared}/result.png", f"/api/v1{shared}"):
        answer = client.get(address, headers={"Accept-Language": "en"})
        assert answer.status_code == 404
        assert "This game goes on" in answer.text
    assert (
        '<a class="button primary big" href="/">Back to the game</a>'
        in client.get(shared, headers={"Accept-Language": "en"}).text
    )
    assert "no such evening" in client.get("/history/1").text
    table.act("finish", {})
    assert client.get(shared).status_code == 200


def newest(table: Table) -> str:
    return table.history.evenings()[0].id


@pytest.mark.parametrize("at_s", [1e18, float("inf"), -1e12])
def test_an_evening_whose_time_is_no_date_counts_as_of_1970(tmp_path: Path, at_s: float) -> None:
    """A log may come from elsewhere, packed by another program."""
    first = new_table(tmp_path / "one", open_camera=None, boards=(load_board("usa"),))
    first.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    first.act("finish", {})
    OPEN.pop().close()
    rows = [replace(row, at=at_s) for row in log_rows(tmp_path / "one")]
    write_first_log(tmp_path / LOG_NAME, chain_anew(rows))
    client = create_app(
        new_table(tmp_path, open_camera=None, boards=(load_board("usa"),))
    ).test_client()
    assert "day unknown" in words(client.get("/history").text)
    assert "day unknown" in words(client.get("/sheet").text)
    assert json.loads(client.get("/api/v1/history").text)[0]["began"] == "1970-01-01T00:00:00Z"


def test_the_list_has_date_board_players_and_winner(client: FlaskClient) -> None:
    page = words(client.get("/history").text)
    assert "2 games" in page
    assert page.index("Ben 25") < page.index("Chloé 17")
    assert page.count("Ticket to Ride (USA)") == 2
    assert re.search(r"\d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d", page)
    won = re.findall(r'class="c-(\w+) won"', client.get("/history").text)
    assert won == ["blue", "red"]


def test_a_page_of_the_list_that_is_there_no_more_leads_to_the_last_one(
    client: FlaskClient,
) -> None:
    """A bookmark from before games were deleted said that no game had ever been finished."""
    assert words(client.get("/history?from=50").text) == words(client.get("/history").text)


def test_before_the_first_evening_the_list_says_so(tmp_path: Path) -> None:
    table = new_table(tmp_path / "fresh", open_camera=None)
    page = words(create_app(table).test_client().get("/history").text)
    assert "No finished game yet" in page
    OPEN.pop().close()


def test_an_old_evening_is_revealed_again_step_by_step(client: FlaskClient, table: Table) -> None:
    """Ben's route of 6 wagons scores 15, his longest path 10: 25 in the end."""
    old = f"/history/{newest(table)}/reveal"
    first, last = client.get(f"{old}?step=0").text, client.get(f"{old}?step=99").text
    assert "Who has won?" in first
    assert "Ben wins!" in words(last)
    assert re.search(r"Ben blue ?winner.*? 25 ", words(last))
    assert f'href="/history/{newest(table)}"' in last, "the way back leads to the old sheet"
    assert 'href="/sheet"' not in last.split("<main")[1]


def test_two_paths_of_an_old_evening_are_compared_and_proved(
    client: FlaskClient, table: Table
) -> None:
    page = client.get(f"/history/{newest(table)}/dispute").text
    assert "Ben blue 6 of 6" in words(page)
    assert "Why Ben has nothing longer" in page
    assert 'href="/sheet"' not in page.split("<main")[1]


def test_another_owner_may_be_thought_of_in_an_old_evening(
    client: FlaskClient, table: Table
) -> None:
    """Chloé with Ben's only route: her 15 points and the longest path make 25, his are gone."""
    old = f"/history/{newest(table)}/what-if"
    asked = client.get(f"{old}?route=duluth--helena").text
    assert f'href="{old}?change=duluth--helena%3Ared"' in asked
    page = words(client.get(f"{old}?change=duluth--helena%3Ared").text)
    assert "Chloé wins!" in page
    assert "Ben wins!" in words(client.get(f"/history/{newest(table)}").text), "only in thought"


@pytest.mark.parametrize("page", ["reveal", "dispute", "what-if"])
def test_an_evening_that_never_was_has_no_pages(client: FlaskClient, page: str) -> None:
    for number in ("999", "x", "-1"):
        assert client.get(f"/history/{number}/{page}").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_old_sheet_opens_with_its_evidence_and_nothing_to_change(
    client: FlaskClient, table: Table, language: str
) -> None:
    page = client.get(f"/history/{newest(table)}?lang={language}").text
    assert {"en": "Ben wins!", "it": "Vince Ben!"}[language] in page
    assert 'data-routes="duluth--helena"' in page
    assert 'id="r-duluth--helena" data-live data-route="duluth--helena"' in page
    assert re.search(r'id="r-duluth--helena"[^>]*claimed c-blue', page)
    assert 'href="/route/' not in page
    assert "correct-route" not in page


def test_what_stood_against_a_game_stays_with_its_old_sheet_and_on_paper(
    client: FlaskClient, table: Table
) -> None:
    """Two lines of a double in one hand: a breach; nobody's tickets, and 43 wagons left.

    The page tells each once, and counts as many remarks as the sheet did while it was new.
    """
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    for number in (1, 2):
        table.act("correct-route", {"route": f"dallas--houston-{number}", "owner": "red"})
    table.act("finish", {})
    counted = "Finished despite 1 remark of the referee"
    assert counted in words(client.get("/sheet").text.split("<main")[1])
    table.act("new-game", {})
    paper, page = client.get(f"/history/{newest(table)}").text.split("<main")
    assert counted in words(page)
    for told in (words(page), words(paper)):
        assert "Finished all the same, although:" in told
        assert told.count("Dallas – Houston (1) and Dallas – Houston (2).") == 1
        assert told.count("No ticket has been entered for Chloé.") == 1
        assert told.count("the fewest are 43 (Chloé).") == 1


@pytest.mark.parametrize(
    ("language", "asked", "counted"),
    [
        (
            "en",
            "Questions about the board that nobody answered: Dallas – Houston, Denver – Omaha.",
            "Wagons left of Ada: 40 by count, 45 by the board.",
        ),
        (
            "it",
            "Domande sul tabellone a cui nessuno ha risposto: Dallas – Houston, Denver – Omaha.",
            "Vagoni rimasti di Ada: 40 contati, 45 secondo il tabellone.",
        ),
    ],
)
def test_open_questions_and_counts_that_differ_stay_with_an_old_evening_and_on_paper(
    tmp_path: Path, language: str, asked: str, counted: str
) -> None:
    """The page of the game on the table alone told them. Both lines of the double are in doubt."""
    doubted = ("dallas--houston-1", "dallas--houston-2", "denver--omaha")
    eye = ToldEye({route: unsure(None, "red") for route in doubted})
    table = new_table(tmp_path, eye)
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    table.act("count-wagons", {"player": "red", "wagons": 40})
    table.act("finish", {})
    client = create_app(table).test_client()
    paper, page = client.get(f"/sheet?lang={language}").text.split("<main")
    assert asked in words(paper)
    assert asked not in words(page), "there it is told by a sentence of its own"
    assert counted in words(paper)
    assert words(page).count(counted) == 1
    table.act("new-game", {})
    paper, page = client.get(f"/history/{newest(table)}?lang={language}").text.split("<main")
    for told in (words(page), words(paper)):
        assert told.count(asked) == 1
        assert told.count(counted) == 1


def test_an_old_evening_on_a_board_that_lost_an_unanswered_line_is_still_there(
    tmp_path: Path,
) -> None:
    """The line was nobody's: it scores nothing."""
    usa = load_board("usa")
    table = new_table(tmp_path, ToldEye({"denver--omaha": unsure(None, "red")}), boards=(usa,))
    table.act("start", ADA_AND_BEN)
    table.act("scan", {})
    scanned(table)
    table.act("finish", {})
    table.act("new-game", {})
    table.offer(replace(usa, routes=tuple(r for r in usa.routes if r.id != "denver--omaha")))
    page = create_app(table).test_client().get(f"/history/{newest(table)}")
    assert page.status_code == 200
    assert "nobody answered" not in page.text


@pytest.mark.parametrize("id", ["1", "x", "%ff", "9" * 40, "..."])
def test_an_evening_that_is_not_there_is_said(client: FlaskClient, id: str) -> None:
    for path in (f"/history/{id}", f"/history/{id}/result.png", f"/history/{id}/evening.json"):
        assert client.get(path).status_code == 404


def test_delete_and_restore_are_one_tap_each(client: FlaskClient, table: Table) -> None:
    id = newest(table)
    form = {"Accept": "text/html", "Referer": "http://localhost/history"}
    client.post("/api/act/delete-evening", data={"evening": id}, headers=form)
    page = client.get("/history").text
    assert "1 game " in words(page) + " "
    assert "Deleted games (1)" in words(page)
    assert "Ben 25" not in words(page).split("Deleted games")[0]
    assert len(client.get("/history.json").json) == 1  # type: ignore[arg-type]
    answer = client.post("/api/act/restore-evening", data={"evening": id}, headers=form)
    assert answer.headers["Location"] == "/history"
    assert "2 games" in words(client.get("/history").text)


def test_an_unknown_evening_is_refused_in_one_sentence(client: FlaskClient) -> None:
    answer = client.post("/api/act/delete-evening", json={"evening": "5"})
    assert (answer.status_code, answer.json["error"]) == (  # type: ignore[index]
        409,
        "There is no such evening to delete or to restore.",
    )
    assert client.post("/api/act/delete-evening", json={"evening": "x"}).status_code == 400


def test_an_italian_spreadsheet_has_semicolons_between_its_cells(client: FlaskClient) -> None:
    text = client.get("/history.csv?lang=it").data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text), delimiter=";"))
    assert (rows[0]["nome"], rows[0]["punti"]) == ("Ben", "25")
    assert [row["vittoria"] for row in rows] == ["sì", "no", "sì", "no"]
    assert {(row["nome"], row["colore"]) for row in rows} == {("Ben", "blu"), ("Chloé", "rosso")}


def test_the_spreadsheet_has_a_row_for_each_player(client: FlaskClient) -> None:
    text = client.get("/history.csv").data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == list(COLUMNS)
    told = [(row["name"], row["points"], row["won"], row["longest_path"]) for row in rows]
    assert told == [
        ("Ben", "25", "yes", "6"),
        ("Chloé", "0", "no", "0"),
        ("Chloé", "17", "yes", "4"),
        ("Ben", "0", "no", "0"),
    ]


def test_the_json_of_an_evening_holds_its_whole_sheet(client: FlaskClient, table: Table) -> None:
    document = client.get(f"/history/{newest(table)}/evening.json").json
    assert document is not None
    assert document["winners"] == ["Ben"]
    assert document["sheet"]["players"][1]["total"] == 25


def test_the_picture_is_served(client: FlaskClient, table: Table) -> None:
    answer = client.get(f"/history/{newest(table)}/result.png")
    assert answer.mimetype == "image/png"
    assert answer.data.startswith(b"\x89PNG")


def result(name: str, total: int, rank: int = 1, path: int | None = 10) -> PlayerResult:
    return PlayerResult(name, "red", total, rank, 1, path)


def evening(id: str, board: str, *players: PlayerResult, deleted: bool = False) -> EveningSummary:
    winners = tuple(one.name for one in players if one.rank == 1)
    return EveningSummary(id, board, 1.6e9, 1.6e9 + 5400, players, winners, deleted)


EVENINGS = [
    evening("3", "usa", result("Ada", 120), result("ben", 100, 2), result("Cleo", 80, 3)),
    evening("2", "usa", result("Ada", 90, path=None), result("Ben", 90)),
    evening("1", "france", result("Ada", 60, 2, 31), result("Ben", 65)),
    evening("0", "usa", result("Ada", 500), result("Ben", 1, 2), deleted=True),
]


def test_statistics_count_wins_averages_and_bests() -> None:
    """Ada: 120, 90, 60 and two wins, one of them shared. Ben: 100, 90, 65 and two wins."""
    figures = statistics(chosen(EVENINGS, None, None))
    told = [(one.name, one.played, one.wins, one.best_points) for one in figures.players]
    assert told == [("Ada", 3, 2, 120), ("ben", 3, 2, 100), ("Cleo", 1, 0, 80)]
    assert [round(one.mean_points, 1) for one in figures.players] == [90.0, 85.0, 80.0]
    assert figures.players[0].longest_path == 31
    assert figures.evenings == 3
    assert figures.highest is not None
    assert (figures.highest.name, figures.highest.value) == ("Ada", 120)
    assert figures.closest is not None
    assert (figures.closest.name, figures.closest.value, figures.closest.evening) == ("Ben", 5, "1")


def test_an_accent_typed_as_a_sign_of_its_own_makes_no_other_player() -> None:
    composed = evening("2", "usa", result("Zo\u00eb", 90), result("Ben", 80, 2))
    apart = evening("1", "usa", result("Zoe\u0308", 70), result("Ben", 60, 2))
    figures = statistics([composed, apart])
    assert [(one.name, one.played) for one in figures.players] == [("Zo\u00eb", 2), ("Ben", 2)]


def test_statistics_of_one_board_or_one_table_size() -> None:
    france = statistics(chosen(EVENINGS, "france", None))
    assert [(one.name, one.wins) for one in france.players] == [("Ben", 1), ("Ada", 0)]
    three = statistics(chosen(EVENINGS, None, 3))
    assert three.evenings == 1
    assert statistics(chosen(EVENINGS, "france", 5)).players == ()


def test_the_page_of_statistics_is_filtered(client: FlaskClient) -> None:
    page = words(client.get("/statistics").text)
    assert "Highest score: Ben, 25 points" in page
    assert "Closest win: Chloé, by 17 points" in page
    assert "No game of this kind yet" in words(client.get("/statistics?players=5").text)
    for odd in ("board=%ff", "players=-1", "players=9999999", "board=mars&players=x"):
        assert client.get(f"/statistics?{odd}").status_code == 200


def test_a_win_that_a_tie_break_decided_was_by_no_points(tmp_path: Path) -> None:
    """Both have 20 points for their passengers; Ada has three, Ben two."""
    table = new_table(tmp_path / "tied", open_camera=None, boards=(load_board("germany"),))
    seats = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}]
    table.act("start", {"board": "germany", "players": seats, "camera": False})
    table.act("set-passengers", {"player": "red", "passengers": {"blue": 3}})
    table.act("set-passengers", {"player": "white", "passengers": {"green": 2}})
    table.act("finish", {})
    client = create_app(table).test_client()
    assert "Closest win: Ada, level on points" in words(client.get("/statistics?lang=en").text)
    page = words(client.get("/sheet?lang=en").text)
    assert "more passengers decide. Ada 3, Ben 2." in page


def test_averages_are_written_as_people_write_them(client: FlaskClient) -> None:
    assert ">12.5</td>" in client.get("/statistics?lang=en").text
    assert ">12,5</td>" in client.get("/statistics?lang=it").text


def test_the_evenings_lead_back(client: FlaskClient, table: Table) -> None:
    assert "To the start" in words(client.get("/history").text)
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    assert "Back to the game" in words(client.get("/history").text)


def test_bg_stats_gets_the_whole_play() -> None:
    """The fields that the app documents; the time is UTC, 13 September 2020, 12:26:40."""
    link = bg_stats_link(evening("7", "usa", result("Zoë", 90), result("Bo", 70, 2)), "USA")
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == (
        "bgstats",
        "app.bgstatsapp.com",
        "/createPlay.html",
    )
    play = json.loads(parse_qs(parts.query)["data"][0])
    assert play["playDate"] == "2020-09-13 12:26:40"
    assert play["durationMin"] == 90
    assert play["sourcePlayId"] == "7"
    assert play["game"]["name"] == "USA"
    told = [(one["name"], one["score"], one["winner"]) for one in play["players"]]
    assert told == [("Zoë", 90, True), ("Bo", 70, False)]
    assert [one["startPlayer"] for one in play["players"]] == [True, False], "the first seat began"


def test_bg_stats_gets_no_duration_where_the_clock_was_set_during_the_game() -> None:
    """A box without a battery began in 1970, or in the future, and learned the time on the way."""
    right = evening("7", "usa", result("Zoë", 90))
    for began_s in (20.0, right.ended_s + 60):
        play = unquote(bg_stats_link(replace(right, began_s=began_s), "USA"))
        assert "playDate" in play
        assert "durationMin" not in play


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@A1", "\uff1d1+1", "\uff0b1", "\uff0d1"])
def test_no_name_becomes_a_formula_in_a_spreadsheet(name: str) -> None:
    """The last three begin with a sign as wide as a Chinese letter."""
    rows = list(csv.reader(io.StringIO(evenings_csv([evening("1", "usa", result(name, 5))]))))
    assert rows[1][4] == f"'{name}"


@pytest.mark.parametrize("name", ["Ada;=1+1", "Ada,=1+1", "Ada, +1", 'Ada;"=1', 'Ada,"@A1'])
def test_no_part_of_a_name_becomes_a_formula_where_cells_end_at_another_sign(name: str) -> None:
    """Whoever opens the English file with an Italian spreadsheet, or the other way round."""
    for language in ("en", "it"):
        sheet = evenings_csv([evening("1", "usa", result(name, 5))], language)
        for separator in ",;":
            rows = csv.reader(io.StringIO(sheet), delimiter=separator)
            cells = [cell.lstrip(' "') for row in rows for cell in row]
            assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))] == []


def test_a_name_without_a_formula_stays_as_it_is() -> None:
    sheet = evenings_csv([evening("1", "usa", result("Eva-Lisa, B+C; D", 5))])
    assert next(csv.DictReader(io.StringIO(sheet)))["name"] == "Eva-Lisa, B+C; D"


def test_a_rematch_offers_the_same_players_and_colours(
    page: Any, serve: Serve, table: Table
) -> None:
    page.goto(f"{serve(table)}/history/{newest(table)}")
    page.get_by_role("link", name="Rematch").click()
    expect(page.get_by_label("Name of the red player")).to_have_value("Chloé")
    expect(page.get_by_label("Name of the blue player")).to_have_value("Ben")
    page.get_by_role("button", name="Start the game").click()
    page.locator("#standing").wait_for()
    assert [one["name"] for one in table.state()["players"]] == ["Chloé", "Ben"]


def test_a_rematch_from_the_sheet_puts_the_game_away(page: Any, serve: Serve, table: Table) -> None:
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    table.act("finish", {})
    page.goto(f"{serve(table)}/sheet")
    page.get_by_role("button", name="Rematch").click()
    page.get_by_label("Name of the red player").wait_for()
    expect(page.get_by_label("Name of the red player")).to_have_value("Chloé")
    assert len(table.history.evenings()) == 3


def test_the_points_of_those_who_did_not_win_show_that_they_open(
    page: Any, serve: Serve, table: Table
) -> None:
    page.goto(f"{serve(table)}/history/{newest(table)}")
    cards = page.locator("details.score")
    signs = [card.locator("summary > .icon") for card in cards.all()]
    assert all(sign.is_visible() for sign in signs)
    assert len(signs) == 2
    closed = page.locator("details.score:not([open]) summary > .icon")
    across = closed.evaluate("sign => getComputedStyle(sign).rotate")
    closed.click()
    page.locator("details.score:not([open])").wait_for(state="detached")
    assert [sign.evaluate("sign => getComputedStyle(sign).rotate") for sign in signs] == [
        "90deg"
    ] * 2
    assert across == "none"


def test_an_evening_goes_into_the_bin_and_comes_back_by_a_tap(
    page: Any, serve: Serve, table: Table
) -> None:
    page.goto(f"{serve(table)}/history/{newest(table)}")
    page.get_by_role("button", name="Delete this game").click()
    page.get_by_text("This game is deleted").wait_for()
    page.get_by_role("link", name="Old evenings").click()
    page.get_by_text("1 game", exact=True).wait_for()
    page.get_by_text("Deleted games (1)").click()
    page.get_by_role("button", name="Restore").click()
    page.get_by_text("2 games").wait_for()


def test_share_leads_to_the_picture_and_not_to_the_same_sheet_again(
    browser: Any, serve: Serve, table: Table
) -> None:
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    table.act("finish", {})
    phone = browser.new_context(viewport={"width": 390, "height": 844}, **STILL).new_page()
    phone.goto(serve(table) + "/sheet")
    phone.get_by_role("link", name="Share, print, export").click()
    picture = phone.get_by_role("link", name="Result as a picture")
    picture.wait_for()
    phone.wait_for_function("scrollY > 0")
    box = picture.bounding_box()
    assert box["y"] >= phone.locator(".top").bounding_box()["height"]
    assert box["y"] + box["height"] <= phone.locator(".tabs").bounding_box()["y"]
    phone.context.close()


def test_an_old_line_lights_its_routes(page: Any, serve: Serve, table: Table) -> None:
    page.goto(f"{serve(table)}/history/{newest(table)}")
    page.get_by_role("button", name="Longest path 6 wagons").click()
    assert page.locator(".route.lit").count() == 1
    page.get_by_text("1 of 1: ").wait_for()


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def finished_by_five(folder: Path, name: str, tickets: int) -> Table:
    """A finished game of five players with so many tickets each."""
    board = load_board(name)
    table = new_table(folder / "five", open_camera=None, boards=(board,))
    names = ["Ada", "Ben", "Chloé", "Dino", "Eva-Maria"]
    players = [
        {"name": name, "colour": colour}
        for name, colour in zip(names, board.player_colours, strict=True)
    ]
    table.act("start", {"board": board.id, "players": players, "camera": False})
    for number, ticket in enumerate(board.tickets[: 5 * tickets]):
        player = players[number % 5]["colour"]
        table.act("add-ticket", {"player": player, "ticket": ticket.id})
    table.act("finish", {})
    return table


def test_the_lines_of_five_players_print_on_one_page_and_the_board_on_the_next(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """Five players with eight tickets each: more than anybody holds in most games."""
    page.goto(f"{serve(finished_by_five(tmp_path, 'usa', 8))}/sheet")
    assert pages_of(page.pdf(format="A4")) == 2
    assert pages_of(page.pdf(format="Letter")) == 2
    page.evaluate("document.querySelector('#main').remove()")
    assert pages_of(page.pdf(format="A4")) == 1
    assert pages_of(page.pdf(format="Letter")) == 1
    page.emulate_media(media="print")
    columns = "getComputedStyle(document.querySelector('.print-cards')).columnCount"
    assert page.evaluate(columns) == "auto", "Safari would print one below the other"
    tops = [card.bounding_box()["y"] for card in page.locator(".print-cards article").all()]
    assert tops[0] == tops[1] < tops[2] == tops[3] < tops[4]
    assert page.locator(".print-only").is_visible()
    assert not page.locator("header.top").is_visible()
    assert page.locator(".print-only tr").count() == 45
    OPEN.pop().close()


def test_a_tall_board_is_printed_beside_the_lines_of_the_fifth_player(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """Below the lines there was no room left for it, so that every such game took a second page."""
    page.goto(f"{serve(finished_by_five(tmp_path, 'france', 5))}/sheet")
    assert pages_of(page.pdf(format="A4")) == 1
    assert pages_of(page.pdf(format="Letter")) == 1
    page.set_viewport_size({"width": 718, "height": 1047})  # the printed part of an A4 page
    page.emulate_media(media="print")
    board = page.locator("svg.board").bounding_box()
    cards = [card.bounding_box() for card in page.locator(".print-cards article").all()]
    assert abs(board["y"] - cards[4]["y"]) < 10
    assert board["x"] > cards[4]["x"] + cards[4]["width"]
    assert board["width"] > 320, "so wide that its names can be read: 85 mm"
    footer = page.locator(".print-only footer").bounding_box()
    assert footer["y"] > board["y"] + board["height"]
    OPEN.pop().close()


def test_an_evening_is_printed_by_a_button_and_dated_as_its_sheet(
    page: Any, serve: Serve, table: Table
) -> None:
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    table.act("finish", {})
    address = serve(table)
    page.goto(f"{address}/history")
    page.locator(".evening").first.click()
    page.get_by_role("button", name="Print or save as PDF").wait_for()
    page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    page.get_by_role("button", name="Print or save as PDF").click()
    assert page.evaluate("window.printed")
    day = page.locator(".print-only header p").first.text_content()
    page.goto(f"{address}/sheet")
    assert page.locator(".print-only header p").first.text_content() == day


@pytest.mark.parametrize("language", ["en", "it"])
def test_who_won_an_old_game_on_a_tall_board_is_read_on_a_phone_without_scrolling(
    page: Any, serve: Serve, tmp_path: Path, language: str
) -> None:
    """The board was larger than on the sheet of the day, and hid the winner behind the tabs."""
    table = new_table(tmp_path / "tall", open_camera=None, boards=(load_board("germany"),))
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "yellow"}]
    table.act("start", {"board": "germany", "players": players, "camera": False})
    table.act("correct-route", {"route": "berlin--magdeburg", "owner": "red"})
    table.act("finish", {})
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{serve(table)}/history/{newest(table)}?lang={language}")
    winner = page.get_by_role("heading", level=1).bounding_box()
    assert winner["y"] + winner["height"] < page.locator(".tabs").bounding_box()["y"]
    hint = {"en": "Tap a line and its routes light up", "it": "Tocca una riga: le sue tratte"}
    assert page.get_by_text(hint[language]).is_visible()
    OPEN.pop().close()


def test_the_board_is_printed_below_its_lines_with_the_signs_of_the_players(
    page: Any, serve: Serve, table: Table
) -> None:
    """Whoever doubts a line can check it on paper, also without colour or with a line lit up."""
    page.goto(f"{serve(table)}/history/{newest(table)}")
    page.locator("details.score[open] .lines button").first.click()
    page.locator("#board.lighting").wait_for()
    page.emulate_media(media="print")
    board = page.locator("#board").bounding_box()
    assert board["width"] > 600
    assert board["y"] > page.locator(".print-cards").bounding_box()["y"]
    assert page.locator("#r-duluth--helena .sign").first.is_visible()
    unlit = "getComputedStyle(document.querySelector('#r-denver--omaha')).opacity"
    assert page.evaluate(unlit) == "1"
    assert page.get_by_text("Denver", exact=True).is_visible()
    assert not page.locator(".map-tools").is_visible()
    key = page.locator(".print-key")
    assert key.bounding_box()["y"] >= board["y"] + board["height"] - 1
    names = [name.strip() for name in key.locator("span:has(.mark)").all_inner_texts()]
    assert names == ["Ben", "Chloé"]
    assert not page.locator(".side").is_visible()
    proof = "6 wagons (Chloé 0): Helena → Duluth"
    assert page.locator(".print-cards", has_text=proof).is_visible()
    agreed = page.locator(".print-only footer").text_content()
    assert "completed tickets, longest path, then the win is shared" in agreed
    assert pages_of(page.pdf(format="A4")) == 1


def test_a_device_in_its_dark_colours_prints_dark_words_and_a_light_board(
    page: Any, serve: Serve, table: Table
) -> None:
    """Paper is white: small print came out pale, and the board of a dispute as a black sheet."""
    address = serve(table)
    page.emulate_media(media="print", color_scheme="dark")
    theme = "name => getComputedStyle(document.documentElement).getPropertyValue(name)"
    for path in ("statistics", f"history/{newest(table)}/dispute"):
        page.goto(f"{address}/{path}")
        assert luminance(page.evaluate(theme, "--soft").strip()) < 0.2
        assert luminance(page.evaluate(theme, "--sheet").strip()) > 0.5
    page.emulate_media(media="screen")
    assert luminance(page.evaluate(theme, "--soft").strip()) > 0.2


def test_another_page_prints_without_its_bars(page: Any, serve: Serve, table: Table) -> None:
    page.goto(f"{serve(table)}/statistics")
    page.emulate_media(media="print")
    assert not page.locator("header.top").is_visible()
    assert not page.locator("a.button").first.is_visible()
    assert page.locator("table.figures").is_visible()


def test_an_old_evening_says_nothing_of_the_game_on_the_table(
    client: FlaskClient, table: Table
) -> None:
    evening = client.get("/api/v1/history").json[-1]["evening"]
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    for number in (1, 2):
        table.act("correct-route", {"route": f"dallas--houston-{number}", "owner": "red"})
    said = "Dallas – Houston (1) and Dallas – Houston (2)"
    assert said in client.get("/board").text
    for page in ("/history", f"/history/{evening}", f"/history/{evening}/dispute", "/statistics"):
        assert said not in client.get(page).text


def test_programs_read_the_evenings_and_the_statistics(client: FlaskClient, table: Table) -> None:
    """Ben 25 : 0 after Chloé 17 : 0: one win each, 42 points over four results are 10.5."""
    listed = client.get("/api/v1/history").json
    assert [one["winners"] for one in listed] == [["Ben"], ["Chloé"]]
    whole = client.get(f"/api/v1/history/{newest(table)}").json
    assert {one["name"]: one["total"] for one in whole["sheet"]["players"]} == {
        "Chloé": 0,
        "Ben": 25,
    }
    figures = client.get("/api/v1/statistics").json
    assert (figures["evenings"], figures["mean_points"]) == (2, 10.5)
    assert figures["highest"]["name"] == "Ben"
    assert client.get("/api/v1/statistics?players=3").json["evenings"] == 0
    assert client.get("/api/v1/statistics?players=many").status_code == 400
    assert client.get(f"/api/v1/history/{newest(table)}/picture").mimetype == "image/png"


def play_once_as(table: Table, name: str) -> None:
    """Chloé's colour and points of the first evening, under another name."""
    players = [{"name": name, "colour": "red"}, PLAYERS[1]]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    table.act("correct-route", {"route": "denver--omaha", "owner": "red"})
    table.act("finish", {})
    table.act("new-game", {})


@pytest.mark.parametrize(
    ("language", "said", "listed"),
    [
        ("en", "Cloe has 1 game, Chloé 2 games. As one person they have 3", "Cloe is Chloé"),
        ("it", "Cloe ha 1 partita, Chloé 2 partite. Come una sola persona hanno 3", "Cloe è Chloé"),
    ],
)
def test_two_names_are_joined_after_a_sentence_that_says_what_happens(
    client: FlaskClient, table: Table, language: str, said: str, listed: str
) -> None:
    play_once_as(table, "Cloe")
    address = f"/statistics/names?lang={language}&alias=Cloe&person=Chlo%C3%A9"
    assert said in words(client.get(address).text)
    answer = client.post("/api/act/join-names", json={"alias": "Cloe", "person": "Chloé"})
    assert answer.status_code == 200
    assert listed in words(client.get(f"/statistics/names?lang={language}").text)
    figures = client.get("/api/v1/statistics").json
    assert figures is not None
    assert {one["name"]: one["played"] for one in figures["players"]} == {"Chloé": 3, "Ben": 3}
    assert "Cloe" not in client.get("/history.csv").text
    assert "Cloe" not in client.get("/start?board=usa&names=last").text
    client.post("/api/act/part-names", json={"alias": "Cloe"})
    assert "Cloe" in client.get("/history.csv").text


def test_names_of_two_who_have_met_are_offered_no_button(client: FlaskClient) -> None:
    page = client.get("/statistics/names?alias=Ben&person=Chlo%C3%A9").text
    assert "they are two people" in words(page)
    assert "join-names" not in page


def test_names_of_two_who_play_together_now_are_offered_no_button(
    client: FlaskClient, table: Table
) -> None:
    play_once_as(table, "Cloe")
    players = [{"name": "Cloe", "colour": "red"}, {"name": "Chloé", "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    page = client.get("/statistics/names?alias=Cloe&person=Chlo%C3%A9").text
    assert "they are two people" in words(page)
    assert "join-names" not in page


@pytest.mark.parametrize("asked", ["alias=Ben", "alias=x&person=y", "alias=Ben&person=Zoe"])
def test_names_that_nobody_had_are_no_choice(client: FlaskClient, asked: str) -> None:
    answer = client.get(f"/statistics/names?{asked}")
    assert answer.status_code == 200
    assert "join-names" not in answer.text
