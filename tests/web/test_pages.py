"""What people see on the pages, without a browser."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scoring.board.board import load_board
from scoring.language import catalogue
from tests.companion.tables import new_table
from tests.web.conftest import PLAYERS, key_on
from tests.web.fake_table import FakeTable
from vision.reading import warning
from web.app import create_app
from web.table_state import PanelNotice, TableState

PAGES = ("/board", "/doubts", "/route/denver--omaha", "/tickets", "/tickets/red", "/sheet", "/box")


def words(html: str) -> str:
    """The text of a page, tags left out, as one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("&#39;", "'").split())


def test_the_entrance_leads_to_where_the_evening_stands(
    client: FlaskClient, table: FakeTable
) -> None:
    assert client.get("/").location == "/start"
    table.act("start", {"board": "usa", "players": [], "camera": True})
    assert client.get("/").location == "/board"
    table.act("scan", {})
    assert client.get("/").location == "/doubts"


@pytest.mark.parametrize("path", PAGES[:2] + PAGES[3:6])
def test_before_a_game_every_page_leads_to_the_start(client: FlaskClient, path: str) -> None:
    assert client.get(path).location == "/start"


def test_the_start_page_offers_the_boards_then_their_colours(client: FlaskClient) -> None:
    assert "Ticket to Ride Germany" in client.get("/start").text
    germany = client.get("/start?board=germany").text
    for colour in ("white", "red", "purple", "yellow", "black"):
        assert f'name="name-{colour}"' in germany
    assert 'name="name-blue"' not in germany


def test_a_game_starts_from_a_plain_form_without_the_script(
    client: FlaskClient, table: FakeTable
) -> None:
    form = {"board": "usa", "name-red": " Ada  Lovelace ", "name-blue": "Ben", "name-green": ""}
    answer = client.post("/api/act/start", data=form, headers={"Accept": "text/html"})
    assert answer.status_code == 303
    action, payload = table.acts[0]
    assert action == "start"
    assert payload == {
        "board": "usa",
        "players": [{"name": "Ben", "colour": "blue"}, {"name": "Ada Lovelace", "colour": "red"}],
        "camera": False,
    }


def test_without_the_script_a_mistake_is_a_page_with_a_sentence(client: FlaskClient) -> None:
    form = {"board": "usa", "name-red": "Ada"}
    answer = client.post("/api/act/start", data=form, headers={"Accept": "text/html"})
    assert answer.status_code == 400
    assert "for 2 to 5 players, but names given: 1" in words(answer.text)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_page_speaks_both_languages(
    client: FlaskClient, playing: FakeTable, path: str, language: str
) -> None:
    playing.act("scan", {})
    page = client.get(path, query_string={"lang": language})
    assert page.status_code == 200
    assert f'<html lang="{language}">' in page.text
    assert catalogue("web", language)["nav.doubts"] in page.text


def test_the_language_is_asked_for_then_remembered(client: FlaskClient) -> None:
    assert '<html lang="it">' in client.get("/start?lang=it").text
    assert '<html lang="it">' in client.get("/start").text
    assert '<html lang="en">' in client.get("/start?lang=en").text
    assert '<html lang="en">' in client.get("/start", headers={"Accept-Language": "it"}).text


@pytest.mark.parametrize(
    ("wish", "language"), [("it-IT,it;q=0.9,en;q=0.5", "it"), ("de", "en"), ("", "en")]
)
def test_a_new_visitor_gets_the_browsers_language(
    client: FlaskClient, wish: str, language: str
) -> None:
    page = client.get("/start", headers={"Accept-Language": wish})
    assert f'<html lang="{language}">' in page.text


def test_the_tables_language_serves_those_who_ask_for_none() -> None:
    client = create_app(FakeTable(), language_default="it").test_client()
    assert '<html lang="it">' in client.get("/start").text


def test_a_claimed_route_shows_colour_shape_and_name(
    client: FlaskClient, playing: FakeTable
) -> None:
    playing.act("scan", {})
    board = client.get("/board").text
    group = board[board.index('id="r-duluth--helena"') :].split("</g>\n  <g id=")[0]
    assert "claimed c-red" in group
    assert "Duluth – Helena: Ada (red)" in group
    assert group.count('href="#mark-red"') == 6


