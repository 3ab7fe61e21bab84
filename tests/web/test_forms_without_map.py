"""The forms of games without a map, as a browser without scripts sends them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.table.table import Table
from scoring.game.mapless import mapless_games
from scoring.language import LANGUAGES
from tests.companion.tables import new_table
from web.app import create_app

PLAYERS = [{"name": "Ada", "colour": "blue"}, {"name": "Bo", "colour": "red"}]
PAGE = {"Accept": "text/html"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    return new_table(tmp_path, open_camera=None, boards=mapless_games())


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table).test_client()


def start(table: Table, game: str) -> None:
    table.act("start", {"board": game, "players": PLAYERS, "camera": False})


def test_every_figure_of_paris_is_entered_by_plain_forms(table: Table, client: FlaskClient) -> None:
    form = {"board": "paris-by-counts", "name-blue": "Ada", "name-red": "Bo"}
    assert client.post("/api/act/start", data=form, headers=PAGE).status_code == 303
    rows = {
        "route_points-1": "1",
        "route_points-2": "3",
        "route_points-3": "",
        "route_points-4": "",
    }
    client.post("/api/act/set-route-points", data=rows, headers=PAGE)
    own = {"player": "blue"}
    for name, value in (("1", "2"), ("2", "1")):
        data = {**own, f"route_lengths-{name}": value}
        client.post("/api/act/set-route-lengths", data=data, headers=PAGE)
    client.post("/api/act/set-flags", data={**own, "flags": "1"}, headers=PAGE)
    ticket = {**own, "points": "5", "completed": "no"}
    client.post("/api/act/add-ticket", data=ticket, headers=PAGE)
    held = table.state()["tickets"]["blue"][0]["ticket"]
    said = {**own, "ticket": held, "completed": "yes"}
    client.post("/api/act/state-ticket", data=said, headers=PAGE)
    client.post("/api/act/finish", data={}, headers=PAGE)
    sheet = table.state()["sheet"]
    assert sheet is not None
    assert sheet["players"][0]["total"] == 2 * 1 + 1 * 3 + 4 + 5


WRONG = [
    ("add-ticket", {"points": "many", "completed": "yes"}),
    ("add-ticket", {"points": "", "completed": "yes"}),
    ("add-ticket", {"points": "5", "completed": "perhaps"}),
    ("add-ticket", {"from": "Denver", "to": "", "points": "5", "completed": "yes"}),
    ("add-ticket", {"ticket": "{", "points": "5"}),
    ("add-ticket", {"ticket": '{"points": 5, "extra": 1}'}),
    ("add-ticket", {"points": "5"}),
    ("remove-ticket", {"ticket": '{"points": 5, "completed": true}'}),
    ("set-cards", {"cards-red": "-1"}),
    ("set-cards", {"cards": "none"}),
    ("set-cards", {}),
    ("set-big-cities", {"big_cities-chicago": "x"}),
    ("set-big-cities", {}),
    ("set-bonuses", {"bonus": "", "points": "5"}),
    ("show", {"phase": "look"}),
    ("score-first-pass", {}),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("action", "sent"), WRONG)
def test_what_cannot_be_is_one_sentence_without_an_id(
    table: Table, client: FlaskClient, action: str, sent: dict[str, str], language: str
) -> None:
    start(table, "card-game")
    data = {"player": "blue", **sent}
    answer = client.post(f"/api/act/{action}", data=data, headers={"Accept-Language": language})
    assert answer.status_code in (400, 409)
    sentence = answer.json["error"] if answer.json else ""
    assert sentence.strip()
    assert not re.search(r"web\.|companion\.|scoring\.|_|card-game", sentence)
    assert table.state()["tickets"]["blue"] == []


TYPED_WRONG = [
    (
        {"from": "Chicago", "to": "CHICAGO ", "points": "6", "completed": "yes"},
        "Un biglietto unisce due luoghi diversi, non Chicago con sé stesso.",
    ),
    (
        {"from": "Chicago", "to": "Dallas", "points": "6", "recipe-red": "0", "completed": ""},
        "Scrivi quali carte richiede il biglietto, o di' se è stato completato.",
    ),
    (
        {"from": "Chicgo", "to": "Dallas", "points": "6", "recipe-red": "2", "completed": ""},
        '"Chicgo" non è un luogo delle carte; intendevi Chicago?',
    ),
]


@pytest.mark.parametrize(("typed", "sentence"), TYPED_WRONG)
def test_a_ticket_typed_wrongly_is_told_in_the_words_of_its_form(
    client: FlaskClient, table: Table, typed: dict[str, str], sentence: str
) -> None:
    start(table, "card-game")
    data = {"player": "blue", **typed}
    answer = client.post("/api/act/add-ticket", data=data, headers={"Accept-Language": "it"})
    assert (answer.json or {})["error"] == sentence
    assert table.state()["tickets"]["blue"] == []


def test_an_entry_that_cannot_be_is_told_without_the_names_of_fields(
    client: FlaskClient, table: Table
) -> None:
    """The points of a length are taken away while Ada has lines of it, and flags are mistyped."""
    start(table, "paris-by-counts")
    own = {"player": "blue"}
    table.act("set-route-points", {"route_points": {"1": 1, "4": 7}})
    table.act("set-route-lengths", {**own, "route_lengths": {"4": 1}})

    def said(action: str, sent: dict[str, str]) -> str:
        path, italian = f"/api/act/{action}", {"Accept-Language": "it"}
        return str((client.post(path, data=sent, headers=italian).json or {})["error"])

    assert said("set-route-points", {"route_points-1": "1", "route_points-4": ""}) == (
        "Ada ha tratte di lunghezza 4: scrivi quanti punti valgono, "
        "o toglile prima dalle sue tratte."
    )
    assert said("set-flags", {**own, "flags": "51"}) == (
        "Per Ada qui può stare un numero intero da 0 a 50, non 51."
    )
    assert table.state()["settings"]["route-points"] == {"1": 1, "4": 7}


def test_five_names_for_the_card_game_speak_of_no_board(client: FlaskClient) -> None:
    names = {f"name-{colour}": colour for colour in ("blue", "red", "green", "yellow", "black")}
    data = {"board": "card-game", **names}
    answer = client.post("/api/act/start", data=data, headers={"Accept-Language": "it"})
    assert (answer.json or {})["error"] == "Questo gioco è per 2–4 giocatori; nomi inseriti: 5."


@pytest.mark.parametrize("game", ["paris-by-counts", "card-game"])
def test_the_scoreboard_names_who_plays_before_anybodys_points_are_known(
    table: Table, client: FlaskClient, game: str
) -> None:
    """A big screen showed the way in to a table that plays, and nobody's name."""
    assert 'href="/join"' in client.get("/scoreboard").text
    start(table, game)
    page = client.get("/scoreboard").text
    assert re.findall(r"<b>(\w+)</b><small>(\w+)", page) == [("Ada", "blue"), ("Bo", "red")]
    assert 'href="/join"' not in page


