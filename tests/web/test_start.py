"""The first page: pictures of the maps, who plays in which order, and how others join."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from scoring.game.mapless import paris_by_counts
from tests.companion.tables import new_table
from tests.torture.proxy import CuttingProxy
from tests.web.conftest import PLAYERS, served
from tests.web.fake_table import FakeTable
from web.app import create_app
from web.pages.start import seats_for
from web.ports import TablePort
from web.table_state import BoardChoice, PanelPlayer

Serve = Callable[[TablePort], str]

HERE = ("http://192.168.1.20:8000/", "http://companion.local:8000/")

GERMANY = BoardChoice(
    id="germany",
    title="Ticket to Ride Germany",
    edition="2017",
    players=(2, 5),
    player_colours=("white", "red", "purple", "yellow", "black"),
)


def test_help_is_one_tap_from_the_start_and_says_what_the_lamps_mean(client: FlaskClient) -> None:
    assert 'href="/help"' in client.get("/start").text
    for language, words in (("en", "is the route theirs?"), ("it", "la tratta è sua?")):
        assert words in client.get(f"/help?lang={language}").text


def test_whether_to_use_the_camera_is_asked_only_where_there_is_one(
    table: FakeTable, client: FlaskClient
) -> None:
    assert "Use the camera" in client.get("/start?board=usa&lang=en").text
    table.set_camera("none")
    page = client.get("/start?board=usa&lang=en").text
    assert "Use the camera" not in page
    assert '<input type="hidden" name="camera" value="on">' in page, "one that comes later is used"


@pytest.mark.usefixtures("playing")
def test_help_is_one_tap_from_the_map_of_a_running_game(client: FlaskClient) -> None:
    assert 'href="/help"' in client.get("/board").text


def test_a_running_game_can_be_left_for_another_or_for_old_evenings(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{serve(playing)}/board")
    page.get_by_role("link", name="Another game, old evenings").click()
    page.get_by_role("link", name="Old evenings").click()
    page.get_by_role("heading", name="Old evenings").wait_for()
    page.go_back()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("heading", name="Choose the game").wait_for()
    assert playing.state()["phase"] == "start"


def test_a_finished_game_is_left_for_a_new_one_without_a_question(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    """Nothing is lost: the evening is among the old ones, and "Undo" shows it again."""
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    playing.act("finish", {})
    page.goto(f"{serve(playing)}/sheet")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("heading", name="Choose the game").wait_for()
    assert asked == []


def test_every_map_has_its_picture(client: FlaskClient) -> None:
    page = client.get("/start").text
    for board in ("usa", "germany", "france"):
        picture = page.split(f'href="/start?board={board}"')[1].split("</svg>")[0]
        assert picture.count("<polyline") == len(load_board(board).routes)


def test_who_played_last_is_offered_again(playing: FakeTable) -> None:
    client = create_app(playing).test_client()
    playing.act("new-game", {})
    offered = client.get("/start?board=usa").text
    assert 'value="Ada"' not in offered, "she may be absent tonight"
    assert "As last time: Ada and Ben" in offered
    page = client.get("/start?board=usa&names=last").text
    assert 'name="name-red" value="Ada"' in page
    assert 'name="name-blue" value="Ben"' in page
    assert page.index("name-red") < page.index("name-blue"), "in seat order"
    assert 'value="Ada"' not in client.get("/start?board=usa&names=none").text


@pytest.fixture
def with_paris(tmp_path: Path) -> Iterator[Table]:
    """USA, and Paris by counts, which four may play at most."""
    table = Table(TableConfig([load_board("usa"), paris_by_counts()], tmp_path))
    yield table
    table.close()


def test_as_last_time_offers_no_more_than_may_play(with_paris: Table) -> None:
    colours = ("red", "blue", "green", "yellow", "black")
    names = ("Ada", "Ben", "Carla", "Dan", "Eva")
    five = [{"name": n, "colour": c} for n, c in zip(names, colours, strict=True)]
    with_paris.act("start", {"board": "usa", "players": five, "camera": False})
    with_paris.act("new-game", {})
    client = create_app(with_paris).test_client()
    page = client.get("/start?board=paris-by-counts").text
    assert "As last time: Ada, Ben, Carla and Dan" in page
    assert "At most 4 play this game; not offered: Eva." in page
    seated = client.get("/start?board=paris-by-counts&names=last").text
    sent = {name: name_typed(seated, name) for name in (f"name-{colour}" for colour in colours)}
    assert (
        client.post("/api/act/start", data={"board": "paris-by-counts", **sent}).status_code == 200
    )
    assert "not offered" not in client.get("/start?board=usa").text


def name_typed(page: str, field: str) -> str:
    """What stands in a field of the form."""
    found = re.search(rf'name="{field}" value="([^"]*)"', page)
    return "" if found is None else found[1]


@pytest.mark.parametrize(
    ("language", "wagons", "buses"),
    [
        ("en", "beside its wagons", "beside its buses"),
        ("it", "accanto ai suoi vagoni", "accanto ai suoi autobus"),
    ],
)
def test_the_names_stand_beside_what_the_game_is_played_with(
    with_paris: Table, language: str, wagons: str, buses: str
) -> None:
    client = create_app(with_paris).test_client()
    assert wagons in client.get(f"/start?board=usa&lang={language}").text
    paris = client.get(f"/start?board=paris-by-counts&lang={language}").text
    assert buses in paris
    assert wagons not in paris


def test_a_long_name_of_a_link_is_refused_like_a_typed_one(client: FlaskClient) -> None:
    name = "Maximiliane von und zu Hohenlohe"
    page = client.get("/start", query_string={"board": "usa", "name-red": name}).text
    assert f'name="name-red" value="{name}"' in page, "it was cut without a word"
    sent = {"board": "usa", "name-red": name, "name-blue": "Ben"}
    refused = client.post("/api/act/start", data=sent, headers={"Accept-Language": "en"})
    assert refused.status_code == 400
    assert "at most 24 letters" in refused.text


def test_a_board_that_was_just_taught_is_still_chosen_after_the_old_game_is_put_away(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """Set-up and the studio lead to their board; the last evening's sheet is still on the table."""
    boards = (load_board("usa"), load_board("germany"))
    table = new_table(tmp_path, open_camera=None, boards=boards)
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    table.act("finish", {})
    page.goto(f"{serve(table)}/start?board=germany")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("heading", name="Type each name beside its wagons").wait_for()
    assert page.get_by_text("Ticket to Ride Germany").is_visible()
    table.close()