def test_a_doubtful_route_is_hatched_and_says_so(client: FlaskClient, playing: FakeTable) -> None:
    playing.act("scan", {})
    board = client.get("/board").text
    group = board[board.index('id="r-denver--omaha"') :].split("</g>\n  <g id=")[0]
    assert "doubtful" in group
    assert group.count('fill="url(#hatch-blue)"') == 4
    assert "Denver – Omaha: Ben (blue), to be confirmed" in group


def test_the_standing_says_points_and_wagons_left(client: FlaskClient, playing: FakeTable) -> None:
    playing.act("scan", {})
    page = words(client.get("/board").text)
    assert "Ada red · 37 wagons left 17" in page


def then_shows(table: FakeTable, seen: TableState, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the table's state is this one."""
    seen["version"] += 1
    monkeypatch.setattr(table, "state", lambda: seen)
    monkeypatch.setattr(table, "wait", lambda *_: seen["version"])


def test_the_questions_say_when_a_photo_from_the_other_side_pays(
    client: FlaskClient, playing: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing.act("scan", {})
    seen = playing.state()
    assert "from the other side" not in words(client.get("/doubts").text)
    for route in ("atlanta--miami", "duluth--helena"):
        seen["doubts"].append({**seen["doubts"][0], "route": route, "other_side": True})
    then_shows(playing, seen, monkeypatch)
    page = client.get("/doubts").text
    assert "Of 3 questions 2 are about what this photo hides" in words(page)
    offered = page.split("from the other side")[1].split("<article")[0]
    assert "Take a photo" in words(offered), "where it is advised it can be taken"
    assert "mirrored: take one from the other side" in words(page)
    for doubt in seen["doubts"][1:]:
        doubt["lies_over"] = True
    then_shows(playing, seen, monkeypatch)
    hand = words(client.get("/doubts").text)
    assert "take away what lies over the board" in hand, "the other side helps no hand"
    assert "take one from the other side" not in hand


def test_a_photo_that_could_not_be_read_is_told_where_photos_are_looked_at(
    client: FlaskClient, playing: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stood on the help and where others join, too."""
    seen = playing.state()
    seen["photo"] = {"key": "vision.photo.dark", "values": {"again": "Take another photo"}}
    then_shows(playing, seen, monkeypatch)
    told = {
        path: 'class="banner photo"' in client.get(f"/{path}").text
        for path in ("board", "tickets", "help", "join", "settings", "scoreboard")
    }
    assert told == {
        "board": True,
        "tickets": True,
        "help": False,
        "join": False,
        "settings": False,
        "scoreboard": False,
    }


def test_the_questions_say_that_a_light_helps_where_colours_look_alike(
    client: FlaskClient, playing: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing.act("scan", {})
    seen = playing.state()
    assert "put a light on" not in words(client.get("/doubts").text)
    alike = warning("colours-alike", ("denver--omaha",))
    seen["notices"] = [{**alike.message.to_json(), "routes": list(alike.routes)}]
    then_shows(playing, seen, monkeypatch)
    questions = client.get("/doubts").text.split('id="doubts"')[1]
    assert "put a light on and take another" in words(questions)


def test_wagons_of_a_colour_that_nobody_plays_are_told_in_the_open_and_lead_to_the_players(
    client: FlaskClient, playing: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It explains the questions, and no answer to them is right until it is mended."""
    playing.act("scan", {})
    seen = playing.state()
    told = [warning(code, ("denver--omaha",)) for code in ("covered", "not-in-play")]
    seen["notices"] = [{**one.message.to_json(), "routes": list(one.routes)} for one in told]
    then_shows(playing, seen, monkeypatch)
    page = client.get("/doubts").text
    banner = page.split('id="banner"')[1].split('id="offline"')[0]
    assert "things to check" not in banner
    about, after = banner.split("a colour that no player has")[1].split("</p>", 1)
    assert 'href="/names"' in about
    assert 'href="/names"' not in after
    questions = page.split('id="doubts"')[1].split("<article")[0]
    assert "Take a photo" in words(questions), "the advice ends with another photo"
    alike = warning("colours-alike", ("denver--omaha",))
    seen["notices"] += [{**alike.message.to_json(), "routes": list(alike.routes)}]
    then_shows(playing, seen, monkeypatch)
    questions = client.get("/doubts").text.split('id="doubts"')[1].split("<article")[0]
    assert "put a light on" not in words(questions), "wagons of nobody look like everybody's"


def test_a_question_offers_the_likelier_owners_first(
    client: FlaskClient, playing: FakeTable
) -> None:
    playing.act("scan", {})
    page = client.get("/doubts").text
    offered = re.findall(r'<button name="owner" value="([a-z]+)"', page)
    assert offered == ["blue", "nobody", "red"]
    assert "81 % likely" in page
    assert "/api/crop/denver--omaha.png" in page


def test_no_questions_is_said_calmly(client: FlaskClient, playing: FakeTable) -> None:
    assert "No open questions." in client.get("/doubts").text
    assert "On to the tickets" not in client.get("/doubts").text
    playing.act("show", {"phase": "tickets"})
    assert "On to the tickets" in client.get("/doubts").text


def test_any_route_can_be_found_by_a_few_letters(client: FlaskClient, playing: FakeTable) -> None:
    page = words(client.get("/board?q=omaha+den").text)
    assert "Denver – Omaha nobody" in page


def opened(client: FlaskClient, colour: str) -> TestResponse:
    """The page of a hand after its curtain was opened."""
    return client.post(f"/tickets/{colour}", follow_redirects=True)


def test_the_hand_that_is_marked_is_the_one_that_comes_next(
    client: FlaskClient, playing: FakeTable
) -> None:
    """The mark stayed on Ada when the button below already told of Ben."""

    def marked() -> list[str]:
        return re.findall(r"hand-card c-(\w+) pointed", client.get("/tickets").text)

    playing.act("show", {"phase": "tickets"})
    assert marked() == ["red"]
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    assert marked() == ["blue"]
    playing.act("add-ticket", {"player": "blue", "ticket": "denver--el-paso"})
    assert marked() == []


def test_a_hand_is_behind_a_curtain(client: FlaskClient, playing: FakeTable) -> None:
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    closed = client.get("/tickets/red").text
    assert "Only Ada looks" in closed
    assert "Helena – Los Angeles" not in closed
    assert "Helena – Los Angeles" in opened(client, "red").text
    assert "Helena – Los Angeles" not in client.get("/tickets").text
    assert "Helena – Los Angeles" not in opened(client, "blue").text


def test_tickets_are_found_by_typing_never_listed_whole(
    client: FlaskClient, playing: FakeTable
) -> None:
    untouched = opened(client, "red").text
    assert "Two letters are enough: the first of each place." in untouched
    assert 'name="ticket"' not in untouched
    key = key_on(untouched)
    page = client.get(f"/tickets/red?hand={key}&q=hel").text
    found = re.findall(r'name="ticket" value="([a-z-]+)"', page)
    assert found == ["helena--los-angeles"]


def test_a_ticket_that_is_typed_once_more_is_already_there(
    client: FlaskClient, playing: FakeTable
) -> None:
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})

    def typed(colour: str, words: str) -> str:
        key = key_on(opened(client, colour).text)
        return client.get(f"/tickets/{colour}?hand={key}&q={words}").text

    assert "Already in your hand: Helena – Los Angeles." in typed("red", "hel los")
    assert "No ticket like that" in typed("red", "qqqq")
    assert "Already" not in typed("blue", "hel los")


def test_germany_asks_for_passengers_and_usa_does_not(table: FakeTable) -> None:
    client = create_app(table).test_client()
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}]
    client.post("/api/act/start", json={"board": "germany", "players": players})
    client.post("/api/act/set-passengers", data={"player": "red", "passengers-green": "2"})
    client.post("/api/act/set-passengers", data={"player": "red", "passengers-blue": "1"})
    assert table.state()["passengers"]["red"] == {"green": 2, "blue": 1}
    assert "3 passengers" in words(client.get("/tickets").text)
    assert "One more: green" in opened(client, "red").text