def test_a_pile_and_typed_tickets_are_secret_until_the_sheet(
    table: Table, client: FlaskClient
) -> None:
    start(table, "card-game")
    own = {"player": "blue"}
    table.act("set-cards", {**own, "cards": {"orange": 3}})
    ticket = {"from": "Chicago", "to": "Boston", "points": 17, "cards": {"orange": 2}}
    table.act("add-ticket", {**own, "ticket": ticket})
    for path in ("/api/state", "/tickets", "/tickets/blue", "/tickets/red", "/sheet"):
        page = client.get(path).text
        assert "Boston" not in page
        assert "17" not in re.sub(r"<[^>]*>", " ", page)
    assert "figures" not in (client.get("/api/state").json or {})
    table.act("finish", {})
    assert "Boston" in client.get("/sheet").text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["paris-by-counts", "card-game"])
def test_every_page_is_shown_and_no_raw_key_is(
    table: Table, client: FlaskClient, game: str, language: str
) -> None:
    headers = {"Accept-Language": language}
    paths = [
        "/",
        "/start",
        f"/start?board={game}",
        "/tickets",
        "/sheet",
        "/box",
        "/board",
        "/doubts",
    ]
    for path in paths[:3]:
        assert client.get(path, headers=headers, follow_redirects=True).status_code == 200
    start(table, game)
    table.act("add-ticket", {"player": "blue", "ticket": {"points": 5, "completed": True}})
    opened = client.post("/tickets/blue", headers=headers).location
    texts = [client.get(opened, headers=headers).text]
    for phase in ("tickets", "sheet"):
        if phase == "sheet":
            table.act("finish", {})
        for path in paths:
            page = client.get(path, headers=headers, follow_redirects=True)
            assert page.status_code == 200, path
            texts.append(page.text)
    for page in texts:
        shown = re.sub(r"<[^>]*>", " ", page)
        assert not re.search(r"\b(web|scoring|companion)\.[a-z]+\.[a-z]", shown)
        assert "paris-by-counts" not in shown
        assert "route_lengths" not in shown