def test_a_start_that_is_taken_back_keeps_the_names_that_were_typed(tmp_path: Path) -> None:
    table = new_table(tmp_path, open_camera=None)
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    table.act("undo", {"really": True})
    page = create_app(table).test_client().get("/start?board=usa").text
    table.close()
    assert 'name="name-red" value="Ada"' in page


def test_an_absent_player_is_not_seated_by_last_times_names(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    playing.act("new-game", {})
    page.goto(f"{serve(playing)}/start?board=usa")
    page.get_by_label("Name of the green player").fill("Carla")
    page.get_by_label("Name of the black player").fill("Dan")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("heading", name="Standing").wait_for()
    assert [player["name"] for player in playing.state()["players"]] == ["Carla", "Dan"]


def test_a_player_whose_colour_a_game_lacks_gets_a_free_one() -> None:
    last = [PanelPlayer(name="Ben", colour="blue"), PanelPlayer(name="Ada", colour="white")]
    seats = [(seat.colour, seat.name) for seat in seats_for(GERMANY, last)]
    assert seats == [
        ("red", "Ben"),
        ("white", "Ada"),
        ("purple", ""),
        ("yellow", ""),
        ("black", ""),
    ]


def test_rows_are_moved_into_the_order_of_play(page: Any, serve: Serve, table: FakeTable) -> None:
    page.goto(f"{serve(table)}/start?board=usa")
    page.get_by_label("Name of the blue player").fill("Ben")
    page.get_by_label("Name of the green player").fill("Carla")
    expect(page.locator("li:has(.begins:visible) input").first).to_have_value("Ben")
    up = page.get_by_role("button", name="Move green up")
    up.click()
    up.click()  # blue, red, green: past both
    expect(page.locator("li:has(.begins:visible) input").first).to_have_value("Carla")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("heading", name="Standing").wait_for()
    assert [player["name"] for player in table.state()["players"]] == ["Carla", "Ben"]


def test_typed_names_outlive_another_language_a_reload_and_the_way_back(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    """Ben and Carla were typed, and Carla begins; somebody at the table reads Italian."""
    page.goto(f"{serve(table)}/start?board=usa")
    page.get_by_label("Name of the blue player").fill("Ben")
    page.get_by_label("Name of the green player").fill("Carla & Ada")
    for _ in range(2):
        page.get_by_role("button", name="Move green up").click()
    page.get_by_label("Language").click()
    page.get_by_role("link", name="Italiano").click()
    page.get_by_role("heading", name="Chi gioca stasera?").wait_for()
    page.reload()
    page.get_by_role("link", name="Altro gioco").click()
    page.get_by_role("heading", name="Scegli il gioco").wait_for()
    page.go_back()
    page.get_by_role("button", name="Inizia la partita").click()
    page.get_by_role("heading", name="Situazione").wait_for()
    players = [(one["name"], one["colour"]) for one in table.state()["players"]]
    assert players == [("Carla & Ada", "green"), ("Ben", "blue")]


def test_the_name_that_is_being_typed_outlives_a_reload(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    """Its field still has the focus: the last of five names was lost."""
    page.goto(f"{serve(table)}/start?board=usa")
    page.get_by_label("Name of the blue player").press_sequentially("Ben")
    page.wait_for_url(re.compile("name-blue=Ben"))
    page.reload()
    expect(page.get_by_label("Name of the blue player")).to_have_value("Ben")


def test_the_names_go_along_to_another_game(page: Any, serve: Serve, table: FakeTable) -> None:
    """Whoever had tapped the wrong board typed five names once more."""
    page.goto(f"{serve(table)}/start?board=usa")
    page.get_by_label("Name of the red player").fill("Ada & Eva")
    page.get_by_label("Name of the blue player").fill("Ben")
    page.get_by_role("link", name="Other game").click()
    page.get_by_role("link", name="Ticket to Ride France").click()
    expect(page.get_by_label("Name of the red player")).to_have_value("Ada & Eva")
    expect(page.get_by_label("Name of the blue player")).to_have_value("Ben")


def test_the_names_are_there_again_after_a_look_at_another_page(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    """Who looked at help or the box in between typed five names once more."""
    page.goto(f"{serve(table)}/start?board=usa")
    page.get_by_label("Name of the red player").fill("Ada & Eva")
    page.get_by_label("Name of the blue player").fill("Ben")
    page.get_by_role("link", name="Companion").click()
    page.get_by_role("link", name="Help").click()
    page.get_by_role("link", name="Companion").click()
    page.get_by_role("link", name="Ticket to Ride (USA)").click()
    expect(page.get_by_label("Name of the red player")).to_have_value("Ada & Eva")
    expect(page.get_by_label("Name of the blue player")).to_have_value("Ben")
    # A game begins; the next one starts with empty fields.
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/board")
    table.act("new-game", {})
    page.wait_for_url("**/start")
    page.get_by_role("link", name="Ticket to Ride (USA)").click()
    expect(page.get_by_label("Name of the red player")).to_have_value("")


def test_the_names_are_there_again_however_a_game_is_reached(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    """A link that was tapped while its page's pictures still came lost them."""
    address = serve(table)
    page.goto(f"{address}/start?board=usa")
    page.get_by_label("Name of the red player").fill("Ada & Eva")
    page.get_by_label("Name of the blue player").fill("Ben")
    page.goto(f"{address}/help")
    page.goto(f"{address}/start?board=france&lang=it")
    expect(page.get_by_label("Nome di chi gioca con il colore rosso")).to_have_value("Ada & Eva")
    expect(page.get_by_label("Nome di chi gioca con il colore blu")).to_have_value("Ben")
    page.go_back()
    page.wait_for_url("**/help")
    page.goto(f"{address}/start?board=france&names=none&lang=en")  # "Empty the fields"
    expect(page.get_by_label("Name of the red player")).to_have_value("")


def test_names_of_a_start_that_was_taken_back_are_corrected_once(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """The box seats those of that start again, but not in the place of what was typed since."""
    table = new_table(tmp_path, open_camera=None)
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    table.act("undo", {"really": True})
    page.goto(f"{serve(table)}/start?board=usa")
    name = page.get_by_label("Name of the red player")
    expect(name).to_have_value("Ada")
    name.fill("Adele")
    page.get_by_role("link", name="Other game").click()
    page.locator(".board-card").first.click()
    expect(name).to_have_value("Adele")
    expect(page.get_by_label("Name of the blue player")).to_have_value("Ben")
    page.get_by_role("link", name="Empty the names").click()
    expect(name).to_have_value("")
    page.get_by_role("link", name="Other game").click()
    page.locator(".board-card").first.click()
    page.wait_for_url("**/start?board=*names=none")
    expect(name).to_have_value("")
    table.close()


def test_the_settings_are_there_again_after_a_look_at_another_page(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """A house rule that was chosen was forgotten on the way back from help, and played without."""
    table = new_table(tmp_path, boards=(load_board("usa"), load_board("germany")))
    page.goto(f"{serve(table)}/start?board=germany")
    page.get_by_text("Table settings").click()
    ticket = page.get_by_role("group", name="Globetrotter, if nobody completed a ticket")
    expect(ticket.get_by_label("nobody gets it")).to_be_checked()
    ticket.get_by_label("everybody gets it").check()
    page.get_by_role("link", name="Companion").click()
    page.get_by_role("link", name="Help").click()
    page.get_by_role("link", name="Companion").click()
    page.get_by_role("link", name="Ticket to Ride (USA)").click()
    page.get_by_role("link", name="Other game").click()
    page.get_by_role("link", name="Ticket to Ride Germany").click()
    expect(ticket.get_by_label("everybody gets it")).to_be_checked()
    page.get_by_label("Name of the red player").fill("Ada")
    page.get_by_label("Name of the white player").fill("Ben")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/board")
    # The next one begins with its rule, as the last game had it.
    assert table.state()["settings"]["globetrotter-needs-a-ticket"] is False
    table.act("set-settings", {"settings": {}})
    table.act("new-game", {})
    page.wait_for_url("**/start")
    page.get_by_role("link", name="Ticket to Ride Germany").click()
    page.get_by_text("Table settings").click()
    expect(ticket.get_by_label("nobody gets it")).to_be_checked()


def test_a_rematch_is_played_by_the_house_rules_of_the_last_game(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """They were chosen anew for every game, or forgotten."""
    table = new_table(tmp_path, boards=(load_board("usa"), load_board("germany")))
    rule = {"globetrotter-needs-a-ticket": False}
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "white"}]
    table.act("start", {"board": "germany", "players": players, "camera": False, "settings": rule})
    table.act("finish", {})
    page.goto(f"{serve(table)}/sheet")
    page.get_by_role("button", name="Rematch").click()
    page.get_by_text("Here as in the last game on this board.").wait_for()
    ticket = page.get_by_role("group", name="Globetrotter, if nobody completed a ticket")
    expect(ticket.get_by_label("everybody gets it")).to_be_checked()
    page.get_by_role("link", name="Other game").click()
    page.get_by_role("link", name="Ticket to Ride (USA)").click()
    page.get_by_text("Table settings").wait_for()
    assert not page.get_by_text("Here as in the last game").is_visible()
    page.get_by_role("link", name="Other game").click()
    page.get_by_role("link", name="Ticket to Ride Germany").click()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/board")
    assert table.state()["settings"]["globetrotter-needs-a-ticket"] is False


def test_names_outlive_a_start_that_was_refused_and_a_look_at_another_page(
    page: Any, serve: Serve, table: FakeTable
) -> None:
    page.goto(f"{serve(table)}/start?board=usa")
    page.get_by_label("Name of the red player").fill("Ada")
    page.get_by_role("button", name="Start the game").click()
    page.locator("#toast").wait_for()  # one player alone is no game
    page.get_by_role("link", name="Companion").click()
    page.get_by_role("link", name="Ticket to Ride (USA)").click()
    expect(page.get_by_label("Name of the red player")).to_have_value("Ada")


def test_another_language_shows_the_same_page(client: FlaskClient, table: FakeTable) -> None:
    chosen = client.get("/start?board=usa&lang=en").text
    assert 'href="?board=usa&amp;lang=it"' in chosen
    assert "Inizia la partita" in client.get("/start?board=usa&lang=it").text
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    hand = client.post("/tickets/red").location
    assert 'href="?lang=it"' in client.get(f"{hand}&q=bo").text, "a hand is nobody's to link to"


def test_the_panel_calls_a_game_as_the_sheet_does(client: FlaskClient, table: FakeTable) -> None:
    chosen = client.get("/start?lang=it").text
    assert "Ticket to Ride Germania" in chosen
    assert "Ticket to Ride Germany" not in chosen
    table.act("start", {"board": "germany", "players": PLAYERS, "camera": False})
    assert 'aria-label="Mappa di Ticket to Ride Germania' in client.get("/board?lang=it").text


def test_a_form_without_the_script_seats_players_by_colour(client: FlaskClient) -> None:
    sent = {"board": "usa", "name-red": "Ada", "name-blue": "Ben", "seat-red": "x"}
    assert client.post("/api/act/start", data=sent).status_code == 200
    assert [one["name"] for one in client.get("/api/state").json["players"]] == ["Ben", "Ada"]


def test_the_code_on_the_page_leads_a_phone_to_the_panel(page: Any, table: FakeTable) -> None:
    client = create_app(table, own_addresses=lambda: HERE).test_client()
    shown = client.get("/start", headers={"Host": "localhost:8000"}).text
    assert "companion.local:8000" in shown
    assert "192.168.1.20:8000" in shown
    page.set_content(f"<style>.qr{{width:400px}}</style>{shown.split('<figure')[1]}")
    picture = page.locator(".qr").screenshot()
    pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert pixels is not None
    assert cv2.QRCodeDetector().detectAndDecode(pixels)[0] == HERE[0]


def test_the_code_is_that_of_the_address_which_the_box_has_now(page: Any, table: FakeTable) -> None:
    """The box got another number while the page was open: its code led nowhere until a reload."""
    here = list(HERE)
    with served(create_app(table, own_addresses=lambda: here)) as address:
        proxy = CuttingProxy(int(address.rpartition(":")[2]))
        with proxy.listening() as port:
            page.goto(f"http://127.0.0.1:{port}/start")
            page.get_by_role("img", name="QR code of http://192.168.1.20:8000/").wait_for()
            proxy.is_deaf = True
            page.locator("#offline").wait_for()
            here[0] = "http://192.168.1.77:8000/"
            proxy.is_deaf = False
            page.get_by_role("img", name="QR code of http://192.168.1.77:8000/").wait_for()
            assert page.locator("#offline").is_hidden()


@pytest.mark.parametrize("host", ["192.168.1.7:8000", "companion.local"])
def test_the_address_by_which_a_device_came_is_the_one_it_passes_on(
    table: FakeTable, host: str
) -> None:
    client = create_app(table).test_client()
    assert f"QR code of http://{host}/" in client.get("/start", headers={"Host": host}).text


@pytest.mark.parametrize(
    ("host", "leads"),
    [
        ("192.168.1.7:8000", True),
        ("[fd00::7]:8000", True),
        ("companion.local:8000", False),
        ("localhost:8000", False),
        ("beef", False),  # a machine's name, not an address in figures
    ],
)
def test_a_page_that_was_opened_by_number_leads_to_the_name_once_nobody_answers(
    table: FakeTable, host: str, leads: bool
) -> None:
    """A router that gave the box another number in mid-game left every phone on a dead page."""
    client = create_app(table, own_addresses=lambda: HERE).test_client()
    page = client.get("/start?lang=it", headers={"Host": host}).text
    banner = page.split('id="offline"')[1].split("</p>")[0]
    link = '<a href="http://companion.local:8000/">companion.local:8000</a>'
    assert (f"forse ha un altro indirizzo: {link}" in banner) is leads
    assert ("<a" in banner) is leads


def test_a_machine_without_a_network_invites_nobody(table: FakeTable) -> None:
    page = create_app(table).test_client().get("/start", headers={"Host": "localhost"}).text
    assert "QR code" not in page