def test_camera_trouble_is_a_calm_banner(client: FlaskClient, playing: FakeTable) -> None:
    assert "Check its cable" not in client.get("/board").text
    playing.set_camera("lost")
    assert "Check its cable" in client.get("/board").text


def test_a_notice_names_routes_as_people_do(client: FlaskClient, playing: FakeTable) -> None:
    values = {"players": "Ada", "routes": "duluth--omaha-1, duluth--omaha-2"}
    double = PanelNotice(key="scoring.violation.double-by-one", values=values)
    playing.notice(double)
    page = words(client.get("/board?lang=it").text)
    assert "Ada ha più di una linea della stessa tratta doppia" in page
    assert "Duluth – Omaha (1), Duluth – Omaha (2)" in page


def test_several_notices_take_one_line_until_opened(
    client: FlaskClient, playing: FakeTable
) -> None:
    values = {"players": "Ada", "routes": "duluth--omaha-1, duluth--omaha-2"}
    playing.notice(*2 * [PanelNotice(key="scoring.violation.double-by-one", values=values)])
    page = client.get("/board").text
    assert "2 things to check" in page
    assert '<details class="banner notices" id="notices" data-keep>' in page


def test_the_last_round_is_told_by_itself_and_no_thing_to_check(
    client: FlaskClient, playing: FakeTable
) -> None:
    values = {"players": "Ada", "routes": "duluth--omaha-1, duluth--omaha-2"}
    broken = PanelNotice(key="scoring.violation.double-by-one", values=values)
    last = PanelNotice(
        key="scoring.remark.last-round", values={"who": "Ada (2)", "turns": "", "last": "Ada"}
    )
    playing.notice(last, broken, broken)
    page = client.get("/board").text
    assert "2 things to check" in page
    before, _, _ = page.partition("2 things to check")
    assert "Last round, wagons left: Ada (2)." in before
    playing.notice(last)
    assert "to check" not in client.get("/tickets").text
    asked = PanelNotice(key="scoring.remark.last-round-asked", values={"who": "Ada (2)"})
    playing.notice(asked, broken, broken)
    before, _, _ = client.get("/board").text.partition("2 things to check")
    assert "Perhaps the last round: counting what is still asked about, wagons left: Ada" in before