def test_what_a_button_of_a_ticket_does_is_not_read_as_what_the_ticket_is(
    client: FlaskClient, table: Table
) -> None:
    """“not completed” stood on a button right below “completed”."""
    start(table, "paris-by-counts")
    table.act("add-ticket", {"player": "blue", "ticket": {"points": 5, "completed": True}})
    page = client.get(client.post("/tickets/blue", headers=PAGE).location, headers=PAGE).text
    said = [one.strip() for one in re.findall(r">([^<]*ompleted[^<]*)<", page)]
    assert said[:2] == ["completed", "Mark as not completed"]


def test_a_tie_for_a_big_city_is_agreed_and_stands_on_the_sheet(
    table: Table, client: FlaskClient
) -> None:
    """Both have one ticket to Chicago, of 8 and of 5 points; its card of 12 goes to nobody."""
    start(table, "card-game")
    assert "several players tie" in client.get("/settings").text
    table.act("set-big-cities", {"big_cities": {"chicago": 12}})
    for colour, points in (("blue", "8"), ("red", "5")):
        ticket = {"from": "Chicago", "to": "Boston", "points": points, "completed": "yes"}
        client.post("/api/act/add-ticket", data={"player": colour, **ticket}, headers=PAGE)
    agreed = {"setting-big-city-tie": "none", "setting-tie-breaks": "tickets bonus-cards"}
    client.post("/api/act/set-settings", data=agreed, headers=PAGE)
    client.post("/api/act/finish", data={}, headers=PAGE)
    sheet = table.state()["sheet"]
    assert sheet is not None
    assert [player["total"] for player in sheet["players"]] == [8, 5]
    page = re.sub(r"<[^>]*>|\s+", " ", client.get("/sheet").text)
    assert re.search(r"several players tie for it +nobody gets it", page)
    wrong = {**agreed, "setting-big-city-tie": "perhaps"}
    assert client.post("/api/act/set-settings", data=wrong, headers=PAGE).status_code == 400


def test_on_paper_the_card_game_speaks_of_no_board(table: Table, client: FlaskClient) -> None:
    start(table, "card-game")
    table.act("set-cards", {"player": PLAYERS[0]["colour"], "cards": {"red": 1}})
    table.act("finish", {})
    page = client.get("/sheet?lang=it").text
    assert "da ciò che hanno inserito i giocatori" in page
    assert "si può verificare sul tabellone" not in page


def test_a_game_without_a_map_begins_by_saying_what_to_do_and_when(
    table: Table, client: FlaskClient
) -> None:
    """The page with which it begins asked for tickets at once, and told nobody to play first."""
    start(table, "paris-by-counts")
    assert "Giocate come sempre. Alla fine ognuno inserisce" in client.get("/tickets?lang=it").text
    table.act("new-game", {})
    four = [
        {"name": name, "colour": colour}
        for name, colour in zip("ABCD", ("blue", "red", "green", "black"), strict=True)
    ]
    table.act("start", {"board": "card-game", "players": four, "camera": False})
    assert "Giocate finché il mazzo è finito una volta" in client.get("/tickets?lang=it").text