def test_a_game_without_a_camera_offers_no_scan(client: FlaskClient, playing: FakeTable) -> None:
    assert 'action="/api/act/scan"' in client.get("/board").text
    playing.set_camera("none")
    page = client.get("/board").text
    assert 'action="/api/act/scan"' not in page
    assert 'action="/api/act/upload-photo"' in page


def test_undo_says_what_it_would_take_back(client: FlaskClient, playing: FakeTable) -> None:
    playing.act("scan", {})
    assert "Undo: the last reading" in client.get("/board").text


def test_the_sheet_names_the_winner_and_each_line(client: FlaskClient, playing: FakeTable) -> None:
    playing.act("scan", {})
    playing.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    playing.act("finish", {})
    page = words(client.get("/sheet").text)
    assert "Ada wins!" in page
    assert "Longest path 8 wagons (Ben 4) +10" in page, "how far the other one came"
    assert "Helena – Los Angeles not completed" in page
    assert "−8" in page


def test_an_unknown_page_is_one_sentence_with_a_way_back(client: FlaskClient) -> None:
    answer = client.get("/nowhere?lang=it")
    assert answer.status_code == 404
    assert "Questa pagina non esiste." in answer.text
    assert 'href="/"' in answer.text


def test_every_text_that_the_panel_says_is_in_the_catalogue() -> None:
    room = Path(__file__).parents[2] / "web"
    sources = [*room.glob("**/*.py"), *room.glob("templates/*.html")]
    used = {
        key
        for source in sources
        for key in re.findall(r"""\bsay\(["']([a-zA-Z.-]+)["'][,)]""", source.read_text("utf-8"))
    }
    assert len(used) > 80
    for language in ("en", "it"):
        assert used - set(catalogue("web", language)) == set()


def test_lines_of_a_double_without_a_map_are_told_apart_by_their_printed_colours(
    tmp_path: Path,
) -> None:
    """Kansas City - Saint Louis is printed blue and pink; both of Dallas - Houston are grey."""
    usa = load_board("usa")
    unplaced = replace(usa, routes=tuple(replace(route, spaces=()) for route in usa.routes))
    table = new_table(tmp_path, open_camera=None, boards=(unplaced,))
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    client = create_app(table).test_client()
    page = unescape(client.get("/board?q=saint&lang=it").text)
    assert "Kansas City – Saint Louis (■ blu)" in page
    assert "Kansas City – Saint Louis (♥ rosa)" in page
    assert "Kansas City – Saint Louis (1)" not in page
    assert "Dallas – Houston (1)" in unescape(client.get("/board?q=houston&lang=it").text)
    table.close()


def test_a_search_for_a_double_says_which_of_its_lines_is_which(
    client: FlaskClient, playing: FakeTable
) -> None:
    """Kansas City - Saint Louis runs across the board, its upper line is the blue one."""
    found = words(client.get("/board?q=kansas&lang=it").text)
    assert "Kansas City – Saint Louis (1) linea in alto, stampata in blu nessuno" in found
    assert "Kansas City – Saint Louis (2) linea in basso, stampata in rosa nessuno" in found
